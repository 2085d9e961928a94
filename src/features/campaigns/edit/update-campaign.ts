import { sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { findRevisionConflict } from "../../../shared/edit-conflicts.ts";
import { invalid, notFound } from "../../../shared/errors.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import { selectSegment } from "../../segments/segments.sql.ts";
import { sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles, selectTemplate } from "../../templates/templates.sql.ts";
import { type CampaignPatch, type CampaignRecord, campaignRecord } from "../campaigns.schemas.ts";
import { currentCampaign, isCampaign } from "../campaigns.sql.ts";
import { partsOf } from "../campaigns.variables.ts";
import { scheduleAdvance } from "../run/enqueue-advance.ts";
import { selectCampaignRequest } from "../read-stored-campaign.ts";
import { countAudience } from "../start/find-audience.ts";
import { readPlan } from "../start/plan-campaign.ts";
import { noRecipientsError } from "../start/start-campaign.ts";
import { insertFiles, type NewCampaign, requestedColumns } from "../start/start-campaign.sql.ts";
import {
  type CampaignRequestRow,
  changesOf,
  findPatchFault,
  patchRequest,
  statusError,
  requestOf,
} from "./stored-request.ts";

const updateUnstarted = (ctx: Ctx, status: CampaignRecord["status"], values: NewCampaign) =>
  ctx.db
    .update(campaigns)
    .set({
      ...requestedColumns(values),
      revision: sql`${campaigns.revision} + 1`,
      wakeAt: status === "scheduled" ? values.scheduledAt : null,
    })
    .where(isCampaign(ctx, values.id));

async function requireNamed(ctx: Ctx, patch: CampaignPatch): Promise<void> {
  const { template_id: templateId, segment_id: segmentId } = patch;
  const fileIds = sentFileIds({ header: patch.header ?? undefined, cards: patch.cards ?? undefined });
  const found = await transact(ctx.db, {
    template: selectTemplate(ctx, templateId ?? ""),
    segment: selectSegment(ctx, segmentId ?? ""),
    files: selectTemplateFiles(ctx, fileIds),
  });
  if (templateId !== undefined && found.template.length === 0) throw notFound("template");
  if (typeof segmentId === "string" && found.segment.length === 0) throw notFound("segment");
  const fileIsKnown = (id: string) => found.files.some((file) => file.id === id);
  if (!fileIds.every(fileIsKnown)) throw notFound("file");
}

async function planUpdate(ctx: Ctx, id: string, stored: CampaignRequestRow, patch: CampaignPatch) {
  const before = requestOf(stored);
  const request = patchRequest(before, patch);
  const fault = findPatchFault(stored.status, patch, request.filter_tags);
  if (fault !== null) throw invalid(fault);
  const plan = await readPlan(ctx, request, {
    connectionId: patch.channel === undefined ? stored.connection_id : null,
    scheduledAt: patch.scheduled_at === undefined,
    sendBefore: patch.send_before === undefined,
  });
  const { resolved, connectionId } = plan;
  const counted = await countAudience(ctx, { audience: resolved, connectionId });
  if (counted.reachable === 0) throw noRecipientsError(counted);
  const values = { ...plan, id, recipientCount: counted.reachable };
  const { name, variables } = values.request;
  const sent = { ...request, name, ...(variables !== undefined && { variables }), ...partsOf(values.request) };
  const after = { request: sent, connectionId };
  const changes = changesOf({ request: before, connectionId: stored.connection_id }, after);
  if (counted.reachable !== stored.recipient_count)
    changes["recipient_count"] = [stored.recipient_count, counted.reachable];
  return { values, changes };
}

export function updateCampaign(ctx: Ctx, id: string, patch: CampaignPatch): Promise<CampaignRecord> {
  return decideAndCommit(ctx, {
    shape: campaignRecord,
    reads: { campaigns: selectCampaignRequest(ctx, id) },
    async decide({ campaigns: [stored] }) {
      if (stored === undefined) return notFound("campaign");
      const { status } = stored;
      if (status !== "draft" && status !== "scheduled") {
        await requireNamed(ctx, patch);
        return statusError(status, "changed");
      }
      const conflict = findRevisionConflict(stored.revision, ctx.expectedRevisions);
      if (conflict !== null) return conflict;
      const { values, changes } = await planUpdate(ctx, id, stored, patch);
      return {
        writes: [updateUnstarted(ctx, status, values), ...insertFiles(ctx, values.fetched)],
        events: Object.keys(changes).length === 0 ? [] : [{ type: "campaign.updated", id, changes }],
        answer: currentCampaign(ctx, id),
        followUp: () => followUpdate(ctx, status, values),
      };
    },
  });
}

async function followUpdate(ctx: Ctx, status: CampaignRecord["status"], values: NewCampaign): Promise<void> {
  const { id, fetched, scheduledAt, sendBefore } = values;
  await enqueueMediaFetch(ctx, fetched);
  if (status === "scheduled") await scheduleAdvance(ctx, id, [scheduledAt, sendBefore]);
}
