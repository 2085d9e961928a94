import * as z from "zod";
import {
  cursorParam,
  idCursorParam,
  documentedAs,
  limitParam,
  boundedText,
  storedRevision,
  timestamp,
} from "../../http/fields.ts";
import { fieldTypes } from "../custom-fields/custom-fields.values.ts";
import { filterOps, ownFields } from "./segments.fields.ts";
import { describeFilter, storedFilter, findInvalidReasons } from "./segments.stored.ts";
import { iso } from "../../shared/time/iso-times.ts";

const match = z
  .enum(["all", "any"])
  .meta({ id: "SegmentMatch", description: "Whether all conditions must match, or at least one." });

/** Responses have the same strict shape as requests, so that clients can send back a filter that they have read. */
const CLOSED = { additionalProperties: false };

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const condition = z
  .strictObject({
    field: z
      .union([z.literal(Object.keys(ownFields)), z.string().regex(/^custom_fields\.[a-z][a-z0-9_]{0,49}$/)])
      .meta({ description: "Field of contacts, or `custom_fields.<key>`." }),
    op: z.enum(filterOps).meta({
      id: "SegmentOperator",
      description:
        "`ne`, `not_in` and `has_none` also match contacts without a value. Comparisons of texts ignore case and accents.",
    }),
    value: z
      .union([scalar, z.array(scalar)])
      .nullish()
      .meta({ description: "Depends on the operator. Omit it for `is_set` and `is_not_set`." }),
  })
  .meta({ id: "SegmentCondition", override: CLOSED });

const group = z.strictObject({ match, conditions: z.array(condition).min(1).max(20) }).meta({
  id: "SegmentGroup",
  description: "A group of conditions. In the filter, the whole group is one condition.",
  override: CLOSED,
});

/**
 * Checks only the types. `segments.reading.ts` checks fields, operators and values together, so that one response lists
 * all faults.
 */
const sentCondition = z.strictObject({ field: z.string(), op: z.string(), value: z.unknown() }).partial();

const sentEntry = sentCondition
  .extend({ match: match.optional(), conditions: z.array(sentCondition).min(1).max(20).optional() })
  .meta(documentedAs("SegmentCondition", "SegmentGroup"));

const filter = z.strictObject({ match, conditions: z.array(sentEntry).min(1).max(20) }).meta({
  id: "SegmentFilterInput",
  description: "At most 20 conditions, including the conditions of a nested group.",
});

export const createSegmentBody = z.strictObject({ name: boundedText(120), filter });
export const updateSegmentBody = z.strictObject({ name: boundedText(120), filter }).partial();

export const listSegmentsQuery = z.strictObject({ limit: limitParam(), cursor: idCursorParam("seg") });

/** The cursor is the number of a contact in the workspace. The next page begins below this number. */
export const segmentContactsQuery = z.strictObject({
  limit: limitParam(),
  cursor: cursorParam(
    z.tuple([
      z
        .int()
        .min(1)
        .max(2 ** 32),
    ]),
  ),
});

export const segmentRecord = z.object({
  id: z.string(),
  name: z.string(),
  filter: storedFilter,
  tags: z.array(z.object({ number: z.number(), name: z.string() })),
  fields: z.array(
    z.object({
      number: z.number(),
      key: z.string(),
      type: z.enum(fieldTypes),
      options: z.array(z.string()),
      removed: z.array(z.string()),
    }),
  ),
  created_at: z.number(),
  updated_at: z.number(),
  revision: storedRevision,
});

export type SegmentRecord = z.infer<typeof segmentRecord>;

export const segmentView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    filter: z.strictObject({ match, conditions: z.array(z.union([condition, group])) }).meta({ id: "SegmentFilter" }),
    invalid: z.boolean().meta({ description: "True if the filter uses a deleted tag, custom field or option." }),
    reasons: z
      .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))
      .meta({ description: "The deleted items, each with the path of its condition." }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Segment" });

export function presentSegment({
  id,
  name,
  created_at,
  updated_at,
  ...record
}: SegmentRecord): z.infer<typeof segmentView> {
  const reasons = findInvalidReasons(record.filter, record);
  return {
    id,
    name,
    filter: describeFilter(record.filter, record),
    invalid: reasons.length > 0,
    reasons,
    created_at: iso(created_at),
    updated_at: iso(updated_at),
  };
}
