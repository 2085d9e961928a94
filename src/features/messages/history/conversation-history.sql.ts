// The messages of a conversation. Raw, because the builder has no CROSS JOIN, without which SQLite sorts the whole history.
import { and, eq, sql } from "drizzle-orm";
import type * as z from "zod";
import { columns, type ColumnsOf } from "../../../db/columns.ts";
import { contactJoins, conversations, messages } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isHiddenReaction, isNeverSent, messageColumns, messageRecord } from "../messages.sql.ts";
import { state } from "../messages.states.ts";

const m = columns(messages, "m");
const j = columns(contactJoins, "j");
const v = columns(conversations, "v");

const historyRecord = messageRecord.pick({
  id: true,
  body: true,
  from_contact: true,
  state: true,
  campaign_id: true,
  template_id: true,
  error_code: true,
  error_message: true,
  created_at: true,
  edited_at: true,
  revoked_at: true,
  versions: true,
  type: true,
  content: true,
  template_form: true,
  reply_to: true,
  reply_to_key: true,
  contact_reaction: true,
  contact_reaction_at: true,
  own_reaction: true,
  own_reaction_at: true,
  is_forwarded: true,
  referral: true,
  metadata: true,
  send_at: true,
  author_id: true,
  is_standby: true,
  billable: true,
  price_category: true,
  price_type: true,
});

export type HistoryRecord = z.infer<typeof historyRecord>;

const historyColumns = messageColumns(historyRecord);

export interface HistoryPage {
  limit: number;
  /** Only messages older than this id. */
  before: string | undefined;
}

/** True in SQL for our reactions, and for campaign messages until they are sent or may have been sent. */
export const isHidden = (message: ColumnsOf<typeof messages>): SQL => sql`(
  (${message.campaignId} IS NOT NULL AND ${message.state} <= ${state.claimed} AND ${message.body} = '')
  OR ${isNeverSent(message)} OR ${isHiddenReaction(message)})`;

/** One row if the conversation exists, which distinguishes an empty conversation from an unknown one. */
export const selectConversationExists = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.workspaceId, ctx.workspace.id)));

/** Newest first; one row beyond `limit` if there are more. */
export function selectConversationHistory(
  ctx: Ctx,
  conversationId: string,
  { limit, before }: HistoryPage,
): Statement<HistoryRecord> {
  const older = before === undefined ? sql`` : sql`AND ${m.id} < ${before}`;
  const conversation = sql`(
    SELECT contact_seq, connection_id, read_up_to FROM conversations
    WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}) v`;
  // Messages of merged contacts keep the removed contact's `seq` until a job moves them. Usually there are none.
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
