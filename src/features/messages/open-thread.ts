import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, notFound } from "../../shared/errors.ts";
import { type ConversationRecord, conversationRecord } from "../conversations/conversations.schemas.ts";
import { type HistoryRecord, historyRecord } from "./messages.repository.ts";
import { open } from "./open-thread.repository.ts";
import { judgement, refuse, windowEnd } from "./send-message.ts";

export interface Thread {
  conversation: ConversationRecord;
  /** Newest first, one beyond `limit` where there are more. */
  messages: HistoryRecord[];
  /** Why a reply in free text would be refused now, as sending one would say it; null where it would go. */
  refusal: AppError | null;
  /** Until when free text may go (ms since the epoch); null where no window limits it, or nobody has written yet. */
  textUntil: number | null;
}

const conversations = z.array(
  z.object({ result: z.string().transform((json) => conversationRecord.parse(JSON.parse(json))) }),
);

/** Shows a conversation to somebody, which marks it read. Throws `not_found`. */
export async function openThread(
  ctx: Ctx,
  conversationId: string,
  limit: number,
  before: string | undefined,
): Promise<Thread> {
  const found = await open(ctx, conversationId, limit, before);
  const conversation = conversations.parse(found.conversation)[0]?.result;
  const judged = z.array(judgement).parse(found.judged)[0];
  if (conversation === undefined || judged === undefined) throw notFound("conversation");
  const { refusal, last_inbound_at: lastInboundAt } = judged;
  return {
    conversation,
    messages: z.array(historyRecord).parse(found.messages),
    refusal: refusal === null ? null : refuse(judged),
    textUntil: conversation.channel === "official" && lastInboundAt !== null ? windowEnd(lastInboundAt) : null,
  };
}
