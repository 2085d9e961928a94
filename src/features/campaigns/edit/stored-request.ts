// Converts a stored campaign to its request and compares requests. Pure.
import { AppError, type Fault } from "../../../shared/errors.ts";
import { canonicalJson } from "../../../shared/text/json.ts";
import {
  type CampaignPatch,
  type CampaignRecord,
  MODE_NEEDS_TAGS,
  type StartCampaign,
  startShape,
} from "../campaigns.schemas.ts";
import { describeStoredAudience } from "../start/describe-audience.ts";
import type { CampaignRequestRow } from "../start/describe-audience.sql.ts";

/** The request that would create the stored campaign, with the current names of its tags. */
export function requestOf(row: CampaignRequestRow): StartCampaign {
  const { tags, mode, status, segment } = describeStoredAudience(row);
  return startShape.parse({
    ...row.request,
    ...(tags.length > 0 && { filter_tags: tags, filter_tags_mode: mode }),
    ...(status !== null && { filter_status: status }),
    ...(segment !== null && { segment_id: segment.id }),
  });
}

/** The request with the patched fields. Null removes a field; removing tags also removes their mode. */
export function patchRequest(request: StartCampaign, patch: CampaignPatch): StartCampaign {
  const merged = new Map(Object.entries({ ...request, ...patch }));
  if (patch.filter_tags === null && patch.filter_tags_mode === undefined) merged.delete("filter_tags_mode");
  return startShape.parse(Object.fromEntries([...merged].filter(([, value]) => value !== null)));
}

/** Returns the fault of a patch that is invalid in this status. `tags` are those of the patched request. */
export function findPatchFault(
  status: CampaignRecord["status"],
  patch: CampaignPatch,
  tags: readonly string[] | undefined,
): Fault | null {
  if (status === "scheduled" && patch.scheduled_at === null) {
    const message = "Must be a time, because the campaign is scheduled. Cancel the campaign to stop it.";
    return { path: "scheduled_at", code: "required", message };
  }
  return typeof patch.filter_tags_mode === "string" && tags === undefined
    ? { path: "filter_tags_mode", code: "invalid_value", message: MODE_NEEDS_TAGS }
    : null;
}

/** The campaign with another name, without past times. */
export function copyOf(source: CampaignRequestRow, name: string, now: number): CampaignRequestRow {
  const { scheduled_at: scheduledAt, send_before: sendBefore, ...request } = source.request;
  return {
    ...source,
    request: {
      ...request,
      name,
      ...(scheduledAt !== undefined && Date.parse(scheduledAt) > now && { scheduled_at: scheduledAt }),
      ...(sendBefore !== undefined && Date.parse(sendBefore) > now && { send_before: sendBefore }),
    },
  };
}

/** A request and its connection. */
export interface RequestedCampaign {
  request: StartCampaign;
  connectionId: string;
}

/** Tags always have a mode, even if the request has none. */
function fieldsOf({ request, connectionId }: RequestedCampaign): Map<string, unknown> {
  const { filter_tags: tags, filter_tags_mode: mode = "all" } = request;
  const withMode = tags === undefined ? {} : { filter_tags_mode: mode };
  return new Map(Object.entries({ ...request, ...withMode, connection_id: connectionId }));
}

/** `{field: [before, after]}` of the differences; all fields if `before` is null. */
export function changesOf(
  before: RequestedCampaign | null,
  after: RequestedCampaign,
): Record<string, [unknown, unknown]> {
  const [old, next] = [before === null ? new Map<string, unknown>() : fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  const changes: Record<string, [unknown, unknown]> = {};
  for (const name of names) {
    const pair: [unknown, unknown] = [old.get(name) ?? null, next.get(name) ?? null];
    if (canonicalJson(pair[0]) !== canonicalJson(pair[1])) changes[name] = pair;
  }
  return changes;
}

/** The error for an action that the campaign's status does not allow. */
export function statusError(status: CampaignRecord["status"], participle: string): AppError {
  const described = status === "draft" ? "a draft" : status;
  return new AppError("invalid_state", `A campaign that is ${described} cannot be ${participle}.`, { status });
}
