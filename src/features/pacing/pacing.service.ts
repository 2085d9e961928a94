import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";

/**
 * If the pacer does not respond, a message waits at least this long and at most twice as long. The wait is random, so
 * that messages do not all retry at once.
 */
const UNANSWERED_MS = 5000;

/** Calls the pacer of a connection, with one retry. Returns null if the pacer does not respond. */
async function askPacer<T>(
  ctx: BaseCtx,
  connectionId: string,
  ask: (pacer: ReturnType<Env["CONNECTION_PACER"]["getByName"]>) => Promise<T>,
): Promise<T | null> {
  try {
    return await askObject(() => ask(ctx.pacers.getByName(connectionId)));
  } catch (error) {
    log.error("pacer_unreachable", { requestId: ctx.requestId, connectionId, error });
    return null;
  }
}

/** Never throws. If the pacer does not respond, the message requests a slot again later. */
export async function takeSlot(ctx: BaseCtx, connectionId: string, request: SlotRequest): Promise<Slot> {
  const slot = await askPacer(ctx, connectionId, async (pacer) => pacer.take(request));
  return slot ?? { isGranted: false, inMs: Math.round(UNANSWERED_MS * (1 + ctx.random())) };
}

/** Never throws. If the call fails, the provider requests the pause again in its response to the next message. */
export async function pauseSending(ctx: BaseCtx, connectionId: string, pause: Pause): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.pause(pause));
}

/** Makes a campaign eligible for leases. Never throws: the cron repeats the call every minute. */
export async function registerCampaign(ctx: BaseCtx, campaign: PumpedCampaign): Promise<void> {
  await askPacer(ctx, campaign.connectionId, async (pacer) => pacer.run(campaign));
}

/** Reports the outcome of a grant. Never throws: an unreported grant expires after 60 s. */
export async function reportGrant(ctx: BaseCtx, connectionId: string, report: GrantReport): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.report(report));
}
