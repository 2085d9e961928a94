import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { selectCampaign } from "../campaigns.sql.ts";
import { selectCampaignRequest } from "../start/describe-audience.sql.ts";
import { medianRates } from "./campaign-rates.ts";
import { readTimeline } from "./campaign-timeline.ts";
import { selectEarlierTallies, selectTallyDetails } from "./read-report.sql.ts";

/** Reasons of failed and skipped recipients, most frequent first. */
export interface ReasonCount {
  reason: string;
  count: number;
}

/** A campaign with its request, its messages over time and by reason, and the rates of earlier campaigns. Throws `not_found`. */
export async function getCampaignReport(ctx: Ctx, id: string) {
  const { campaigns, requests, details, earlier } = await transact(ctx.db, {
    campaigns: selectCampaign(ctx, id),
    requests: selectCampaignRequest(ctx, id),
    details: selectTallyDetails(ctx, id),
    earlier: selectEarlierTallies(ctx, id),
  });
  const [campaign, request] = [campaigns[0]?.result, requests[0]];
  if (campaign === undefined || request === undefined) throw notFound("campaign");
  const reasons = Object.entries(details[0]?.reasons ?? {})
    .map(([reason, count]): ReasonCount => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count);
  return {
    campaign,
    request,
    timeline: readTimeline(details[0]?.timeline ?? {}),
    reasons,
    usual: medianRates(earlier),
  };
}
