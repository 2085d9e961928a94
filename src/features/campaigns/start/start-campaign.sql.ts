import { campaigns } from "../../../db/schema/index.ts";
import { sql } from "../../../db/sql.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/durations.ts";
import { baseSeq, lastSeq } from "../../contacts/contacts.sql.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import type { FileToFetch } from "../../templates/template-files.ts";
import type { SentParts } from "../../templates/sent-parts.schemas.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import { isCampaign } from "../campaigns.sql.ts";
import { changeCampaignStatus } from "../change-status.sql.ts";

export interface NewCampaign {
  id: string;
  name: string;
  templateId: string;
  channel: string;
  connectionId: string;
  audience: StoredAudience;
  variables: Record<string, string> | null;
  parts: SentParts | null;
  /** Files of it that are to be fetched. */
  fetched: FileToFetch[];
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

/** The log's event of a campaign that is added, scheduled or running. */
const appendAdded = (ctx: Ctx, { id, scheduledAt }: NewCampaign, guard: SQL): SQL => {
  const changes =
    scheduledAt === null
      ? { status: [null, "running"] }
      : { status: [null, "scheduled"], scheduled_at: [null, new Date(scheduledAt).toISOString()] };
  const type = scheduledAt === null ? "campaign.started" : "campaign.scheduled";
  return appendEvents(ctx, sql`SELECT ${event(type, id, sql`${JSON.stringify(changes)}`)} WHERE ${guard}`);
};

/** Adds a campaign: scheduled, or running where a `run` is given. */
export const insertCampaign = (ctx: Ctx, row: NewCampaign, run: CampaignRun | null, guard: SQL): SQL[] => {
  const now = ctx.now();
  const audience: StoredAudience = { ...row.audience, resolved: run?.resolved ?? null };
  const started =
    run === null
      ? sql`NULL, NULL, NULL, NULL`
      : // The newest contact is the last that can be a recipient.
        sql`${run.messagePrefix}, ${lastSeq(ctx)}, ${baseSeq(ctx)}, ${now}`;
  const insert = sql`
    INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience, variables, parts,
      recipient_count, scheduled_at, send_before, created_at, pace_at, wake_at, message_prefix, top, cursor, started_at)
    SELECT ${row.id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${row.name}, ${row.templateId}, ${row.channel}, ${row.connectionId},
      ${run === null ? "scheduled" : "running"}, ${JSON.stringify(audience)}, ${JSON.stringify(row.variables)},
      ${row.parts === null ? null : JSON.stringify(row.parts)}, ${row.recipientCount}, ${row.scheduledAt}, ${row.sendBefore}, ${now}, ${now}, ${row.scheduledAt ?? now + SWEEP_AFTER_MS}, ${started}
    WHERE ${guard}`;
  const files = row.fetched.map(({ mediaId, url, type, filename }) =>
    insertPendingMedia(ctx, { id: mediaId, source: { url }, messageType: type, mimeType: null, filename }, guard),
  );
  return [appendAdded(ctx, row, guard), insert, ...files];
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
): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.started",
    {
      status: "running",
      startedAt: ctx.now(),
      paceAt: ctx.now(),
      wakeAt: ctx.now() + SWEEP_AFTER_MS,
      audience: JSON.stringify({ ...audience, resolved }),
      messagePrefix,
      lastContactSeq: lastSeq(ctx),
      cursor: baseSeq(ctx),
      recipientCount,
    },
    isScheduled(ctx, id),
  );

/** Ends a scheduled campaign that cannot start. */
export const markFailed = (ctx: Ctx, id: string, error: string): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.failed",
    { status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: null },
    isScheduled(ctx, id),
  );
