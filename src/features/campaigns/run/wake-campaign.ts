import type { Ctx } from "../../../shared/context.ts";
import { askObject } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import type { Wake } from "../campaigns.schemas.ts";

const wakeOf = (ctx: Ctx, campaignId: string): Wake => ({ v: 1, workspace: ctx.workspace, campaignId });

/** Has a campaign looked after from the queue: it finds out itself what is due. */
export const wakeCampaign = (ctx: Ctx, campaignId: string): Promise<void> =>
  ctx.queues.expand([wakeOf(ctx, campaignId)]);

/** Has a campaign woken at these times (ms since the epoch). Never throws: the cron finds what is overdue. */
export async function setClock(ctx: Ctx, campaignId: string, times: (number | null)[]): Promise<void> {
  const set = times.filter((at) => at !== null);
  if (set.length === 0) return;
  try {
    await askObject(async () => ctx.clocks.getByName(campaignId).set(wakeOf(ctx, campaignId), set));
  } catch (error) {
    log.error("clock_not_set", { requestId: ctx.requestId, campaignId, error });
  }
}
