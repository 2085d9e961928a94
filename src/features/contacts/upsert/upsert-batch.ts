// Stores up to 500 contacts in parts, each in its own transaction, so that other requests wait only for one part.
import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, boundRowError } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { forPart, readStoredParts } from "../../idempotency/idempotency.service.ts";
import { runInTurn, type ScanTurn } from "../../scans/scans.service.ts";
import { batchCounts, batchResult } from "../contacts.schemas.ts";
import type { UpsertPlan } from "./upsert-plan.ts";
import { createUpsertPlan, readPatch, type UpsertInput, upsertQuery } from "./upsert-contacts.ts";
import { jsonAnswer } from "./write-contacts.sql.ts";
import { type PlanData, planAndWrite } from "./write-contacts.ts";

/** Contacts per transaction. A transaction takes about 5 ms if all are new and have tags and custom fields. */
export const CONTACTS_PER_PART = 20;

type RowResult = z.infer<typeof batchResult>;

export type BatchRow = { input: UpsertInput } | { error: AppError };

interface BatchOptions {
  /** For new contacts without a source. */
  source?: string;
}

const failed = (index: number, error: AppError): RowResult => ({
  index,
  status: "failed",
  contact_id: null,
  error: boundRowError(error),
});

function upsertRow(plan: UpsertPlan, row: BatchRow, index: number, data: PlanData): RowResult {
  try {
    if (hasOwn(row, "error")) return failed(index, row.error);
    const patch = readPatch(row.input, data, { replaceTags: false });
    const { contactId, created, updated } = plan.upsert(patch, row.input.update !== false);
    const status = created ? "created" : updated ? "updated" : "unchanged";
    return { index, status, contact_id: contactId, error: null };
  } catch (error) {
    if (error instanceof AppError && !data.isAssumed) return failed(index, error);
    throw error;
  }
}

const batchAnswer = z.object({ results: z.array(batchResult), counts: batchCounts });

type BatchAnswer = z.infer<typeof batchAnswer>;

/**
 * The stored result of a part must not have the shape of a batch's answer. The first part has the key of the whole
 * request, so an earlier version of Tidings would return that part as the answer of the whole batch.
 */
const partAnswer = z.union([z.object({ part: z.array(batchResult) }), batchAnswer]);

const resultsOf = (answer: z.infer<typeof partAnswer>): RowResult[] =>
  hasOwn(answer, "part") ? answer.part : answer.results;

const cancelledError = ({ retryAfter }: AppError, stored: number, sent: number) =>
  new AppError(
    "unavailable",
    `The request was cancelled after ${stored} of ${sent} contacts. Repeat the request to store the others.`,
    null,
    retryAfter,
  );

function answerOf(results: RowResult[]): BatchAnswer {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  return { results, counts };
}

interface Part extends BatchOptions {
  rows: BatchRow[];
  /** The index of the first row. */
  first: number;
  /** True if the contacts are most likely new. */
  areNew: boolean;
  toAnswer(results: RowResult[]): z.input<typeof partAnswer>;
}

async function upsertPart(ctx: Ctx, { rows, first, areNew, toAnswer, source }: Part): Promise<RowResult[]> {
  const inputs = rows.flatMap((row) => (hasOwn(row, "input") ? [row.input] : []));
  const query = { ...upsertQuery(inputs), ...(!areNew && { assumed: null }) };
  const answer = await planAndWrite(ctx, query, partAnswer, (data) => {
    const plan = createUpsertPlan(ctx, data);
    const results = rows.map((row, index) => upsertRow(plan, row, first + index, data));
    return { plan, result: jsonAnswer(toAnswer(results)), ...(source !== undefined && { source }) };
  });
  return resultsOf(answer);
}

/**
 * Stores the rows in order, because a row can match an earlier one. An invalid row does not fail the others. Each
 * transaction also stores the results of its part, so that a repeat of an interrupted request stores only the remaining
 * parts. Throws the errors of `runInTurn`.
 */
export async function upsertBatch<Row>(
  ctx: Ctx,
  sent: readonly Row[],
  readRow: (row: Row) => BatchRow,
  options: BatchOptions = {},
): Promise<BatchAnswer> {
  const rowsFrom = (first: number) => sent.slice(first, first + CONTACTS_PER_PART).map(readRow);
  if (sent.length <= CONTACTS_PER_PART) {
    const part = { rows: rowsFrom(0), first: 0, areNew: true, toAnswer: answerOf };
    return answerOf(await upsertPart(ctx, { ...options, ...part }));
  }
  const starts = sent.flatMap((_, row) => (row % CONTACTS_PER_PART === 0 ? [row] : []));
  const results = await readStoredParts(ctx, starts, (result) => resultsOf(partAnswer.parse(result)));
  let [areNew, isReplayed] = [true, true];
  const storeRest = async (turn: ScanTurn) => {
    while (results.length < sent.length) {
      const first = results.length;
      const partCtx = forPart(turn.ctx, first);
      const rows = rowsFrom(first);
      turn.addContacts(rows.length);
      const toAnswer = (part: RowResult[]) => ({ part });
      const stored = await upsertPart(partCtx, { ...options, rows, first, areNew, toAnswer });
      results.push(...stored);
      areNew = stored.every(({ status }) => status === "created" || status === "failed");
      isReplayed &&= partCtx.once?.replayed === true;
    }
  };
  try {
    if (results.length < sent.length) await runInTurn(ctx, storeRest);
  } catch (error) {
    const isCancelled = error instanceof AppError && error.code === "unavailable" && results.length > 0;
    throw isCancelled ? cancelledError(error, results.length, sent.length) : error;
  }
  if (ctx.once !== null) ctx.once.replayed = isReplayed;
  return answerOf(results);
}
