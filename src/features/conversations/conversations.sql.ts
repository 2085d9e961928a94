import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { conversationJoins } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/text/json.ts";
import { type ConversationRecord, conversationRecord, listedConversation } from "./conversations.schemas.ts";
import type { Ctx } from "../../shared/context.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import { memberName } from "../members/member-names.sql.ts";
import { isDialogue } from "./dialogue.sql.ts";
import { holdsSnooze } from "./team/snoozes.sql.ts";

/** In SQL: the provider's name of a person without a number, for conversation `v` and contact `c`. */
export const conversationUsername = sql`iif(c.phone IS NULL, (
    SELECT i.username FROM contact_identities i
    WHERE i.contact_seq = c.seq AND i.connection_id = v.connection_id AND i.username IS NOT NULL AND i.replaced_at IS NULL LIMIT 1
  ), NULL)`;

/** In SQL: the API's status. A snoozed conversation is open. */
export const shownStatus = (status: SQL): SQL => sql`iif(${status} = 'done', 'done', 'open')`;

/** In SQL: the snooze end in the API. A snooze that is over is null, even before the job ends it. */
export const shownSnooze = (until: SQL, now: number): SQL => sql`iif(${holdsSnooze(until, now)}, ${until}, NULL)`;

const lastAuthor: [name: string, value: SQL] = [
  "last_author_id",
  sql`iif(v.last_message_at > coalesce(v.last_inbound_at, 0), (SELECT m.author_id FROM messages m WHERE m.id = v.last_message_id), NULL)`,
];

/** The columns of a record, for conversation `v` and contact `c`. The last author costs another row read. */
const recordColumns = (ctx: Ctx, hasAuthor: boolean): [name: string, value: SQL][] => [
  ...(hasAuthor ? [lastAuthor] : []),
  ["id", sql`v.id`],
  ["contact_id", sql`c.id`],
  ["contact_name", sql`c.name`],
  ["contact_phone", sql`c.phone`],
  ["contact_username", conversationUsername],
  ["connection_id", sql`v.connection_id`],
  ["channel", sql`v.channel`],
  ["last_message", sql`v.last_message`],
  ["last_message_at", sql`v.last_message_at`],
  ["is_last_ours", sql`v.last_message_at > coalesce(v.last_inbound_at, 0)`],
  ["unread_count", sql`v.unread_count`],
  ["status", shownStatus(sql`v.status`)],
  ["assignee_id", sql`v.assignee_id`],
  ["assignee_name", sql`iif(v.assignee_id IS NULL, NULL, ${memberName(ctx, sql`v.assignee_id`)})`],
  ["snoozed_until", shownSnooze(sql`v.snoozed_until`, ctx.now())],
];

export const conversationColumns = (ctx: Ctx, hasAuthor = false): SQL =>
  sql.join(
    [...recordColumns(ctx, hasAuthor), ["labels", sql`v.labels`] as const].map(
      ([name, value]) => sql`${value} AS ${sql.identifier(name)}`,
    ),
    sql`, `,
  );

/**
 * True in SQL for the workspace's conversations `v` whose person waits for a reply, from their first unanswered message to a reply
 * or `done`. A reopened conversation waits again, see `unansweredSince`; snoozed ones are excluded.
 */
export const isWaiting = (ctx: Ctx): SQL =>
  sql`v.workspace_id = ${ctx.workspace.id} AND v.waiting_since IS NOT NULL AND v.status = 'open'`;

/** In SQL, for a row of `conversations`: the time of the last message if the person wrote it to the team; else null. */
export const unansweredSince = sql`(
  SELECT iif(m.from_contact AND m.is_standby IS NULL, m.created_at, NULL) FROM messages m
  WHERE m.contact_seq = conversations.contact_seq AND m.connection_id = conversations.connection_id
    AND ${isDialogue(sql`m`)}
  ORDER BY m.id DESC LIMIT 1)`;

const openCountRow = z.object({ open: z.number(), unread: z.number() });

type OpenConversationCounts = z.infer<typeof openCountRow>;

/** One row: the numbers of `open` conversations and of `unread` ones among them, each counted up to `most`. */
export function selectOpenCounts(ctx: Ctx, most: number): Statement<OpenConversationCounts> {
  const count = (condition: SQL) => sql`(SELECT count(*) FROM (
    SELECT 1 FROM conversations WHERE workspace_id = ${ctx.workspace.id} AND status = 'open' AND ${condition} LIMIT ${most}))`;
  return statement(openCountRow, sql`SELECT ${count(sql`TRUE`)} AS open, ${count(sql`unread_count > 0`)} AS unread`);
}

const messageConversationRow = z.object({ message_id: z.string(), conversation_id: z.string() });

/** Messages without a conversation have no row. */
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

/** A contact's conversations, one per connection, latest first, with their last authors. */
export const selectConversationsByContact = (
  ctx: Ctx,
  contactId: string | SQL,
  limit: number,
): Statement<ConversationRecord> =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx, true)} FROM contacts c CROSS JOIN conversations v ON v.contact_seq = c.seq
      WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id} ORDER BY v.last_message_at DESC LIMIT ${limit}`,
  );

const conversationRow = z.object({ result: fromJson(conversationRecord) });

export const selectConversation = (ctx: Ctx, id: string): Statement<z.infer<typeof conversationRow>> =>
  statement(conversationRow, conversationAsJson(ctx, id));

/** A record as JSON, for conversation `v` and contact `c`. */
export const recordAsJson = (ctx: Ctx, hasAuthor = false): SQL =>
  sql`json_object(${sql.join(
    recordColumns(ctx, hasAuthor).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )}, 'labels', json(v.labels))`;

/** One row with the conversation as JSON in `result`, or none. */
export const conversationAsJson = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT ${recordAsJson(ctx)} AS result FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${id} AND v.workspace_id = ${ctx.workspace.id}`;

/** Marks a conversation as read and appends its event. Writes nothing if nothing is unread. */
export const clearUnreadCount = (ctx: Ctx, id: string, guard = sql`TRUE`): SQL[] => {
  const isChanged = sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND unread_count > 0 AND ${guard}`;
  const changes = sql`json_object('unread_count', json_array(unread_count, 0))`;
  return [
    appendEvents(
      ctx,
      sql`SELECT ${event("conversation.read", sql`id`, changes)} FROM conversations WHERE ${isChanged}`,
    ),
    sql`UPDATE conversations SET unread_count = 0, read_up_to = last_message_id WHERE ${isChanged}`,
  ];
};

/** Opens or continues an outbound message's conversation if the message exists. `isAnswer` ends the person's wait. */
export const upsertOutboundConversation = (ctx: Ctx, newId: string, messageId: string, isAnswer = true): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, m.body, m.created_at, m.id, m.created_at
    FROM messages m CROSS JOIN connections k ON k.id = m.connection_id WHERE m.id = ${messageId}
    ON CONFLICT (contact_seq, connection_id) DO UPDATE SET
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id,
      waiting_since = ${isAnswer ? sql`NULL` : sql`waiting_since`}
    WHERE excluded.last_message_id > last_message_id`;

/** Opens a missing conversation for a reaction to a campaign message. The reaction itself is not shown. */
export const openConversationOfReaction = (ctx: Ctx, newId: string, reactionId: string): SQL =>
  sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, last_message, last_message_at, last_message_id, created_at)
    SELECT ${newId}, m.workspace_id, m.contact_seq, m.connection_id, k.channel, r.body, r.created_at, r.id, m.created_at
    FROM messages m CROSS JOIN messages r ON r.id = m.reply_to CROSS JOIN connections k ON k.id = m.connection_id
    WHERE m.id = ${reactionId} AND m.workspace_id = ${ctx.workspace.id}
    ON CONFLICT (contact_seq, connection_id) DO NOTHING`;

/**
 * Updates existing conversations with sent campaign messages; opens none. `json` lists message ids; the last one per conversation
 * wins, whereas `bulkUpdateFromJson` would use any of them.
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

/** Updates the last message of conversations if it is among the revised messages, which `ids` selects as `id`. */
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
    SELECT ${newId}, k.workspace_id, ${message.contactSeq}, k.id, k.channel, ${message.isUnread ? 1 : 0},
      ${message.body}, ${message.at}, ${message.id}, ${message.at}, ${message.wroteFrom}, ${message.wroteFromKey}, ${waitingSince}, ${message.at}
    FROM connections k WHERE k.id = ${message.connectionId} AND k.workspace_id = ${ctx.workspace.id} AND (${condition})
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

/** The id of the conversation that this one was merged into, if any. */
export async function findMergedConversation(ctx: Ctx, id: string): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ intoId: conversationJoins.intoId })
    .from(conversationJoins)
    .where(and(eq(conversationJoins.fromId, id), eq(conversationJoins.workspaceId, ctx.workspace.id)));
  return row?.intoId;
}
