import type { Ctx } from "../../../shared/context.ts";
import { askObject } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import type { AdvanceCampaignJob } from "../campaigns.schemas.ts";

const advanceJob = (ctx: Ctx, campaignId: string): AdvanceCampaignJob => ({
  v: 1,
  workspace: ctx.workspace,
  campaignId,
});

export const enqueueAdvance = (ctx: Ctx, campaignId: string, delayMs = 0): Promise<void> =>
  ctx.queues.expand([advanceJob(ctx, campaignId)], { delayMs });

/**
 * Sets the alarms of the campaign; `times` are in ms since the epoch. Never throws, because the sweep finds overdue
 * campaigns anyway.
 */
export async function scheduleAdvance(ctx: Ctx, campaignId: string, times: (number | null)[]): Promise<void> {
  const alarms = times.filter((at) => at !== null);
  if (alarms.length === 0) return;
  try {
    await askObject(async () => ctx.clocks.getByName(campaignId).set(advanceJob(ctx, campaignId), alarms));
  } catch (error) {
    log.error("campaign_clock_not_set", { requestId: ctx.requestId, campaignId, error });
  }
}
