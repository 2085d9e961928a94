import { batch } from "../../db/client.ts";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../shared/context.ts";
import { conversationAsJson, markRead } from "../conversations/conversations.sql.ts";
import { historyQuery } from "./messages.sql.ts";
import { judgement, targetByConversation } from "./send/send-message.sql.ts";

/** Marks a conversation read and reads what there is to see of it, in one trip. */
export async function open(ctx: Ctx, conversationId: string, limit: number, before: string | undefined) {
  const [, conversation, judged, messages] = await batch(ctx.db, [
    markRead(ctx, conversationId, sql`TRUE`),
    conversationAsJson(ctx, conversationId),
    judgement(ctx, targetByConversation(ctx, conversationId), { text: "" }),
    historyQuery(ctx, conversationId, limit, before),
  ]);
  return { conversation, judged, messages };
}
