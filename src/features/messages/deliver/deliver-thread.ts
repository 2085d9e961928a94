import type { SQL } from "drizzle-orm";
import { messageError, refusedOutcome } from "../../../channels/answers.ts";
import type { OutboundMessage, SendOutcome } from "../../../channels/channel.ts";
import { outboundContent, type OutboundContent } from "../../../channels/content.ts";
import { transact } from "../../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { deliverThreadJob, type ThreadKey } from "../../../shared/thread-jobs.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { takeSlot } from "../../pacing/pacing.service.ts";
import { FILE_POLL_MS, QUOTE_POLL_MS, QUOTE_WAIT_MS } from "../messages.delays.ts";
import { refusalOutcome } from "../send-refusal.ts";
import type { Held } from "../settle/decide-settlement.ts";
import { planSettlements } from "../settle/settle-messages.ts";
import { settleOrQueue } from "../settle/settle-or-queue.ts";
import { createProviderCaller, type CallProvider, applyProviderPause } from "./call-provider.ts";
import { type ClaimedMessage, returnClaim, releaseScheduled, settleAndClaim } from "./claim.sql.ts";
import { queueThreads } from "./queue-threads.ts";

/**
 * The platform stops a run 30 s after the response, so a run sends at most this many messages. A queue job delivers the
 * rest.
 */
export const MAX_SENDS = 10;
const MAX_RUN_MS = 15_000;
/** After this time, a failed settlement is not tried again. The run then still has time to queue the last outcome. */
const MAX_SETTLING_MS = 22_000;

const UNUSABLE_CONNECTION: SendOutcome = {
  kind: "retry",
  error: messageError("provider_unreachable", "The connection's secrets could not be decrypted."),
};

const fileFaults = new Map([
  ["failed", "The file could not be fetched."],
  ["expired", "The file has expired."],
  ["missing", "The file was deleted."],
]);

const describeFileFault = ({ status, reason }: NonNullable<ClaimedMessage["file"]>): string =>
  reason === null ? (fileFaults.get(status) ?? "The file cannot be sent.") : `The file cannot be sent. ${reason}`;

function outcomeWithoutCall(claimed: ClaimedMessage, now: number): SendOutcome | Held | null {
  const { file, reply_to, reply_to_provider_id, may_quoted_still_leave, wanted_at, type } = claimed;
  if (file?.status === "pending") return { kind: "held", until: now + FILE_POLL_MS };
  if (file !== null && file.status !== "stored") return refusedOutcome("media_invalid", describeFileFault(file));
  if (reply_to === null || reply_to_provider_id !== null) return null;
  const waitsUntil = wanted_at + QUOTE_WAIT_MS;
  if (may_quoted_still_leave && now < waitsUntil)
    return { kind: "held", until: Math.min(now + QUOTE_POLL_MS, waitsUntil) };
  return type === "reaction" ? refusedOutcome("undeliverable", "The message to react to was not sent.") : null;
}

const storedContent = ({ type, content }: ClaimedMessage): OutboundContent | null =>
  content === null ? null : outboundContent.parse({ type: type ?? "text", content });

const knownSpelling = ({ address, wrote_from, wrote_from_key }: ClaimedMessage): { wroteFrom?: string } =>
  wrote_from === null || wrote_from_key === null || wrote_from_key !== phoneKey(address)
    ? {}
    : { wroteFrom: wrote_from };

function composeMessage(claimed: ClaimedMessage): OutboundMessage {
  const content = storedContent(claimed);
  return {
    id: claimed.id,
    to: claimed.address,
    ...knownSpelling(claimed),
    body: claimed.body,
    attempt: claimed.attempts,
    ...(claimed.template_form !== null && { template: claimed.template_form }),
    ...(content !== null && { content }),
    ...(claimed.reply_to_provider_id !== null && { replyTo: claimed.reply_to_provider_id }),
  };
}

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

/** Sends the due messages of a thread. While one run is active, a second run for the same thread claims nothing. */
export async function deliverThread(ctx: Ctx, thread: ThreadKey, { releases = false } = {}): Promise<void> {
  if (!ctx.sends) return;
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
      // An earlier try of `store` might have claimed the next message although its response was lost. This run will not
      // send that message, so we release the claim.
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

async function queueRest(ctx: Ctx, thread: ThreadKey, retryAt: number | null, isCutShort: boolean): Promise<void> {
  if (retryAt !== null) await queueThreads(ctx, [thread], Math.max(0, retryAt - ctx.now()));
  if (isCutShort) await queueThreads(ctx, [thread], 0);
}

export async function runDeliverThreadJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, contactSeq, connectionId, releases } = deliverThreadJob.parse(message);
  await deliverThread(forWorkspace(base, workspace), { contactSeq, connectionId }, { releases });
}
