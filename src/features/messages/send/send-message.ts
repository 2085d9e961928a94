import type { Ctx } from "../../../shared/context.ts";
import { actOnInput, commitOnce } from "../../idempotency/idempotency.service.ts";
import type { Addressee, MessageInput } from "../input/message-input.schemas.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { acceptMessageStatements } from "./accept-message.sql.ts";
import { refusalError } from "../send-refusal.ts";
import { findConversationPartner, findRecipient, type Recipient } from "./find-recipient.ts";
import type { NewMessageContent } from "./new-message.ts";
import { readMessageInput } from "../input/read-input.ts";
import { acceptedMessageAsJson, isNotQueued, selectSendCheck } from "./send-message.sql.ts";
import { startDeliveries } from "./start-deliveries.ts";

/**
 * Queues a message in one batch and delivers it after the response. Throws `not_found`, `invalid_state`, `unsubscribed`,
 * `unreachable`, `unsupported_message` and, except for templates, `window_closed`.
 */
export async function acceptMessage(
  ctx: Ctx,
  { target, newcomer, explainMissing }: Recipient,
  content: NewMessageContent,
): Promise<AcceptedMessage> {
  const id = ctx.newId("msg");
  const { result, replayed, facts } = await commitOnce(ctx, {
    effects: (guard) => acceptMessageStatements(ctx, { id, target, newcomer, content }, guard),
    result: acceptedMessageAsJson(id, content),
    shape: acceptedMessage,
    facts: selectSendCheck(ctx, target, content, isNotQueued(id)),
  });
  if (result === null) {
    const [check] = facts;
    throw check === undefined ? await explainMissing() : refusalError(check, content);
  }
  if (!replayed) await startDeliveries(ctx, [{ accepted: result, content }]);
  return result;
}

const acceptInput = (ctx: Ctx, recipient: Recipient, input: MessageInput): Promise<AcceptedMessage> =>
  actOnInput(ctx, {
    shape: acceptedMessage,
    read: () => readMessageInput(ctx, input),
    act: (content) => acceptMessage(ctx, recipient, content),
  });

/**
 * Sends through the key's connection and creates a missing contact and conversation. Throws `validation_failed` and the errors of
 * `acceptMessage`.
 */
export const sendMessage = async (ctx: Ctx, addressee: Addressee, input: MessageInput): Promise<AcceptedMessage> =>
  acceptInput(ctx, findRecipient(ctx, addressee), input);

/** Replies through the conversation's connection. Throws like `sendMessage`. */
export const replyInConversation = async (
  ctx: Ctx,
  conversationId: string,
  input: MessageInput,
): Promise<AcceptedMessage> => acceptInput(ctx, findConversationPartner(ctx, conversationId), input);
