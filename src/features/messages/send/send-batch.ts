import { type SQL, type Statement, statement, transact } from "../../../db/statement.ts";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, boundRowError, merged, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { MAX_TRIES, retryOnContention } from "../../commits/retry-on-contention.ts";
import { contactMergedInto } from "../../contacts/identity/identify-people.sql.ts";
import { commitOnce, findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import type { MessageRow } from "../input/message-input.schemas.ts";
import { type SentRow, sentRows } from "../messages.schemas.ts";
import { type SendCheck, refusalError, sendCheck } from "../send-refusal.ts";
import { type NewMessage, acceptMessageStatements } from "./accept-message.sql.ts";
import { findRecipient } from "./find-recipient.ts";
import type { NewMessageContent } from "./new-message.ts";
import { readMessageInput } from "../input/read-input.ts";
import { acceptedMessageAsJson, selectSendCheck } from "./send-message.sql.ts";
import type { SendTarget } from "./send-target.sql.ts";
import { startDeliveries } from "./start-deliveries.ts";

const rowCheck = sendCheck.extend({ row: z.number() });

/** The check of a batch row; no row if the contact is unknown. */
const selectRowCheck = (
  ctx: Ctx,
  row: number,
  { target, content }: { target: SendTarget; content: NewMessageContent },
): Statement<z.infer<typeof rowCheck>> =>
  statement(rowCheck, sql`SELECT ${row} AS row, checked.* FROM (${selectSendCheck(ctx, target, content).sql}) checked`);

const mergedContact = z.object({ id: z.string(), into_id: z.string().nullable() });

/** The contact that each id was merged into, or null. */
const selectMergedInto = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof mergedContact>> =>
  statement(
    mergedContact,
    sql`
      SELECT e.value AS id, (${contactMergedInto(ctx, sql`e.value`)}) AS into_id FROM json_each(${JSON.stringify(ids)}) e`,
  );

/** Fails the batch if `guard` holds and a message was refused, because the facts behind its check have changed. */
const failIfRefused = (messageIds: readonly string[], guard: SQL): SQL => sql`
  SELECT iif(${guard} AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(messageIds)}) e
    WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = e.value)), json('drifted'), 0)`;

type CheckedRow = { messageId: string } | { error: SentRow["error"] };

/** One row with `sentRows` as JSON in `result`. */
const sentRowsAsJson = (rows: readonly CheckedRow[]): SQL => sql`
  SELECT json_group_array(json_object(
    'accepted', json((${acceptedMessageAsJson(sql`e.value ->> 'messageId'`)})), 'error', json(e.value -> 'error'))) AS result
  FROM json_each(${JSON.stringify(rows)}) e`;

/** D1's limit of statements per request. */
const MAX_STATEMENTS = 1000;
/** The most statements to check and accept a row. */
const STATEMENTS_PER_ROW = 8;

const triesFor = (rows: number): number =>
  Math.max(1, Math.min(MAX_TRIES, Math.floor(MAX_STATEMENTS / (rows * STATEMENTS_PER_ROW))));

/** A row that can be looked up. */
interface ReadRow extends Omit<NewMessage, "id"> {
  contactId: string | null;
}

function readRow(ctx: Ctx, row: MessageRow): ReadRow | { error: AppError } {
  if (hasOwn(row, "error")) return row;
  const { addressee, input } = row;
  const { target, newcomer } = findRecipient(ctx, addressee);
  const contactId = hasOwn(addressee, "contact_id") ? addressee.contact_id : null;
  try {
    return { target, newcomer, contactId, content: readMessageInput(ctx, input) };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

interface RowFacts {
  checks: Map<number, SendCheck>;
  /** By contact id: the contact that it was merged into, or null. */
  mergedInto: Map<string, string | null>;
}

function findRowFault(
  { content, contactId }: ReadRow,
  index: number,
  { checks, mergedInto }: RowFacts,
): AppError | null {
  const check = checks.get(index);
  if (check !== undefined) return check.refusal === null ? null : refusalError(check, content);
  const into = mergedInto.get(contactId ?? "") ?? null;
  return into === null ? notFound("contact") : merged("contact", into);
}

/** Reads the facts for the checks, and the replay. */
async function checkRows(ctx: Ctx, rows: (ReadRow | { error: AppError })[]) {
  const readRows = rows.flatMap((row, index) => (hasOwn(row, "target") ? [{ ...row, index }] : []));
  const contactIds = readRows.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]));
  const { records, checks, mergedContacts } = await transact(ctx.db, {
    records: selectReplay(ctx),
    checks: readRows.map((row) => selectRowCheck(ctx, row.index, row)),
    mergedContacts: contactIds.length === 0 ? [] : [selectMergedInto(ctx, contactIds)],
  });
  const facts: RowFacts = {
    checks: new Map(checks.map((check) => [check.row, check])),
    mergedInto: new Map(mergedContacts.map(({ id, into_id }) => [id, into_id])),
  };
  return { replay: findReplay(ctx, records, sentRows), facts };
}

const refusedRow = (error: AppError): { error: NonNullable<SentRow["error"]> } => ({ error: boundRowError(error) });

/**
 * Queues up to 100 valid messages in order: one round trip to check the rows, one to accept them. If a checked fact has changed,
 * accepting fails as a whole and all rows are checked again.
 */
export async function sendBatch(ctx: Ctx, sent: MessageRow[]): Promise<SentRow[]> {
  requireSendingConnection(ctx);
  const rows = sent.map((row) => readRow(ctx, row));
  const message = "Other requests are changing the records that these messages use. Try again shortly.";
  return retryOnContention(ctx, { message, maxTries: triesFor(rows.length) }, async () => {
    const { replay, facts } = await checkRows(ctx, rows);
    return replay ?? acceptRows(ctx, rows, facts);
  });
}

async function acceptRows(ctx: Ctx, rows: (ReadRow | { error: AppError })[], facts: RowFacts): Promise<SentRow[]> {
  const messages: NewMessage[] = [];
  const checked = rows.map((row, index): CheckedRow => {
    if (hasOwn(row, "error")) return refusedRow(row.error);
    const refusal = findRowFault(row, index, facts);
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
    result: sentRowsAsJson(checked),
    shape: sentRows,
  });
  if (result === null) throw new Error("A batch of messages returned no results.");
  if (!replayed) await startDeliveries(ctx, rowsInOrder(result, rows));
  return result;
}

const rowsInOrder = (results: SentRow[], rows: (ReadRow | { error: AppError })[]) =>
  results.flatMap(({ accepted }, index) => {
    const row = rows[index];
    return accepted === null || row === undefined || hasOwn(row, "error") ? [] : [{ accepted, content: row.content }];
  });
