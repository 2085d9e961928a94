import { and, eq, sql } from "drizzle-orm";
import type * as z from "zod";
import { conversations } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isHiddenReaction, isNeverSent, messageColumns, messageRecord } from "./messages.sql.ts";
import { state } from "./messages.states.ts";

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

const columns = messageColumns(historyRecord);

export interface HistoryPage {
  limit: number;
  /** Messages older than the one with this id. */
  before: string | undefined;
}

/**
 * True in SQL for a campaign's message that no call was made for, which shows once it was sent, or may have been; and for our
 * reactions.
 */
export const isHidden = sql`((m.campaign_id IS NOT NULL AND m.state <= ${state.claimed} AND m.body = '') OR ${isNeverSent}
  OR ${isHiddenReaction(sql`m`)})`;

/** One row where the conversation exists: one without messages that show is not an unknown one. */
export const selectConversationExists = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), eq(conversations.workspaceId, ctx.workspace.id)));

/** Messages of a conversation, newest first, one row beyond `limit` where there are more. */
export function selectConversationHistory(
  ctx: Ctx,
  conversationId: string,
  { limit, before }: HistoryPage,
): Statement<HistoryRecord> {
  const older = before === undefined ? sql`` : sql`AND m.id < ${before}`;
  const conversation = sql`(
    SELECT contact_seq, connection_id, read_up_to FROM conversations
    WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}) v`;
  // Messages of contacts that were merged into this one stay under the old number until a job has moved them; mostly none.
  const notMovedYet = sql`
    SELECT ${columns} FROM ${conversation}
    CROSS JOIN contact_joins j ON j.into_seq = v.contact_seq AND j.moved_at IS NULL
    CROSS JOIN messages m ON m.id IN (
      SELECT m.id FROM messages m WHERE m.contact_seq = j.from_seq AND m.connection_id = v.connection_id ${older} AND NOT ${isHidden}
      ORDER BY m.id DESC LIMIT ${limit + 1})`;
  return statement(
    historyRecord,
    sql`
      SELECT ${columns} FROM ${conversation}
      CROSS JOIN messages m ON m.contact_seq = v.contact_seq AND m.connection_id = v.connection_id ${older}
      WHERE NOT ${isHidden}
      UNION ALL ${notMovedYet}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );
}
