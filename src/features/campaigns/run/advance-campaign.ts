import { fetchRow } from "../../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { registerCampaign } from "../../pacing/pacing.service.ts";
import { type AdvanceCampaignJob, advanceCampaignJob } from "../campaigns.schemas.ts";
import { launchCampaign } from "../start/launch-campaign.ts";
import {
  type CampaignState,
  expandWindow,
  finishCampaign,
  listCampaignsToAdvance,
  recoverLeases,
  selectCampaignState,
  type SweepPosition,
} from "./advance-campaign.sql.ts";
import { enqueueAdvance, scheduleAdvance } from "./enqueue-advance.ts";
import { uploadCampaignFiles } from "./upload-files.ts";

const EXPANSION_MS = 5000;
/**
 * A job can run slightly before the start of its campaign, because the clocks of two machines differ. If the start is
 * at most this far away, the job waits for it. Otherwise the campaign would start with the next sweep, up to a minute
 * late.
 */
const EARLY_MS = 1000;
const SWEEP_PAGE = 1000;

const registerWithPacer = (ctx: Ctx, { id, connection_id, messages_per_second }: CampaignState): Promise<void> =>
  registerCampaign(ctx, {
    workspace: ctx.workspace,
    campaignId: id,
    connectionId: connection_id,
    messagesPerSecond: messages_per_second,
  });

/**
 * Sending does not wait for this function: recipients who already have a row can receive messages while others are
 * created.
 */
async function expandAudience(ctx: Ctx, campaign: CampaignState): Promise<void> {
  const { id, status, audience, audience_ready_at } = campaign;
  let { cursor } = campaign;
  if (audience.resolved === null || cursor === null || audience_ready_at !== null) return;
  for (const start = ctx.now(); ctx.now() - start < EXPANSION_MS;) {
    const moved = await expandWindow(ctx, id, cursor, audience.resolved);
    if (moved === undefined) return;
    if (status === "running") await registerWithPacer(ctx, campaign);
    if (moved.audienceReadyAt !== null || moved.cursor === null) return;
    cursor = moved.cursor;
  }
  await enqueueAdvance(ctx, id);
}

async function launchDue(ctx: Ctx, campaign: CampaignState): Promise<CampaignState | null> {
  const { id, scheduled_at: scheduledAt } = campaign;
  if (campaign.status !== "scheduled" || scheduledAt === null) return campaign;
  const earlyMs = scheduledAt - ctx.now();
  if (earlyMs > EARLY_MS) {
    // The job came too early. It sets the alarm again, because two concurrent changes of the campaign can leave the
    // alarm with outdated times.
    await scheduleAdvance(ctx, id, [scheduledAt, campaign.send_before]);
    return null;
  }
  if (earlyMs > 0) await ctx.wait(earlyMs);
  await launchCampaign(ctx, {
    id,
    request: campaign.request,
    revision: campaign.revision,
    connectionId: campaign.connection_id,
    audience: campaign.audience,
    scheduledAt,
  });
  return (await fetchRow(ctx.db, selectCampaignState(ctx, id))) ?? null;
}

/** Does all work that is due. Two runs can do it at the same time, because every step checks its condition in SQL. */
async function advanceCampaign(ctx: Ctx, id: string): Promise<void> {
  const found = await fetchRow(ctx.db, selectCampaignState(ctx, id));
  const campaign = found === undefined ? null : await launchDue(ctx, found);
  if (campaign === null || campaign.status === "failed") return;
  for (let hasMore = campaign.has_open_leases; hasMore;) hasMore = await recoverLeases(ctx, id);
  const isRunning = campaign.status === "running";
  const lacksFiles = isRunning && !(await uploadCampaignFiles(ctx, campaign));
  if (!lacksFiles && (isRunning || campaign.status === "paused")) await expandAudience(ctx, campaign);
  await finishCampaign(ctx, id);
  if (isRunning && !lacksFiles) await registerWithPacer(ctx, campaign);
}

export async function consumeAdvanceJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, campaignId } = advanceCampaignJob.parse(message);
  await advanceCampaign(forWorkspace(base, workspace), campaignId);
}

/** Queues campaigns that are overdue, because an alarm or a queue message can be lost. */
export async function sweepCampaigns(base: BaseCtx, shard: number): Promise<void> {
  const now = base.now();
  let last: SweepPosition | undefined = { wakeAt: 0, id: "" };
  while (last !== undefined) {
    const page = await listCampaignsToAdvance(base.shard(shard), now, last, SWEEP_PAGE);
    const jobs = page.map(({ id, workspaceId, workspaceNumber }): AdvanceCampaignJob => ({
      v: 1,
      workspace: { id: workspaceId, number: workspaceNumber, shard },
      campaignId: id,
    }));
    await base.queues.expand(jobs);
    last = page[SWEEP_PAGE - 1];
  }
}
