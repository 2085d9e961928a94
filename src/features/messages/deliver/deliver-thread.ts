import type { SendOutcome } from "../../../channels/channel.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { log } from "../../../shared/logger.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { takeSlot } from "../../pacing/pacing.service.ts";
import { type ClaimedMessage, type Line, releaseClaim, settle, settleAndClaim } from "./claim.sql.ts";
import { createHandOver, type HandOver, ownError, slowDown } from "./call-provider.ts";
import { settleOrQueue } from "../settle/settle-or-queue.ts";
import { pointToConversations } from "./queue-threads.ts";
import { type Held, settlementsOf } from "../settle/settle-messages.ts";

/** A run ends well within the 30 s that work after an answer may take; what is left goes to the queue. */
const MAX_SENDS = 10;
const MAX_RUN_MS = 15_000;
/** Storage is not waited for later than this: what a last call came to goes to the queue in time. */
const MAX_SETTLING_MS = 22_000;

/** What the claim found to speak against the message, or null. A connection that is down may come back. */
function refusalOf({ refusal }: ClaimedMessage): SendOutcome | null {
  switch (refusal) {
    case "unsubscribed":
      return { kind: "refused", error: ownError("unsubscribed", "The person unsubscribed before the message left.") };
    case "marketing_opt_out":
      return {
        kind: "refused",
        error: ownError("unsubscribed", "The person turned marketing messages off before this one left."),
      };
    case "window_closed":
      return {
        kind: "refused",
        error: ownError("window_closed", "The 24 hour window closed before the message left."),
      };
    case "connection_inactive":
      return { kind: "retry", error: ownError("provider_unreachable", "The connection is not active.") };
    case "no_address":
      return {
        kind: "refused",
        error: ownError("invalid_recipient", "The contact has no address on this connection."),
      };
    case null:
      return null;
  }
}

/** Waits for the message's turn; null once it has come, else when it will have. */
async function awaitTurn(ctx: Ctx, connectionId: string, claimed: ClaimedMessage): Promise<Held | null> {
  const { isGranted, inMs } = await takeSlot(ctx, connectionId, {
    provider: claimed.provider,
    address: claimed.address,
    messagesPerSecond: claimed.messages_per_second,
    isReturning: claimed.has_waited === 1,
  });
  if (!isGranted) return { kind: "held", until: ctx.now() + inMs };
  if (inMs > 0) await ctx.wait(inMs);
  return null;
}

/** The spelling of a message's number that its holder has written from, where that is known. */
const spellingOf = ({ address, wrote_from, wrote_from_key }: ClaimedMessage): { wroteFrom?: string } =>
  wrote_from === null || wrote_from_key === null || wrote_from_key !== phoneKey(address)
    ? {}
    : { wroteFrom: wrote_from };

/** Makes the call, if its turn is near. Whatever needs no call takes no turn. */
async function call(
  ctx: Ctx,
  handOver: HandOver,
  connectionId: string,
  claimed: ClaimedMessage,
): Promise<SendOutcome | Held> {
  const refused = refusalOf(claimed);
  if (refused !== null) return refused;
  const connection = await tryOpenConnection(ctx, { ...claimed, id: connectionId });
  if (connection === null)
    return { kind: "retry", error: ownError("provider_unreachable", "The connection could not be used.") };
  const held = await awaitTurn(ctx, connectionId, claimed);
  if (held !== null) return held;
  return handOver(claimed.provider, connection, {
    id: claimed.id,
    to: claimed.address,
    ...spellingOf(claimed),
    body: claimed.body,
    attempt: claimed.attempts,
    ...(claimed.template_form !== null && { template: claimed.template_form }),
  });
}

/**
 * Sends what is due in one conversation, oldest first and one at a time, until nothing is.
 * One claim makes one call, or none where its turn is too far away; whoever comes while a call is under way leaves the rest to the one who made it.
 */
export async function deliverConversation(ctx: Ctx, line: Line): Promise<void> {
  const start = ctx.now();
  const handOver = createHandOver(ctx);
  let claimed = await claimFirst(ctx, line);
  for (let sends = 1; claimed !== null; sends++) {
    const outcome = await call(ctx, handOver, line.connectionId, claimed);
    await slowDown(ctx, line.connectionId, claimed, outcome);
    const { id, attempts } = claimed;
    const attempted = [{ ...line, id, attempts, campaign: false, outcome }];
    const { statements: settlements, retryAts } = settlementsOf(ctx, attempted);
    const token = ctx.newId("claim");
    let isCutShort = false;
    const store = () => {
      isCutShort = sends >= MAX_SENDS || ctx.now() - start > MAX_RUN_MS;
      // A try that failed may have claimed the next message all the same: too late for its call, it is given back.
      return isCutShort
        ? settle(ctx, [...settlements, releaseClaim(line, token)])
        : settleAndClaim(ctx, { settlements, token }, line);
    };
    const { connectionId } = line;
    const settled = await settleOrQueue(ctx, { connectionId, attempted, store, until: start + MAX_SETTLING_MS });
    if (settled === null) return;
    claimed = settled.stored;
    await comeBack(ctx, line, retryAts[0] ?? null, isCutShort);
  }
}

/** Claims the first message of a run. Where the answer is lost, what was claimed all the same is given back for the next run. */
async function claimFirst(ctx: Ctx, line: Line): Promise<ClaimedMessage | null> {
  const token = ctx.newId("claim");
  try {
    return await settleAndClaim(ctx, { settlements: [], token }, line);
  } catch (error) {
    await settle(ctx, [releaseClaim(line, token)]).catch((failure: unknown) => {
      log.error("claim_not_released", { requestId: ctx.requestId, connectionId: line.connectionId, error: failure });
    });
    throw error;
  }
}

/** Has the queue look at the conversation again: when the message's time comes, or at once where a run was cut short. */
async function comeBack(ctx: Ctx, line: Line, retryAt: number | null, isCutShort: boolean): Promise<void> {
  if (retryAt !== null) await pointToConversations(ctx, [line], Math.max(0, retryAt - ctx.now()));
  if (isCutShort) await pointToConversations(ctx, [line], 0);
}
