import { and, eq, inArray, sql } from "drizzle-orm";
import { columns, insertSelect, updateSet } from "../../../db/columns.ts";
import { bulkUpdateFromJson, isoTime } from "../../../db/idioms.ts";
import { conversationJoins, conversations } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { apiStatus } from "../../conversations/conversations.sql.ts";
import { changedFields, event } from "../../events/append-events.sql.ts";
import { MAX_LABELS } from "../../conversations/conversations.schemas.ts";

const join = columns(conversationJoins, "conversation_joins");
const joinColumn = columns(conversationJoins);
const k = columns(conversations, "kept");
const r = columns(conversations, "removed");

/** The `seq`s of two contacts: conversations move from `removed` to `kept`. */
export interface ContactSeqs {
  kept: number;
  removed: number;
}

/**
 * Pairs `kept` and `removed` of conversations on one connection, before their merge; more conditions may follow. Raw for CROSS
 * JOIN.
 */
export const conversationPairs = (ctx: Ctx, seqs: ContactSeqs): SQL => sql`
  conversations removed CROSS JOIN conversations kept
    ON ${k.contactSeq} = ${seqs.kept} AND ${k.connectionId} = ${r.connectionId}
  WHERE ${r.contactSeq} = ${seqs.removed} AND ${r.workspaceId} = ${ctx.workspace.id}`;

/**
 * The inbound message up to which both conversations of a pair are read. A message unread in one must not become read because the
 * other was read.
 */
export const readUpToInBoth = sql`CASE
  WHEN ${k.unreadCount} = 0 AND ${r.unreadCount} = 0 THEN max(${k.readUpTo}, ${r.readUpTo})
  WHEN ${k.unreadCount} = 0 THEN ${r.readUpTo} WHEN ${r.unreadCount} = 0 THEN ${k.readUpTo}
  ELSE min(${k.readUpTo}, ${r.readUpTo}) END`;

const ofLaterMessage = (column: SQL): SQL =>
  sql`iif(${r.lastMessageId} > ${k.lastMessageId}, removed.${column}, kept.${column})`;

const ofLaterInbound = (column: SQL): SQL =>
  sql`iif(coalesce(${r.lastInboundAt}, 0) > coalesce(${k.lastInboundAt}, 0), removed.${column}, kept.${column})`;

const mergedStatus = sql`CASE WHEN 'open' IN (${k.status}, ${r.status}) THEN 'open'
  WHEN 'snoozed' IN (${k.status}, ${r.status}) THEN 'snoozed' ELSE 'done' END`;

const earlierOf = (column: SQL): SQL =>
  sql`min(coalesce(kept.${column}, removed.${column}), coalesce(removed.${column}, kept.${column}))`;

/** The values of both conversations, without the removed one's labels that the kept one has. */
const labelsOfBoth = (column: SQL): SQL => sql`(
  SELECT json_group_array(value) FROM (
    SELECT own.value AS value FROM json_each(kept.${column}) own
    UNION ALL
    SELECT other.value FROM json_each(${r.labelKeys}) k CROSS JOIN json_each(removed.${column}) other ON other.key = k.key
    WHERE k.value NOT IN (SELECT value FROM json_each(${k.labelKeys}))
    LIMIT ${MAX_LABELS}))`;

/** The merged fields of a pair, except status and unread count. */
export const mergedTeamFields = {
  assignee: sql`coalesce(${k.assigneeId}, ${r.assigneeId})`,
  snoozedUntil: sql`iif(${mergedStatus} = 'snoozed', ${earlierOf(sql`snoozed_until`)}, NULL)`,
  labels: labelsOfBoth(sql`labels`),
};

export const mergedLabelKeys = labelsOfBoth(sql`label_keys`);

const mergedColumns = {
  status: mergedStatus,
  assigneeId: mergedTeamFields.assignee,
  snoozedUntil: mergedTeamFields.snoozedUntil,
  labels: mergedTeamFields.labels,
  labelKeys: mergedLabelKeys,
  waitingSince: sql`iif(${mergedStatus} = 'done', NULL, ${earlierOf(sql`waiting_since`)})`,
  unreadCount: sql`${k.unreadCount} + ${r.unreadCount}`,
  lastMessage: ofLaterMessage(sql`last_message`),
  lastMessageAt: ofLaterMessage(sql`last_message_at`),
  lastMessageId: ofLaterMessage(sql`last_message_id`),
  lastInboundAt: sql`nullif(max(coalesce(${k.lastInboundAt}, 0), coalesce(${r.lastInboundAt}, 0)), 0)`,
  wroteFrom: ofLaterInbound(sql`wrote_from`),
  wroteFromKey: ofLaterInbound(sql`wrote_from_key`),
  readUpTo: readUpToInBoth,
  createdAt: sql`min(${k.createdAt}, ${r.createdAt})`,
};

const updateKept = (ctx: Ctx, seqs: ContactSeqs): SQL => {
  const names = Object.keys(mergedColumns);
  const values = Object.entries(mergedColumns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`);
  return bulkUpdateFromJson(conversations, {
    key: "id",
    required: ["workspaceId", "contactSeq", "connectionId", "channel"],
    set: Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(name)}`])),
    from: sql`(
      SELECT ${k.id}, ${k.workspaceId}, ${k.contactSeq}, ${k.connectionId}, ${k.channel}, ${sql.join(values, sql`, `)}
      FROM ${conversationPairs(ctx, seqs)}) WHERE TRUE`,
  });
};

const recordConversationMerges = (ctx: Ctx, seqs: ContactSeqs): SQL[] => [
  updateSet(
    conversationJoins,
    { intoId: sql`(SELECT ${k.id} FROM ${conversationPairs(ctx, seqs)} AND ${r.id} = ${join.intoId})` },
    sql`WHERE ${joinColumn.intoId} IN (SELECT ${r.id} FROM ${conversationPairs(ctx, seqs)})`,
  ),
  insertSelect(
    conversationJoins,
    { fromId: r.id, workspaceId: r.workspaceId, intoId: k.id },
    sql`FROM ${conversationPairs(ctx, seqs)}`,
  ),
];

/**
 * Merges two contacts' conversations by connection, within a batch. To keep read messages read, the batch must first mark those
 * after `readUpToInBoth`.
 */
export const mergeConversations = (ctx: Ctx, seqs: ContactSeqs) => [
  ...recordConversationMerges(ctx, seqs),
  updateKept(ctx, seqs),
  ctx.db
    .delete(conversations)
    .where(inArray(conversations.id, sql`(SELECT ${r.id} FROM ${conversationPairs(ctx, seqs)})`)),
  ctx.db
    .update(conversations)
    .set({ contactSeq: seqs.kept })
    .where(and(eq(conversations.contactSeq, seqs.removed), eq(conversations.workspaceId, ctx.workspace.id))),
];

/**
 * An event per kept conversation: `conversation.opened` if the merge opens it, else `conversation.updated`. `id` changes from the
 * deleted to the kept one, and unread counts are added.
 */
export const mergedConversationEvents = (ctx: Ctx, seqs: ContactSeqs): SQL => {
  const { assignee, snoozedUntil, labels } = mergedTeamFields;
  const [before, status] = [apiStatus(k.status), apiStatus(mergedStatus)];
  const type = sql`iif(${before} <> ${status}, 'conversation.opened', 'conversation.updated')`; // a merge never sets `done`
  const changes = changedFields({
    id: [r.id, k.id],
    status: [before, status],
    unread_count: [k.unreadCount, sql`${k.unreadCount} + ${r.unreadCount}`],
    assignee_id: [k.assigneeId, assignee],
    snoozed_until: [isoTime(k.snoozedUntil), isoTime(snoozedUntil)],
    labels: [sql`json(${k.labels})`, sql`json(${labels})`],
  });
  return sql`SELECT ${event(type, k.id, changes)} FROM ${conversationPairs(ctx, seqs)}`;
};
