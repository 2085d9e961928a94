import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fold } from "../../shared/folding.ts";
import { newestHits } from "../contacts/search-contacts.sql.ts";
import { type ConversationRecord, listedConversation } from "./conversations.schemas.ts";
import { conversationColumns } from "./conversations.sql.ts";
import { conversationsOfMatches, searchedWords } from "./search-messages.sql.ts";

/** How many contacts a search looks at, the newest ones that match. */
const SEARCHED_CONTACTS = 200;

export interface ConversationFilter {
  status?: "open" | "done" | undefined;
  unread: boolean;
  /** A member's id; null for those that nobody is assigned to. */
  assigneeId?: string | null | undefined;
  label?: string | undefined;
  /** True for snoozed ones alone, which are left out otherwise. */
  snoozed?: boolean | undefined;
  /** Part of the contact's name, phone, email or company, or words of a message. */
  search?: string | undefined;
  limit: number;
  /** Continue behind this `last_message_at` and id. */
  after: readonly [number, string] | undefined;
}

/** The label as it is compared, and as `label_keys` has it. */
export const labelKey = (label: string): string => fold(label);

/** The statuses as they are stored that a filter shows, besides conversations whose snooze is over. */
function storedStatuses({ status, snoozed = false }: ConversationFilter): string[] {
  if (snoozed) return status === "done" ? [] : ["snoozed"];
  return status === undefined ? ["open", "done"] : [status];
}

/** True in SQL of a conversation `v` of the workspace that passes all of the filter but its statuses. */
function passesFilter(ctx: Ctx, { unread, assigneeId, label, after }: ConversationFilter): SQL {
  const conditions = [sql`v.workspace_id = ${ctx.workspace.id}`];
  if (unread) conditions.push(sql`v.unread_count > 0`);
  if (assigneeId !== undefined) conditions.push(sql`v.assignee_id IS ${assigneeId}`);
  if (label !== undefined) conditions.push(sql`instr(v.label_keys, ${JSON.stringify(labelKey(label))}) > 0`);
  if (after !== undefined) conditions.push(sql`(v.last_message_at, v.id) < (${after[0]}, ${after[1]})`);
  return sql.join(conditions, sql` AND `);
}

/** Begins a part of a list: the place of each conversation `v`, by which parts are merged, and its columns. */
const placed = sql`SELECT v.last_message_at AS at, v.id AS place, v.*`;

/** Conversations `v` of a status as it is stored, latest first, by the index that knows most of the filter. */
function ofStatus(ctx: Ctx, filter: ConversationFilter, status: string): SQL {
  const { assigneeId, label, unread, after } = filter;
  const passes = passesFilter(ctx, filter);
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
  ${placed} FROM conversations v INDEXED BY conversations_snoozed WHERE v.snoozed_until <= ${ctx.now()} AND ${passesFilter(ctx, filter)}`;

/** The conversations `v` of a filter, in parts: each is read in the order of its index, and they are merged as they are read. */
function partsOf(ctx: Ctx, filter: ConversationFilter): SQL[] {
  if (filter.search !== undefined) return [foundBy(ctx, filter, filter.search)];
  const parts = storedStatuses(filter).map((status) => ofStatus(ctx, filter, status));
  if (filter.snoozed === true) return parts.map((part) => sql`${part} AND v.snoozed_until > ${ctx.now()}`);
  return filter.status === "done" ? parts : [...parts, whoseSnoozeIsOver(ctx, filter)];
}

/** Conversations that a search finds, by their contact and by words of messages, each once. */
function foundBy(ctx: Ctx, filter: ConversationFilter, search: string): SQL {
  const words = searchedWords(search);
  const isShown =
    filter.snoozed === true
      ? sql`v.snoozed_until > ${ctx.now()}`
      : sql`(v.snoozed_until IS NULL OR v.snoozed_until <= ${ctx.now()})`;
  const hasStatus =
    filter.status === undefined ? sql`TRUE` : sql`(v.status = 'done') = ${filter.status === "done" ? 1 : 0}`;
  const byContact = sql`
    SELECT v.id AS id FROM (${newestHits(ctx, { search, archived: null }, SEARCHED_CONTACTS)}) hit
    CROSS JOIN conversations v ON v.contact_seq = hit.seq`;
  const found =
    words.length === 0 ? byContact : sql`${byContact} UNION SELECT v.id FROM ${conversationsOfMatches(ctx, words)}`;
  return sql`
    ${placed} FROM (${found}) found CROSS JOIN conversations v ON v.id = found.id
    WHERE ${hasStatus} AND ${isShown} AND ${passesFilter(ctx, filter)}`;
}

/** Latest first, one row beyond `limit`. */
export function selectConversations(ctx: Ctx, filter: ConversationFilter): Statement<ConversationRecord> {
  const parts = partsOf(ctx, filter);
  const all = parts.length === 0 ? sql`${placed} FROM conversations v WHERE FALSE` : sql.join(parts, sql` UNION ALL `);
  return statement(
    listedConversation,
    sql`
      WITH v AS (${all} ORDER BY at DESC, place DESC LIMIT ${filter.limit + 1})
      SELECT ${conversationColumns(ctx)} FROM v CROSS JOIN contacts c ON c.seq = v.contact_seq
      ORDER BY v.last_message_at DESC, v.id DESC`,
  );
}
