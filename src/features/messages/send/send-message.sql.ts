import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { connections, contacts, conversations, media, messages } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import { actorId } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isNumber } from "../../contacts/identity/address-keys.sql.ts";
import { contactMergedInto } from "../../contacts/identity/identify-people.sql.ts";
import { optedOutAt } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { state } from "../messages.states.ts";
import { FETCH_WAIT_MS } from "../messages.delays.ts";
import { isOwnFile, selectRefusal, type SendCheck, sendCheck } from "../send-refusal.ts";
import { isOtherAccount } from "../unsubscribed.sql.ts";
import type { SentRow } from "../messages.schemas.ts";
import type { SendTarget } from "./find-addressee.ts";
import { type NewMessage, storedMediaOf } from "./new-message.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const f = columns(media, "f");
const k = columns(connections, "k");
const v = columns(conversations, "v");
const storedContact = columns(contacts, "contacts");
const storedMessage = columns(messages);

function fileAsJson(ctx: Ctx, message: NewMessage): SQL {
  const file = storedMediaOf(message);
  if (file === null) return sql`NULL`;
  return sql`(
    SELECT json_object('mime_type', ${f.mimeType}, 'bytes', ${f.bytes}, 'status', ${f.status})
    FROM media f WHERE ${isOwnFile(ctx, file.id)})`;
}

/**
 * Login codes require a phone number, so this selects the number even if the address is an id. Without each `LIMIT -1`,
 * SQLite would copy the subqueries into every place that uses them and run out of memory.
 */
const byNumber = (target: SendTarget): SQL => sql`
  SELECT seq, contact_id, phone_key, connection_id,
    iif(${isNumber(sql`address`)}, address, (SELECT ${storedContact.phone} FROM contacts WHERE ${storedContact.seq} = a.seq)) AS address, has_malformed_user_id
  FROM (SELECT * FROM (${target}) LIMIT -1) a LIMIT -1`;

function checkedTarget(ctx: Ctx, target: SendTarget, message: NewMessage): SQL {
  const { template } = message;
  const person = [ctx, sql`a.contact_id`, sql`a.phone_key`] as const;
  return selectRefusal(ctx, {
    message,
    select: sql`a.contact_id AS contact_id`,
    target: {
      seq: sql`a.seq`,
      connection_id: sql`a.connection_id`,
      address: sql`a.address`,
      has_malformed_user_id: sql`a.has_malformed_user_id`,
      is_text: template === undefined ? sql`TRUE` : sql`FALSE`,
      provider: k.provider,
      connection_status: k.status,
      channel: k.channel,
      opted_out_at: optedOutAt(...person),
      marketing_opted_out_at:
        template?.isMarketing === true ? optedOutAt(...person, "marketing_suppressions") : sql`NULL`,
      last_inbound_at: v.lastInboundAt,
      wrote_from: v.wroteFrom,
      wrote_from_key: v.wroteFromKey,
    },
    from: sql`(${template?.isAuthentication === true ? byNumber(target) : target}) a
      LEFT JOIN connections k ON ${k.id} = a.connection_id AND ${k.workspaceId} = ${ctx.workspace.id} AND ${k.deletedAt} IS NULL
      LEFT JOIN conversations v ON ${v.contactSeq} = a.seq AND ${v.connectionId} = a.connection_id`,
  });
}

const checkedAccount = { address: sql`address`, wrote_from: sql`wrote_from`, wrote_from_key: sql`wrote_from_key` };

export const selectSendCheck = (
  ctx: Ctx,
  target: SendTarget,
  message: NewMessage,
  condition = sql`TRUE`,
): Statement<SendCheck> =>
  statement(
    sendCheck,
    sql`
      SELECT refusal, contact_id, connection_status, iif(${isOtherAccount(checkedAccount)}, NULL, last_inbound_at) AS last_inbound_at,
        provider, ${fileAsJson(ctx, message)} AS file FROM (${checkedTarget(ctx, target, message)})
      WHERE ${condition}`,
  );

const rowCheck = sendCheck.extend({ row: z.number() });

export const selectRowCheck = (
  ctx: Ctx,
  row: number,
  { target, message }: { target: SendTarget; message: NewMessage },
): Statement<z.infer<typeof rowCheck>> =>
  statement(rowCheck, sql`SELECT ${row} AS row, checked.* FROM (${selectSendCheck(ctx, target, message).sql}) checked`);

const mergedContact = z.object({ id: z.string(), into_id: z.string().nullable() });

export const selectMergedInto = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof mergedContact>> =>
  statement(
    mergedContact,
    sql`
      SELECT e.value AS id, (${contactMergedInto(ctx, sql`e.value`)}) AS into_id FROM json_each(${JSON.stringify(ids)}) e`,
  );

interface InsertedMessage {
  id: string;
  message: NewMessage;
  target: SendTarget;
  newSeq: SQL;
}

export function insertMessage(ctx: Ctx, { id, message, target, newSeq }: InsertedMessage, guard: SQL): SQL {
  const { text, template, content, fetched, replyTo, metadata, sendAt = null, test } = message;
  const form = template?.form ?? null;
  const dueAt = fetched === undefined ? ctx.now() : ctx.now() + FETCH_WAIT_MS;
  return insertSelect(
    messages,
    {
      id,
      workspaceId: ctx.workspace.id,
      contactSeq: sql`coalesce(seq, ${newSeq})`,
      connectionId: sql`connection_id`,
      templateId: template?.id ?? null,
      templateForm: form === null ? null : JSON.stringify(form),
      fromContact: sql`FALSE`,
      address: sql`address`,
      body: text,
      state: sendAt === null ? state.queued : state.scheduled,
      nextAttemptAt: sendAt === null ? dueAt : null,
      createdAt: ctx.now(),
      // A plain text is stored in `body`, so it needs no type and no content.
      type: content?.type === "text" ? undefined : content?.type,
      content: content && JSON.stringify(content.content),
      replyTo: replyTo ?? undefined,
      metadata: metadata ? JSON.stringify(metadata) : undefined,
      sendAt: sendAt ?? undefined,
      authorId: actorId(ctx.actor) ?? undefined,
      isTest: test === undefined ? undefined : true,
    },
    sql`FROM (${checkedTarget(ctx, target, message)}) WHERE refusal IS NULL AND ${guard}`,
  );
}

export const contactSeqOfMessage = (messageId: string): SQL =>
  sql`(SELECT ${storedMessage.contactSeq} FROM messages WHERE ${storedMessage.id} = ${messageId})`;

export const messageExists = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages WHERE ${storedMessage.id} = ${messageId})`;

export const isRefused = (messageId: string): SQL => sql`NOT ${messageExists(messageId)}`;

/**
 * If data changed after the rows were checked, the batch can refuse one of the messages. This statement then makes the
 * whole batch fail, so that the rows are checked again.
 */
export const failIfRefused = (messageIds: readonly string[], guard: SQL): SQL =>
  failBatchUnless(
    sql`NOT (${guard} AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(messageIds)}) e
      WHERE NOT EXISTS (SELECT 1 FROM messages WHERE ${storedMessage.id} = e.value)))`,
    "message refused",
  );

export const lacksContact = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages m WHERE ${m.id} = ${messageId} AND NOT EXISTS (SELECT 1 FROM contacts WHERE ${storedContact.seq} = ${m.contactSeq}))`;

export const acceptedMessageAsJson = (messageId: string | SQL, { test }: Pick<NewMessage, "test"> = {}): SQL => sql`
  SELECT json_object('message_id', iif(${m.type} = 'reaction', ${m.replyTo}, ${m.id}), 'status', iif(${m.state} = ${state.scheduled}, 'scheduled', 'queued'), 'contact_id', ${c.id}, 'conversation_id', ${v.id},
    'contact_seq', ${m.contactSeq}, 'connection_id', ${m.connectionId}${
      test === undefined ? sql`` : sql`, 'sample_variables', json(${JSON.stringify(test.samples)})`
    }) AS result
  FROM messages m CROSS JOIN contacts c ON ${c.seq} = ${m.contactSeq}
  CROSS JOIN conversations v ON ${v.contactSeq} = ${m.contactSeq} AND ${v.connectionId} = ${m.connectionId}
  WHERE ${m.id} = ${messageId}`;

export type CheckedRow = { messageId: string } | { error: SentRow["error"] };

/** The result is the list of rows, or an object with this list if the rows are one of several parts. */
export function sentRowsAsJson(rows: readonly CheckedRow[], isWhole: boolean): SQL {
  const list = sql`json_group_array(json_object(
    'accepted', json((${acceptedMessageAsJson(sql`e.value ->> 'messageId'`)})), 'error', json(e.value -> 'error')))`;
  return sql`SELECT ${isWhole ? list : sql`json_object('part', ${list})`} AS result FROM json_each(${JSON.stringify(rows)}) e`;
}
