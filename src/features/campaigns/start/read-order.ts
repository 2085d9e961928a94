import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { fromJson } from "../../../shared/json.ts";
import { listOf } from "../../segments/segments.stored.ts";
import { tellFilter } from "../../segments/segments.validity.ts";
import { type StoredAudience, storedAudience, storedVariables } from "../campaigns.schemas.ts";
import * as repository from "./read-order.sql.ts";
import { hasOwn } from "../../../shared/own.ts";

const stored = z.object({
  audience: fromJson(storedAudience),
  variables: fromJson(storedVariables),
  segment_name: z.string().nullable(),
});

/** Whom a campaign is for, in names. Nothing of all means everyone reachable. */
export interface ToldAudience {
  tags: string[];
  /** Whether people have all of the tags or any of them. */
  mode: "all" | "any";
  status: string | null;
  /** Its name is null once it was deleted. */
  segment: { id: string; name: string | null } | null;
}

function tell({ filter, segmentId }: StoredAudience, segmentName: string | null): ToldAudience {
  const conditions = filter === null ? [] : tellFilter(filter, { tags: filter.tags, fields: [] }).filter.conditions;
  const told: ToldAudience = { tags: [], mode: "all", status: null, segment: null };
  if (segmentId !== null) told.segment = { id: segmentId, name: segmentName };
  for (const condition of conditions) {
    if (hasOwn(condition, "conditions")) continue;
    const values = listOf(condition.value).map(String);
    if (condition.field === "tags") {
      told.tags = values;
      told.mode = condition.op === "has_any" ? "any" : "all";
    } else {
      told.status = values[0] ?? null;
    }
  }
  return told;
}

/** What a campaign was started with: for whom, and the texts for its variables, null where none were sent. Throws `not_found`. */
export async function readOrder(
  ctx: Ctx,
  id: string,
): Promise<{ audience: ToldAudience; variables: Record<string, string> | null }> {
  const row = await repository.read(ctx, id);
  if (row === undefined) throw notFound("campaign");
  const { audience, variables, segment_name } = stored.parse(row);
  return { audience: tell(audience, segment_name), variables };
}
