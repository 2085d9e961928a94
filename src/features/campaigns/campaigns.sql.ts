import { sql } from "drizzle-orm";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { liftUnreachable } from "../connections/connection-status.sql.ts";
import { isGivenUp } from "../messages/campaign-messages.sql.ts";
import { state } from "../messages/messages.states.ts";

export const own = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** The message id of recipient `n` of campaign `p`. */
export const recipientId = (n: SQL): SQL => sql`p.message_prefix || printf('%08d', ${n})`;

const settled = sql`coalesce((SELECT sent + delivered + read + failed + skipped + unknown FROM tallies WHERE campaign_id = campaigns.id), 0)`;

/** Completes a campaign with nothing pending, or past the time it may send in. */
export const complete = (ctx: Ctx, id: string): SQL => sql`
  UPDATE campaigns SET status = 'completed', completed_at = ${ctx.now()}, wake_at = ${ctx.now()},
    rest = iif(expanded > ${settled}, 'expired', NULL)
  WHERE ${own(ctx, id)} AND status IN ('running', 'paused') AND audience_ready_at IS NOT NULL
    AND (expanded <= ${settled} OR send_before <= ${ctx.now()})`;

/** A campaign `p` as JSON, for `campaignRecord`. */
const campaignJson = sql`json_object(
  'id', p.id, 'name', p.name, 'template_id', p.template_id, 'channel', p.channel, 'connection_id', p.connection_id,
  'status', p.status, 'last_error', p.last_error, 'recipient_count', p.recipient_count, 'expanded', p.expanded,
  'taken', p.taken, 'answered', p.answered, 'pace_at', p.pace_at, 'pace_now', p.pace_now, 'pace_before', p.pace_before,
  'rest', p.rest, 'messages_per_second', k.messages_per_second,
  'tally', json_object('sent', coalesce(t.sent, 0), 'delivered', coalesce(t.delivered, 0), 'read', coalesce(t.read, 0),
    'failed', coalesce(t.failed, 0), 'skipped', coalesce(t.skipped, 0), 'unknown', coalesce(t.unknown, 0)),
  'audience_ready_at', p.audience_ready_at, 'scheduled_at', p.scheduled_at, 'send_before', p.send_before,
  'started_at', p.started_at, 'completed_at', p.completed_at, 'created_at', p.created_at)`;

const joined = sql`campaigns p LEFT JOIN tallies t ON t.campaign_id = p.id LEFT JOIN connections k ON k.id = p.connection_id`;

/** Newest first, one row beyond `limit`, each with JSON in `result`. */
export const list = (ctx: Ctx, limit: number | undefined, before: string | undefined): Promise<{ result: string }[]> =>
  ctx.db.all(sql`
    SELECT ${campaignJson} AS result FROM ${joined}
    WHERE p.workspace_id = ${ctx.workspace.id} ${before === undefined ? sql`` : sql`AND p.id < ${before}`}
    ORDER BY p.id DESC LIMIT ${limit === undefined ? -1 : limit + 1}`);

/** Those that have not come to an end, newest first, at most `limit`, each with JSON in `result`. */
export const listUnfinished = (ctx: Ctx, limit: number): Promise<{ result: string }[]> =>
  ctx.db.all(sql`
    SELECT ${campaignJson} AS result FROM ${joined}
    WHERE p.workspace_id = ${ctx.workspace.id} AND p.status IN ('running', 'paused', 'scheduled')
    ORDER BY p.id DESC LIMIT ${limit}`);

/** One row with the campaign as JSON in `result`, where `condition` holds for `p`, or none. */
export const campaignAsJson = (ctx: Ctx, id: string, condition = sql`TRUE`): SQL => sql`
  SELECT ${campaignJson} AS result FROM ${joined} WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id} AND ${condition}`;

export async function findAsJson(ctx: Ctx, id: string): Promise<string | null> {
  const [row] = await ctx.db.all<{ result: string }>(campaignAsJson(ctx, id));
  return row?.result ?? null;
}

/** What a refused transition is explained from. */
export const statusOf = (ctx: Ctx, id: string): SQL => sql`SELECT status FROM campaigns WHERE ${own(ctx, id)}`;

export const pause = (ctx: Ctx, id: string, guard: SQL): SQL => sql`
  UPDATE campaigns SET status = 'paused', last_error = NULL WHERE ${own(ctx, id)} AND status = 'running' AND ${guard}`;

/** Lets it run again, with a clean slate, and tries a provider again that could not be reached; past its time it completes instead. */
export const resume = (ctx: Ctx, id: string, guard: SQL): SQL[] => [
  liftUnreachable(ctx, sql`(SELECT connection_id FROM campaigns WHERE ${own(ctx, id)} AND status = 'paused')`, guard),
  sql`
    UPDATE campaigns SET status = 'running', last_error = NULL, recent = ''
    WHERE ${own(ctx, id)} AND status = 'paused' AND ${guard}`,
  complete(ctx, id),
];

export const isIn = (status: string): SQL => sql`p.status = ${status}`;

/** Resumed just now, or running anyway. */
export const isResumed = (ctx: Ctx): SQL =>
  sql`(p.status = 'running' OR (p.status = 'completed' AND p.completed_at = ${ctx.now()}))`;

/** What no lease covers is skipped from now on; what is on its way is settled as it ends. */
export const cancel = (ctx: Ctx, id: string, guard: SQL): SQL => sql`
  UPDATE campaigns SET status = 'cancelled', rest = 'cancelled', completed_at = ${ctx.now()}, wake_at = ${ctx.now()}
  WHERE ${own(ctx, id)} AND status IN ('scheduled', 'running', 'paused') AND ${guard}`;

const sumOf = (condition: SQL): SQL => sql`coalesce(sum(${condition}), 0)`;
const countOf = (wanted: number): SQL => sumOf(sql`m.state = ${wanted}`);
const givenUp = isGivenUp(sql`p`);

/** A campaign as it is stored, and what its recipients' rows add up to, of one moment. Reads them all. */
export async function readBoth(ctx: Ctx, id: string) {
  const [stored, actual] = await batch(ctx.db, [
    campaignAsJson(ctx, id),
    sql`
      SELECT ${countOf(state.sent)} AS sent, ${countOf(state.delivered)} AS delivered, ${countOf(state.read)} AS read,
        ${countOf(state.failed)} AS failed, ${countOf(state.skipped)} AS skipped, ${countOf(state.unknown)} AS unknown,
        ${sumOf(sql`m.state <= ${state.claimed} AND NOT ${givenUp}`)} AS pending, ${sumOf(givenUp)} AS given_up
      FROM campaigns p CROSS JOIN messages m ON m.id >= p.message_prefix AND m.id < p.message_prefix || ':'
      WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id} AND m.campaign_id = p.id`,
  ]);
  return { stored, actual };
}
