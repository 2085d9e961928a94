import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectUnreadAndMentions } from "./count-unread-and-mentions.sql.ts";

export interface UnreadAndMentions {
  /** Open conversations with something unread in them, which is so for everybody. */
  unread: number;
  /** Conversations that mention the member since they last looked there. */
  mentions: number;
}

/** Unread conversations and mentions that await a member, counted no further than `most`. Shares a trip with what is asked at once. */
export async function countUnreadAndMentions(ctx: Ctx, memberId: string, most: number): Promise<UnreadAndMentions> {
  const { rows } = await transact(ctx.sharedShard(ctx.workspace.shard), {
    rows: selectUnreadAndMentions(ctx, memberId, most),
  });
  return rows[0] ?? { unread: 0, mentions: 0 };
}
