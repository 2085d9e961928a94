import { sql } from "drizzle-orm";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fold } from "../../../shared/text/folding.ts";
import { type ConversationRecord, listedConversation } from "../conversations.schemas.ts";
import { conversationColumns } from "../conversations.sql.ts";
import { holdsSnooze, isSnoozeOver } from "../team/snoozes.sql.ts";

export interface ConversationFilter {
  status?: "open" | "done" | undefined;
  unread: boolean;
  /** A member's id; null for those that nobody is assigned to. */
  assigneeId?: string | null | undefined;
  label?: string | undefined;
  /** The member who is mentioned there and has not looked since; of any status. */
  mentionedId?: string | undefined;
  /** True for snoozed conversations only, false for all others. */
  snoozed?: boolean | undefined;
  /** Reads the author of each last message of ours, which is a row more. */
  hasAuthors?: boolean | undefined;
  limit: number;
  /** Continue behind this `last_message_at` and id. */
  after: readonly [number, string] | undefined;
}

/** The label as it is compared, and as `label_keys` has it. */
export const labelKey = (label: string): string => fold(label);

/** The stored statuses that a filter includes. A snoozed conversation is an open one. */
function storedStatuses({ status, snoozed }: ConversationFilter): string[] {
  const open = snoozed === undefined ? ["open", "snoozed"] : [snoozed ? "snoozed" : "open"];
  const done = snoozed === true ? [] : ["done"];
  if (status === undefined) return [...open, ...done];
  return status === "open" ? open : done;
}

/** True in SQL of a conversation `v` of the workspace that passes all of the filter but its statuses. */
export function passesFilter(ctx: Ctx, { unread, assigneeId, mentionedId, label, after }: ConversationFilter): SQL {
  const conditions = [sql`v.workspace_id = ${ctx.workspace.id}`];
  if (unread) conditions.push(sql`v.unread_count > 0`);
  if (assigneeId !== undefined) conditions.push(sql`v.assignee_id IS ${assigneeId}`);
  if (mentionedId !== undefined)
    conditions.push(
      sql`EXISTS (SELECT 1 FROM unseen_mentions u WHERE u.conversation_id = v.id AND u.member_id = ${mentionedId})`,
    );
  if (label !== undefined)
    conditions.push(sql`EXISTS (SELECT 1 FROM json_each(v.label_keys) k WHERE k.value = ${labelKey(label)})`);
  if (after !== undefined) conditions.push(sql`(v.last_message_at, v.id) < (${after[0]}, ${after[1]})`);
  return sql.join(conditions, sql` AND `);
}

/** Begins a part of a list: the place of each conversation `v`, by which parts are merged, and its columns. */
export const placed = sql`SELECT v.last_message_at AS at, v.id AS place, v.*`;

/** Conversations `v` of a status as it is stored, latest first, by the index that knows most of the filter. */
function ofStatus(ctx: Ctx, filter: ConversationFilter, status: string): SQL {
  const { assigneeId, label, unread, after } = filter;
  // The index of labels has no others.
  const passes = passesFilter(ctx, { ...filter, label: undefined });
  if (label !== undefined) {
    const older =
      after === undefined ? sql`` : sql`AND (l.last_message_at, l.conversation_id) < (${after[0]}, ${after[1]})`;
    return sql`
      SELECT l.last_message_at AS at, l.conversation_id AS place, v.*
      FROM conversation_labels l CROSS JOIN conversations v ON v.id = l.conversation_id
      WHERE l.workspace_id = ${ctx.workspace.id} AND l.label_key = ${labelKey(label)} AND l.status = ${status} ${older} AND ${passes}`;
  }
  const index = unread
    ? "conversations_unread"
    : assigneeId === undefined
      ? "conversations_latest"
      : "conversations_of_assignee";
  return sql`${placed} FROM conversations v INDEXED BY ${sql.identifier(index)} WHERE v.status = ${status} AND ${passes}`;
}

/** Those whose snooze is over, until the job ends it: a minute's at most. */
const whoseSnoozeIsOver = (ctx: Ctx, filter: ConversationFilter): SQL => sql`
  ${placed} FROM conversations v INDEXED BY conversations_snoozed_in_workspace
  WHERE ${isSnoozeOver(sql`v.snoozed_until`, ctx.now())} AND ${passesFilter(ctx, filter)}`;

const withMentionOf = (ctx: Ctx, filter: ConversationFilter, memberId: string): SQL => sql`
  ${placed} FROM unseen_mentions u CROSS JOIN conversations v ON v.id = u.conversation_id
  WHERE u.workspace_id = ${ctx.workspace.id} AND u.member_id = ${memberId} AND ${passesFilter(ctx, filter)}`;

/** The conversations `v` of a filter, in parts: each is read in the order of its index, and they are merged as they are read. */
function partsOf(ctx: Ctx, filter: ConversationFilter): SQL[] {
  if (filter.mentionedId !== undefined) return [withMentionOf(ctx, filter, filter.mentionedId)];
  const parts = storedStatuses(filter).map((status) => ofStatus(ctx, filter, status));
  if (filter.snoozed === true)
    return parts.map((part) => sql`${part} AND ${holdsSnooze(sql`v.snoozed_until`, ctx.now())}`);
  const leavesOutSnoozed = filter.snoozed === false && filter.status !== "done";
  return leavesOutSnoozed ? [...parts, whoseSnoozeIsOver(ctx, filter)] : parts;
}

/** The first `limit` conversations `v` of a filter, latest first, as they are read. */
export function latestConversations(ctx: Ctx, filter: ConversationFilter, limit: number | SQL): SQL {
  const parts = partsOf(ctx, filter);
  const all = parts.length === 0 ? sql`${placed} FROM conversations v WHERE FALSE` : sql.join(parts, sql` UNION ALL `);
  return sql`${all} ORDER BY at DESC, place DESC LIMIT ${limit}`;
}

/** One row beyond `limit`, in any order: SQLite would read each once more to sort it. */
export const selectConversations = (ctx: Ctx, filter: ConversationFilter): Statement<ConversationRecord> =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx, filter.hasAuthors)} FROM (${latestConversations(ctx, filter, filter.limit + 1)}) v
      CROSS JOIN contacts c ON c.seq = v.contact_seq`,
  );
