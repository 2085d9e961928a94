import * as z from "zod";
import { AppError, type Fault } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { canonicalJson, fromJson } from "../../../shared/text/json.ts";
import { conditionValues, describeFilter } from "../../segments/segments.stored.ts";
import {
  type CampaignPatch,
  campaignRecord,
  type CampaignRecord,
  MAX_NAME_CHARACTERS,
  MODE_NEEDS_TAGS,
  type StartCampaign,
  startShape,
  storedAudience,
  storedRequest,
} from "../campaigns.schemas.ts";

export const campaignRequest = campaignRecord
  .pick({ connection_id: true, status: true, recipient_count: true })
  .extend({
    request: fromJson(storedRequest),
    revision: z.number(),
    audience: fromJson(storedAudience),
    segment_name: z.string().nullable(),
    tags: fromJson(z.array(z.object({ number: z.number(), name: z.string() }))),
  });

export type CampaignRequestRow = z.infer<typeof campaignRequest>;

/** The audience with the current names of tags and segments. Without a filter, it is every reachable contact. */
export interface AudienceDescription {
  tags: string[];
  mode: "all" | "any";
  status: string | null;
  segment: { id: string; name: string | null } | null;
}

export function describeStoredAudience(
  row: Pick<CampaignRequestRow, "audience" | "tags" | "segment_name">,
): AudienceDescription {
  const { filter, segmentId } = row.audience;
  const conditions = filter === null ? [] : describeFilter(filter, row).conditions;
  const audience: AudienceDescription = { tags: [], mode: "all", status: null, segment: null };
  if (segmentId !== null) audience.segment = { id: segmentId, name: row.segment_name };
  for (const condition of conditions) {
    if (hasOwn(condition, "conditions")) continue;
    const values = conditionValues(condition.value).map(String);
    if (condition.field === "tags") {
      audience.tags = values;
      audience.mode = condition.op === "has_any" ? "any" : "all";
    } else {
      audience.status = values[0] ?? null;
    }
  }
  return audience;
}

export function requestOf(row: CampaignRequestRow): StartCampaign {
  const { tags, mode, status, segment } = describeStoredAudience(row);
  return startShape.parse({
    ...row.request,
    ...(tags.length > 0 && { filter_tags: tags, filter_tags_mode: mode }),
    ...(status !== null && { filter_status: status }),
    ...(segment !== null && { segment_id: segment.id }),
  });
}

/** A null value in `patch` removes the field. If the tags are removed, their mode is removed too. */
export function patchRequest(request: StartCampaign, patch: CampaignPatch): StartCampaign {
  const merged = new Map(Object.entries({ ...request, ...patch }));
  if (patch.filter_tags === null && patch.filter_tags_mode === undefined) merged.delete("filter_tags_mode");
  return startShape.parse(Object.fromEntries([...merged].filter(([, value]) => value !== null)));
}

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

interface RequestedCampaign {
  request: StartCampaign;
  connectionId: string;
}

/**
 * Adds the default of `filter_tags_mode`, which a request can omit but a stored audience always has. Otherwise equal
 * audiences would seem different.
 */
function fieldsOf({ request, connectionId }: RequestedCampaign): Map<string, unknown> {
  const { filter_tags: tags, filter_tags_mode: mode = "all" } = request;
  const withMode = tags === undefined ? {} : { filter_tags_mode: mode };
  return new Map(Object.entries({ ...request, ...withMode, connection_id: connectionId }));
}

export function changesOf(before: RequestedCampaign | null, after: RequestedCampaign) {
  const [old, next] = [before === null ? new Map<string, unknown>() : fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  const changes: Record<string, [unknown, unknown]> = {};
  for (const name of names) {
    const pair: [unknown, unknown] = [old.get(name) ?? null, next.get(name) ?? null];
    if (canonicalJson(pair[0]) !== canonicalJson(pair[1])) changes[name] = pair;
  }
  return changes;
}

export function statusError(status: CampaignRecord["status"], participle: string): AppError {
  const described = status === "draft" ? "a draft" : status;
  return new AppError("invalid_state", `A campaign that is ${described} cannot be ${participle}.`, { status });
}

const COPY = / \(copy(?: \d+)?\)$/;

/**
 * “May news” becomes “May news (copy)”, or “May news (copy 2)” if that name exists. A copy of “May news (copy)” also
 * becomes “May news (copy 2)”.
 */
export function nameOfCopy(name: string, taken: ReadonlySet<string>): string {
  const original = Array.from(name.replace(COPY, ""));
  for (let number = 1; ; number++) {
    const ending = number === 1 ? " (copy)" : ` (copy ${number})`;
    const copy = original.slice(0, MAX_NAME_CHARACTERS - ending.length).join("") + ending;
    if (!taken.has(copy)) return copy;
  }
}
