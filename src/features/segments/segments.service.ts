import { fetchRow, fetchRows, statement, type Statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, invalid, notFound } from "../../shared/errors.ts";
import { selectFieldDefinitions } from "../custom-fields/custom-fields.sql.ts";
import type { FieldDefinition } from "../custom-fields/custom-fields.values.ts";
import { commitOnce, findReplay, selectIdempotencyRecord } from "../idempotency/idempotency.service.ts";
import { selectTagsByKey } from "../tags/tags.sql.ts";
import { readFilter, type SentFilter, tagNamesIn } from "./segments.reading.ts";
import { type SegmentRecord, segmentRecord } from "./segments.schemas.ts";
import {
  deleteSegmentRow,
  insertSegment,
  isDeletable,
  segmentAsJson,
  segmentRevision,
  segmentRow,
  type SegmentRow,
  selectScheduledCampaign,
  selectSegments,
  updateSegmentRow,
} from "./segments.sql.ts";
import type { StoredFilter } from "./segments.stored.ts";
import { refuseInvalid } from "./segments.validity.ts";
import { nameKey } from "../../shared/folding.ts";

/** Newest first, one beyond `limit` where there are more. */
export async function listSegments(ctx: Ctx, limit: number, before: string | undefined): Promise<SegmentRecord[]> {
  const rows = await fetchRows(ctx.db, selectSegments(ctx, limit, before));
  return rows.map(({ result }) => result);
}

/** The segment, for `requireUsable`; no row where there is none. */
export const selectSegment = (ctx: Ctx, id: string): Statement<SegmentRow> =>
  statement(segmentRow, segmentAsJson(ctx, id));

/** Throws `not_found`. */
export async function getSegment(ctx: Ctx, id: string): Promise<SegmentRecord> {
  const row = await fetchRow(ctx.db, selectSegment(ctx, id));
  if (row === undefined) throw notFound("segment");
  return row.result;
}

type ResolvedFilter =
  | { replay: null; filter: StoredFilter; fields: FieldDefinition[] }
  /** The answer that the request was given before. */
  | { replay: SegmentRecord };

/**
 * The filter in its stored form, with the workspace's custom fields. Throws `validation_failed` with all its faults: the tags and
 * fields it names must exist.
 */
export async function resolveFilter(ctx: Ctx, sent: SentFilter): Promise<ResolvedFilter> {
  const { tags, fields, record } = await transact(ctx.db, {
    tags: selectTagsByKey(ctx, tagNamesIn(sent).map(nameKey)),
    fields: selectFieldDefinitions(ctx),
    record: selectIdempotencyRecord(ctx),
  });
  const replay = findReplay(ctx, record, segmentRecord);
  if (replay !== null) return { replay };
  const tagsByKey = new Map(tags.map((tag) => [tag.name_key, tag]));
  const fieldsByKey = new Map(fields.map((field) => [field.key, field]));
  const { stored, faults } = readFilter(sent, {
    tag: (name) => tagsByKey.get(nameKey(name)),
    field: (key) => fieldsByKey.get(key),
  });
  if (stored === null) throw invalid(faults);
  return { replay: null, filter: stored, fields };
}

/** Throws `validation_failed`. */
export async function createSegment(ctx: Ctx, input: { name: string; filter: SentFilter }): Promise<SegmentRecord> {
  const resolved = await resolveFilter(ctx, input.filter);
  if (resolved.replay !== null) return resolved.replay;
  const id = ctx.newId("seg");
  const { result } = await commitOnce(ctx, {
    effects: (guard) => insertSegment(ctx, id, input.name, resolved.filter, guard),
    result: segmentAsJson(ctx, id),
    shape: segmentRecord,
  });
  if (result === null) throw new Error("A new segment was not stored.");
  return result;
}

/** Changes what is given. Throws `validation_failed`, `not_found`. */
export async function updateSegment(
  ctx: Ctx,
  id: string,
  { name, filter: sent }: { name?: string | undefined; filter?: SentFilter | undefined },
): Promise<SegmentRecord> {
  const resolved = sent === undefined ? { replay: null, filter: undefined } : await resolveFilter(ctx, sent);
  if (resolved.replay !== null) return resolved.replay;
  const { filter } = resolved;
  const isEmpty = name === undefined && filter === undefined;
  const { result } = await commitOnce(ctx, {
    effects: (guard) => (isEmpty ? [] : updateSegmentRow(ctx, id, { name, filter }, guard)),
    currentRevision: segmentRevision(ctx, id),
    result: segmentAsJson(ctx, id),
    shape: segmentRecord,
  });
  if (result === null) throw notFound("segment");
  return result;
}

/** The refusal to delete a segment without which a campaign would fail at its time. */
export class SegmentScheduled extends AppError {
  constructor(readonly campaignId: string) {
    const message =
      "A scheduled campaign goes to this segment. Cancel the campaign first, or give it another audience.";
    super("conflict", message, { campaign_id: campaignId });
  }
}

/** Gives the segment as it was. Throws `not_found`, and `SegmentScheduled` while a scheduled campaign goes to it. */
export async function deleteSegment(ctx: Ctx, id: string): Promise<SegmentRecord> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => deleteSegmentRow(ctx, id, guard),
    currentRevision: segmentRevision(ctx, id),
    result: segmentAsJson(ctx, id, isDeletable(ctx, id)),
    isAnsweredFirst: true,
    shape: segmentRecord,
    facts: selectScheduledCampaign(ctx, id),
  });
  if (result !== null) return result;
  throw facts[0] === undefined ? notFound("segment") : new SegmentScheduled(facts[0].id);
}

/** Throws `not_found`, and `invalid_state` for an invalid segment. */
export function requireUsable([row]: SegmentRow[]): SegmentRecord {
  if (row === undefined) throw notFound("segment");
  return refuseInvalid(row.result);
}
