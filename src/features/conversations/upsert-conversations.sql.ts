// Conversations that follow their messages. Raw, because upserts read the message or connection that they depend on.
import { sql } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { connections, conversations, messages } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";

const k = columns(connections, "k");
const m = columns(messages, "m");
const r = columns(messages, "r");
const v = columns(conversations, "v");

/** Opens or continues an outbound message's conversation if the message exists. `isAnswer` ends the person's wait. */
export const upsertOutboundConversation = (ctx: Ctx, newId: string, messageId: string, isAnswer = true): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, ${m.workspaceId}, ${m.contactSeq}, ${m.connectionId}, ${k.channel}, ${m.body}, ${m.createdAt}, ${m.id}, ${m.createdAt}
    FROM messages m CROSS JOIN connections k ON ${k.id} = ${m.connectionId} WHERE ${m.id} = ${messageId}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id,
      waiting_since = ${isAnswer ? sql`NULL` : sql`waiting_since`}
    WHERE excluded.last_message_id > last_message_id`;

/** Opens a missing conversation for a reaction to a campaign message. The reaction itself is not shown. */
export const openConversationOfReaction = (ctx: Ctx, newId: string, reactionId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, ${m.workspaceId}, ${m.contactSeq}, ${m.connectionId}, ${k.channel}, ${r.body}, ${r.createdAt}, ${r.id}, ${m.createdAt}
    FROM messages m CROSS JOIN messages r ON ${r.id} = ${m.replyTo} CROSS JOIN connections k ON ${k.id} = ${m.connectionId}
    WHERE ${m.id} = ${reactionId} AND ${m.workspaceId} = ${ctx.workspace.id}
    ON CONFLICT (contact_seq, connection_id) DO NOTHING`;

/**
 * Updates existing conversations with sent campaign messages; opens none. `json` lists message ids; the last one per conversation
 * wins, whereas `bulkUpdateFromJson` would use any of them.
 */
export const updateLastCampaignMessages = (ctx: Ctx, json: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${v.id}, ${v.workspaceId}, ${v.contactSeq}, ${v.connectionId}, ${v.channel}, ${m.body}, ${m.createdAt}, ${m.id}, ${v.createdAt}
    FROM json_each(${json}) e
    CROSS JOIN messages m ON ${m.id} = e.value AND ${m.workspaceId} = ${ctx.workspace.id} AND ${m.campaignId} IS NOT NULL AND ${m.body} <> ''
    CROSS JOIN conversations v ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId}
    WHERE ${m.id} > ${v.lastMessageId}
    ON CONFLICT (id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id
    WHERE excluded.last_message_id > last_message_id`;

/** Updates the last message of conversations if it is among the revised messages, which `ids` selects as `id`. */
export const updateRevisedLastMessages = (ids: SQL): SQL =>
  sql`
    UPDATE conversations SET last_message = (SELECT body FROM messages WHERE id = last_message_id)
    WHERE id IN (
      SELECT ${v.id} FROM (${ids}) x CROSS JOIN messages m ON ${m.id} = x.id
      CROSS JOIN conversations v ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId}
        AND ${v.lastMessageId} = ${m.id})`;

interface InboundMessage {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  /** E.164, or the provider's user id. */
  wroteFrom: string;
  /** The key of `wroteFrom` if it is a number. */
  wroteFromKey: string | null;
  body: string;
  /** ms since the epoch. */
  at: number;
  isUnread: boolean;
  /** True if the person asks for no more messages: earlier ones need no reply. */
  isStop: boolean;
  /** True if the provider's agent replies, so that the team need not. */
  isHandled: boolean;
}

/**
 * Opens or reopens an inbound message's conversation and ends its snooze; messages may arrive in any order, and an older one counts
 * as answered. A STOP ends the wait for a reply, a reaction starts none, and a message handled by the provider's agent changes
 * neither status, snooze nor wait.
 */
export const upsertInboundConversation = (ctx: Ctx, newId: string, message: InboundMessage, condition: SQL): SQL => {
  const isLatestInbound = sql`excluded.last_inbound_at >= coalesce(last_inbound_at, 0)`;
  const isLastMessage = sql`excluded.last_message_id > last_message_id`;
  const waitingSince = message.isUnread && !message.isStop && !message.isHandled ? message.at : null;
  const firstUnanswered = message.isStop ? sql`NULL` : sql`coalesce(waiting_since, excluded.waiting_since)`;
  const reopened = message.isHandled ? sql`` : sql`status = 'open', snoozed_until = NULL,`;
  return sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, unread_count,
      last_message, last_message_at, last_message_id, last_inbound_at, wrote_from, wrote_from_key, waiting_since, created_at)
    SELECT ${newId}, ${k.workspaceId}, ${message.contactSeq}, ${k.id}, ${k.channel}, ${message.isUnread ? 1 : 0},
      ${message.body}, ${message.at}, ${message.id}, ${message.at}, ${message.wroteFrom}, ${message.wroteFromKey}, ${waitingSince}, ${message.at}
    FROM connections k WHERE ${k.id} = ${message.connectionId} AND ${k.workspaceId} = ${ctx.workspace.id} AND (${condition})
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      ${reopened} unread_count = unread_count + excluded.unread_count,
      waiting_since = iif(${isLastMessage}, ${firstUnanswered}, waiting_since),
      last_inbound_at = max(coalesce(last_inbound_at, 0), excluded.last_inbound_at),
      wrote_from = iif(${isLatestInbound}, excluded.wrote_from, wrote_from),
      wrote_from_key = iif(${isLatestInbound}, excluded.wrote_from_key, wrote_from_key),
      last_message = iif(${isLastMessage}, excluded.last_message, last_message),
      last_message_at = iif(${isLastMessage}, excluded.last_message_at, last_message_at),
      last_message_id = max(last_message_id, excluded.last_message_id)`;
};
