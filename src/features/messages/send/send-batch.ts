import * as z from "zod";
import { transact } from "../../../db/statement.ts";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import { type Ctx, hasDisconnected } from "../../../shared/context.ts";
import { AppError, boundRowError, merged, notFound } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { commitOnce } from "../../commits/commit-once.ts";
import { isContention, retryOnContention } from "../../commits/retry-on-contention.ts";
import { interruptedError, type Part, storeInParts } from "../../commits/store-in-parts.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import type { MessageRow } from "../input/message-input.schemas.ts";
import { type SentRow, sentRows } from "../messages.schemas.ts";
import { type SendCheck, refusalError } from "../send-refusal.ts";
import { type AddressedMessage, acceptMessageStatements } from "./accept-message.sql.ts";
import { addresseeOf } from "./find-addressee.ts";
import { readMessageInput } from "./new-message.ts";
import { type AcceptedSend, startDeliveries } from "./send-message.ts";
import {
  type CheckedRow,
  failIfRefused,
  selectMergedInto,
  selectRowCheck,
  sentRowsAsJson,
} from "./send-message.sql.ts";

/** Messages per transaction. Their preparation and storage take about 2 ms, during which other requests wait. */
export const MESSAGES_PER_PART = 4;

const RECORDS_CHANGE = "Other requests are changing the records that these messages use. Try again shortly.";

interface ReadRow extends Omit<AddressedMessage, "id"> {
  contactId: string | null;
}

type InputRow = ReadRow | { error: AppError };

function readRow(ctx: Ctx, row: MessageRow): InputRow {
  if (hasOwn(row, "error")) return row;
  const { addressee, input } = row;
  const { target, contactIfMissing } = addresseeOf(ctx, addressee);
  const contactId = hasOwn(addressee, "contact_id") ? addressee.contact_id : null;
  try {
    return { target, contactIfMissing, contactId, message: readMessageInput(ctx, input) };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

interface RowFacts {
  checks: Map<number, SendCheck>;
  mergedInto: Map<string, string | null>;
}

function findRowFault(
  { message, contactId }: ReadRow,
  index: number,
  { checks, mergedInto }: RowFacts,
): AppError | null {
  const check = checks.get(index);
  if (check !== undefined) return check.refusal === null ? null : refusalError(check, message);
  const into = mergedInto.get(contactId ?? "") ?? null;
  return into === null ? notFound("contact") : merged("contact", into);
}

async function checkRows(ctx: Ctx, rows: InputRow[]) {
  const readRows = rows.flatMap((row, index) => (hasOwn(row, "target") ? [{ ...row, index }] : []));
  const contactIds = readRows.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]));
  const { replays, checks, mergedContacts } = await transact(ctx.db, {
    replays: selectReplay(ctx),
    checks: readRows.map((row) => selectRowCheck(ctx, row.index, row)),
    mergedContacts: contactIds.length === 0 ? [] : [selectMergedInto(ctx, contactIds)],
  });
  const facts: RowFacts = {
    checks: new Map(checks.map((check) => [check.row, check])),
    mergedInto: new Map(mergedContacts.map(({ id, into_id }) => [id, into_id])),
  };
  return { replay: findReplay(ctx, replays, storedRows), facts };
}

const refusedRow = (error: AppError): { error: NonNullable<SentRow["error"]> } => ({ error: boundRowError(error) });

/**
 * The stored result of a part must not have the shape of a batch's answer. The first part has the key of the whole
 * request, so an earlier version of Tidings would return that part as the answer of the whole batch.
 */
const storedRows = z.union([z.object({ part: sentRows }), sentRows]);

type StoredRows = z.infer<typeof storedRows>;

const rowsOf = (stored: StoredRows): SentRow[] => (hasOwn(stored, "part") ? stored.part : stored);

interface AcceptedPart {
  results: SentRow[];
  /** The messages that this request has accepted. Empty if a repeat of the request found its replay. */
  sends: AcceptedSend[];
}

/** The whole part fails if the database refuses a row that `findFault` has not found. */
async function acceptRows(
  ctx: Ctx,
  rows: InputRow[],
  isWhole: boolean,
  findFault: (row: ReadRow, index: number) => AppError | null,
): Promise<AcceptedPart> {
  const messages: AddressedMessage[] = [];
  const checked = rows.map((row, index): CheckedRow => {
    if (hasOwn(row, "error")) return refusedRow(row.error);
    const refusal = findFault(row, index);
    if (refusal !== null) return refusedRow(refusal);
    const message = { ...row, id: ctx.newId("msg") };
    messages.push(message);
    return { messageId: message.id };
  });
  const ids = messages.map(({ id }) => id);
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => [
      ...messages.flatMap((message) => acceptMessageStatements(ctx, message, guard)),
      failIfRefused(ids, guard),
    ],
    result: sentRowsAsJson(checked, isWhole),
    shape: storedRows,
  });
  if (result === null) throw new Error("A batch of messages returned no results.");
  const results = rowsOf(result);
  return { results, sends: replayed ? [] : sendsOf(results, rows) };
}

const sendsOf = (results: SentRow[], rows: InputRow[]): AcceptedSend[] =>
  results.flatMap(({ accepted }, index) => {
    const row = rows[index];
    return accepted === null || row === undefined || hasOwn(row, "error") ? [] : [{ accepted, message: row.message }];
  });

/** One round trip checks the rows, and a second one accepts the valid rows. */
async function checkAndAccept(ctx: Ctx, rows: InputRow[], isWhole: boolean): Promise<AcceptedPart> {
  const { replay, facts } = await checkRows(ctx, rows);
  if (replay !== null) return { results: rowsOf(replay), sends: [] };
  return acceptRows(ctx, rows, isWhole, (row, index) => findRowFault(row, index, facts));
}

/** Accepts the rows without a check first. Returns null if the database refuses one of them. */
const acceptUnchecked = (ctx: Ctx, rows: InputRow[], isWhole: boolean): Promise<AcceptedPart | null> =>
  acceptRows(ctx, rows, isWhole, () => null).catch((error: unknown) => {
    if (isContention(error)) return null;
    throw error;
  });

const NOT_ACCEPTED = "The request was cancelled before the message was accepted. Send the message again.";
const NOT_CONFIRMED =
  "Storage did not confirm the message, so it might be sent. Look for the message before you send it again.";

/** Without an Idempotency-Key, the caller cannot complete the batch, and must know which messages were accepted. */
function addInterrupted(ctx: Ctx, error: unknown, results: SentRow[], count: number): SentRow[] {
  if (!hasDisconnected(ctx))
    log.error("batch_interrupted", { requestId: ctx.requestId, accepted: results.length, error });
  const unconfirmed = error instanceof AppError ? 0 : MESSAGES_PER_PART;
  const rest = Array.from({ length: count - results.length }, (_, index): SentRow => {
    const message = index < unconfirmed ? NOT_CONFIRMED : NOT_ACCEPTED;
    return { accepted: null, ...refusedRow(new AppError("unavailable", message)) };
  });
  return [...results, ...rest];
}

/** Accepts the messages in parts. If the data changes while a part is accepted, its rows are checked again. */
export async function sendBatch(ctx: Ctx, sent: MessageRow[]): Promise<SentRow[]> {
  requireSendingConnection(ctx);
  const sends: AcceptedSend[] = [];
  let areValid = true;
  const storePart = async (partCtx: Ctx, { rows: part, isWhole }: Part<MessageRow>) => {
    const rows = part.map((row) => readRow(partCtx, row));
    const accepted =
      (areValid ? await acceptUnchecked(partCtx, rows, isWhole) : null) ??
      (await retryOnContention(partCtx, { message: RECORDS_CHANGE }, () => checkAndAccept(partCtx, rows, isWhole)));
    areValid &&= accepted.results.every(({ error }) => error === null);
    sends.push(...accepted.sends);
    return accepted.results;
  };
  try {
    return await storeInParts(ctx, {
      rows: sent,
      rowsPerPart: MESSAGES_PER_PART,
      turns: "messages",
      storePart,
      readStored: (replay) => rowsOf(storedRows.parse(replay)),
      onInterrupted(error, results) {
        if (ctx.once === null) return addInterrupted(ctx, error, results, sent.length);
        throw interruptedError(ctx, error, results.length, `${sent.length} messages`);
      },
    });
  } finally {
    // An error must not replace the results. The cron sends messages whose delivery did not start.
    await startDeliveries(ctx, sends).catch((error: unknown) => {
      log.error("deliveries_not_started", { requestId: ctx.requestId, messages: sends.length, error });
    });
  }
}
