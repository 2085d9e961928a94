import { requireRevision } from "../../../db/revisions.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, invalid, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/own.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { enqueueMediaFetch } from "../../media/queue-media.ts";
import { selectSegment } from "../../segments/segments.sql.ts";
import { sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles } from "../../templates/template-files.sql.ts";
import { selectTemplate } from "../../templates/templates.sql.ts";
import { type CampaignPatch, type CampaignRecord, campaignRecord, MODE_NEEDS_TAGS } from "../campaigns.schemas.ts";
import { scheduleAdvance } from "../run/enqueue-advance.ts";
import type { CampaignRequestRow } from "../start/describe-audience.sql.ts";
import { countAudience } from "../start/find-audience.ts";
import { planCampaign } from "../start/plan-campaign.ts";
import { refuseNobody, valuesOfPlan } from "../start/start-campaign.ts";
import { readStoredCampaign } from "./read-stored-campaign.ts";
import { changesOf, patchRequest, refuseStatus, requestOf, requestRevision } from "./stored-request.ts";
import { type CampaignUpdate, updatedAsJson, updateUnstarted } from "./update-campaign.sql.ts";

/** Somebody else's change in between is met again with what is stored by then. */
const MAX_ATTEMPTS = 4;

/** Throws `validation_failed` for a patch that no campaign of this status can have. */
function checkPatch({ status }: CampaignRequestRow, patch: CampaignPatch, tags: readonly string[] | undefined): void {
  if (status === "scheduled" && patch.scheduled_at === null) {
    const message = "Must be a time, because the campaign is scheduled. Cancel the campaign to stop it.";
    throw invalid({ path: "scheduled_at", code: "required", message });
  }
  if (typeof patch.filter_tags_mode === "string" && tags === undefined)
    throw invalid({ path: "filter_tags_mode", code: "invalid_value", message: MODE_NEEDS_TAGS });
}

/** Throws `not_found` for a template, a segment or a file that a patch names. */
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

/** The update that a patch makes of a stored campaign, checked and counted as a start is; or the answer given before. */
async function planUpdate(
  ctx: Ctx,
  id: string,
  stored: CampaignRequestRow,
  patch: CampaignPatch,
): Promise<CampaignUpdate | { known: CampaignRecord }> {
  const before = requestOf(stored);
  const request = patchRequest(before, patch);
  checkPatch(stored, patch, request.filter_tags);
  const planned = await planCampaign(ctx, request, campaignRecord, {
    connectionId: patch.channel === undefined ? stored.connection_id : null,
    scheduledAt: patch.scheduled_at === undefined,
    sendBefore: patch.send_before === undefined,
  });
  if (hasOwn(planned, "known")) return planned;
  const { resolved, connectionId, variables, parts } = planned.plan;
  const counted = await countAudience(ctx, { audience: resolved, connectionId });
  if (counted.reachable === 0) throw refuseNobody(counted);
  const values = valuesOfPlan(id, request, planned.plan, counted.reachable);
  const { name } = values;
  const after = { request: { ...request, name, ...(variables !== null && { variables }), ...parts }, connectionId };
  const changes = changesOf({ request: before, connectionId: stored.connection_id }, after);
  if (counted.reachable !== stored.recipient_count)
    changes["recipient_count"] = [stored.recipient_count, counted.reachable];
  return {
    id,
    requested: stored.requested,
    status: stored.status,
    changes: Object.keys(changes).length === 0 ? null : JSON.stringify(changes),
    values,
  };
}

/**
 * Changes a campaign that has not started: a draft or a scheduled one. Of this and its start one comes first; a change that
 * comes second is refused. Throws `not_found`, `invalid_state`, `precondition_failed`, and what `startCampaign` throws.
 */
export async function updateCampaign(ctx: Ctx, id: string, patch: CampaignPatch): Promise<CampaignRecord> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const read = await readStoredCampaign(ctx, id, campaignRecord);
    if (hasOwn(read, "known")) return read.known;
    const { status } = read.stored;
    if (status !== "draft" && status !== "scheduled") {
      await requireNamed(ctx, patch);
      throw refuseStatus(status, "changed");
    }
    requireRevision(await requestRevision(read.stored), ctx.expectedRevisions);
    const update = await planUpdate(ctx, id, read.stored, patch);
    if (hasOwn(update, "known")) return update.known;
    const { result, replayed } = await commitOnce(ctx, {
      effects: (guard) => updateUnstarted(ctx, update, guard),
      result: updatedAsJson(ctx, update),
      shape: campaignRecord,
    });
    if (result === null) continue;
    if (replayed) return result;
    const { fetched, scheduledAt, sendBefore } = update.values;
    await enqueueMediaFetch(ctx, fetched);
    if (status === "scheduled") await scheduleAdvance(ctx, id, [scheduledAt, sendBefore]);
    return result;
  }
  throw new AppError("unavailable", "This campaign is being changed by many requests at once. Try again shortly.");
}
