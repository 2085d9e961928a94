import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectUnseenCounts } from "./count-unread.sql.ts";

export interface UnseenCounts {
  unread: number;
  /** Conversations that mention the member since they last looked there. */
  mentions: number;
}

/** Unread conversations and mentions that await a member, counted no further than `most`. Shares a trip with what is asked at once. */
export async function countUnseen(ctx: Ctx, memberId: string, most: number): Promise<UnseenCounts> {
  const { rows } = await transact(ctx.sharedShard(ctx.workspace.shard), {
    rows: selectUnseenCounts(ctx, memberId, most),
  });
  return rows[0] ?? { unread: 0, mentions: 0 };
}
