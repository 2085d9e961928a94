import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { campaigns, leases } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { markUnreachable } from "../../connections/connection-status.sql.ts";
import {
  CONSECUTIVE_FAILURES,
  type CountedFailure,
  FAILURE,
  type LeaseHealth,
  MAX_RECENT_FAILURES,
  RECENT_SENDS,
  type SendResults,
  SUCCESS,
  TOO_MANY_FAILURES,
} from "../campaigns.circuit-breaker.ts";
import { PACE_SPAN_MS } from "../campaigns.progress.ts";
import { changeCampaignStatus, completeCampaign, isCampaign } from "../campaigns.sql.ts";
import { type LeaseClaim, selectCampaignSnapshot } from "./claim-lease.sql.ts";

const UNREACHABLE: CountedFailure = "provider_unreachable";

interface LeaseResult {
  connectionId: string;
  health: LeaseHealth;
}

const isOpenLease = ({ campaignId, grantId, holder }: LeaseClaim) =>
  and(
    eq(leases.campaignId, campaignId),
    eq(leases.grantId, grantId),
    eq(leases.holder, holder),
    isNull(leases.settledAt),
  );

/** False if the lease is already settled or expired, because its results must not be counted twice. */
const hasOpenLease = (claim: LeaseClaim): SQL => sql`EXISTS (SELECT 1 FROM leases WHERE ${isOpenLease(claim)})`;

// These expressions repeat the rules of campaigns.circuit-breaker.ts in SQL.

export const recentResultsSql = (earlier: SQL, results: SendResults): SQL =>
  sql`substr(${earlier} || ${results}, ${-RECENT_SENDS})`;

export const hasFailureRunSql = (earlier: SQL, results: SendResults): SQL =>
  sql`instr(substr(${earlier}, ${1 - CONSECUTIVE_FAILURES}) || ${results}, ${FAILURE.repeat(CONSECUTIVE_FAILURES)}) > 0`;

export const isMostlyFailingSql = (recent: SQL): SQL =>
  sql`length(${recent}) = ${RECENT_SENDS} AND length(replace(${recent}, ${SUCCESS}, '')) > ${MAX_RECENT_FAILURES}`;

export const pauseReasonSql = (earlier: SQL, { results, failure, stop }: LeaseHealth): SQL => sql`
  CASE WHEN ${stop} IS NOT NULL THEN ${stop} WHEN ${hasFailureRunSql(earlier, results)} THEN ${failure}
    WHEN ${isMostlyFailingSql(recentResultsSql(earlier, results))} THEN ${TOO_MANY_FAILURES} END`;

/** Writes nothing if the campaign continues, because every write to `status` also writes an index entry. */
const pauseFailing = (ctx: Ctx, claim: LeaseClaim, health: LeaseHealth): SQL[] => {
  const { recentResults, status } = campaigns;
  const reason = pauseReasonSql(sql`${recentResults}`, health);
  return changeCampaignStatus(
    bySystem(ctx),
    "campaign.paused",
    { status: "paused", lastError: reason },
    sql`${isCampaign(ctx, claim.campaignId)} AND ${status} = 'running' AND ${reason} IS NOT NULL AND ${hasOpenLease(claim)}`,
  );
};

const countSettled = (ctx: Ctx, claim: LeaseClaim, health: LeaseHealth) => {
  const now = ctx.now();
  const { settledSends, recentResults, paceAt, paceNow, paceBefore } = campaigns;
  const size = sql`(SELECT ${leases.hi} - ${leases.lo} + ${leases.retries} FROM leases WHERE ${isOpenLease(claim)})`;
  const age = sql`(${now} - ${paceAt})`;
  return ctx.db
    .update(campaigns)
    .set({
      settledSends: sql`${settledSends} + ${size}`,
      recentResults: recentResultsSql(sql`${recentResults}`, health.results),
      paceBefore: sql`CASE WHEN ${age} < ${PACE_SPAN_MS} THEN ${paceBefore} WHEN ${age} < ${2 * PACE_SPAN_MS} THEN ${paceNow} ELSE 0 END`,
      paceNow: sql`iif(${age} < ${PACE_SPAN_MS}, ${paceNow}, 0) + ${size}`,
      paceAt: sql`iif(${age} < ${PACE_SPAN_MS}, ${paceAt}, ${now})`,
    })
    .where(sql`${isCampaign(ctx, claim.campaignId)} AND ${hasOpenLease(claim)}`);
};

const closeLease = (ctx: Ctx, claim: LeaseClaim) =>
  ctx.db.update(leases).set({ settledAt: ctx.now() }).where(isOpenLease(claim));

const noteOutage = (ctx: Ctx, claim: LeaseClaim, { connectionId, health }: LeaseResult): SQL[] =>
  health.failure === UNREACHABLE
    ? markUnreachable(
        ctx,
        connectionId,
        sql`EXISTS (SELECT 1 FROM campaigns WHERE ${isCampaign(ctx, claim.campaignId)} AND ${campaigns.status} = 'running'
            AND (${health.stop} = ${UNREACHABLE} OR ${hasFailureRunSql(sql`${campaigns.recentResults}`, health.results)})) AND ${hasOpenLease(claim)}`,
      )
    : [];

export async function settleLease(ctx: Ctx, claim: LeaseClaim, settlements: SQL[], result: LeaseResult) {
  const { snapshot } = await transact(ctx.db, {
    settlements,
    // This order is necessary: each statement changes a condition that the statements before it check.
    outage: noteOutage(ctx, claim, result),
    pause: pauseFailing(ctx, claim, result.health),
    campaign: countSettled(ctx, claim, result.health),
    lease: closeLease(ctx, claim),
    completion: completeCampaign(ctx, claim.campaignId),
    snapshot: selectCampaignSnapshot(ctx, claim.campaignId),
  });
  return snapshot[0] ?? null;
}

export async function pauseRunningCampaign(ctx: Ctx, campaignId: string, reason: string): Promise<void> {
  const isRunning = sql`${isCampaign(ctx, campaignId)} AND ${campaigns.status} = 'running'`;
  await transact(ctx.db, {
    pause: changeCampaignStatus(bySystem(ctx), "campaign.paused", { status: "paused", lastError: reason }, isRunning),
  });
}
