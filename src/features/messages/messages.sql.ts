import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { seqNow } from "../contacts/identify-people.sql.ts";
import { isGivenUp } from "./campaign-messages.sql.ts";
import { state } from "./messages.states.ts";

/** A campaign's message that was never sent and never will be is nobody's. */
const isNobodys = sql`(m.campaign_id IS NOT NULL AND (m.state = ${state.skipped} OR m.state = ${state.queued}
  AND EXISTS (SELECT 1 FROM campaigns g WHERE g.id = m.campaign_id AND ${isGivenUp(sql`g`)})))`;

/** Of a campaign's message that nothing was sent of yet, or ever will be, no history tells. */
const isUnsent = sql`(m.campaign_id IS NOT NULL AND m.state <= ${state.claimed} AND m.body = '' OR ${isNobodys})`;

/** An inbound message counts as read once its conversation was marked so. */
const stateSeen = sql`iif(m.from_contact AND m.id <= v.read_up_to, ${state.read}, m.state)`;

const fields: Record<string, SQL> = {
  id: sql`m.id`,
  conversation_id: sql`v.id`,
  contact_id: sql`c.id`,
  campaign_id: sql`m.campaign_id`,
  template_id: sql`m.template_id`,
  to: sql`m.address`,
  body: sql`m.body`,
  from_contact: sql`m.from_contact`,
  state: stateSeen,
  provider_message_id: sql`m.provider_message_id`,
  error_code: sql`m.error_code`,
  error_message: sql`m.error_message`,
  provider_code: sql`m.provider_code`,
  created_at: sql`m.created_at`,
  sent_at: sql`m.sent_at`,
  delivered_at: sql`m.delivered_at`,
  read_at: sql`m.read_at`,
  failed_at: sql`m.failed_at`,
  billable: sql`m.billable`,
  price_category: sql`m.price_category`,
  price_type: sql`m.price_type`,
  edited_at: sql`m.edited_at`,
  revoked_at: sql`m.revoked_at`,
  // Most messages have never been changed, and are not looked up.
  versions: sql`iif(m.edited_at IS NULL AND m.revoked_at IS NULL, '[]', (
    SELECT json_group_array(json_object('body', body, 'written_at', written_at)) FROM (
      SELECT body, written_at FROM message_versions w WHERE w.message_id = m.id ORDER BY written_at, id)))`,
};

const columns = sql.join(
  Object.entries(fields).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
  sql`, `,
);

export const messageRecord = z.object({
  id: z.string(),
  conversation_id: z.string().nullable(),
  contact_id: z.string(),
  campaign_id: z.string().nullable(),
  template_id: z.string().nullable(),
  to: z.string(),
  body: z.string(),
  from_contact: z.number(),
  state: z.number(),
  provider_message_id: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  provider_code: z.string().nullable(),
  created_at: z.number(),
  sent_at: z.number().nullable(),
  delivered_at: z.number().nullable(),
  read_at: z.number().nullable(),
  failed_at: z.number().nullable(),
  billable: z.number().nullable(),
  price_category: z.string().nullable(),
  price_type: z.string().nullable(),
  edited_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  versions: fromJson(z.array(z.object({ body: z.string(), written_at: z.number() }))),
});

export type MessageRecord = z.infer<typeof messageRecord>;

export async function find(ctx: Ctx, id: string): Promise<MessageRecord | null> {
  const [row] = await ctx.db.all(sql`
    SELECT ${columns} FROM messages m CROSS JOIN contacts c ON c.seq = ${seqNow(sql`m.contact_seq`)}
    LEFT JOIN conversations v ON v.contact_seq = c.seq AND v.connection_id = m.connection_id
    WHERE m.id = ${id} AND m.workspace_id = ${ctx.workspace.id} AND NOT ${isNobodys}`);
  return row === undefined ? null : messageRecord.parse(row);
}

export const historyRecord = messageRecord.pick({
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
});

export type HistoryRecord = z.infer<typeof historyRecord>;

const historyColumns = sql.join(
  Object.keys(historyRecord.shape).map((name) => sql`${fields[name]} AS ${sql.identifier(name)}`),
  sql`, `,
);

const ofConversation = (ctx: Ctx, id: string): SQL =>
  sql`conversations WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** The messages of a conversation for `historyRecord`, newest first, one row beyond `limit`. */
export const historyQuery = (ctx: Ctx, conversationId: string, limit: number, before: string | undefined): SQL => {
  const older = before === undefined ? sql`` : sql`AND m.id < ${before}`;
  const thread = sql`(SELECT contact_seq, connection_id, read_up_to FROM ${ofConversation(ctx, conversationId)}) v`;
  // What contacts that were joined into this one have left behind, as long as it has not moved; mostly nothing.
  const leftBehind = sql`
    SELECT ${historyColumns} FROM ${thread}
    CROSS JOIN contact_joins j ON j.into_seq = v.contact_seq AND j.moved_at IS NULL
    CROSS JOIN messages m ON m.id IN (
      SELECT m.id FROM messages m WHERE m.contact_seq = j.from_seq AND m.connection_id = v.connection_id ${older} AND NOT ${isUnsent}
      ORDER BY m.id DESC LIMIT ${limit + 1})`;
  return sql`
    SELECT ${historyColumns} FROM ${thread}
    CROSS JOIN messages m ON m.contact_seq = v.contact_seq AND m.connection_id = v.connection_id ${older}
    WHERE NOT ${isUnsent}
    UNION ALL ${leftBehind}
    ORDER BY id DESC LIMIT ${limit + 1}`;
};

/** Newest first, one row beyond `limit`; null when there is no such conversation. */
export async function history(ctx: Ctx, conversationId: string, limit: number, before: string | undefined) {
  const [known, rows] = await batch(ctx.db, [
    sql`SELECT 1 FROM ${ofConversation(ctx, conversationId)}`,
    historyQuery(ctx, conversationId, limit, before),
  ]);
  return known?.length === 0 ? null : z.array(historyRecord).parse(rows);
}
