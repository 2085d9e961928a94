// Raw SQL, because each upsert copies values of a stored message or connection.
import { sql, type SQL } from "drizzle-orm";
import { columns, insertSelect, updateSet } from "../../db/columns.ts";
import { connections, conversations, messages } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { isoTime } from "../../db/idioms.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { event } from "../events/append-events.sql.ts";

const k = columns(connections, "k");
const m = columns(messages, "m");
const r = columns(messages, "r");
const v = columns(conversations, "v");
const column = columns(conversations);
const excluded = columns(conversations, "excluded");
const message = columns(messages);

const newConversation = {
  workspaceId: m.workspaceId,
  contactSeq: m.contactSeq,
  connectionId: m.connectionId,
  channel: k.channel,
  lastMessage: m.body,
  lastMessageAt: m.createdAt,
  lastMessageId: m.id,
  createdAt: m.createdAt,
};

const takesLastMessage = sql`${column.lastMessage} = ${excluded.lastMessage}, ${column.lastMessageAt} = ${excluded.lastMessageAt},
  ${column.lastMessageId} = ${excluded.lastMessageId}`;
const isLastMessage = sql`${excluded.lastMessageId} > ${column.lastMessageId}`;
const keyColumns = sql`${column.contactSeq}, ${column.connectionId}`;

/**
 * Writes nothing if the message was refused, because a refused message has no row. `isAnswer` means that the message
 * ends the person's wait for a reply.
 */
export const upsertOutboundConversation = (ctx: Ctx, newId: string, messageId: string, { isAnswer = true } = {}): SQL =>
  insertSelect(
    conversations,
    { ...newConversation, id: newId },
    sql`
    FROM messages m CROSS JOIN connections k ON ${k.id} = ${m.connectionId} WHERE ${m.id} = ${messageId}
    ON CONFLICT (${keyColumns}) DO UPDATE SET
      ${takesLastMessage},
      ${column.waitingSince} = ${isAnswer ? sql`NULL` : column.waitingSince}
    WHERE ${isLastMessage}`,
  );

/**
 * A campaign message does not open a conversation, but the workspace's reaction to it does, because a reaction is a
 * kind of reply.
 */
export const openConversationOfReaction = (ctx: Ctx, newId: string, reactionId: string): SQL =>
  insertSelect(
    conversations,
    { ...newConversation, id: newId, lastMessage: r.body, lastMessageAt: r.createdAt, lastMessageId: r.id },
    sql`
    FROM messages m CROSS JOIN messages r ON ${r.id} = ${m.replyTo} CROSS JOIN connections k ON ${k.id} = ${m.connectionId}
    WHERE ${m.id} = ${reactionId} AND ${m.workspaceId} = ${ctx.workspace.id}
    ON CONFLICT (${keyColumns}) DO NOTHING`,
  );

/**
 * Updates only existing conversations, because a campaign message does not open one. If `json` lists several messages
 * of a conversation, the last message applies.
 */
export const updateLastCampaignMessages = (ctx: Ctx, json: string): SQL =>
  insertSelect(
    conversations,
    {
      id: v.id,
      workspaceId: v.workspaceId,
      contactSeq: v.contactSeq,
      connectionId: v.connectionId,
      channel: v.channel,
      lastMessage: m.body,
      lastMessageAt: m.createdAt,
      lastMessageId: m.id,
      createdAt: v.createdAt,
    },
    sql`
    FROM json_each(${json}) e
    CROSS JOIN messages m ON ${m.id} = e.value AND ${m.workspaceId} = ${ctx.workspace.id} AND ${m.campaignId} IS NOT NULL AND ${m.body} <> ''
    CROSS JOIN conversations v ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId}
    WHERE ${m.id} > ${v.lastMessageId}
    ON CONFLICT (${column.id}) DO UPDATE SET
      ${takesLastMessage}
    WHERE ${isLastMessage}`,
  );

export const updateRevisedLastMessages = (ids: SQL): SQL =>
  updateSet(
    conversations,
    { lastMessage: sql`(SELECT ${message.body} FROM messages WHERE ${message.id} = ${column.lastMessageId})` },
    sql`
    WHERE ${column.id} IN (
      SELECT ${v.id} FROM (${ids}) x CROSS JOIN messages m ON ${m.id} = x.id
      CROSS JOIN conversations v ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId}
        AND ${v.lastMessageId} = ${m.id})`,
  );

interface InboundMessage {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  /** A phone number (E.164) or the provider's user id. */
  wroteFrom: string;
  wroteFromKey: string | null;
  body: string;
  at: number;
  isUnread: boolean;
  isStop: boolean;
  /** True if the provider's agent replies. The conversation then does not wait for the team. */
  isHandled: boolean;
}

/**
 * A message that arrives late can be older than the conversation's last message. It then counts as answered, so it does
 * not change `waitingSince`. A reaction does not change it either.
 */
export const upsertInboundConversation = (ctx: Ctx, newId: string, inbound: InboundMessage, condition: SQL): SQL => {
  const isLatestInbound = sql`${excluded.lastInboundAt} >= coalesce(${column.lastInboundAt}, 0)`;
  const waitingSince = inbound.isUnread && !inbound.isStop && !inbound.isHandled ? inbound.at : null;
  const firstUnanswered = inbound.isStop ? sql`NULL` : sql`coalesce(${column.waitingSince}, ${excluded.waitingSince})`;
  const reopened = inbound.isHandled ? sql`` : sql`${column.status} = 'open', ${column.snoozedUntil} = NULL,`;
  return insertSelect(
    conversations,
    {
      id: newId,
      workspaceId: k.workspaceId,
      contactSeq: inbound.contactSeq,
      connectionId: k.id,
      channel: k.channel,
      unreadCount: inbound.isUnread ? 1 : 0,
      lastMessage: inbound.body,
      lastMessageAt: inbound.at,
      lastMessageId: inbound.id,
      lastInboundAt: inbound.at,
      wroteFrom: inbound.wroteFrom,
      wroteFromKey: inbound.wroteFromKey,
      waitingSince,
      createdAt: inbound.at,
    },
    sql`
    FROM connections k WHERE ${k.id} = ${inbound.connectionId} AND ${k.workspaceId} = ${ctx.workspace.id} AND (${condition})
    ON CONFLICT (${keyColumns}) DO UPDATE SET
      ${reopened} ${column.unreadCount} = ${column.unreadCount} + ${excluded.unreadCount},
      ${column.waitingSince} = iif(${isLastMessage}, ${firstUnanswered}, ${column.waitingSince}),
      ${column.lastInboundAt} = max(coalesce(${column.lastInboundAt}, 0), ${excluded.lastInboundAt}),
      ${column.wroteFrom} = iif(${isLatestInbound}, ${excluded.wroteFrom}, ${column.wroteFrom}),
      ${column.wroteFromKey} = iif(${isLatestInbound}, ${excluded.wroteFromKey}, ${column.wroteFromKey}),
      ${column.lastMessage} = iif(${isLastMessage}, ${excluded.lastMessage}, ${column.lastMessage}),
      ${column.lastMessageAt} = iif(${isLastMessage}, ${excluded.lastMessageAt}, ${column.lastMessageAt}),
      ${column.lastMessageId} = max(${column.lastMessageId}, ${excluded.lastMessageId})`,
  );
};

const snoozeEnds = sql`json_object('snoozed_until', json_array(${isoTime(v.snoozedUntil)}, NULL))`;

/**
 * Selects an event if a message creates, reopens or unsnoozes a conversation. If `reopens` is false, selects it only
 * for a new conversation.
 */
export const openedByMessageEvent = (
  newId: string,
  { contactSeq, connectionId }: { contactSeq: SQL; connectionId: string },
  condition: SQL,
  { reopens }: { reopens: boolean },
): SQL => sql`
  SELECT ${event(
    sql`iif(${v.status} IS 'snoozed', 'conversation.updated', 'conversation.opened')`,
    sql`coalesce(${v.id}, ${newId})`,
    sql`iif(${v.status} IS 'snoozed', ${snoozeEnds}, json_object('status', json_array(${v.status}, 'open')))`,
  )}
  FROM (SELECT 1) LEFT JOIN conversations v ON ${v.contactSeq} = ${contactSeq} AND ${v.connectionId} = ${connectionId}
  WHERE ${reopens ? sql`${v.status} IS NOT 'open'` : sql`${v.status} IS NULL`} AND ${condition}`;
