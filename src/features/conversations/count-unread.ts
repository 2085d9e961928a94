import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectUnreadConversations } from "./count-unread.sql.ts";

/** How many open conversations hold something unread, counted no further than `most`. Shares a trip with what is asked at once. */
export async function countUnreadConversations(ctx: Ctx, most: number): Promise<number> {
  const { rows } = await transact(ctx.sharedShard(ctx.workspace.shard), { rows: selectUnreadConversations(ctx, most) });
  return rows[0]?.unread ?? 0;
}
