import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { runCampaign } from "../pacing/pacing.service.ts";
import * as repository from "./advance-campaign.repository.ts";
import type { CampaignState } from "./advance-campaign.repository.ts";
import { launchCampaign } from "./launch-campaign.ts";
import { wakeCampaign } from "./wake-campaign.ts";

/** A lease that nobody settled by then is given up. Sending for one ends well before. */
const LEASE_MS = 120_000;
/** How long one piece of an expansion may take; the rest goes back to the queue. */
const EXPANSION_MS = 5000;
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
  if (campaign?.status === "scheduled" && campaign.scheduled_at !== null && campaign.scheduled_at <= ctx.now()) {
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
  if (campaign === null || campaign.status === "scheduled" || campaign.status === "failed") return;
  if (campaign.taken > campaign.answered) await repository.recoverLeases(ctx, id, ctx.now() - LEASE_MS);
  if (campaign.status === "running" || campaign.status === "paused") await expand(ctx, campaign);
  await repository.finish(ctx, id);
  if (campaign.status === "running") await pump(ctx, campaign);
}

/** Has a shard's campaigns looked after, whose clock, pump or queue message may have been lost. */
export async function sweepCampaigns(base: BaseCtx, shard: number): Promise<void> {
  const campaigns = await repository.listAwake(base.shard(shard), base.now(), SWEPT);
  await base.queues.expand(
    campaigns.map(({ id, workspace_id, workspace_number }) => ({
      v: 1,
      workspace: { id: workspace_id, number: workspace_number, shard },
      campaignId: id,
    })),
  );
}
