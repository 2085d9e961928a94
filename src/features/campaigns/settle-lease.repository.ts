import { sql } from "drizzle-orm";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { complete, own } from "./campaigns.repository.ts";
import { STRETCH_MS } from "./campaigns.progress.ts";
import { type LeaseClaim, parseSituation, situation } from "./claim-lease.repository.ts";

/** What a lease came to. */
export interface LeaseResult {
  /** How many sends it was for. */
  size: number;
  /** One digit a send that came to something definite, 1 for a failure. */
  outcomes: string;
  /** Why the campaign is to stop, or null. */
  stop: string | null;
}

const RECENT = 100;

/** More than half of the latest hundred failed. */
const fails = (recent: SQL): SQL =>
  sql`length(${recent}) = ${RECENT} AND length(replace(${recent}, '0', '')) > ${RECENT / 2}`;

const isOpen = ({ campaignId, grantId, holder }: LeaseClaim): SQL =>
  sql`EXISTS (SELECT 1 FROM leases WHERE campaign_id = ${campaignId} AND grant_id = ${grantId} AND holder = ${holder} AND settled_at IS NULL)`;

/** Counts what a lease came to, and pauses the campaign where that says so; nothing where the lease was given up. */
const note = (ctx: Ctx, claim: LeaseClaim, { size, outcomes, stop }: LeaseResult): SQL => {
  const now = ctx.now();
  const recent = sql`substr(recent || ${outcomes}, -${RECENT})`;
  const pauses = sql`(status = 'running' AND (${stop} IS NOT NULL OR ${fails(recent)}))`;
  const age = sql`(${now} - pace_at)`;
  return sql`
    UPDATE campaigns SET answered = answered + ${size}, recent = ${recent},
      status = iif(${pauses}, 'paused', status),
      last_error = iif(${pauses}, coalesce(${stop}, 'too_many_failures'), last_error),
      pace_before = CASE WHEN ${age} < ${STRETCH_MS} THEN pace_before WHEN ${age} < ${2 * STRETCH_MS} THEN pace_now ELSE 0 END,
      pace_now = iif(${age} < ${STRETCH_MS}, pace_now, 0) + ${size},
      pace_at = iif(${age} < ${STRETCH_MS}, pace_at, ${now})
    WHERE ${own(ctx, claim.campaignId)} AND ${isOpen(claim)}`;
};

const close = (ctx: Ctx, { campaignId, grantId, holder }: LeaseClaim): SQL => sql`
  UPDATE leases SET settled_at = ${ctx.now()}
  WHERE campaign_id = ${campaignId} AND grant_id = ${grantId} AND holder = ${holder} AND settled_at IS NULL`;

/** Settles a lease with its messages in one trip; gives what is left to do. */
export async function settleLease(ctx: Ctx, claim: LeaseClaim, settlements: SQL[], result: LeaseResult) {
  const results = await batch(ctx.db, [
    ...settlements,
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
