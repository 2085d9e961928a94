import { transact } from "../../../db/statement.ts";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, boundRowError, merged, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { MAX_TRIES, retryOnContention } from "../../commits/retry-on-contention.ts";
import { commitOnce } from "../../commits/commit-once.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import type { MessageRow } from "../input/message-input.schemas.ts";
import { type SentRow, sentRows } from "../messages.schemas.ts";
import { type SendCheck, refusalError } from "../send-refusal.ts";
import { type AddressedMessage, acceptMessageStatements } from "./accept-message.sql.ts";
import { addresseeOf } from "./find-addressee.ts";
import { readMessageInput } from "./new-message.ts";
import { startDeliveries } from "./send-message.ts";
import {
  type CheckedRow,
  failIfRefused,
  selectMergedInto,
  selectRowCheck,
  sentRowsAsJson,
} from "./send-message.sql.ts";

/** D1 allows this many statements per request, so a large batch is tried fewer times. */
const MAX_STATEMENTS = 1000;
const STATEMENTS_PER_ROW = 8;

const RECORDS_CHANGE = "Other requests are changing the records that these messages use. Try again shortly.";

const triesFor = (rows: number): number =>
  Math.max(1, Math.min(MAX_TRIES, Math.floor(MAX_STATEMENTS / (rows * STATEMENTS_PER_ROW))));

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
  return { replay: findReplay(ctx, replays, sentRows), facts };
}

const refusedRow = (error: AppError): { error: NonNullable<SentRow["error"]> } => ({ error: boundRowError(error) });

/**
 * One round trip checks the rows, and a second one accepts the valid rows. If the data changes in between, all rows are
 * checked again.
 */
export async function sendBatch(ctx: Ctx, sent: MessageRow[]): Promise<SentRow[]> {
  requireSendingConnection(ctx);
  const rows = sent.map((row) => readRow(ctx, row));
  return retryOnContention(ctx, { message: RECORDS_CHANGE, maxTries: triesFor(rows.length) }, async () => {
    const { replay, facts } = await checkRows(ctx, rows);
    return replay ?? acceptRows(ctx, rows, facts);
  });
}

async function acceptRows(ctx: Ctx, rows: InputRow[], facts: RowFacts): Promise<SentRow[]> {
  const messages: AddressedMessage[] = [];
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

const rowsInOrder = (results: SentRow[], rows: InputRow[]) =>
  results.flatMap(({ accepted }, index) => {
    const row = rows[index];
    return accepted === null || row === undefined || hasOwn(row, "error") ? [] : [{ accepted, message: row.message }];
  });
