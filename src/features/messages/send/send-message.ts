import type { Ctx } from "../../../shared/context.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { readOrReplay, commitOnce } from "../../commits/commit-once.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import { deliverThread, MAX_SENDS } from "../deliver/deliver-thread.ts";
import { queueScheduled, queueThreads } from "../deliver/queue-threads.ts";
import type { AddresseeInput, MessageInput } from "../input/message-input.schemas.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { acceptMessageStatements } from "./accept-message.sql.ts";
import { refusalError } from "../send-refusal.ts";
import { type Addressee, addresseeOf, addresseeOfConversation } from "./find-addressee.ts";
import { type NewMessage, readMessageInput } from "./new-message.ts";
import { acceptedMessageAsJson, isRefused, selectSendCheck } from "./send-message.sql.ts";

export interface AcceptedSend {
  accepted: AcceptedMessage;
  message: NewMessage;
}

const threadOf = ({ accepted }: AcceptedSend): ThreadKey => ({
  contactSeq: accepted.contact_seq,
  connectionId: accepted.connection_id,
});

export async function startDeliveries(ctx: Ctx, sends: AcceptedSend[]): Promise<void> {
  const messages = sends.map((send) => ({ ...send.message, thread: threadOf(send) }));
  await enqueueMediaFetch(
    ctx,
    messages.flatMap(({ fetched = [], thread }) => fetched.map(({ mediaId }) => ({ mediaId, thread }))),
  );
  await queueScheduled(
    ctx,
    messages.flatMap(({ thread, sendAt = null }) => (sendAt === null ? [] : [{ thread, sendAt }])),
  );
  const due = messages.filter(({ sendAt = null, fetched }) => sendAt === null && fetched === undefined);
  const byKey = new Map(due.map(({ thread }) => [`${thread.contactSeq} ${thread.connectionId}`, thread]));
  const [first, ...others] = byKey.values();
  if (first === undefined) return;
  // This invocation would send to several threads one after the other, and has few statements left after a large batch.
  // Each thread then gets a job in the queue instead.
  const sendsHere = others.length === 0 && sends.length <= MAX_SENDS;
  ctx.waitUntil(sendsHere ? deliverAfterAnswer(ctx, first) : queueThreads(ctx, [first, ...others], 0));
}

/** Waits for one turn of the event loop first. Otherwise, a local server would delay requests that are waiting. */
async function deliverAfterAnswer(ctx: Ctx, thread: ThreadKey): Promise<void> {
  await ctx.wait(0);
  await deliverThread(ctx, thread);
}

export async function acceptMessage(
  ctx: Ctx,
  { target, contactIfMissing, explainMissing }: Addressee,
  message: NewMessage,
): Promise<AcceptedMessage> {
  const id = ctx.newId("msg");
  const { result, replayed, explains } = await commitOnce(ctx, {
    effects: (guard) => acceptMessageStatements(ctx, { id, target, contactIfMissing, message }, guard),
    result: acceptedMessageAsJson(id, message),
    shape: acceptedMessage,
    explains: selectSendCheck(ctx, target, message, isRefused(id)),
  });
  if (result === null) {
    const [check] = explains;
    throw check === undefined ? await explainMissing() : refusalError(check, message);
  }
  if (!replayed) await startDeliveries(ctx, [{ accepted: result, message }]);
  return result;
}

const acceptInput = (ctx: Ctx, addressee: Addressee, input: MessageInput): Promise<AcceptedMessage> =>
  readOrReplay(ctx, {
    shape: acceptedMessage,
    read: () => readMessageInput(ctx, input),
    act: (message) => acceptMessage(ctx, addressee, message),
  });

export const sendMessage = async (ctx: Ctx, to: AddresseeInput, input: MessageInput): Promise<AcceptedMessage> =>
  acceptInput(ctx, addresseeOf(ctx, to), input);

export const replyInConversation = async (
  ctx: Ctx,
  conversationId: string,
  input: MessageInput,
): Promise<AcceptedMessage> => acceptInput(ctx, addresseeOfConversation(ctx, conversationId), input);
