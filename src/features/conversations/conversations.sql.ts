import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/json.ts";
import { type ConversationRecord, conversationRecord } from "./conversations.schemas.ts";
import type { Ctx } from "../../shared/context.ts";
import { currentContactSeq } from "../contacts/identify-people.sql.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";
import { newestHits } from "../contacts/search-contacts.sql.ts";

/** The name that the connection's provider shows of a person without a number. */
const username = sql`iif(c.phone IS NULL, (
    SELECT i.username FROM contact_identities i
    WHERE i.contact_seq = c.seq AND i.connection_id = v.connection_id AND i.username IS NOT NULL AND i.replaced_at IS NULL LIMIT 1
  ), NULL)`;

const columns = sql`
  v.id AS id, c.id AS contact_id, c.name AS contact_name, c.phone AS contact_phone, ${username} AS contact_username,
  v.connection_id AS connection_id,
  v.channel AS channel, v.last_message AS last_message, v.last_message_at AS last_message_at,
  v.unread_count AS unread_count, v.status AS status`;

/** How many contacts a search looks at, the newest ones that match. */
const SEARCHED_CONTACTS = 200;

export interface ConversationFilter {
  status: "open" | "done" | undefined;
  unread: boolean;
  /** Part of the contact's name, phone, email or company. */
  search?: string | undefined;
  limit: number;
  /** Continue behind this `last_message_at` and id. */
  after: readonly [number, string] | undefined;
}

/** Ids of all conversations; each status is a range of one index, and two ranges are merged as they are read. */
function conversationIds(ctx: Ctx, status: ConversationFilter["status"], condition: SQL): SQL {
  const ofStatus = (name: string) => sql`
    SELECT id, last_message_at AS at FROM conversations v WHERE v.workspace_id = ${ctx.workspace.id} AND v.status = ${name} ${condition}`;
  return status === undefined ? sql`${ofStatus("open")} UNION ALL ${ofStatus("done")}` : ofStatus(status);
}

/** Ids of the conversations with contacts that a search finds. */
const searchedConversationIds = (
  ctx: Ctx,
  search: string,
  status: ConversationFilter["status"],
  condition: SQL,
): SQL => sql`
  SELECT v.id AS id, v.last_message_at AS at FROM (${newestHits(ctx, { search, archived: null }, SEARCHED_CONTACTS)}) hit
  CROSS JOIN conversations v ON v.contact_seq = hit.seq
  WHERE v.workspace_id = ${ctx.workspace.id} ${status === undefined ? sql`` : sql`AND v.status = ${status}`} ${condition}`;

/** Latest first, one row beyond `limit`. */
export function selectConversations(
  ctx: Ctx,
  { status, unread, search, limit, after }: ConversationFilter,
): Statement<ConversationRecord> {
  const condition = sql`
    ${unread ? sql`AND v.unread_count > 0` : sql``}
    ${after === undefined ? sql`` : sql`AND (v.last_message_at, v.id) < (${after[0]}, ${after[1]})`}`;
  const ids =
    search === undefined
      ? conversationIds(ctx, status, condition)
      : searchedConversationIds(ctx, search, status, condition);
  return statement(
    conversationRecord,
    sql`
      WITH page AS (${ids} ORDER BY at DESC, id DESC LIMIT ${limit + 1})
      SELECT ${columns} FROM page CROSS JOIN conversations v ON v.id = page.id CROSS JOIN contacts c ON c.seq = v.contact_seq
      ORDER BY page.at DESC, page.id DESC`,
  );
}

const openCountRow = z.object({ open: z.number(), unread: z.number() });

export type OpenConversationCounts = z.infer<typeof openCountRow>;

/** One row: how many conversations are `open`, and how many of those `unread`; each counted no further than `most`. */
export function selectOpenCounts(ctx: Ctx, most: number): Statement<OpenConversationCounts> {
  const count = (condition: SQL) => sql`(SELECT count(*) FROM (
    SELECT 1 FROM conversations WHERE workspace_id = ${ctx.workspace.id} AND status = 'open' AND ${condition} LIMIT ${most}))`;
  return statement(openCountRow, sql`SELECT ${count(sql`TRUE`)} AS open, ${count(sql`unread_count > 0`)} AS unread`);
}

const messageConversationRow = z.object({ message_id: z.string(), conversation_id: z.string() });

/** The conversations of messages; messages without one give no row. */
export const selectConversationsByMessage = (
  ctx: Ctx,
  messageIds: string[],
): Statement<z.infer<typeof messageConversationRow>> =>
  statement(
    messageConversationRow,
    sql`
      SELECT m.id AS message_id, v.id AS conversation_id FROM json_each(${JSON.stringify(messageIds)}) e
      CROSS JOIN messages m ON m.id = e.value AND m.workspace_id = ${ctx.workspace.id}
      CROSS JOIN conversations v ON v.contact_seq = ${currentContactSeq(sql`m.contact_seq`)} AND v.connection_id = m.connection_id`,
  );

/** The conversations of a contact, one a connection, latest first. */
export const selectConversationsByContact = (
  ctx: Ctx,
  contactId: string | SQL,
  limit: number,
): Statement<ConversationRecord> =>
  statement(
    conversationRecord,
    sql`
      SELECT ${columns} FROM contacts c CROSS JOIN conversations v ON v.contact_seq = c.seq
      WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id} ORDER BY v.last_message_at DESC LIMIT ${limit}`,
  );

const conversationRow = z.object({ result: fromJson(conversationRecord) });

/** The conversation, or no row. */
export const selectConversation = (ctx: Ctx, id: string): Statement<z.infer<typeof conversationRow>> =>
  statement(conversationRow, conversationAsJson(ctx, id));

/** One row with the conversation as JSON in `result`, or none. */
export const conversationAsJson = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT json_object(
    'id', v.id, 'contact_id', c.id, 'contact_name', c.name, 'contact_phone', c.phone, 'contact_username', ${username}, 'connection_id', v.connection_id,
    'channel', v.channel, 'last_message', v.last_message, 'last_message_at', v.last_message_at,
    'unread_count', v.unread_count, 'status', v.status) AS result
  FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`;

/** Changes a conversation where `condition` holds, and appends the event. `changes` is JSON over the conversation as it was. */
const updateConversation = (
  ctx: Ctx,
  id: string,
  { assignments, type, changes }: { assignments: SQL; type: EventType; changes: SQL },
  condition: SQL,
): SQL[] => {
  const isChanged = sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND ${condition}`;
  return [
    appendEvents(ctx, sql`SELECT ${event(type, sql`id`, changes)} FROM conversations WHERE ${isChanged}`),
    sql`UPDATE conversations SET ${assignments} WHERE ${isChanged}`,
  ];
};

export const updateConversationStatus = (ctx: Ctx, id: string, status: "open" | "done", guard: SQL): SQL[] =>
  updateConversation(
    ctx,
    id,
    {
      assignments: sql`status = ${status}`,
      type: status === "open" ? "conversation.opened" : "conversation.done",
      changes: sql`json_object('status', json_array(status, ${status}))`,
    },
    sql`status <> ${status} AND ${guard}`,
  );

/** Marks a conversation read. Writes nothing where nothing is unread. */
export const clearUnreadCount = (ctx: Ctx, id: string, guard = sql`TRUE`): SQL[] =>
  updateConversation(
    ctx,
    id,
    {
      assignments: sql`unread_count = 0, read_up_to = last_message_id`,
      type: "conversation.read",
      changes: sql`json_object('unread_count', json_array(unread_count, 0))`,
    },
    sql`unread_count > 0 AND ${guard}`,
  );

/** Opens or continues the conversation of an outbound message, where that message exists. */
export const upsertOutboundConversation = (ctx: Ctx, newId: string, messageId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, m.body, m.created_at, m.id, m.created_at
    FROM messages m CROSS JOIN connections k ON k.id = m.connection_id WHERE m.id = ${messageId}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

/** Opens the conversation of an outbound reaction where there is none: its message was a campaign's. The reaction itself does not show. */
export const openConversationOfReaction = (ctx: Ctx, newId: string, reactionId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, r.body, r.created_at, r.id, m.created_at
    FROM messages m CROSS JOIN messages r ON r.id = m.reply_to CROSS JOIN connections k ON k.id = m.connection_id
    WHERE m.id = ${reactionId} AND m.workspace_id = ${ctx.workspace.id}
    ON CONFLICT (contact_seq, connection_id) DO NOTHING`;

/**
 * Shows campaigns' messages that were sent in conversations that exist; opens none. `json` lists the messages' ids, several of one
 * conversation among them, of which the last wins: `bulkUpdateFromJson` would take any.
 */
export const updateLastCampaignMessages = (ctx: Ctx, json: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT v.id, v.workspace_id, v.contact_seq, v.connection_id, v.channel, m.body, m.created_at, m.id, v.created_at
    FROM json_each(${json}) e
    CROSS JOIN messages m ON m.id = e.value AND m.workspace_id = ${ctx.workspace.id} AND m.campaign_id IS NOT NULL AND m.body <> ''
    CROSS JOIN conversations v ON v.contact_seq = ${currentContactSeq(sql`m.contact_seq`)} AND v.connection_id = m.connection_id
    WHERE m.id > v.last_message_id
    ON CONFLICT (id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

/** Updates the last message of conversations where it is one of the revised messages, which `ids` selects as `id`. */
export const updateRevisedLastMessages = (ids: SQL): SQL =>
  sql`
    UPDATE conversations SET last_message = (SELECT body FROM messages WHERE id = last_message_id)
    WHERE id IN (
      SELECT v.id FROM (${ids}) x CROSS JOIN messages m ON m.id = x.id
      CROSS JOIN conversations v ON v.contact_seq = ${currentContactSeq(sql`m.contact_seq`)} AND v.connection_id = m.connection_id
        AND v.last_message_id = m.id)`;

interface InboundMessage {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  /** E.164, or the provider's user id. */
  wroteFrom: string;
  /** The key of `wroteFrom` where it is a number. */
  wroteFromKey: string | null;
  body: string;
  /** ms since the epoch. */
  at: number;
  /** Whether it counts as unread. */
  isUnread: boolean;
}

/** Opens, reopens or continues the conversation of an inbound message; messages may arrive in any order. */
export const upsertInboundConversation = (ctx: Ctx, newId: string, message: InboundMessage, condition: SQL): SQL => {
  const isLatestInbound = sql`excluded.last_inbound_at >= coalesce(last_inbound_at, 0)`;
  const isLastMessage = sql`excluded.last_message_id > last_message_id`;
  return sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, unread_count,
      last_message, last_message_at, last_message_id, last_inbound_at, wrote_from, wrote_from_key, created_at)
    SELECT ${newId}, k.workspace_id, ${message.contactSeq}, k.id, k.channel, ${message.isUnread ? 1 : 0},
      ${message.body}, ${message.at}, ${message.id}, ${message.at}, ${message.wroteFrom}, ${message.wroteFromKey}, ${message.at}
    FROM connections k WHERE k.id = ${message.connectionId} AND k.workspace_id = ${ctx.workspace.id} AND (${condition})
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      status = 'open', unread_count = unread_count + excluded.unread_count,
      last_inbound_at = max(coalesce(last_inbound_at, 0), excluded.last_inbound_at),
      wrote_from = iif(${isLatestInbound}, excluded.wrote_from, wrote_from),
      wrote_from_key = iif(${isLatestInbound}, excluded.wrote_from_key, wrote_from_key),
      last_message = iif(${isLastMessage}, excluded.last_message, last_message),
      last_message_at = iif(${isLastMessage}, excluded.last_message_at, last_message_at),
      last_message_id = max(last_message_id, excluded.last_message_id)`;
};
