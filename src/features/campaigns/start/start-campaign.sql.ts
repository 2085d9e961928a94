import { sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/durations.ts";
import { baseSeq, lastSeq } from "../../contacts/contacts.sql.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import { isCampaign } from "../campaigns.sql.ts";

export interface NewCampaign {
  id: string;
  name: string;
  templateId: string;
  channel: string;
  connectionId: string;
  audience: StoredAudience;
  variables: Record<string, string> | null;
  recipientCount: number;
  scheduledAt: number | null;
  sendBefore: number | null;
}

/** Values that a campaign gets when it starts to run. */
export interface CampaignRun {
  messagePrefix: string;
  resolved: ResolvedAudience;
}

/** The sweep advances a running campaign from this long after its start. */
const SWEEP_AFTER_MS = MINUTE_MS;

/** Adds a campaign: scheduled, or running where a `run` is given. */
export const insertCampaign = (ctx: Ctx, row: NewCampaign, run: CampaignRun | null, guard: SQL): SQL => {
  const now = ctx.now();
  const audience: StoredAudience = { ...row.audience, resolved: run?.resolved ?? null };
  const started =
    run === null
      ? sql`NULL, NULL, NULL, NULL`
      : // The newest contact is the last that can be a recipient.
        sql`${run.messagePrefix}, ${lastSeq(ctx)}, ${baseSeq(ctx)}, ${now}`;
  return sql`
    INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience, variables,
      recipient_count, scheduled_at, send_before, created_at, pace_at, wake_at, message_prefix, top, cursor, started_at)
    SELECT ${row.id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${row.name}, ${row.templateId}, ${row.channel}, ${row.connectionId},
      ${run === null ? "scheduled" : "running"}, ${JSON.stringify(audience)}, ${JSON.stringify(row.variables)},
      ${row.recipientCount}, ${row.scheduledAt}, ${row.sendBefore}, ${now}, ${now}, ${row.scheduledAt ?? now + SWEEP_AFTER_MS}, ${started}
    WHERE ${guard}`;
};

/** One row with the answer to a start as JSON in `result`, or none. */
export const startedAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object('campaign_id', id, 'recipient_count', recipient_count, 'status', status) AS result
  FROM campaigns WHERE ${isCampaign(ctx, id)}`;

const isScheduled = (ctx: Ctx, id: string): SQL => sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'scheduled'`;

/** Lets a scheduled campaign run. */
export const markRunning = (
  ctx: Ctx,
  id: string,
  audience: StoredAudience,
  { messagePrefix, resolved }: CampaignRun,
  recipientCount: number,
): SQL =>
  ctx.db
    .update(campaigns)
    .set({
      status: "running",
      startedAt: ctx.now(),
      paceAt: ctx.now(),
      wakeAt: ctx.now() + SWEEP_AFTER_MS,
      audience: JSON.stringify({ ...audience, resolved }),
      messagePrefix,
      lastContactSeq: lastSeq(ctx),
      cursor: baseSeq(ctx),
      recipientCount,
    })
    .where(isScheduled(ctx, id))
    .getSQL();

/** Ends a scheduled campaign that cannot start. */
export const markFailed = (ctx: Ctx, id: string, error: string): SQL =>
  ctx.db
    .update(campaigns)
    .set({ status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: null })
    .where(isScheduled(ctx, id))
    .getSQL();
