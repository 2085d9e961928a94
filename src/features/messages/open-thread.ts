import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { AppError } from "../../shared/errors.ts";
import type { ConversationRecord } from "../conversations/conversations.schemas.ts";
import { missingConversation } from "../conversations/conversations.service.ts";
import { clearUnreadCount, selectConversation } from "../conversations/conversations.sql.ts";
import { type HistoryRecord, selectConversationHistory } from "./conversation-history.sql.ts";
import { customerServiceWindowEnd } from "./messages.customer-service-window.ts";
import { earlierVersions } from "./messages.schemas.ts";
import { type Delivery, toDelivery } from "./messages.states.ts";
import { explainRefusal } from "./send/explain-refusal.ts";
import { selectSendCheck, targetByConversation } from "./send/send-message.sql.ts";

export interface ThreadMessage {
  id: string;
  body: string;
  fromContact: boolean;
  delivery: Delivery;
  /** The reason of a failure: a code of the API and, where the provider gave one, a sentence. */
  error: { code: string; message: string | null } | null;
  /** Null for a message written by hand. */
  by: "campaign" | "template" | null;
  /** ms since the epoch. */
  at: number;
  editedAt: number | null;
  revokedAt: number | null;
  /** Its texts before it was edited or taken back, oldest first. */
  earlier: string[];
}

export interface Thread {
  conversation: ConversationRecord;
  /** Newest first, one beyond `limit` where there are more. */
  messages: ThreadMessage[];
  /** The error that a reply in free text would get now; null where it would go. */
  refusal: AppError | null;
  /** The end of the customer service window (ms since the epoch); null where none applies, or the person has not written yet. */
  textUntil: number | null;
}

const toThreadMessage = (record: HistoryRecord): ThreadMessage => ({
  id: record.id,
  body: record.body,
  fromContact: record.from_contact,
  delivery: toDelivery(record.state),
  error: record.error_code === null ? null : { code: record.error_code, message: record.error_message },
  by: record.campaign_id !== null ? "campaign" : record.template_id !== null ? "template" : null,
  at: record.created_at,
  editedAt: record.edited_at,
  revokedAt: record.revoked_at,
  earlier: earlierVersions(record).map(({ body }) => body),
});

/** Opens a conversation for a person, which marks it read, in one trip. Throws `not_found`. */
export async function openThread(
  ctx: Ctx,
  conversationId: string,
  limit: number,
  before: string | undefined,
): Promise<Thread> {
  const { conversations, replyChecks, messages } = await transact(ctx.db, {
    read: clearUnreadCount(ctx, conversationId),
    conversations: selectConversation(ctx, conversationId),
    replyChecks: selectSendCheck(ctx, targetByConversation(ctx, conversationId), { text: "" }),
    messages: selectConversationHistory(ctx, conversationId, { limit, before }),
  });
  const conversation = conversations[0]?.result;
  const [check] = replyChecks;
  if (conversation === undefined || check === undefined) throw await missingConversation(ctx, conversationId);
  const lastInboundAt = check.last_inbound_at;
  const hasWindow = conversation.channel === "official" && lastInboundAt !== null;
  return {
    conversation,
    messages: messages.map(toThreadMessage),
    refusal: check.refusal === null ? null : explainRefusal(check),
    textUntil: hasWindow ? customerServiceWindowEnd(lastInboundAt) : null,
  };
}
