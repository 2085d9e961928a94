import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { optedOutAt, seqByPhone } from "../../contacts/contacts.sql.ts";
import { state } from "../messages.states.ts";

/** Why a message may not go, as `refusal` names it. */
export const refusalName = z.enum([
  "connection_inactive",
  "no_address",
  "unsubscribed",
  "marketing_opt_out",
  "window_closed",
]);

/**
 * Why a message may not go now, or NULL. Expects columns `is_text`, `connection_status`, `channel`, `address`,
 * `opted_out_at`, `marketing_opted_out_at` (null unless it is marketing), `last_inbound_at`. Somebody who opted out and then wrote again may be answered for 24 hours.
 */
export const refusal = (now: number): SQL => sql`CASE
  WHEN connection_status IS NOT 'active' THEN 'connection_inactive'
  WHEN address IS NULL THEN 'no_address'
  WHEN opted_out_at IS NOT NULL AND NOT (is_text AND coalesce(last_inbound_at, 0) > max(opted_out_at, ${now - DAY_MS})) THEN 'unsubscribed'
  WHEN marketing_opted_out_at IS NOT NULL THEN 'marketing_opt_out'
  WHEN channel = 'official' AND is_text AND coalesce(last_inbound_at, 0) <= ${now - DAY_MS} THEN 'window_closed'
END`;

/** Whom a message is for: columns `seq`, `contact_id`, `phone_key`, `connection_id`, `address`. */
export type Target = SQL;

/** Whoever has this number, or will be the contact with it. */
export const targetByPhone = (ctx: Ctx, connectionId: string, to: string, phoneKey: string): Target => sql`
  SELECT who.seq AS seq, c.id AS contact_id, ${phoneKey} AS phone_key, ${connectionId} AS connection_id, ${to} AS address
  FROM (SELECT ${seqByPhone(ctx, phoneKey)} AS seq) who LEFT JOIN contacts c ON c.seq = who.seq`;

/** True in SQL while the contact `c` still has the address that was written from in the conversation `v`. */
const hasAddress = sql`(v.wrote_from_key = c.phone_key OR v.wrote_from_key IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq AND i.external_id = v.wrote_from AND i.replaced_at IS NULL))`;

/** The person in a conversation, at the address that they last wrote from; else by number, else by the provider's user id. */
export const targetByConversation = (ctx: Ctx, conversationId: string): Target => sql`
  SELECT v.contact_seq AS seq, c.id AS contact_id, c.phone_key AS phone_key, v.connection_id AS connection_id,
    coalesce(iif(${hasAddress}, v.wrote_from, NULL), c.phone, (SELECT i.external_id FROM contact_identities i
      JOIN connections k ON k.id = v.connection_id WHERE i.contact_seq = c.seq AND i.provider = k.provider
      ORDER BY i.replaced_at IS NOT NULL, i.connection_id IS NOT v.connection_id LIMIT 1)) AS address
  FROM conversations v JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${conversationId} AND v.workspace_id = ${ctx.workspace.id}`;

/** What is said: free text, or a template's rendering with what its provider is given, if it has one. */
export interface Content {
  text: string;
  template?: { id: string; form: object | null; isMarketing: boolean };
}

const judged = (ctx: Ctx, target: Target, { template }: Content): SQL => {
  const asked = [ctx, sql`t.contact_id`, sql`t.phone_key`] as const;
  return sql`
  SELECT *, ${refusal(ctx.now())} AS refusal FROM (
    SELECT t.*, ${template === undefined ? sql`TRUE` : sql`FALSE`} AS is_text, k.status AS connection_status, k.channel AS channel, v.last_inbound_at AS last_inbound_at,
      ${optedOutAt(...asked)} AS opted_out_at,
      ${template?.isMarketing === true ? optedOutAt(...asked, "marketing_suppressions") : sql`NULL`} AS marketing_opted_out_at
    FROM (${target}) t
    LEFT JOIN connections k ON k.id = t.connection_id AND k.workspace_id = ${ctx.workspace.id} AND k.deleted_at IS NULL
    LEFT JOIN conversations v ON v.contact_seq = t.seq AND v.connection_id = t.connection_id)`;
};

/** What a refusal is explained from. */
export const judgement = (ctx: Ctx, target: Target, content: Content): SQL =>
  sql`SELECT refusal, contact_id, connection_status, last_inbound_at FROM (${judged(ctx, target, content)})`;

/** Queues a message where nothing speaks against it. A person not known yet gets the number `newSeq`. */
export const insertMessage = (ctx: Ctx, id: string, content: Content, target: Target, newSeq: SQL, guard: SQL): SQL => {
  const { text, template } = content;
  const form = template?.form ?? null;
  return sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, template_id, template_form, from_contact, address, body,
      state, next_attempt_at, created_at)
    SELECT ${id}, ${ctx.workspace.id}, coalesce(seq, ${newSeq}), connection_id, ${template?.id ?? null},
      ${form === null ? null : JSON.stringify(form)}, FALSE, address, ${text}, ${state.queued}, ${ctx.now()}, ${ctx.now()}
    FROM (${judged(ctx, target, content)}) WHERE refusal IS NULL AND ${guard}`;
};

/** The contact number the message was queued for. */
export const seqOf = (messageId: string): SQL => sql`(SELECT contact_seq FROM messages WHERE id = ${messageId})`;

/** One row with the accepted message's ids as JSON in `result`, or none. */
export const acceptedAsJson = (messageId: string): SQL => sql`
  SELECT json_object('message_id', m.id, 'contact_id', c.id, 'conversation_id', v.id,
    'contact_seq', m.contact_seq, 'connection_id', m.connection_id) AS result
  FROM messages m CROSS JOIN contacts c ON c.seq = m.contact_seq
  CROSS JOIN conversations v ON v.contact_seq = m.contact_seq AND v.connection_id = m.connection_id
  WHERE m.id = ${messageId}`;

export const isQueued = (messageId: string): SQL => sql`EXISTS (SELECT 1 FROM messages WHERE id = ${messageId})`;

export const lacksContact = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages m WHERE m.id = ${messageId} AND NOT EXISTS (SELECT 1 FROM contacts WHERE seq = m.contact_seq))`;
