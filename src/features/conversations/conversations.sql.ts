// Raw SQL, because other features use these expressions in their statements, and SQLite builds the records as JSON.
import { and, eq, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf, updateSet } from "../../db/columns.ts";
import { contactIdentities, contacts, conversationJoins, conversations, messages } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import { fromJson } from "../../shared/text/json.ts";
import type { Ctx } from "../../shared/context.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { appendEvents, event } from "../events/append-events.sql.ts";
import { memberName } from "../members/member-names.sql.ts";
import { conversationRecord, listedConversation } from "./conversations.schemas.ts";

/** Campaigns, tests and reactions are not answers, so they do not change waiting and reply times. */
export const isDialogue = (m: ColumnsOf<typeof messages, "campaignId" | "isTest" | "type">): SQL =>
  sql`(${m.campaignId} IS NULL AND ${m.isTest} IS NULL AND ${m.type} IS NOT 'reaction')`;

/**
 * A job ends expired snoozes once a minute. Until then, reads compare the time and treat an expired snooze as ended.
 */
export const isSnoozeOver = (until: SQL, now: number): SQL => sql`${until} <= ${now}`;

export const holdsSnooze = (until: SQL, now: number): SQL => sql`${until} > ${now}`;

const c = columns(contacts, "c");
const stored = columns(conversations, "conversations");
const column = columns(conversations);
const i = columns(contactIdentities, "i");
const m = columns(messages, "m");
const v = columns(conversations, "v");

export const conversationUsername = sql`iif(${c.phone} IS NULL, (
    SELECT ${i.username} FROM contact_identities i
    WHERE ${i.contactSeq} = ${c.seq} AND ${i.connectionId} = ${v.connectionId} AND ${i.username} IS NOT NULL AND ${i.replacedAt} IS NULL LIMIT 1
  ), NULL)`;

/** The API shows a snoozed conversation as open. */
export const apiStatus = (status: SQL): SQL => sql`iif(${status} = 'done', 'done', 'open')`;

export const apiSnooze = (until: SQL, now: number): SQL => sql`iif(${holdsSnooze(until, now)}, ${until}, NULL)`;

const lastAuthor: [name: string, value: SQL] = [
  "last_author_id",
  sql`iif(${v.lastMessageAt} > coalesce(${v.lastInboundAt}, 0), (SELECT ${m.authorId} FROM messages m WHERE ${m.id} = ${v.lastMessageId}), NULL)`,
];

/** Reading the last author costs one more row, so the author is optional. */
const recordColumns = (ctx: Ctx, hasAuthor: boolean): [name: string, value: SQL][] => [
  ...(hasAuthor ? [lastAuthor] : []),
  ["id", v.id],
  ["contact_id", c.id],
  ["contact_name", c.name],
  ["contact_phone", c.phone],
  ["contact_username", conversationUsername],
  ["connection_id", v.connectionId],
  ["channel", v.channel],
  ["last_message", v.lastMessage],
  ["last_message_at", v.lastMessageAt],
  ["is_last_ours", sql`${v.lastMessageAt} > coalesce(${v.lastInboundAt}, 0)`],
  ["unread_count", v.unreadCount],
  ["status", apiStatus(v.status)],
  ["assignee_id", v.assigneeId],
  ["assignee_name", sql`iif(${v.assigneeId} IS NULL, NULL, ${memberName(ctx, v.assigneeId)})`],
  ["snoozed_until", apiSnooze(v.snoozedUntil, ctx.now())],
];

export const conversationColumns = (ctx: Ctx, hasAuthor = false): SQL =>
  sql.join(
    [...recordColumns(ctx, hasAuthor), ["labels", v.labels] as const].map(
      ([name, value]) => sql`${value} AS ${sql.identifier(name)}`,
    ),
    sql`, `,
  );

/** A snoozed or done conversation does not wait, even if the person's last message has no reply. */
export const isWaiting = (ctx: Ctx): SQL =>
  sql`${v.workspaceId} = ${ctx.workspace.id} AND ${v.waitingSince} IS NOT NULL AND ${v.status} = 'open'`;

/** NULL if the last message is ours, or if the provider's agent handles the person's message. */
export const unansweredSince = sql`(
  SELECT iif(${m.fromContact} AND ${m.isStandby} IS NULL, ${m.createdAt}, NULL) FROM messages m
  WHERE ${m.contactSeq} = ${stored.contactSeq} AND ${m.connectionId} = ${stored.connectionId}
    AND ${isDialogue(m)}
  ORDER BY ${m.id} DESC LIMIT 1)`;

const openCountRow = z.object({ open: z.number(), unread: z.number() });

export function selectOpenCounts(ctx: Ctx, most: number) {
  const count = (condition: SQL) => sql`(SELECT count(*) FROM (
    SELECT 1 FROM conversations WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.status} = 'open' AND ${condition} LIMIT ${most}))`;
  return statement(
    openCountRow,
    sql`SELECT ${count(sql`TRUE`)} AS open, ${count(sql`${column.unreadCount} > 0`)} AS unread`,
  );
}

const messageConversationRow = z.object({ message_id: z.string(), conversation_id: z.string() });

export const selectConversationsByMessage = (ctx: Ctx, messageIds: string[]) =>
  statement(
    messageConversationRow,
    sql`
      SELECT ${m.id} AS message_id, ${v.id} AS conversation_id FROM json_each(${JSON.stringify(messageIds)}) e
      CROSS JOIN messages m ON ${m.id} = e.value AND ${m.workspaceId} = ${ctx.workspace.id}
      CROSS JOIN conversations v ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId}`,
  );

export const selectConversationsByContact = (ctx: Ctx, contactId: string | SQL, limit: number) =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx, true)} FROM contacts c CROSS JOIN conversations v ON ${v.contactSeq} = ${c.seq}
      WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id} ORDER BY ${v.lastMessageAt} DESC LIMIT ${limit}`,
  );

const conversationRow = z.object({ result: fromJson(conversationRecord) });

export const selectConversation = (ctx: Ctx, id: string) => statement(conversationRow, conversationAsJson(ctx, id));

export const recordAsJson = (ctx: Ctx, hasAuthor = false): SQL =>
  sql`json_object(${sql.join(
    recordColumns(ctx, hasAuthor).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )}, 'labels', json(${v.labels}))`;

export const conversationAsJson = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT ${recordAsJson(ctx)} AS result FROM conversations v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
  WHERE ${v.id} = ${id} AND ${v.workspaceId} = ${ctx.workspace.id}`;

export const clearUnreadCount = (ctx: Ctx, id: string, guard = sql`TRUE`): SQL[] => {
  const isChanged = sql`${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id} AND ${column.unreadCount} > 0 AND ${guard}`;
  const changes = sql`json_object('unread_count', json_array(${column.unreadCount}, 0))`;
  return [
    appendEvents(
      ctx,
      sql`SELECT ${event("conversation.read", column.id, changes)} FROM conversations WHERE ${isChanged}`,
    ),
    updateSet(conversations, { unreadCount: sql`0`, readUpTo: column.lastMessageId }, sql`WHERE ${isChanged}`),
  ];
};

export async function findMergedConversation(ctx: Ctx, id: string): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ intoId: conversationJoins.intoId })
    .from(conversationJoins)
    .where(and(eq(conversationJoins.fromId, id), eq(conversationJoins.workspaceId, ctx.workspace.id)));
  return row?.intoId;
}
