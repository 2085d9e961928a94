import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/json.ts";
import { conversationRecord } from "./conversations.schemas.ts";
import type { Ctx } from "../../shared/context.ts";
import { seqNow } from "../contacts/identify-people.sql.ts";
import { newestHits } from "../contacts/search-contacts.sql.ts";

const columns = sql`
  v.id AS id, c.id AS contact_id, c.name AS contact_name, c.phone AS contact_phone, v.connection_id AS connection_id,
  v.channel AS channel, v.last_message AS last_message, v.last_message_at AS last_message_at,
  v.unread_count AS unread_count, v.status AS status`;

/** How many contacts a search looks at, the newest ones that fit. */
const SEARCHED_CONTACTS = 200;

export interface Filter {
  status: "open" | "done" | undefined;
  unread: boolean;
  /** What the contact's name, phone, email or company holds. */
  search?: string | undefined;
  limit: number;
  /** Continue behind this `last_message_at` and id. */
  after: readonly [number, string] | undefined;
}

/** Both statuses are ranges of one index, merged as they are read. */
function latest(ctx: Ctx, status: Filter["status"], condition: SQL): SQL {
  const ofStatus = (name: string) => sql`
    SELECT id, last_message_at AS at FROM conversations v WHERE v.workspace_id = ${ctx.workspace.id} AND v.status = ${name} ${condition}`;
  return status === undefined ? sql`${ofStatus("open")} UNION ALL ${ofStatus("done")}` : ofStatus(status);
}

/** Those of the contacts that a search finds, read through the contacts. */
const found = (ctx: Ctx, search: string, status: Filter["status"], condition: SQL): SQL => sql`
  SELECT v.id AS id, v.last_message_at AS at FROM (${newestHits(ctx, { search, archived: null }, SEARCHED_CONTACTS)}) hit
  CROSS JOIN conversations v ON v.contact_seq = hit.seq
  WHERE v.workspace_id = ${ctx.workspace.id} ${status === undefined ? sql`` : sql`AND v.status = ${status}`} ${condition}`;

/** Latest first, one row beyond `limit`. */
export function list(ctx: Ctx, { status, unread, search, limit, after }: Filter): Promise<unknown[]> {
  const condition = sql`
    ${unread ? sql`AND v.unread_count > 0` : sql``}
    ${after === undefined ? sql`` : sql`AND (v.last_message_at, v.id) < (${after[0]}, ${after[1]})`}`;
  const ids = search === undefined ? latest(ctx, status, condition) : found(ctx, search, status, condition);
  return ctx.db.all(sql`
    WITH page AS (${ids} ORDER BY at DESC, id DESC LIMIT ${limit + 1})
    SELECT ${columns} FROM page CROSS JOIN conversations v ON v.id = page.id CROSS JOIN contacts c ON c.seq = v.contact_seq
    ORDER BY page.at DESC, page.id DESC`);
}

/** One row: how many are `open`, and how many of those `unread`; each counted no further than `most`. */
export async function countOpen(ctx: Ctx, most: number): Promise<unknown> {
  const count = (condition: SQL) => sql`(SELECT count(*) FROM (
    SELECT 1 FROM conversations WHERE workspace_id = ${ctx.workspace.id} AND status = 'open' AND ${condition} LIMIT ${most}))`;
  const [row] = await ctx.db.all(sql`SELECT ${count(sql`TRUE`)} AS open, ${count(sql`unread_count > 0`)} AS unread`);
  return row;
}

export async function find(ctx: Ctx, id: string): Promise<unknown> {
  const [row] = await ctx.db.all(sql`
    SELECT ${columns} FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
    WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`);
  return row;
}

/** The conversations that there are of messages. */
export const ofMessages = (ctx: Ctx, messageIds: string[]): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT m.id AS message_id, v.id AS conversation_id FROM json_each(${JSON.stringify(messageIds)}) e
    CROSS JOIN messages m ON m.id = e.value AND m.workspace_id = ${ctx.workspace.id}
    CROSS JOIN conversations v ON v.contact_seq = ${seqNow(sql`m.contact_seq`)} AND v.connection_id = m.connection_id`);

/** Those of a contact, one a connection, latest first. */
export const listOfContact = (ctx: Ctx, contactId: string, limit: number): Promise<unknown[]> =>
  ctx.db.all(sql`
    SELECT ${columns} FROM contacts c CROSS JOIN conversations v ON v.contact_seq = c.seq
    WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id} ORDER BY v.last_message_at DESC LIMIT ${limit}`);

const conversationRow = z.object({ result: fromJson(conversationRecord) });

/** The conversation, or no row. */
export const selectConversation = (ctx: Ctx, id: string): Statement<z.infer<typeof conversationRow>> =>
  statement(conversationRow, conversationAsJson(ctx, id));

/** One row with the conversation as JSON in `result`, or none. */
export const conversationAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object(
    'id', v.id, 'contact_id', c.id, 'contact_name', c.name, 'contact_phone', c.phone, 'connection_id', v.connection_id,
    'channel', v.channel, 'last_message', v.last_message, 'last_message_at', v.last_message_at,
    'unread_count', v.unread_count, 'status', v.status) AS result
  FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`;

const update = (ctx: Ctx, id: string, assignments: SQL, condition: SQL): SQL =>
  sql`
    UPDATE conversations SET ${assignments} WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND ${condition}`;

export const setStatus = (ctx: Ctx, id: string, status: "open" | "done", guard: SQL): SQL =>
  update(ctx, id, sql`status = ${status}`, sql`status <> ${status} AND ${guard}`);

/** Nothing in it is unread any more. Writes nothing where nothing was. */
export const markRead = (ctx: Ctx, id: string, guard: SQL): SQL =>
  update(ctx, id, sql`unread_count = 0, read_up_to = last_message_id`, sql`unread_count > 0 AND ${guard}`);

/** Opens or continues the conversation an outbound message belongs to, where that message exists. */
export const noteOutbound = (ctx: Ctx, newId: string, messageId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, m.body, m.created_at, m.id, m.created_at
    FROM messages m CROSS JOIN connections k ON k.id = m.connection_id WHERE m.id = ${messageId}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

/** Continues conversations that there are with campaigns' messages that have left; `json` lists their ids. Opens none. */
export const noteCampaignMessages = (ctx: Ctx, json: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT v.id, v.workspace_id, v.contact_seq, v.connection_id, v.channel, m.body, m.created_at, m.id, v.created_at
    FROM json_each(${json}) e
    CROSS JOIN messages m ON m.id = e.value AND m.workspace_id = ${ctx.workspace.id} AND m.campaign_id IS NOT NULL AND m.body <> ''
    CROSS JOIN conversations v ON v.contact_seq = ${seqNow(sql`m.contact_seq`)} AND v.connection_id = m.connection_id
    WHERE m.id > v.last_message_id
    ON CONFLICT (id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

/** Has conversations show what their last message says by now, where that is one of the messages that `ids` selects as `id`. */
export const noteRevised = (ids: SQL): SQL =>
  sql`
    UPDATE conversations SET last_message = (SELECT body FROM messages WHERE id = last_message_id)
    WHERE id IN (
      SELECT v.id FROM (${ids}) x CROSS JOIN messages m ON m.id = x.id
      CROSS JOIN conversations v ON v.contact_seq = ${seqNow(sql`m.contact_seq`)} AND v.connection_id = m.connection_id
        AND v.last_message_id = m.id)`;

export interface Inbound {
  messageId: string;
  connectionId: string;
  contactSeq: SQL;
  /** What it was written from: E.164, or the provider's user id; the key of a number. */
  address: string;
  phoneKey: string | null;
  body: string;
  at: number;
}

/** Opens or continues, and reopens, the conversation of an inbound message; events may come in any order. */
export const noteInbound = (ctx: Ctx, newId: string, message: Inbound, condition: SQL): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, unread_count,
      last_message, last_message_at, last_message_id, last_inbound_at, wrote_from, wrote_from_key, created_at)
    SELECT ${newId}, k.workspace_id, ${message.contactSeq}, k.id, k.channel, 1,
      ${message.body}, ${message.at}, ${message.messageId}, ${message.at}, ${message.address}, ${message.phoneKey}, ${message.at}
    FROM connections k WHERE k.id = ${message.connectionId} AND k.workspace_id = ${ctx.workspace.id} AND ${condition}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      status = 'open', unread_count = unread_count + 1,
      last_inbound_at = max(coalesce(last_inbound_at, 0), excluded.last_inbound_at),
      wrote_from = iif(excluded.last_inbound_at >= coalesce(last_inbound_at, 0), excluded.wrote_from, wrote_from),
      wrote_from_key = iif(excluded.last_inbound_at >= coalesce(last_inbound_at, 0), excluded.wrote_from_key, wrote_from_key),
      last_message = iif(excluded.last_message_id > last_message_id, excluded.last_message, last_message),
      last_message_at = iif(excluded.last_message_id > last_message_id, excluded.last_message_at, last_message_at),
      last_message_id = max(last_message_id, excluded.last_message_id)`;
