import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { columns, insertSelect, subqueryColumns } from "../../../db/columns.ts";
import { bulkUpdateFromJson, isoTime } from "../../../db/idioms.ts";
import { conversationJoins, conversations } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { apiStatus } from "../../conversations/conversations.sql.ts";
import { changedFields, event } from "../../events/append-events.sql.ts";
import { MAX_LABELS } from "../../conversations/conversations.schemas.ts";
import type { MergePair } from "./decide-merge.ts";

const k = columns(conversations, "kept");
const r = columns(conversations, "removed");
type Column = keyof typeof k;

export const pairRows = { kept: k, removed: r };

export const fromPairs = (ctx: Ctx, { kept, removed }: MergePair, condition = sql`TRUE`): SQL => sql`
  FROM conversations removed CROSS JOIN conversations kept
    ON ${k.contactSeq} = ${kept.seq} AND ${k.connectionId} = ${r.connectionId}
  WHERE ${r.contactSeq} = ${removed.seq} AND ${r.workspaceId} = ${ctx.workspace.id} AND ${condition}`;

export const selectRemovedIds = (ctx: Ctx, pair: MergePair): SQL => sql`SELECT ${r.id} ${fromPairs(ctx, pair)}`;

export const selectKeptId = (ctx: Ctx, pair: MergePair, removedId: SQL): SQL =>
  sql`SELECT ${k.id} ${fromPairs(ctx, pair, sql`${r.id} = ${removedId}`)}`;

/**
 * The id up to which the merged conversation is read. A message that is unread in one conversation must stay unread,
 * even if the other conversation was read.
 */
const readUpToInBoth = sql`CASE
  WHEN ${k.unreadCount} = 0 AND ${r.unreadCount} = 0 THEN max(${k.readUpTo}, ${r.readUpTo})
  WHEN ${k.unreadCount} = 0 THEN ${r.readUpTo} WHEN ${r.unreadCount} = 0 THEN ${k.readUpTo}
  ELSE min(${k.readUpTo}, ${r.readUpTo}) END`;

const ofLaterMessage = (name: Column): SQL => sql`iif(${r.lastMessageId} > ${k.lastMessageId}, ${r[name]}, ${k[name]})`;

const ofLaterInbound = (name: Column): SQL =>
  sql`iif(coalesce(${r.lastInboundAt}, 0) > coalesce(${k.lastInboundAt}, 0), ${r[name]}, ${k[name]})`;

const earlierOf = (name: Column): SQL => sql`min(coalesce(${k[name]}, ${r[name]}), coalesce(${r[name]}, ${k[name]}))`;

const labelsOfBoth = (name: "labels" | "labelKeys"): SQL => sql`(
  SELECT json_group_array(value) FROM (
    SELECT own.value AS value FROM json_each(${k[name]}) own
    UNION ALL
    SELECT other.value FROM json_each(${r.labelKeys}) l CROSS JOIN json_each(${r[name]}) other ON other.key = l.key
    WHERE l.value NOT IN (SELECT value FROM json_each(${k.labelKeys}))
    LIMIT ${MAX_LABELS}))`;

const status = sql`CASE WHEN 'open' IN (${k.status}, ${r.status}) THEN 'open'
  WHEN 'snoozed' IN (${k.status}, ${r.status}) THEN 'snoozed' ELSE 'done' END`;

export const mergedConversation = {
  status,
  assigneeId: sql`coalesce(${k.assigneeId}, ${r.assigneeId})`,
  snoozedUntil: sql`iif(${status} = 'snoozed', ${earlierOf("snoozedUntil")}, NULL)`,
  labels: labelsOfBoth("labels"),
  labelKeys: labelsOfBoth("labelKeys"),
  waitingSince: sql`iif(${status} = 'done', NULL, ${earlierOf("waitingSince")})`,
  unreadCount: sql`${k.unreadCount} + ${r.unreadCount}`,
  lastMessage: ofLaterMessage("lastMessage"),
  lastMessageAt: ofLaterMessage("lastMessageAt"),
  lastMessageId: ofLaterMessage("lastMessageId"),
  lastInboundAt: sql`nullif(max(coalesce(${k.lastInboundAt}, 0), coalesce(${r.lastInboundAt}, 0)), 0)`,
  wroteFrom: ofLaterInbound("wroteFrom"),
  wroteFromKey: ofLaterInbound("wroteFromKey"),
  readUpTo: readUpToInBoth,
  createdAt: sql`min(${k.createdAt}, ${r.createdAt})`,
} satisfies Partial<Record<Column, SQL>>;

function updateKept(ctx: Ctx, pair: MergePair): SQL {
  const { list, names } = subqueryColumns("merged", mergedConversation);
  return bulkUpdateFromJson(conversations, {
    key: "id",
    required: ["workspaceId", "contactSeq", "connectionId", "channel"],
    set: names,
    from: sql`(
      SELECT ${k.id}, ${k.workspaceId}, ${k.contactSeq}, ${k.connectionId}, ${k.channel}, ${list} ${fromPairs(ctx, pair)}) merged
      WHERE TRUE`,
  });
}

export const recordConversationMerges = (ctx: Ctx, pair: MergePair) => [
  ctx.db
    .update(conversationJoins)
    .set({ intoId: sql`(${selectKeptId(ctx, pair, sql`${conversationJoins.intoId}`)})` })
    .where(inArray(conversationJoins.intoId, sql`(${selectRemovedIds(ctx, pair)})`)),
  insertSelect(conversationJoins, { fromId: r.id, workspaceId: r.workspaceId, intoId: k.id }, fromPairs(ctx, pair)),
];

export const mergeConversations = (ctx: Ctx, pair: MergePair) => [
  updateKept(ctx, pair),
  ctx.db.delete(conversations).where(inArray(conversations.id, sql`(${selectRemovedIds(ctx, pair)})`)),
  ctx.db
    .update(conversations)
    .set({ contactSeq: pair.kept.seq })
    .where(and(eq(conversations.contactSeq, pair.removed.seq), eq(conversations.workspaceId, ctx.workspace.id))),
];

/** The event of the kept conversation. It reports a change of `id` from the removed to the kept conversation. */
export function mergedConversationEvents(ctx: Ctx, pair: MergePair): SQL {
  const merged = mergedConversation;
  const [before, after] = [apiStatus(k.status), apiStatus(merged.status)];
  const type = sql`iif(${before} <> ${after}, 'conversation.opened', 'conversation.updated')`; // not `conversation.done`, because a merge never sets this status
  const changes = changedFields({
    id: [r.id, k.id],
    status: [before, after],
    unread_count: [k.unreadCount, merged.unreadCount],
    assignee_id: [k.assigneeId, merged.assigneeId],
    snoozed_until: [isoTime(k.snoozedUntil), isoTime(merged.snoozedUntil)],
    labels: [sql`json(${k.labels})`, sql`json(${merged.labels})`],
  });
  return sql`SELECT ${event(type, k.id, changes)} ${fromPairs(ctx, pair)}`;
}
