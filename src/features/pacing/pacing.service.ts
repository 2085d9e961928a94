import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";

/** A message that the pacer could not be asked about comes back after this; up to twice as long, so that not all come at once. */
const UNANSWERED_MS = 5000;

/** Calls a connection's pacer, with one retry. Null when there is no answer. */
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

/** The slot of a message that is ready to be sent. Never throws: without an answer the message comes back later. */
export async function takeSlot(ctx: BaseCtx, connectionId: string, request: SlotRequest): Promise<Slot> {
  const slot = await askPacer(ctx, connectionId, async (pacer) => pacer.take(request));
  return slot ?? { isGranted: false, inMs: Math.round(UNANSWERED_MS * (1 + ctx.random())) };
}

/** Passes on a pause that a provider asked for. Never throws: the provider repeats it with its next answer. */
export async function pauseSending(ctx: BaseCtx, connectionId: string, pause: Pause): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.pause(pause));
}

/** Lets a campaign that has work be granted leases. Never throws: the cron calls this each minute for all that run. */
export async function registerCampaign(ctx: BaseCtx, campaign: PumpedCampaign): Promise<void> {
  await askPacer(ctx, campaign.connectionId, async (pacer) => pacer.run(campaign));
}

/** Reports the outcome of a grant. Never throws: a grant without a report is forgotten after 60 s. */
export async function reportGrant(ctx: BaseCtx, connectionId: string, report: GrantReport): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.report(report));
}
