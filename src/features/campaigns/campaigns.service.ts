import * as z from "zod";
import { type SQL, statement } from "../../db/statement.ts";
import { atOneMoment, type Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type Counts, countsOf, countsOfRows } from "./campaigns.progress.ts";
import * as repository from "./campaigns.sql.ts";
import { type CampaignRecord, campaignRecord, rowCounts } from "./campaigns.schemas.ts";
import { wakeCampaign } from "./run/wake-campaign.ts";

const parse = (json: string): CampaignRecord => campaignRecord.parse(JSON.parse(json));

/** Newest first, one beyond `limit` where there are more; all where it is undefined. */
export async function listCampaigns(
  ctx: Ctx,
  limit: number | undefined,
  before: string | undefined,
): Promise<CampaignRecord[]> {
  return (await repository.list(ctx, limit, before)).map(({ result }) => parse(result));
}

/** Those that run, are paused or wait for their time, newest first, at most `limit`. */
export async function listUnfinishedCampaigns(ctx: Ctx, limit: number): Promise<CampaignRecord[]> {
  return (await repository.listUnfinished(ctx, limit)).map(({ result }) => parse(result));
}

/** Throws `not_found`. */
export async function getCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const json = await repository.findAsJson(ctx, id);
  if (json === null) throw notFound("campaign");
  return parse(json);
}

interface Transition {
  effects(guard: SQL): SQL[];
  /** True in SQL for campaign `p` once it holds. */
  holds: SQL;
  /** What cannot be done, for the refusal. */
  verb: string;
}

const statusRow = z.object({ status: z.string() });

/** Makes a transition; one that holds already is no error. Throws `not_found`, `invalid_state`. */
async function change(ctx: Ctx, id: string, { effects, holds, verb }: Transition): Promise<CampaignRecord> {
  const { result, replayed, facts } = await commitOnce(ctx, {
    effects,
    result: repository.campaignAsJson(ctx, id, holds),
    shape: campaignRecord,
    facts: statement(statusRow, repository.statusOf(ctx, id)),
  });
  if (result === null) {
    const [found] = facts;
    if (found === undefined) throw notFound("campaign");
    throw new AppError("invalid_state", `A campaign that is ${found.status} cannot be ${verb}.`, found);
  }
  if (!replayed) ctx.waitUntil(wakeCampaign(ctx, id));
  return result;
}

/** Nothing is claimed from then on; what has been is sent. Throws `not_found`, `invalid_state`. */
export const pauseCampaign = (ctx: Ctx, id: string): Promise<CampaignRecord> =>
  change(ctx, id, {
    effects: (guard) => [repository.pause(ctx, id, guard)],
    holds: repository.isIn("paused"),
    verb: "paused",
  });

/** Goes on where it was, or completes where nothing or no time is left. Throws `not_found`, `invalid_state`. */
export function resumeCampaign(live: Ctx, id: string): Promise<CampaignRecord> {
  const ctx = atOneMoment(live);
  return change(ctx, id, {
    effects: (guard) => repository.resume(ctx, id, guard),
    holds: repository.isResumed(ctx),
    verb: "resumed",
  });
}

/** Skips whoever has not been claimed, at once. Throws `not_found`, `invalid_state`. */
export const cancelCampaign = (ctx: Ctx, id: string): Promise<CampaignRecord> =>
  change(ctx, id, {
    effects: (guard) => [repository.cancel(ctx, id, guard)],
    holds: repository.isIn("cancelled"),
    verb: "cancelled",
  });

const rows = z.array(z.object({ result: z.string() }));

/** The counts as they are kept, as the recipients' rows say, and by how much these differ. Throws `not_found`. */
export async function reconcileCampaign(ctx: Ctx, id: string) {
  const found = await repository.readBoth(ctx, id);
  const [row] = rows.parse(found.stored);
  if (row === undefined) throw notFound("campaign");
  const record = parse(row.result);
  const stored = countsOf(record);
  const actual = countsOfRows(record, z.tuple([rowCounts]).parse(found.actual)[0]);
  const differences: Partial<Counts> = {};
  for (const name of ["pending", "sent", "delivered", "read", "failed", "skipped", "unknown"] as const) {
    if (actual[name] !== stored[name]) differences[name] = actual[name] - stored[name];
  }
  return { stored, actual, differences };
}
