import { sql } from "drizzle-orm";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { noteUnreachable } from "../../connections/connection-status.sql.ts";
import type { Failure, Marks } from "../campaigns.health.ts";
import { complete, own } from "../campaigns.sql.ts";
import { STRETCH_MS } from "../campaigns.progress.ts";
import { hasRowSql, isMostlyFailingSql, recentSql } from "./campaign-health.sql.ts";
import { type LeaseClaim, parseSituation, situation } from "./claim-lease.sql.ts";

const UNREACHABLE: Failure = "provider_unreachable";

/** What a lease came to. */
export interface LeaseResult {
  connectionId: string;
  marks: Marks;
  /** The last failure among the marks. */
  failure: Failure | null;
  /** Why the campaign is to stop, or null. */
  stop: string | null;
}

const open = ({ campaignId, grantId, holder }: LeaseClaim): SQL =>
  sql`leases WHERE campaign_id = ${campaignId} AND grant_id = ${grantId} AND holder = ${holder} AND settled_at IS NULL`;

/** Counts what a lease came to, and pauses the campaign where that says so; nothing where the lease was given up. */
const note = (ctx: Ctx, claim: LeaseClaim, { marks, failure, stop }: LeaseResult): SQL => {
  const now = ctx.now();
  const size = sql`(SELECT hi - lo + retries FROM ${open(claim)})`;
  const recent = recentSql(sql`recent`, marks);
  const reason = sql`CASE WHEN ${stop} IS NOT NULL THEN ${stop} WHEN ${hasRowSql(sql`recent`, marks)} THEN ${failure}
    WHEN ${isMostlyFailingSql(recent)} THEN 'too_many_failures' END`;
  const pauses = sql`(status = 'running' AND ${reason} IS NOT NULL)`;
  const age = sql`(${now} - pace_at)`;
  return sql`
    UPDATE campaigns SET answered = answered + ${size}, recent = ${recent},
      status = iif(${pauses}, 'paused', status),
      last_error = iif(${pauses}, ${reason}, last_error),
      pace_before = CASE WHEN ${age} < ${STRETCH_MS} THEN pace_before WHEN ${age} < ${2 * STRETCH_MS} THEN pace_now ELSE 0 END,
      pace_now = iif(${age} < ${STRETCH_MS}, pace_now, 0) + ${size},
      pace_at = iif(${age} < ${STRETCH_MS}, pace_at, ${now})
    WHERE ${own(ctx, claim.campaignId)} AND EXISTS (SELECT 1 FROM ${open(claim)})`;
};

const close = (ctx: Ctx, { campaignId, grantId, holder }: LeaseClaim): SQL => sql`
  UPDATE leases SET settled_at = ${ctx.now()}
  WHERE campaign_id = ${campaignId} AND grant_id = ${grantId} AND holder = ${holder} AND settled_at IS NULL`;

/**
 * Marks the connection, where it is because nothing reached the provider that the campaign is about to pause: from then on
 * it is tested until something does.
 */
const noteOutage = (ctx: Ctx, claim: LeaseClaim, { connectionId, marks, failure, stop }: LeaseResult): SQL[] =>
  failure === UNREACHABLE
    ? [
        noteUnreachable(
          ctx,
          connectionId,
          sql`EXISTS (SELECT 1 FROM campaigns WHERE ${own(ctx, claim.campaignId)} AND status = 'running'
            AND (${stop} = ${UNREACHABLE} OR ${hasRowSql(sql`recent`, marks)})) AND EXISTS (SELECT 1 FROM ${open(claim)})`,
        ),
      ]
    : [];

/** Settles a lease with its messages in one trip; gives what is left to do. */
export async function settleLease(ctx: Ctx, claim: LeaseClaim, settlements: SQL[], result: LeaseResult) {
  const results = await batch(ctx.db, [
    ...settlements,
    ...noteOutage(ctx, claim, result),
    note(ctx, claim, result),
    close(ctx, claim),
    complete(ctx, claim.campaignId),
    situation(ctx, claim.campaignId),
  ]);
  return parseSituation(results.at(-1));
}

/** Pauses a campaign by itself, unless it is not running any more. */
export async function pauseBecause(ctx: Ctx, campaignId: string, reason: string): Promise<void> {
  await ctx.db.run(sql`
    UPDATE campaigns SET status = 'paused', last_error = ${reason} WHERE ${own(ctx, campaignId)} AND status = 'running'`);
}
