import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { conversations, unseenMentions } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";

const conversation = columns(conversations);
const mention = columns(unseenMentions);

const countsRow = z.object({ unread: z.number(), mentions: z.number() });

/** Each count stops at `most`. Raw SQL for INDEXED BY. */
const selectUnreadAndMentions = (ctx: Ctx, memberId: string, most: number) => {
  const count = (rows: SQL) => sql`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${most}))`;
  const unread = sql`
    conversations INDEXED BY conversations_unread
    WHERE ${conversation.workspaceId} = ${ctx.workspace.id} AND ${conversation.status} = 'open' AND ${conversation.unreadCount} > 0`;
  const mentions = sql`unseen_mentions WHERE ${mention.workspaceId} = ${ctx.workspace.id} AND ${mention.memberId} = ${memberId}`;
  return statement(countsRow, sql`SELECT ${count(unread)} AS unread, ${count(mentions)} AS mentions`);
};

export type UnreadAndMentions = z.infer<typeof countsRow>;

export async function countUnreadAndMentions(ctx: Ctx, memberId: string, most: number): Promise<UnreadAndMentions> {
  const { rows } = await transact(ctx.sharedShard(ctx.workspace.shard), {
    rows: selectUnreadAndMentions(ctx, memberId, most),
  });
  return rows[0] ?? { unread: 0, mentions: 0 };
}
