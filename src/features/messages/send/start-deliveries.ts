import type { Ctx } from "../../../shared/context.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import { deliverThread } from "../deliver/deliver-thread.ts";
import { queueScheduled, queueThreads } from "../deliver/queue-threads.ts";
import type { AcceptedMessage } from "../messages.schemas.ts";
import type { NewMessageContent } from "./new-message.ts";

interface AcceptedSend {
  accepted: AcceptedMessage;
  content: NewMessageContent;
}

const threadOf = ({ accepted }: AcceptedSend): ThreadKey => ({
  contactSeq: accepted.contact_seq,
  connectionId: accepted.connection_id,
});

/** Delivers accepted messages: after the response, when their files are fetched, or at their scheduled time. */
export async function startDeliveries(ctx: Ctx, sends: AcceptedSend[]): Promise<void> {
  const messages = sends.map((send) => ({ ...send.content, thread: threadOf(send) }));
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
  // A single invocation would send to many people in sequence.
  ctx.waitUntil(others.length === 0 ? deliverAfterAnswer(ctx, first) : queueThreads(ctx, [first, ...others], 0));
}

/**
 * Lets waiting requests be read first: a local runtime shares this event loop and reads sockets only when the loop is idle. Costs
 * nothing when deployed.
 */
async function deliverAfterAnswer(ctx: Ctx, thread: ThreadKey): Promise<void> {
  await ctx.wait(0);
  await deliverThread(ctx, thread);
}
