import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import type { AppError } from "../../shared/errors.ts";
import { fromJson } from "../../shared/json.ts";
import { type ConversationRecord, conversationRecord } from "../conversations/conversations.schemas.ts";
import { type HistoryRecord, historyRecord } from "./messages.sql.ts";
import { earlierOf } from "./messages.schemas.ts";
import { type Delivery, deliveryOf } from "./messages.states.ts";
import { missingConversation } from "../conversations/conversations.service.ts";
import { open } from "./open-thread.sql.ts";
import { judgement, refuse, windowEnd } from "./send/send-message.ts";

export interface ThreadMessage {
  id: string;
  body: string;
  fromContact: boolean;
  delivery: Delivery;
  /** Why it failed: a code of the API and, where the provider gave one, a sentence. */
  error: { code: string; message: string | null } | null;
  /** What it was written with, where not by hand. */
  by: "campaign" | "template" | null;
  /** ms since the epoch. */
  at: number;
  editedAt: number | null;
  revokedAt: number | null;
  /** What it said before it was edited or taken back, oldest first. */
  earlier: string[];
}

export interface Thread {
  conversation: ConversationRecord;
  /** Newest first, one beyond `limit` where there are more. */
  messages: ThreadMessage[];
  /** Why a reply in free text would be refused now, as sending one would say it; null where it would go. */
  refusal: AppError | null;
  /** Until when free text may go (ms since the epoch); null where no window limits it, or nobody has written yet. */
  textUntil: number | null;
}

const conversations = z.array(z.object({ result: fromJson(conversationRecord) }));

const present = (record: HistoryRecord): ThreadMessage => ({
  id: record.id,
  body: record.body,
  fromContact: record.from_contact === 1,
  delivery: deliveryOf(record.state),
  error: record.error_code === null ? null : { code: record.error_code, message: record.error_message },
  by: record.campaign_id !== null ? "campaign" : record.template_id !== null ? "template" : null,
  at: record.created_at,
  editedAt: record.edited_at,
  revokedAt: record.revoked_at,
  earlier: earlierOf(record).map(({ body }) => body),
});

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
  if (conversation === undefined || judged === undefined) throw await missingConversation(ctx, conversationId);
  const { refusal, last_inbound_at: lastInboundAt } = judged;
  return {
    conversation,
    messages: z.array(historyRecord).parse(found.messages).map(present),
    refusal: refusal === null ? null : refuse(judged),
    textUntil: conversation.channel === "official" && lastInboundAt !== null ? windowEnd(lastInboundAt) : null,
  };
}
