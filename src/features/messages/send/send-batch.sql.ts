// Many messages of one request.
// Raw, because the rows of a batch are one JSON parameter.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { contactMergedInto } from "../../contacts/identity/identify-people.sql.ts";
import type { SentRow } from "../messages.schemas.ts";
import { sendCheck } from "../send-refusal.ts";
import type { NewMessageContent } from "./new-message.ts";
import { acceptedMessageAsJson, selectSendCheck } from "./send-message.sql.ts";
import type { SendTarget } from "./send-target.sql.ts";

const rowCheck = sendCheck.extend({ row: z.number() });

/** The check of a row of the batch; none where the contact is unknown. */
export const selectRowCheck = (
  ctx: Ctx,
  row: number,
  { target, content }: { target: SendTarget; content: NewMessageContent },
): Statement<z.infer<typeof rowCheck>> =>
  statement(rowCheck, sql`SELECT ${row} AS row, checked.* FROM (${selectSendCheck(ctx, target, content).sql}) checked`);

const mergedContact = z.object({ id: z.string(), into_id: z.string().nullable() });

/** For each of the ids, the contact that it was merged into, or null. */
export const selectMergedInto = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof mergedContact>> =>
  statement(
    mergedContact,
    sql`
      SELECT e.value AS id, (${contactMergedInto(ctx, sql`e.value`)}) AS into_id FROM json_each(${JSON.stringify(ids)}) e`,
  );

/** Fails the batch where `guard` holds and one of the messages was refused: what it was checked against has changed. */
export const failIfRefused = (messageIds: readonly string[], guard: SQL): SQL => sql`
  SELECT iif(${guard} AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(messageIds)}) e
    WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = e.value)), json('drifted'), 0)`;

/** A row of a batch before it is accepted: the id of its message, or why it is refused. */
export type CheckedRow = { messageId: string } | { error: SentRow["error"] };

/** One row with `sentRows` as JSON in `result`. */
export const sentRowsAsJson = (rows: readonly CheckedRow[]): SQL => sql`
  SELECT json_group_array(json_object(
    'accepted', json((${acceptedMessageAsJson(sql`e.value ->> 'messageId'`)})), 'error', json(e.value -> 'error'))) AS result
  FROM json_each(${JSON.stringify(rows)}) e`;
