import type { SQL } from "drizzle-orm";
import { fetchRow, fetchRows, transact } from "../../db/statement.ts";
import { withStoppedClock, type Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { commitOnce } from "../commits/commit-once.ts";
import { statusError } from "./edit/stored-request.ts";
import { type Counts, countsOf, countsOfRows } from "./campaigns.progress.ts";
import { type CampaignRecord, campaignRecord, recipientState } from "./campaigns.schemas.ts";
import {
  campaignAsJson,
  hasStatus,
  isResumed,
  markCancelled,
  markPaused,
  markResumed,
  selectCalendar,
  selectCampaign,
  selectCampaigns,
  selectCampaignStatus,
  selectRowCounts,
} from "./campaigns.sql.ts";
import { enqueueAdvance } from "./run/enqueue-advance.ts";

export async function listCampaigns(ctx: Ctx, limit: number | undefined, before: string | undefined) {
  return (await fetchRows(ctx.db, selectCampaigns(ctx, limit, before))).map(({ result }) => result);
}

/** `from` and `to` are in ms since the epoch. Omits drafts without a start time, because they have no day. */
export async function listCalendar(ctx: Ctx, from: number, to: number): Promise<CampaignRecord[]> {
  return (await fetchRows(ctx.db, selectCalendar(ctx, from, to))).map(({ result }) => result);
}

export async function getCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const row = await fetchRow(ctx.db, selectCampaign(ctx, id));
  if (row === undefined) throw notFound("campaign");
  return row.result;
}

interface Transition {
  effects(guard: SQL): SQL[];
  isMade: SQL;
  participle: string;
}

async function makeTransition(ctx: Ctx, id: string, { effects, isMade, participle }: Transition) {
  const { result, replayed, explains } = await commitOnce(ctx, {
    effects,
    result: campaignAsJson(ctx, id, isMade),
    shape: campaignRecord,
    explains: selectCampaignStatus(ctx, id),
  });
  if (result === null) {
    const [found] = explains;
    if (found === undefined) throw notFound("campaign");
    throw statusError(found.status, participle);
  }
  if (!replayed) ctx.waitUntil(enqueueAdvance(ctx, id));
  return result;
}

export const pauseCampaign = (ctx: Ctx, id: string): Promise<CampaignRecord> =>
  makeTransition(ctx, id, {
    effects: (guard) => markPaused(ctx, id, guard),
    isMade: hasStatus("paused"),
    participle: "paused",
  });

/** If no recipients are left, or if the sending time has ended, completes the campaign instead. */
export function resumeCampaign(live: Ctx, id: string): Promise<CampaignRecord> {
  const ctx = withStoppedClock(live);
  return makeTransition(ctx, id, {
    effects: (guard) => markResumed(ctx, id, guard),
    isMade: isResumed(ctx),
    participle: "resumed",
  });
}

export const cancelCampaign = (ctx: Ctx, id: string): Promise<CampaignRecord> =>
  makeTransition(ctx, id, {
    effects: (guard) => markCancelled(ctx, id, guard),
    isMade: hasStatus("cancelled"),
    participle: "cancelled",
  });

export async function reconcileCampaign(ctx: Ctx, id: string) {
  const rows = await transact(ctx.db, { campaign: selectCampaign(ctx, id), counts: selectRowCounts(ctx, id) });
  const [[campaign], [counted]] = [rows.campaign, rows.counts];
  if (campaign === undefined || counted === undefined) throw notFound("campaign");
  const { cost: actualCost, ...rowCounts } = counted;
  const stored = countsOf(campaign.result);
  const actual = countsOfRows(campaign.result, rowCounts);
  const differences: Partial<Counts> = {};
  for (const name of recipientState.options) {
    if (actual[name] !== stored[name]) differences[name] = actual[name] - stored[name];
  }
  return { stored, actual, differences, cost: { stored: campaign.result.cost, actual: actualCost ?? {} } };
}
