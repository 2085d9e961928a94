import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { optedOutAt, seqByPhone } from "../../contacts/contacts.sql.ts";
import { state } from "../messages.states.ts";
import { sendRefusal, sendRefusalReason } from "../send-refusal.sql.ts";

/** The person that a message is for: selects `seq`, `contact_id`, `phone_key`, `connection_id`, `address`. */
export type SendTarget = SQL;

/** The contact with this phone number, or the one that will be made with it. */
export const targetByPhone = (ctx: Ctx, connectionId: string, to: string, phoneKey: string): SendTarget => sql`
  SELECT known.seq AS seq, c.id AS contact_id, ${phoneKey} AS phone_key, ${connectionId} AS connection_id, ${to} AS address
  FROM (SELECT ${seqByPhone(ctx, phoneKey)} AS seq) known LEFT JOIN contacts c ON c.seq = known.seq`;

/** True in SQL while the contact `c` still has the address that it last wrote from in the conversation `v`. */
const hasAddress = sql`(v.wrote_from_key = c.phone_key OR v.wrote_from_key IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq AND i.external_id = v.wrote_from AND i.replaced_at IS NULL))`;

/** The contact of a conversation, at the address that it last wrote from; else at its number, else at the provider's user id. */
export const targetByConversation = (ctx: Ctx, conversationId: string): SendTarget => sql`
  SELECT v.contact_seq AS seq, c.id AS contact_id, c.phone_key AS phone_key, v.connection_id AS connection_id,
    coalesce(iif(${hasAddress}, v.wrote_from, NULL), c.phone, (SELECT i.external_id FROM contact_identities i
      JOIN connections k ON k.id = v.connection_id WHERE i.contact_seq = c.seq AND i.provider = k.provider
      ORDER BY i.replaced_at IS NOT NULL, i.connection_id IS NOT v.connection_id LIMIT 1)) AS address
  FROM conversations v JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${conversationId} AND v.workspace_id = ${ctx.workspace.id}`;

/** Free text, or a template's rendering; `form` is for providers that hold the template themselves. */
export interface MessageContent {
  text: string;
  template?: { id: string; form: object | null; isMarketing: boolean };
}

/** The target with the reason why this content may not go to it now in `refusal`, and what explains that. */
function checkedTarget(ctx: Ctx, target: SendTarget, { template }: MessageContent): SQL {
  const person = [ctx, sql`t.contact_id`, sql`t.phone_key`] as const;
  return sql`
  SELECT *, ${sendRefusal(ctx.now())} AS refusal FROM (
    SELECT t.*, ${template === undefined ? sql`TRUE` : sql`FALSE`} AS is_text, k.status AS connection_status, k.channel AS channel, v.last_inbound_at AS last_inbound_at,
      ${optedOutAt(...person)} AS opted_out_at,
      ${template?.isMarketing === true ? optedOutAt(...person, "marketing_suppressions") : sql`NULL`} AS marketing_opted_out_at
    FROM (${target}) t
    LEFT JOIN connections k ON k.id = t.connection_id AND k.workspace_id = ${ctx.workspace.id} AND k.deleted_at IS NULL
    LEFT JOIN conversations v ON v.contact_seq = t.seq AND v.connection_id = t.connection_id)`;
}

const sendCheck = z.object({
  refusal: sendRefusalReason.nullable(),
  contact_id: z.string().nullable(),
  connection_status: z.string().nullable(),
  last_inbound_at: z.number().nullable(),
});

export type SendCheck = z.infer<typeof sendCheck>;

/** The reason why this content may not go to the target now, if there is one; no row where the conversation is unknown. */
export const selectSendCheck = (ctx: Ctx, target: SendTarget, content: MessageContent): Statement<SendCheck> =>
  statement(
    sendCheck,
    sql`SELECT refusal, contact_id, connection_status, last_inbound_at FROM (${checkedTarget(ctx, target, content)})`,
  );

export interface QueuedMessageInput {
  id: string;
  content: MessageContent;
  target: SendTarget;
  /** The `seq` of the new contact, where the person is none yet. */
  newSeq: SQL;
}

/** Queues a message where nothing refuses it. */
export function insertMessage(ctx: Ctx, { id, content, target, newSeq }: QueuedMessageInput, guard: SQL): SQL {
  const { text, template } = content;
  const form = template?.form ?? null;
  return sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, template_id, template_form, from_contact, address, body,
      state, next_attempt_at, created_at)
    SELECT ${id}, ${ctx.workspace.id}, coalesce(seq, ${newSeq}), connection_id, ${template?.id ?? null},
      ${form === null ? null : JSON.stringify(form)}, FALSE, address, ${text}, ${state.queued}, ${ctx.now()}, ${ctx.now()}
    FROM (${checkedTarget(ctx, target, content)}) WHERE refusal IS NULL AND ${guard}`;
}

/** The `seq` of the contact that the message was queued for. */
export const contactSeqOfMessage = (messageId: string): SQL =>
  sql`(SELECT contact_seq FROM messages WHERE id = ${messageId})`;

/** True in SQL where the message was queued. */
export const isQueued = (messageId: string): SQL => sql`EXISTS (SELECT 1 FROM messages WHERE id = ${messageId})`;

/** True in SQL where the message was queued for a person who is no contact yet. */
export const lacksContact = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages m WHERE m.id = ${messageId} AND NOT EXISTS (SELECT 1 FROM contacts WHERE seq = m.contact_seq))`;

/** One row with an `acceptedMessage` as JSON in `result`, or none where the message was not queued. */
export const acceptedMessageAsJson = (messageId: string): SQL => sql`
  SELECT json_object('message_id', m.id, 'contact_id', c.id, 'conversation_id', v.id,
    'contact_seq', m.contact_seq, 'connection_id', m.connection_id) AS result
  FROM messages m CROSS JOIN contacts c ON c.seq = m.contact_seq
  CROSS JOIN conversations v ON v.contact_seq = m.contact_seq AND v.connection_id = m.connection_id
  WHERE m.id = ${messageId}`;
