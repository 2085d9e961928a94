import { fetchRow } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { conditionValues, describeFilter } from "../../segments/segments.stored.ts";
import type { SentParts } from "../../templates/model/sent-parts.schemas.ts";
import { partsOf } from "../campaigns.variables.ts";
import { type CampaignRequestRow, selectCampaignRequest } from "./describe-audience.sql.ts";

/** A campaign's audience by names. Without tags, status and segment, it is everyone who can be reached. */
export interface AudienceDescription {
  tags: string[];
  /** Whether contacts have all tags or any of them. */
  mode: "all" | "any";
  status: string | null;
  /** The name is null if the segment is deleted. */
  segment: { id: string; name: string | null } | null;
}

type AudienceRow = Pick<CampaignRequestRow, "audience" | "tags" | "segment_name">;

/** Tags have their current names. */
export function describeStoredAudience(row: AudienceRow): AudienceDescription {
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

/**
 * A started campaign's request: audience, texts of variables (null without any), and values of header, buttons and cards. Throws
 * `not_found`.
 */
export async function getCampaignRequest(
  ctx: Ctx,
  id: string,
): Promise<{ audience: AudienceDescription; variables: Record<string, string> | null; parts: SentParts }> {
  const request = await fetchRow(ctx.db, selectCampaignRequest(ctx, id));
  if (request === undefined) throw notFound("campaign");
  const { variables = null } = request.request;
  return { audience: describeStoredAudience(request), variables, parts: partsOf(request.request) };
}
