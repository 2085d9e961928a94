import type { Ctx } from "../../../shared/context.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { enqueueMediaFetch } from "../../media/queue-media.ts";
import { deliverThread } from "../deliver/deliver-thread.ts";
import { queueRelease } from "../deliver/queue-threads.ts";
import type { Addressee, MessageInput } from "../message-input.schemas.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { acceptMessageStatements } from "./accept-message.sql.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { findConversationPartner, findRecipient, type Recipient } from "./find-recipient.ts";
import { readMessageInput } from "./read-input.ts";
import { acceptedMessageAsJson, isNotQueued, type MessageContent, selectSendCheck } from "./send-message.sql.ts";

/**
 * Queues a message in one batch and has it delivered right after the answer. Throws `not_found`, `invalid_state`, `unsubscribed`,
 * `unreachable`, `unsupported_message`, and for what is no template `window_closed`.
 */
export async function acceptMessage(
  ctx: Ctx,
  { target, newcomer, missing }: Recipient,
  content: MessageContent,
): Promise<AcceptedMessage> {
  const id = ctx.newId("msg");
  const { result, replayed, facts } = await commitOnce(ctx, {
    effects: (guard) => acceptMessageStatements(ctx, { id, target, newcomer, content }, guard),
    result: acceptedMessageAsJson(id),
    shape: acceptedMessage,
    facts: selectSendCheck(ctx, target, content, isNotQueued(id)),
  });
  if (result === null) {
    const [check] = facts;
    throw check === undefined ? await missing() : explainRefusal(check, content);
  }
  if (!replayed)
    await startDelivery(ctx, { contactSeq: result.contact_seq, connectionId: result.connection_id }, content);
  return result;
}

/** Has an accepted message sent: right after the answer, when its file is there, or when its time has come. */
async function startDelivery(ctx: Ctx, thread: ThreadKey, { sendAt = null, fetched }: MessageContent): Promise<void> {
  if (fetched !== undefined)
    await enqueueMediaFetch(
      ctx,
      fetched.map(({ mediaId }) => ({ mediaId, thread })),
    );
  if (sendAt !== null) return queueRelease(ctx, thread, sendAt);
  if (fetched === undefined) ctx.waitUntil(deliverAfterAnswer(ctx, thread));
}

/**
 * Lets requests that wait be read first: a local runtime runs the database and objects in this event loop, and reads sockets only
 * when the loop is idle. Deployed, it costs nothing.
 */
async function deliverAfterAnswer(ctx: Ctx, thread: ThreadKey): Promise<void> {
  await ctx.wait(0);
  await deliverThread(ctx, thread);
}

/**
 * Sends to a person through the key's connection; makes the contact and the conversation where needed.
 * Throws `validation_failed` and what `acceptMessage` throws.
 */
export const sendMessage = async (ctx: Ctx, addressee: Addressee, input: MessageInput): Promise<AcceptedMessage> =>
  acceptMessage(ctx, findRecipient(ctx, addressee), readMessageInput(ctx, input));

/** Replies in a conversation, through its connection. Throws as `sendMessage` does. */
export const replyInConversation = async (
  ctx: Ctx,
  conversationId: string,
  input: MessageInput,
): Promise<AcceptedMessage> =>
  acceptMessage(ctx, findConversationPartner(ctx, conversationId), readMessageInput(ctx, input));
