import { sql, type SQL } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { baseSeq, lastSeq } from "../../contacts/contacts.sql.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import type { FileToFetch } from "../../templates/template-files.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import { changeCampaignStatus, isCampaign } from "../campaigns.sql.ts";
import { partsOf } from "../campaigns.variables.ts";
import type { CampaignPlan } from "./plan-campaign.ts";

export interface NewCampaign extends Omit<CampaignPlan, "template" | "resolved" | "layout"> {
  id: string;
  recipientCount: number;
}

export interface CampaignRun {
  messagePrefix: string;
  resolved: ResolvedAudience;
}

/** A start also queues a job for the campaign. The sweep waits for this time, because it only replaces a lost job. */
const SWEEP_AFTER_MS = MINUTE_MS;

export const insertFiles = (ctx: Ctx, fetched: FileToFetch[]): SQL[] =>
  fetched.map(({ mediaId, url, type, filename }) =>
    insertPendingMedia(ctx, { id: mediaId, source: { url }, messageType: type, mimeType: null, filename }, sql`TRUE`),
  );

export const startEventType = ({ scheduledAt }: Pick<NewCampaign, "scheduledAt">) =>
  scheduledAt === null ? "campaign.started" : "campaign.scheduled";

export const requestedColumns = ({ request, ...values }: Omit<NewCampaign, "id" | "fetched">) => ({
  request: JSON.stringify(request),
  name: request.name,
  templateId: request.template_id,
  channel: request.channel,
  connectionId: values.connectionId,
  audience: JSON.stringify(values.audience),
  variables: JSON.stringify(request.variables ?? null),
  parts: JSON.stringify(partsOf(request)),
  recipientCount: values.recipientCount,
  scheduledAt: values.scheduledAt,
  sendBefore: values.sendBefore,
});

/** The values of a campaign that starts now. `lastContactSeq` excludes contacts that are created later. */
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

const startedColumns = (
  ctx: Ctx,
  { audience, scheduledAt }: Pick<NewCampaign, "audience" | "scheduledAt">,
  run: CampaignRun | null,
) => (run === null ? { status: "scheduled" as const, wakeAt: scheduledAt } : runningFrom(ctx, audience, run));

const insertRow = (ctx: Ctx, row: Omit<NewCampaign, "fetched">, state: Pick<typeof campaigns.$inferInsert, "status">) =>
  ctx.db.insert(campaigns).values({
    id: row.id,
    workspaceId: ctx.workspace.id,
    workspaceNumber: ctx.workspace.number,
    createdAt: ctx.now(),
    paceAt: ctx.now(),
    ...requestedColumns(row),
    ...state,
  });

export const insertCampaign = (ctx: Ctx, row: NewCampaign, run: CampaignRun | null) => [
  insertRow(ctx, row, startedColumns(ctx, row, run)),
  ...insertFiles(ctx, row.fetched),
];

export const insertDraft = (ctx: Ctx, row: Omit<NewCampaign, "fetched">) => insertRow(ctx, row, { status: "draft" });

export const startDraftRow = (
  ctx: Ctx,
  draft: Pick<NewCampaign, "id" | "audience" | "connectionId" | "recipientCount" | "scheduledAt">,
  run: CampaignRun | null,
) =>
  ctx.db
    .update(campaigns)
    .set({
      connectionId: draft.connectionId,
      recipientCount: draft.recipientCount,
      revision: sql`${campaigns.revision} + 1`,
      lastError: null, // after a restore of the database, drafts have the value `restored`
      ...startedColumns(ctx, draft, run),
    })
    .where(isCampaign(ctx, draft.id));

interface Unstarted {
  id: string;
  revision: number;
}

/** Also false if somebody has changed the campaign since it was read, because the change increases the revision. */
const isStillScheduled = (ctx: Ctx, { id, revision }: Unstarted): SQL =>
  sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'scheduled' AND ${campaigns.revision} = ${revision}`;

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
    isStillScheduled(ctx, due),
  );

export const markFailed = (ctx: Ctx, due: Unstarted, error: string): SQL[] =>
  changeCampaignStatus(
    ctx,
    "campaign.failed",
    { status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: null },
    isStillScheduled(ctx, due),
  );
