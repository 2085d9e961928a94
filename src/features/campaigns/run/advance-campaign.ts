import type { BaseCtx, Ctx } from "../../../shared/context.ts";
import { runCampaign } from "../../pacing/pacing.service.ts";
import * as repository from "./advance-campaign.sql.ts";
import type { AwakeCampaign, CampaignState } from "./advance-campaign.sql.ts";
import { launchCampaign } from "../start/launch-campaign.ts";
import { wakeCampaign } from "./wake-campaign.ts";

/** How long one piece of an expansion may take; the rest goes back to the queue. */
const EXPANSION_MS = 5000;
/** Clocks differ: a campaign that is due so soon is waited for, or the minute's sweep would be the next to look. */
const SOON_MS = 1000;
const SWEPT = 1000;

const pump = (ctx: Ctx, { id, connection_id, messages_per_second }: CampaignState): Promise<void> =>
  runCampaign(ctx, {
    workspace: ctx.workspace,
    campaignId: id,
    connectionId: connection_id,
    messagesPerSecond: messages_per_second,
  });

/** Goes on making recipients; those there are can be sent to meanwhile. */
async function expand(ctx: Ctx, campaign: CampaignState): Promise<void> {
  const { id, status, audience, audience_ready_at } = campaign;
  let { cursor } = campaign;
  if (audience.resolved === null || cursor === null || audience_ready_at !== null) return;
  for (const start = ctx.now(); ctx.now() - start < EXPANSION_MS;) {
    const moved = await repository.expandWindow(ctx, id, cursor, audience.resolved);
    if (moved === null) return;
    if (status === "running") await pump(ctx, campaign);
    if (moved.isReady) return;
    ({ cursor } = moved);
  }
  await wakeCampaign(ctx, id);
}

/**
 * Does whatever is due for a campaign besides sending: starts it, finds its recipients, gives up lost leases, ends it, and has
 * the connection's pump know it. Any number of times, from anywhere, at once: every step is conditional.
 */
export async function advanceCampaign(ctx: Ctx, id: string): Promise<void> {
  let campaign = await repository.read(ctx, id);
  if (campaign?.status === "scheduled" && campaign.scheduled_at !== null) {
    const early = campaign.scheduled_at - ctx.now();
    if (early > SOON_MS) return;
    if (early > 0) await ctx.wait(early);
    await launchCampaign(ctx, {
      id,
      templateId: campaign.template_id,
      connectionId: campaign.connection_id,
      channel: campaign.channel,
      audience: campaign.audience,
      scheduledAt: campaign.scheduled_at,
      sendBefore: campaign.send_before,
    });
    campaign = await repository.read(ctx, id);
  }
  if (campaign === null || campaign.status === "failed") return;
  if (campaign.taken > campaign.answered) await repository.recoverLeases(ctx, id);
  if (campaign.status === "running" || campaign.status === "paused") await expand(ctx, campaign);
  await repository.finish(ctx, id);
  if (campaign.status === "running") await pump(ctx, campaign);
}

/** Has a shard's campaigns looked after, whose clock, pump or queue message may have been lost. */
export async function sweepCampaigns(base: BaseCtx, shard: number): Promise<void> {
  const now = base.now();
  let campaigns: AwakeCampaign[];
  let last = { wake_at: 0, id: "" };
  do {
    campaigns = await repository.listAwake(base.shard(shard), now, last, SWEPT);
    await base.queues.expand(
      campaigns.map(({ id, workspace_id, workspace_number }) => ({
        v: 1,
        workspace: { id: workspace_id, number: workspace_number, shard },
        campaignId: id,
      })),
    );
    last = campaigns.at(-1) ?? last;
  } while (campaigns.length === SWEPT);
}
