import { revise } from "../../shared/edit-conflicts.ts";
import { AppError, invalid } from "../../shared/errors.ts";
import { nameKey } from "../../shared/text/folding.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import { readFilter, type SentFilter } from "./segments.reading.ts";
import type { SegmentRecord } from "./segments.schemas.ts";

export interface NamedInFilter {
  tags: readonly { number: number; name: string; name_key: string }[];
  fields: readonly FieldDefinition[];
}

export type ResolvedFilter = Pick<SegmentRecord, "filter" | "tags" | "fields">;

export function resolveFilter(sent: SentFilter, { tags, fields }: NamedInFilter): ResolvedFilter | AppError {
  const tagsByKey = new Map(tags.map((tag) => [tag.name_key, tag]));
  const fieldsByKey = new Map(fields.map((field) => [field.key, field]));
  const { stored, faults } = readFilter(sent, {
    tag: (name) => tagsByKey.get(nameKey(name)),
    field: (key) => fieldsByKey.get(key),
  });
  return stored === null ? invalid(faults) : { filter: stored, tags: stored.tags, fields: [...fields] };
}

type Segment = SegmentRecord & { revision: number };

export const changeSegment = (
  segment: Segment,
  { name, resolved }: { name: string | undefined; resolved: ResolvedFilter | undefined },
  now: number,
): Segment => ({ ...revise(segment, { name, filter: resolved?.filter }, now), ...resolved });

/** Prevents the deletion of a segment that a scheduled campaign uses, because the campaign would fail at its start. */
export class SegmentScheduled extends AppError {
  constructor(readonly campaignId: string) {
    const message = "A scheduled campaign uses this segment. Cancel the campaign, or change its audience.";
    super("conflict", message, { campaign_id: campaignId });
  }
}
