// CROSS JOIN fixes the join order. Otherwise SQLite would sort the whole history.
import { and, eq, sql, type SQL } from "drizzle-orm";
import { columns, type ColumnsOf } from "../../../db/columns.ts";
import { contactJoins, conversations, messages } from "../../../db/schema/index.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { type HistoryRecord, historyRecord, isHiddenReaction, isNeverSent, messageColumns } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import type { NoteRecord } from "../notes/notes.schemas.ts";
import { selectNotes } from "../notes/notes.service.ts";

const m = columns(messages, "m");
const j = columns(contactJoins, "j");
const v = columns(conversations, "v");

const historyColumns = messageColumns(historyRecord);

export interface HistoryPage {
  limit: number;
  before: string | undefined;
}

/**
 * Hides our reactions, which appear on their target message, and campaign messages that are neither sent nor `unknown`.
 */
export const isHidden = (message: ColumnsOf<typeof messages>): SQL => sql`(
  (${message.campaignId} IS NOT NULL AND ${message.state} <= ${state.claimed} AND ${message.body} = '')
  OR ${isNeverSent(message)} OR ${isHiddenReaction(message)})`;

const selectConversationExists = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.workspaceId, ctx.workspace.id)));

export function selectConversationHistory(
  ctx: Ctx,
  conversationId: string,
  { limit, before }: HistoryPage,
): Statement<HistoryRecord> {
  const older = before === undefined ? sql`` : sql`AND ${m.id} < ${before}`;
  const conversation = sql`(
    SELECT contact_seq, connection_id, read_up_to FROM conversations
    WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}) v`;
  // After a merge, messages keep the removed contact's `seq` until a job changes it, so they are read separately.
  // Usually there are no such messages.
  const notMovedYet = sql`
    SELECT ${historyColumns} FROM ${conversation}
    CROSS JOIN contact_joins j ON ${j.intoSeq} = ${v.contactSeq} AND ${j.movedAt} IS NULL
    CROSS JOIN messages m ON ${m.id} IN (
      SELECT ${m.id} FROM messages m WHERE ${m.contactSeq} = ${j.fromSeq} AND ${m.connectionId} = ${v.connectionId} ${older} AND NOT ${isHidden(m)}
      ORDER BY ${m.id} DESC LIMIT ${limit + 1})`;
  return statement(
    historyRecord,
    sql`
      SELECT ${historyColumns} FROM ${conversation}
      CROSS JOIN messages m ON ${m.contactSeq} = ${v.contactSeq} AND ${m.connectionId} = ${v.connectionId} ${older}
      WHERE NOT ${isHidden(m)}
      UNION ALL ${notMovedYet}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );
}

const ulidOf = (id: string): string => id.slice(id.lastIndexOf("_") + 1);

/**
 * A page mixes messages and notes. Replaces the prefix of `id`, so that the queries of both tables continue at the same
 * place.
 */
export const idAmong = (prefix: "msg" | "note", id: string | undefined): string | undefined =>
  id === undefined ? undefined : `${prefix}_${ulidOf(id)}`;

export function newestOf<Item extends { id: string }>(lists: Item[][], most: number): Item[] {
  const byUlid = lists.flat().map((item) => ({ item, ulid: ulidOf(item.id) }));
  const sorted = byUlid.toSorted((a, b) => (a.ulid === b.ulid ? 0 : a.ulid < b.ulid ? 1 : -1));
  return sorted.slice(0, most).map(({ item }) => item);
}

export async function listConversationHistory(
  ctx: Ctx,
  conversationId: string,
  { limit, before, withNotes }: HistoryPage & { withNotes: boolean },
): Promise<(HistoryRecord | NoteRecord)[]> {
  const { conversation, records, notes } = await transact(ctx.db, {
    conversation: selectConversationExists(ctx, conversationId),
    records: selectConversationHistory(ctx, conversationId, { limit, before: idAmong("msg", before) }),
    notes: withNotes ? [selectNotes(ctx, conversationId, { limit, before: idAmong("note", before) })] : [],
  });
  if (conversation.length === 0) throw await conversationNotFound(ctx, conversationId);
  return newestOf<HistoryRecord | NoteRecord>([records, notes], limit + 1);
}
