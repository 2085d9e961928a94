import { messageError } from "../../../channels/answers.ts";
import type { SendOutcome } from "../../../channels/channel.ts";
import { type SQL, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { takeSlot } from "../../pacing/pacing.service.ts";
import { refusalOutcome } from "../send-refusal.ts";
import type { Held } from "../settle/decide-settlement.ts";
import { planSettlements } from "../settle/settle-messages.ts";
import { settleOrQueue } from "../settle/settle-or-queue.ts";
import { createProviderCaller, type CallProvider, applyProviderPause } from "./call-provider.ts";
import { type ClaimedMessage, returnClaim, releaseScheduled, settleAndClaim } from "./claim.sql.ts";
import { outcomeWithoutCall, composeMessage } from "./compose-message.ts";
import { queueThreads } from "./queue-threads.ts";

/** Ends a run well within the 30 s allowed after a response. The queue continues the rest. */
const MAX_SENDS = 10;
const MAX_RUN_MS = 15_000;
/** Stops retries of storage after this time, so that the last outcome still reaches the queue. */
const MAX_SETTLING_MS = 22_000;

const UNUSABLE_CONNECTION: SendOutcome = {
  kind: "retry",
  error: messageError("provider_unreachable", "The connection could not be used."),
};

/** Waits for the message's slot and returns null. Returns `held` if the slot is too far away. */
async function awaitSlot(ctx: Ctx, connectionId: string, claimed: ClaimedMessage): Promise<Held | null> {
  const { isGranted, inMs } = await takeSlot(ctx, connectionId, {
    provider: claimed.provider,
    address: claimed.address,
    messagesPerSecond: claimed.messages_per_second,
    isReturning: claimed.was_held,
  });
  if (!isGranted) return { kind: "held", until: ctx.now() + inMs };
  if (inMs > 0) await ctx.wait(inMs);
  return null;
}

/** Calls the provider when the slot comes. A message that needs no call uses no slot. */
async function sendClaimed(
  ctx: Ctx,
  callProvider: CallProvider,
  connectionId: string,
  claimed: ClaimedMessage,
): Promise<SendOutcome | Held> {
  if (claimed.refusal !== null) return refusalOutcome(claimed.refusal);
  const outcome = outcomeWithoutCall(claimed, ctx.now());
  if (outcome !== null) return outcome;
  const connection = await tryOpenConnection(ctx, { ...claimed, id: connectionId });
  if (connection === null) return UNUSABLE_CONNECTION;
  const held = await awaitSlot(ctx, connectionId, claimed);
  if (held !== null) return held;
  return callProvider(claimed.provider, connection, composeMessage(claimed));
}

/**
 * Sends the thread's due messages one at a time, oldest first; each claim makes at most one call. A concurrent run claims nothing,
 * because the first run continues after its call. With `releases`, first queues due scheduled messages.
 */
export async function deliverThread(ctx: Ctx, thread: ThreadKey, { releases = false } = {}): Promise<void> {
  const start = ctx.now();
  const { connectionId } = thread;
  const callProvider = createProviderCaller(ctx);
  let claimed = await claimFirst(ctx, thread, releases ? releaseScheduled(ctx, thread) : []);
  for (let sends = 1; claimed !== null; sends++) {
    const outcome = await sendClaimed(ctx, callProvider, connectionId, claimed);
    await applyProviderPause(ctx, connectionId, claimed, outcome);
    const { id, attempts } = claimed;
    const reaction = claimed.type === "reaction";
    const attempted = [{ ...thread, id, attempts, campaign: false, ...(reaction && { reaction }), outcome }];
    const plan = planSettlements(ctx, attempted);
    const token = ctx.newId("claim");
    let isCutShort = false;
    const store = async () => {
      isCutShort = sends >= MAX_SENDS || ctx.now() - start > MAX_RUN_MS;
      if (!isCutShort) return settleAndClaim(ctx, plan, { thread, token });
      // A failed try may have claimed the next message. There is no time left to send it, so the claim is returned.
      await transact(ctx.sharedShard(ctx.workspace.shard), {
        settlements: plan.statements,
        returned: returnClaim(thread, token),
      });
      return null;
    };
    const settled = await settleOrQueue(ctx, { connectionId, attempted, store, until: start + MAX_SETTLING_MS });
    if (settled === null) return;
    claimed = settled.stored;
    await queueRest(ctx, thread, plan.retryAts[0] ?? null, isCutShort);
  }
}

/** Claims the run's first message. If the response is lost, returns the possible claim for the next run. */
async function claimFirst(ctx: Ctx, thread: ThreadKey, statements: SQL[]): Promise<ClaimedMessage | null> {
  const token = ctx.newId("claim");
  try {
    return await settleAndClaim(ctx, { statements, shortSettlement: null }, { thread, token });
  } catch (error) {
    await transact(ctx.db, { returned: returnClaim(thread, token) }).catch((failure: unknown) => {
      log.error("claim_not_returned", { requestId: ctx.requestId, connectionId: thread.connectionId, error: failure });
    });
    throw error;
  }
}

/** Queues the thread for the retry's time, and immediately if the run was cut short. */
async function queueRest(ctx: Ctx, thread: ThreadKey, retryAt: number | null, isCutShort: boolean): Promise<void> {
  if (retryAt !== null) await queueThreads(ctx, [thread], Math.max(0, retryAt - ctx.now()));
  if (isCutShort) await queueThreads(ctx, [thread], 0);
}
