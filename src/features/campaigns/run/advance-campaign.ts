import { fetchRow } from "../../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { SECOND_MS } from "../../../shared/time/durations.ts";
import { registerCampaign } from "../../pacing/pacing.service.ts";
import { MAX_SLICES, nextSliceSize, type SliceSizes } from "../../scans/scans.slices.ts";
import { CAMPAIGN_WAIT, runInTurn, type ScanTurn } from "../../scans/scans.service.ts";
import { type AdvanceCampaignJob, advanceCampaignJob, type ResolvedAudience } from "../campaigns.schemas.ts";
import { launchCampaign } from "../start/launch-campaign.ts";
import {
  type CampaignState,
  type ExpansionWindow,
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
/** A turn ends after this many windows, so that other large operations of the workspace do not wait for a whole run. */
const WINDOWS_PER_TURN = 20;
/**
 * In contact numbers. The size of a window depends on the time that the window before took, because other requests wait
 * for it.
 */
const WINDOW_SIZES: SliceSizes = { first: 500, least: 50, most: 5000 };
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

/** `runInTurn` throws these errors if the turn is busy, is lost, or takes too long. */
const TURN_ERRORS: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable"]);

/**
 * Returns false if `work` did not get its turn. The campaign's alarm then repeats the job. The campaign has one alarm,
 * so that repeated jobs do not add up.
 */
async function tryInTurn(ctx: Ctx, { id, send_before }: CampaignState, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof AppError && TURN_ERRORS.has(error.code))) throw error;
    // Random, because regular attempts could miss every end of regular turns.
    const retryAt = ctx.now() + Math.round(error.retryAfter * SECOND_MS * (0.5 + ctx.random()));
    // An alarm for a past time would run at once.
    await scheduleAdvance(ctx, id, [retryAt, send_before === null ? null : Math.max(retryAt, send_before)]);
    return false;
  }
}

/** Recipients who already have a row can receive messages while others are created. */
async function expandAudience(ctx: Ctx, campaign: CampaignState): Promise<void> {
  const { id, status, audience, cursor, audience_ready_at } = campaign;
  const { resolved } = audience;
  if (resolved === null || cursor === null || audience_ready_at !== null) return;
  let window = { cursor, size: WINDOW_SIZES.first };
  const start = ctx.now();
  for (let windows = 0; windows < MAX_SLICES && ctx.now() - start < EXPANSION_MS; windows += WINDOWS_PER_TURN) {
    const next = await runInTurn(ctx, (turn) => expandInTurn(turn, id, window, resolved), { wait: CAMPAIGN_WAIT });
    if (status === "running") await registerWithPacer(ctx, campaign);
    if (next === null) return;
    window = next;
  }
  await enqueueAdvance(ctx, id);
}

/** Returns the next window, or null if this run need not continue. */
async function expandInTurn(
  turn: ScanTurn,
  id: string,
  { cursor, size }: ExpansionWindow,
  audience: ResolvedAudience,
): Promise<ExpansionWindow | null> {
  for (let windows = 0; windows < WINDOWS_PER_TURN; windows++) {
    const moved = await expandWindow(turn.ctx, id, { cursor, size }, audience);
    if (moved === undefined || moved.audienceReadyAt !== null || moved.cursor === null) return null;
    cursor = moved.cursor;
    size = nextSliceSize({ size, sqlMs: turn.lastSqlMs }, { left: 0, slicesLeft: 1 }, WINDOW_SIZES);
  }
  return { cursor, size };
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
  const { request, revision, connection_id: connectionId, audience } = campaign;
  const due = { id, request, revision, connectionId, audience, scheduledAt };
  if (!(await tryInTurn(ctx, campaign, () => launchCampaign(ctx, due)))) return null;
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
  // Before the expansion, because the expansion can wait for its turn.
  if (isRunning && !lacksFiles && campaign.has_recipients) await registerWithPacer(ctx, campaign);
  if (!lacksFiles && (isRunning || campaign.status === "paused"))
    await tryInTurn(ctx, campaign, () => expandAudience(ctx, campaign));
  await finishCampaign(ctx, id);
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
