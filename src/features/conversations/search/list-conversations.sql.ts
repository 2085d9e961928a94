// Raw SQL, because INDEXED BY and UNION ALL let SQLite stop reading at the limit.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts, conversationLabels, conversations, unseenMentions } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fold } from "../../../shared/text/folding.ts";
import { type ConversationPosition, listedConversation } from "../conversations.schemas.ts";
import { conversationColumns, holdsSnooze, isSnoozeOver } from "../conversations.sql.ts";

const c = columns(contacts, "c");
const l = columns(conversationLabels, "l");
const u = columns(unseenMentions, "u");
const v = columns(conversations, "v");

export interface ConversationFilter {
  status?: "open" | "done" | undefined;
  unread: boolean;
  assigneeId?: string | null | undefined;
  label?: string | undefined;
  /** Only conversations with an unseen mention of this member, also if they are done. */
  mentionedId?: string | undefined;
  /** False excludes snoozed conversations, and undefined includes them. */
  snoozed?: boolean | undefined;
  /** Each author costs one more row read, so lists omit authors by default. */
  hasAuthors?: boolean | undefined;
  limit: number;
  after: ConversationPosition | undefined;
}

export const labelKey = (label: string): string => fold(label);

/** A snoozed conversation is stored as `snoozed`, but its API status is `open`. */
function storedStatuses({ status, snoozed }: ConversationFilter): string[] {
  const open = snoozed === undefined ? ["open", "snoozed"] : [snoozed ? "snoozed" : "open"];
  const done = snoozed === true ? [] : ["done"];
  if (status === undefined) return [...open, ...done];
  return status === "open" ? open : done;
}

export function passesFilter(ctx: Ctx, { unread, assigneeId, mentionedId, label, after }: ConversationFilter): SQL {
  const conditions = [sql`${v.workspaceId} = ${ctx.workspace.id}`];
  if (unread) conditions.push(sql`${v.unreadCount} > 0`);
  if (assigneeId !== undefined) conditions.push(sql`${v.assigneeId} IS ${assigneeId}`);
  if (mentionedId !== undefined)
    conditions.push(
      sql`EXISTS (SELECT 1 FROM unseen_mentions u WHERE ${u.conversationId} = ${v.id} AND ${u.memberId} = ${mentionedId})`,
    );
  if (label !== undefined)
    conditions.push(sql`EXISTS (SELECT 1 FROM json_each(${v.labelKeys}) k WHERE k.value = ${labelKey(label)})`);
  if (after !== undefined) conditions.push(sql`(${v.lastMessageAt}, ${v.id}) < (${after[0]}, ${after[1]})`);
  return sql.join(conditions, sql` AND `);
}

const selectSortable = sql`SELECT ${v.lastMessageAt} AS sort_at, ${v.id} AS sort_id, v.*`;

/** Reads the index that fits the filter best. Each index lists the latest conversations first. */
function ofStatus(ctx: Ctx, filter: ConversationFilter, status: string): SQL {
  const { assigneeId, label, unread, after } = filter;
  // The label index contains only conversations with this label, so the condition omits the label.
  const passes = passesFilter(ctx, { ...filter, label: undefined });
  if (label !== undefined) {
    const older =
      after === undefined ? sql`` : sql`AND (${l.lastMessageAt}, ${l.conversationId}) < (${after[0]}, ${after[1]})`;
    return sql`
      SELECT ${l.lastMessageAt} AS sort_at, ${l.conversationId} AS sort_id, v.*
      FROM conversation_labels l CROSS JOIN conversations v ON ${v.id} = ${l.conversationId}
      WHERE ${l.workspaceId} = ${ctx.workspace.id} AND ${l.labelKey} = ${labelKey(label)} AND ${l.status} = ${status} ${older} AND ${passes}`;
  }
  const index = unread
    ? "conversations_unread"
    : assigneeId === undefined
      ? "conversations_latest"
      : "conversations_of_assignee";
  return sql`${selectSortable} FROM conversations v INDEXED BY ${sql.identifier(index)} WHERE ${v.status} = ${status} AND ${passes}`;
}

/**
 * Selects conversations whose snooze has expired, but that are still stored as snoozed: the job that ends snoozes runs
 * only every minute.
 */
const whoseSnoozeIsOver = (ctx: Ctx, filter: ConversationFilter): SQL => sql`
  ${selectSortable} FROM conversations v INDEXED BY conversations_snoozed_in_workspace
  WHERE ${isSnoozeOver(v.snoozedUntil, ctx.now())} AND ${passesFilter(ctx, filter)}`;

const withMentionOf = (ctx: Ctx, filter: ConversationFilter, memberId: string): SQL => sql`
  ${selectSortable} FROM unseen_mentions u CROSS JOIN conversations v ON ${v.id} = ${u.conversationId}
  WHERE ${u.workspaceId} = ${ctx.workspace.id} AND ${u.memberId} = ${memberId} AND ${passesFilter(ctx, filter)}`;

function partsOf(ctx: Ctx, filter: ConversationFilter): SQL[] {
  if (filter.mentionedId !== undefined) return [withMentionOf(ctx, filter, filter.mentionedId)];
  const parts = storedStatuses(filter).map((status) => ofStatus(ctx, filter, status));
  if (filter.snoozed === true) return parts.map((part) => sql`${part} AND ${holdsSnooze(v.snoozedUntil, ctx.now())}`);
  const leavesOutSnoozed = filter.snoozed === false && filter.status !== "done";
  return leavesOutSnoozed ? [...parts, whoseSnoozeIsOver(ctx, filter)] : parts;
}

export function latestConversations(ctx: Ctx, filter: ConversationFilter, limit: number | SQL): SQL {
  const parts = partsOf(ctx, filter);
  const all =
    parts.length === 0 ? sql`${selectSortable} FROM conversations v WHERE FALSE` : sql.join(parts, sql` UNION ALL `);
  return sql`${all} ORDER BY sort_at DESC, sort_id DESC LIMIT ${limit}`;
}

/** Returns the rows in any order, because sorting here would make SQLite read each row again. The caller sorts them. */
export const selectConversations = (ctx: Ctx, filter: ConversationFilter) =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx, filter.hasAuthors)} FROM (${latestConversations(ctx, filter, filter.limit + 1)}) v
      CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`,
  );
