import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";

/** The minimum wait after a failed request for a slot. The wait is up to twice as long, to distribute retries over time. */
const UNANSWERED_MS = 5000;

/** Calls the pacer of a connection, with one retry. Returns null without a response. */
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

/** Requests the slot of a message. Never throws: without a response, the message is retried later. */
export async function takeSlot(ctx: BaseCtx, connectionId: string, request: SlotRequest): Promise<Slot> {
  const slot = await askPacer(ctx, connectionId, async (pacer) => pacer.take(request));
  return slot ?? { isGranted: false, inMs: Math.round(UNANSWERED_MS * (1 + ctx.random())) };
}

/** Forwards a pause requested by a provider. Never throws: the provider repeats the request in its next response. */
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
