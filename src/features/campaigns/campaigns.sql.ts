import { sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { isoTime } from "../../db/idioms.ts";
import { campaigns, connections, contacts, messages, tallies } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import { bySystem, type Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { appendEvents, changedFields, event } from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";
import { optedOutAt } from "../contacts/opt-outs/opt-outs.sql.ts";
import { clearUnreachable } from "../connections/connection-status.sql.ts";
import { isLeftUnsent } from "../messages/campaign-messages.sql.ts";
import { state } from "../messages/messages.states.ts";
import { sumMessagePrices } from "../messages/settle/campaign-counts.sql.ts";
import { isUnfinishedStatus } from "../templates/templates.sql.ts";
import { campaignCost, type CampaignRecord, campaignRecord } from "./campaigns.schemas.ts";

// Raw SQL, because SQLite builds the records as JSON.

const c = columns(contacts, "c");
const k = columns(connections, "k");
const t = columns(tallies, "t");
const campaign = columns(campaigns);
const m = columns(messages, "m");
const p = columns(campaigns, "p");

export const isCampaign = (ctx: Ctx, id: string): SQL =>
  sql`${campaigns.id} = ${id} AND ${campaigns.workspaceId} = ${ctx.workspace.id}`;

export const isUnderWay = sql`${campaigns.status} IN ('running', 'paused')`;

/**
 * Earlier versions stored the request in several columns. The inner `json_patch` combines these columns, and the outer
 * one removes fields that are null.
 */
export const requestJson = sql`coalesce(${p.request}, json_patch('{}', json_patch(json_object('template_id', ${p.templateId}, 'channel', ${p.channel},
  'name', ${p.name}, 'scheduled_at', ${isoTime(p.scheduledAt)}, 'send_before', ${isoTime(p.sendBefore)},
  'variables', json(${p.variables})), coalesce(${p.parts}, '{}'))))`;

export const recipientId = (n: SQL): SQL => sql`${p.messagePrefix} || printf('%08d', ${n})`;

export const exclusionCases = (ctx: Ctx): SQL => sql`
  WHEN ${c.archivedAt} IS NOT NULL THEN 'archived'
  WHEN ${optedOutAt(ctx, c.id, c.phoneKey)} IS NOT NULL THEN 'unsubscribed'
  WHEN ${optedOutAt(ctx, c.id, c.phoneKey, "marketing_suppressions")} IS NOT NULL THEN 'marketing_opt_out'`;

interface StatusChange extends Omit<SQLiteUpdateSetSource<typeof campaigns>, "status"> {
  status: CampaignRecord["status"];
}

export function changeCampaignStatus(
  ctx: Ctx,
  type: Extract<EventType, `campaign.${string}`>,
  set: StatusChange,
  condition: SQL,
): SQL[] {
  const { status, lastError = campaigns.lastError } = set;
  const changes = changedFields({
    status: [campaign.status, sql`${status}`],
    last_error: [campaign.lastError, sql`next_error`],
  });
  return [
    appendEvents(
      ctx,
      sql`
        SELECT ${event(type, campaign.id, changes)}
        FROM (SELECT ${campaign.id}, ${campaign.status}, ${campaign.lastError}, ${lastError} AS next_error FROM campaigns WHERE ${condition})`,
    ),
    ctx.db.update(campaigns).set(set).where(condition).getSQL(),
  ];
}

const ended = sql`coalesce((
  SELECT ${t.sent} + ${t.delivered} + ${t.read} + ${t.failed} + ${t.skipped} + ${t.unknown} FROM tallies t WHERE ${t.campaignId} = ${campaigns.id}), 0)`;

export const completeCampaign = (ctx: Ctx, id: string): SQL[] =>
  changeCampaignStatus(
    bySystem(ctx),
    "campaign.completed",
    {
      status: "completed",
      completedAt: ctx.now(),
      wakeAt: ctx.now(),
      skipRestAs: sql`iif(${campaigns.expanded} > ${ended}, 'expired', NULL)`,
    },
    sql`${isCampaign(ctx, id)} AND ${isUnderWay} AND ${campaigns.audienceReadyAt} IS NOT NULL
      AND (${campaigns.expanded} <= ${ended} OR ${campaigns.sendBefore} <= ${ctx.now()})`,
  );

const campaignJson = sql`json_object(
  'id', ${p.id}, 'name', ${p.name}, 'template_id', ${p.templateId}, 'channel', ${p.channel}, 'connection_id', ${p.connectionId},
  'status', ${p.status}, 'last_error', ${p.lastError}, 'recipient_count', ${p.recipientCount}, 'expanded', ${p.expanded},
  'taken', ${p.leasedSends}, 'answered', ${p.settledSends}, 'pace_at', ${p.paceAt}, 'pace_now', ${p.paceNow}, 'pace_before', ${p.paceBefore},
  'rest', ${p.skipRestAs}, 'messages_per_second', ${k.messagesPerSecond},
  'tally', json_object('sent', coalesce(${t.sent}, 0), 'delivered', coalesce(${t.delivered}, 0), 'read', coalesce(${t.read}, 0),
    'failed', coalesce(${t.failed}, 0), 'skipped', coalesce(${t.skipped}, 0), 'unknown', coalesce(${t.unknown}, 0)),
  'cost', json(coalesce(${t.cost}, '{}')),
  'audience_ready_at', ${p.audienceReadyAt}, 'scheduled_at', ${p.scheduledAt}, 'send_before', ${p.sendBefore},
  'started_at', ${p.startedAt}, 'completed_at', ${p.completedAt}, 'created_at', ${p.createdAt})`;

const joined = sql`campaigns p LEFT JOIN tallies t ON ${t.campaignId} = ${p.id} LEFT JOIN connections k ON ${k.id} = ${p.connectionId}`;

const campaignRow = z.object({ result: fromJson(campaignRecord) });

const selectCampaignsWhere = (ctx: Ctx, condition: SQL, order: SQL) =>
  statement(
    campaignRow,
    sql`SELECT ${campaignJson} AS result FROM ${joined} WHERE ${p.workspaceId} = ${ctx.workspace.id} AND ${condition} ORDER BY ${order}`,
  );

export const selectCampaigns = (ctx: Ctx, limit: number | undefined, before: string | undefined) =>
  selectCampaignsWhere(
    ctx,
    before === undefined ? sql`TRUE` : sql`${p.id} < ${before}`,
    sql`${p.id} DESC LIMIT ${limit === undefined ? -1 : limit + 1}`,
  );

export const selectUnendedCampaigns = (ctx: Ctx, limit: number) =>
  selectCampaignsWhere(ctx, sql`${p.status} IN ('scheduled', 'running', 'paused')`, sql`${p.id} DESC LIMIT ${limit}`);

const MAX_IN_CALENDAR = 500;

const calendarTime = sql`coalesce(${p.startedAt}, ${p.scheduledAt})`;

export const selectCalendar = (ctx: Ctx, from: number, to: number) =>
  selectCampaignsWhere(
    ctx,
    sql`(${p.startedAt} IS NOT NULL OR ${p.status} IN ('scheduled', 'draft')) AND ${calendarTime} >= ${from} AND ${calendarTime} < ${to}`,
    sql`${calendarTime}, ${p.id} LIMIT ${MAX_IN_CALENDAR}`,
  );

export const campaignAsJson = (ctx: Ctx, id: string | SQL, condition = sql`TRUE`): SQL => sql`
  SELECT ${campaignJson} AS result FROM ${joined} WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id} AND ${condition}`;

export const selectCampaign = (ctx: Ctx, id: string) => statement(campaignRow, campaignAsJson(ctx, id));

/** In the `answer` of a decision, returns the changed campaign, because the database evaluates it after the writes. */
export const currentCampaign = (ctx: Ctx, id: string): SQL<CampaignRecord> => sql`json((${campaignAsJson(ctx, id)}))`;

export const selectCampaignStatus = (ctx: Ctx, id: string) =>
  ctx.db.select({ status: campaigns.status }).from(campaigns).where(isCampaign(ctx, id));

export const markPaused = (ctx: Ctx, id: string, guard: SQL): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.paused",
    { status: "paused", lastError: null },
    sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'running' AND ${guard}`,
  );

/**
 * If the sending time has ended, completes the campaign instead. Also resets the circuit breaker and the connection's
 * `unreachable` error, so that sending can begin again.
 */
export const markResumed = (ctx: Ctx, id: string, guard: SQL): SQL[] => [
  ...clearUnreachable(
    ctx,
    sql`(SELECT ${campaign.connectionId} FROM campaigns WHERE ${isCampaign(ctx, id)} AND ${campaign.status} = 'paused')`,
    guard,
  ),
  ...changeCampaignStatus(
    ctx,
    "campaign.resumed",
    { status: "running", lastError: null, recentResults: "", wakeAt: ctx.now() },
    sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'paused' AND ${guard}`,
  ),
  ...completeCampaign(ctx, id),
];

/** Messages in a lease are still sent. All other recipients count as skipped, but their rows stay `queued`. */
export const markCancelled = (ctx: Ctx, id: string, guard: SQL): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.cancelled",
    { status: "cancelled", skipRestAs: "cancelled", completedAt: ctx.now(), wakeAt: ctx.now() },
    sql`${isCampaign(ctx, id)} AND ${isUnfinishedStatus(sql`${campaigns.status}`)} AND ${guard}`,
  );

export const hasStatus = (status: CampaignRecord["status"]): SQL => sql`${p.status} = ${status}`;

/** `markResumed` sets the status to `running`, or to `completed` if the campaign can send nothing more. */
export const isResumed = (ctx: Ctx): SQL =>
  sql`(${p.status} = 'running' OR (${p.status} = 'completed' AND ${p.completedAt} = ${ctx.now()}))`;

const count = (condition: SQL): SQL => sql`coalesce(sum(${condition}), 0)`;
const countIn = (wanted: number): SQL => count(sql`${m.state} = ${wanted}`);
const givenUp = isLeftUnsent(m, p);

const recipientsOf = (ctx: Ctx, id: string): SQL => sql`
  FROM campaigns p CROSS JOIN messages m ON ${m.id} >= ${p.messagePrefix} AND ${m.id} < ${p.messagePrefix} || ':'
  WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id} AND ${m.campaignId} = ${p.id}`;

const rowCounts = campaignRecord.shape.tally.extend({
  pending: z.number(),
  given_up: z.number(),
  cost: fromJson(campaignCost).nullable(),
});

/** Slow: reads the rows of all recipients. */
export const selectRowCounts = (ctx: Ctx, id: string) =>
  statement(
    rowCounts,
    sql`
      SELECT ${countIn(state.sent)} AS sent, ${countIn(state.delivered)} AS delivered, ${countIn(state.read)} AS read,
        ${countIn(state.failed)} AS failed, ${countIn(state.skipped)} AS skipped, ${countIn(state.unknown)} AS unknown,
        ${count(sql`${m.state} <= ${state.claimed} AND NOT ${givenUp}`)} AS pending, ${count(givenUp)} AS given_up,
        ${sumMessagePrices(recipientsOf(ctx, id))} AS cost
      ${recipientsOf(ctx, id)}`,
  );
