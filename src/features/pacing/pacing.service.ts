import type { BaseCtx } from "../../shared/context.ts";
import { askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";

/** After how long a message comes back that the pacer could not be asked about; up to twice as long, so that not all come at once. */
const UNANSWERED_MS = 5000;

/** Calls a connection's pacer; once more when the platform says that is worth it. Null when there is no answer. */
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

/** When a message that is ready to be sent may leave. Never throws: without an answer it is to come back later. */
export async function takeSlot(ctx: BaseCtx, connectionId: string, request: SlotRequest): Promise<Slot> {
  const slot = await askPacer(ctx, connectionId, async (pacer) => pacer.take(request));
  return slot ?? { isGranted: false, inMs: Math.round(UNANSWERED_MS * (1 + ctx.random())) };
}

/** Passes on that a provider asked for a pause. Never throws: the provider would ask again. */
export async function pauseSending(ctx: BaseCtx, connectionId: string, pause: Pause): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.pause(pause));
}

/** Has a campaign that has work (again) granted leave to send. Never throws: the cron calls this each minute for all that run. */
export async function runCampaign(ctx: BaseCtx, campaign: PumpedCampaign): Promise<void> {
  await askPacer(ctx, campaign.connectionId, async (pacer) => pacer.run(campaign));
}

/** Says what came of a grant. Never throws: a grant that nobody reports for 60 s is forgotten. */
export async function reportGrant(ctx: BaseCtx, connectionId: string, report: GrantReport): Promise<void> {
  await askPacer(ctx, connectionId, async (pacer) => pacer.report(report));
}
