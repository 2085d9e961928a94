import { sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/durations.ts";
import { baseSeq, lastSeq } from "../../contacts/contacts.sql.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import type { FileToFetch } from "../../templates/template-files.ts";
import type { SentParts } from "../../templates/sent-parts.schemas.ts";
import type { CampaignRecord, ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import { isCampaign, requestedValues } from "../campaigns.sql.ts";
import { changeCampaignStatus } from "../change-status.sql.ts";

export interface NewCampaign {
  id: string;
  name: string;
  templateId: string;
  channel: CampaignRecord["channel"];
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

/** Files of a campaign that are to be fetched. */
export const insertFiles = (ctx: Ctx, fetched: FileToFetch[], guard: SQL): SQL[] =>
  fetched.map(({ mediaId, url, type, filename }) =>
    insertPendingMedia(ctx, { id: mediaId, source: { url }, messageType: type, mimeType: null, filename }, guard),
  );

/** The log's event of a campaign that is added, scheduled or running. */
const appendAdded = (ctx: Ctx, { id, scheduledAt }: NewCampaign, guard: SQL): SQL => {
  const changes =
    scheduledAt === null
      ? { status: [null, "running"] }
      : { status: [null, "scheduled"], scheduled_at: [null, new Date(scheduledAt).toISOString()] };
  const type = scheduledAt === null ? "campaign.started" : "campaign.scheduled";
  return appendEvents(ctx, sql`SELECT ${event(type, id, sql`${JSON.stringify(changes)}`)} WHERE ${guard}`);
};

/** Adds the row of a campaign: as a draft or scheduled, or running where a `run` is given. */
function insertRow(
  ctx: Ctx,
  row: Omit<NewCampaign, "fetched">,
  { status, run, wakeAt }: { status: CampaignRecord["status"]; run: CampaignRun | null; wakeAt: number | null },
  guard: SQL,
): SQL {
  const now = ctx.now();
  const audience: StoredAudience = { ...row.audience, resolved: run?.resolved ?? null };
  const started =
    run === null
      ? sql`NULL, NULL, NULL, NULL`
      : // The newest contact is the last that can be a recipient.
        sql`${run.messagePrefix}, ${lastSeq(ctx)}, ${baseSeq(ctx)}, ${now}`;
  return sql`
    INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience, variables, parts,
      recipient_count, scheduled_at, send_before, created_at, pace_at, wake_at, message_prefix, top, cursor, started_at)
    SELECT ${row.id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${row.name}, ${row.templateId}, ${row.channel}, ${row.connectionId},
      ${status}, ${JSON.stringify(audience)}, ${JSON.stringify(row.variables)},
      ${row.parts === null ? null : JSON.stringify(row.parts)}, ${row.recipientCount}, ${row.scheduledAt}, ${row.sendBefore}, ${now}, ${now}, ${wakeAt}, ${started}
    WHERE ${guard}`;
}

/** Adds a campaign: scheduled, or running where a `run` is given. */
export const insertCampaign = (ctx: Ctx, row: NewCampaign, run: CampaignRun | null, guard: SQL): SQL[] => {
  const status = run === null ? "scheduled" : "running";
  const wakeAt = row.scheduledAt ?? ctx.now() + SWEEP_AFTER_MS;
  return [
    appendAdded(ctx, row, guard),
    insertRow(ctx, row, { status, run, wakeAt }, guard),
    ...insertFiles(ctx, row.fetched, guard),
  ];
};

/** Adds a campaign that somebody is to start later; `changes` are those of its event, as JSON. */
export const insertDraft = (ctx: Ctx, row: Omit<NewCampaign, "fetched">, changes: string, guard: SQL): SQL[] => [
  appendEvents(ctx, sql`SELECT ${event("campaign.created", row.id, sql`${changes}`)} WHERE ${guard}`),
  insertRow(ctx, row, { status: "draft", run: null, wakeAt: null }, guard),
];

/** One row with the answer to a start as JSON in `result`, or none where the campaign has not been started. */
export const startedAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object('campaign_id', id, 'recipient_count', recipient_count, 'status', status) AS result
  FROM campaigns WHERE ${isCampaign(ctx, id)} AND ${campaigns.status} IN ('scheduled', 'running')`;

/** A campaign that has not started, as it was read. */
export interface Unstarted {
  id: string;
  /** As `requestedValues`. */
  requested: string;
}

/** True in SQL while a campaign is in this status with the values that were read. */
export const isStill = (ctx: Ctx, { id, requested }: Unstarted, status: CampaignRecord["status"]): SQL =>
  sql`${isCampaign(ctx, id)} AND ${campaigns.status} = ${status} AND ${requestedValues(sql`campaigns`)} = ${requested}`;

const runningFrom = (ctx: Ctx, audience: StoredAudience, { messagePrefix, resolved }: CampaignRun) => ({
  status: "running" as const,
  startedAt: ctx.now(),
  paceAt: ctx.now(),
  wakeAt: ctx.now() + SWEEP_AFTER_MS,
  audience: JSON.stringify({ ...audience, resolved }),
  messagePrefix,
  lastContactSeq: lastSeq(ctx),
  cursor: baseSeq(ctx),
});

/** Lets a scheduled campaign run. */
export const markRunning = (
  ctx: Ctx,
  due: Unstarted & { audience: StoredAudience },
  run: CampaignRun,
  recipientCount: number,
): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.started",
    { ...runningFrom(ctx, due.audience, run), recipientCount },
    isStill(ctx, due, "scheduled"),
  );

/** Schedules a draft, or lets it run where a `run` is given. */
export function markDraftStarted(
  ctx: Ctx,
  draft: Unstarted & Pick<NewCampaign, "audience" | "connectionId" | "recipientCount" | "scheduledAt">,
  run: CampaignRun | null,
  guard: SQL,
): SQL[] {
  const { audience, connectionId, recipientCount, scheduledAt } = draft;
  const condition = sql`${isStill(ctx, draft, "draft")} AND ${guard}`;
  const counted = { connectionId, recipientCount };
  return run === null
    ? changeCampaignStatus(
        ctx,
        "campaign.scheduled",
        { ...counted, status: "scheduled", wakeAt: scheduledAt },
        condition,
      )
    : changeCampaignStatus(ctx, "campaign.started", { ...counted, ...runningFrom(ctx, audience, run) }, condition);
}

/** Ends a scheduled campaign that cannot start. */
export const markFailed = (ctx: Ctx, due: Unstarted, error: string): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.failed",
    { status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: null },
    isStill(ctx, due, "scheduled"),
  );
