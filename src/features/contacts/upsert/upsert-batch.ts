import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, boundRowError } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { interruptedError, type Part, storeInParts } from "../../commits/store-in-parts.ts";
import { batchCounts, batchResult } from "../contacts.schemas.ts";
import type { UpsertPlan } from "./upsert-plan.ts";
import { createUpsertPlan, readPatch, type UpsertInput, upsertQuery } from "./upsert-contacts.ts";
import { jsonAnswer } from "./write-contacts.sql.ts";
import { type PlanData, planAndWrite } from "./write-contacts.ts";

/** Contacts per transaction. Their preparation and storage take about 4 ms, during which other requests wait. */
export const CONTACTS_PER_PART = 15;

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

function answerOf(results: RowResult[]): BatchAnswer {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  return { results, counts };
}

interface ContactPart extends BatchOptions, Part<BatchRow> {
  /** True if the contacts are most likely new. */
  areNew: boolean;
}

async function upsertPart(ctx: Ctx, { rows, first, isWhole, areNew, source }: ContactPart): Promise<RowResult[]> {
  const inputs = rows.flatMap((row) => (hasOwn(row, "input") ? [row.input] : []));
  const query = { ...upsertQuery(inputs), ...(!areNew && { assumed: null }) };
  const answer = await planAndWrite(ctx, query, partAnswer, (data) => {
    const plan = createUpsertPlan(ctx, data);
    const results = rows.map((row, index) => upsertRow(plan, row, first + index, data));
    const result = jsonAnswer(isWhole ? answerOf(results) : { part: results });
    return { plan, result, ...(source !== undefined && { source }) };
  });
  return resultsOf(answer);
}

/**
 * Stores the rows in order, because a row can match an earlier one. An invalid row does not fail the others. Throws the
 * errors of `storeInParts`.
 */
export async function upsertBatch<Row>(
  ctx: Ctx,
  sent: readonly Row[],
  readRow: (row: Row, index: number) => BatchRow,
  options: BatchOptions = {},
): Promise<BatchAnswer> {
  let areNew = true;
  const results = await storeInParts<Row, RowResult>(ctx, {
    rows: sent,
    rowsPerPart: CONTACTS_PER_PART,
    turns: "shared",
    async storePart(partCtx, part) {
      const rows = part.rows.map((row, index) => readRow(row, part.first + index));
      const stored = await upsertPart(partCtx, { ...options, ...part, rows, areNew });
      areNew = stored.every(({ status }) => status === "created" || status === "failed");
      return stored;
    },
    readStored: (replay) => resultsOf(partAnswer.parse(replay)),
    onInterrupted(error, { length }) {
      throw interruptedError(ctx, error, length, `${sent.length} contacts`);
    },
  });
  return answerOf(results);
}
