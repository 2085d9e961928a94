import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { campaigns, tallies } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { isCampaign, selectCampaign } from "../campaigns.sql.ts";
import { selectCampaignRequest } from "../read-stored-campaign.ts";
import { medianRates, readTimeline } from "./report-figures.ts";

const namedCounts = fromJson(z.record(z.string(), z.number()));

const countsIn = (column: typeof tallies.timeline | typeof tallies.reasons) =>
  sql`coalesce(${column}, '{}')`.mapWith((text: string) => namedCounts.parse(text));

const selectTallyDetails = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ timeline: countsIn(tallies.timeline), reasons: countsIn(tallies.reasons) })
    .from(campaigns)
    .innerJoin(tallies, eq(tallies.campaignId, campaigns.id))
    .where(isCampaign(ctx, id));

const MAX_SEARCHED = 60;
const MAX_COMPARED = 20;

/** With CROSS JOIN, SQLite reads `latest` first and then looks up one tally per campaign. */
function selectEarlierTallies({ db, workspace }: Ctx, id: string) {
  const latest = db
    .select({ id: campaigns.id, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspace.id), lt(campaigns.id, id)))
    .orderBy(desc(campaigns.id))
    .limit(MAX_SEARCHED)
    .as("latest");
  const { sent, delivered, read, failed, skipped, unknown } = tallies;
  return db
    .select({ sent, delivered, read, failed, skipped, unknown })
    .from(latest)
    .crossJoin(tallies)
    .where(and(eq(tallies.campaignId, latest.id), eq(latest.status, "completed")))
    .orderBy(desc(latest.id))
    .limit(MAX_COMPARED);
}

export interface ReasonCount {
  reason: string;
  count: number;
}

export async function getCampaignReport(ctx: Ctx, id: string) {
  const {
    campaigns: found,
    requests,
    details,
    earlier,
  } = await transact(ctx.db, {
    campaigns: selectCampaign(ctx, id),
    requests: selectCampaignRequest(ctx, id),
    details: selectTallyDetails(ctx, id),
    earlier: selectEarlierTallies(ctx, id),
  });
  const [campaign, request] = [found[0]?.result, requests[0]];
  if (campaign === undefined || request === undefined) throw notFound("campaign");
  const { timeline = {}, reasons = {} } = details[0] ?? {};
  return {
    campaign,
    request,
    timeline: readTimeline(timeline),
    reasons: Object.entries(reasons)
      .map(([reason, count]): ReasonCount => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count),
    usual: medianRates(earlier),
  };
}
