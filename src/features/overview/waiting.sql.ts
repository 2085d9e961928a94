import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, subqueryColumns } from "../../db/columns.ts";
import { contacts, conversations, messages } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS, HOUR_MS } from "../../shared/time/durations.ts";
import { optedOutAt } from "../contacts/opt-outs/opt-outs.sql.ts";
import { conversationUsername, isWaiting } from "../conversations/conversations.sql.ts";
import { isUnsubscribed } from "../messages/unsubscribed.sql.ts";
import { replyAddress } from "../messages/send/find-addressee.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const v = columns(conversations, "v");

/** The overview reads at most this many waiting conversations, to stay fast. It neither lists nor counts the others. */
const MAX_EXAMINED = 5000;

function waitingConversations(ctx: Ctx): SQL {
  const { list, names } = subqueryColumns("t", {
    is_text: sql`TRUE`,
    opted_out_at: optedOutAt(ctx, sql`${c.id}`, sql`${c.phoneKey}`),
    last_inbound_at: sql`${v.lastInboundAt}`,
    wrote_from: sql`${v.wroteFrom}`,
    wrote_from_key: sql`${v.wroteFromKey}`,
    address: replyAddress(sql`${v.connectionId}`),
  });
  return sql`
    FROM (SELECT * FROM conversations v WHERE ${isWaiting(ctx)} ORDER BY ${v.waitingSince} LIMIT ${MAX_EXAMINED}) v
    CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
    WHERE NOT EXISTS (SELECT 1 FROM (SELECT ${list}) t WHERE ${isUnsubscribed(names, ctx.now())})`;
}

const waitingRow = z.object({
  id: z.string(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
  contact_username: z.string().nullable(),
  connection_id: z.string(),
  /** The last text from the person, because the conversation's last message can be a newer campaign message. */
  last_written: z.string().nullable(),
  waiting_since: z.number(),
});

export const selectLongestWaiting = (ctx: Ctx, limit: number) =>
  statement(
    waitingRow,
    sql`
      SELECT ${v.id} AS id, ${c.name} AS contact_name, ${c.phone} AS contact_phone, ${conversationUsername} AS contact_username,
        ${v.connectionId} AS connection_id, ${v.waitingSince} AS waiting_since, (
          SELECT ${m.body} FROM messages m
          WHERE ${m.contactSeq} = ${v.contactSeq} AND ${m.connectionId} = ${v.connectionId} AND ${m.fromContact} AND ${m.type} IS NOT 'reaction'
          ORDER BY ${m.id} DESC LIMIT 1) AS last_written
      ${waitingConversations(ctx)} LIMIT ${limit}`,
  );

const waitingCounts = z.object({ total: z.number(), over_hour: z.number(), over_day: z.number() });

export const selectWaitingCounts = (ctx: Ctx, most: number) =>
  statement(
    waitingCounts,
    sql`
      SELECT count(*) AS total, count(*) FILTER (WHERE since < ${ctx.now() - HOUR_MS}) AS over_hour,
        count(*) FILTER (WHERE since < ${ctx.now() - DAY_MS}) AS over_day
      FROM (SELECT ${v.waitingSince} AS since ${waitingConversations(ctx)} LIMIT ${most})`,
  );
