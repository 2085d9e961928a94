import { fetchRows, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { findRevisionConflict } from "../../shared/edit-conflicts.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { nameKey } from "../../shared/text/folding.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { selectFieldsByKey } from "../custom-fields/custom-fields.sql.ts";
import { createdEvent, updatedEvents } from "../events/events.changes.ts";
import { selectTagsByKey } from "../tags/tags.sql.ts";
import { changeSegment, type ResolvedFilter, resolveFilter, SegmentScheduled } from "./segments.changes.ts";
import { fieldKeysIn, type SentFilter, tagNamesIn } from "./segments.reading.ts";
import { type SegmentRecord, segmentRecord } from "./segments.schemas.ts";
import {
  deleteSegmentRow,
  insertSegment,
  type SegmentRow,
  selectScheduledCampaign,
  selectSegment,
  selectSegments,
  updateSegmentRow,
} from "./segments.sql.ts";
import { assertValidSegment } from "./segments.stored.ts";

const KIND = "segment";
const NO_FILTER: SentFilter = { match: "all", conditions: [] };

export const listSegments = (ctx: Ctx, limit: number, before: string | undefined): Promise<SegmentRecord[]> =>
  fetchRows(ctx.db, selectSegments(ctx, limit, before));

export const getSegment = async (ctx: Ctx, id: string): Promise<SegmentRecord> =>
  requireRow(await fetchRows(ctx.db, selectSegment(ctx, id)), KIND);

const selectNamed = (ctx: Ctx, sent: SentFilter) => ({
  tags: selectTagsByKey(ctx, tagNamesIn(sent).map(nameKey)),
  fields: selectFieldsByKey(ctx, fieldKeysIn(sent)),
});

export async function findFilter(ctx: Ctx, sent: SentFilter): Promise<ResolvedFilter> {
  const resolved = resolveFilter(sent, await transact(ctx.db, selectNamed(ctx, sent)));
  if (resolved instanceof AppError) throw resolved;
  return resolved;
}

export function createSegment(
  ctx: Ctx,
  { name, filter: sent }: { name: string; filter: SentFilter },
): Promise<SegmentRecord> {
  const [id, at] = [ctx.newId("seg"), ctx.now()];
  return decideAndCommit(ctx, {
    shape: segmentRecord,
    reads: selectNamed(ctx, sent),
    decide(named) {
      const resolved = resolveFilter(sent, named);
      if (resolved instanceof AppError) return resolved;
      const { filter } = resolved;
      return {
        writes: [insertSegment(ctx, { id, name, filter, createdAt: at, updatedAt: at })],
        events: [createdEvent("segment.created", id, { name, filter })],
        answer: { id, name, ...resolved, created_at: at, updated_at: at, revision: 1 },
      };
    },
  });
}

export const updateSegment = (
  ctx: Ctx,
  id: string,
  { name, filter: sent }: { name?: string | undefined; filter?: SentFilter | undefined },
): Promise<SegmentRecord> =>
  decideAndCommit(ctx, {
    shape: segmentRecord,
    reads: { segments: selectSegment(ctx, id), ...selectNamed(ctx, sent ?? NO_FILTER) },
    decide({ segments: [segment], ...named }) {
      const resolved = sent === undefined ? undefined : resolveFilter(sent, named);
      if (resolved instanceof AppError) return resolved;
      if (segment === undefined) return notFound(KIND);
      const conflict = findRevisionConflict(segment.revision, ctx.expectedRevisions);
      if (conflict !== null) return conflict;
      const changed = changeSegment(segment, { name, resolved }, ctx.now());
      const { filter, updated_at: updatedAt, revision } = changed;
      const row = { name: changed.name, filter, updatedAt, revision };
      return {
        writes: revision === segment.revision ? [] : [updateSegmentRow(ctx, id, row)],
        events: updatedEvents("segment.updated", id, segment, { name: changed.name, filter }),
        answer: changed,
      };
    },
  });

export const deleteSegment = (ctx: Ctx, id: string): Promise<SegmentRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: segmentRecord,
    record: selectSegment(ctx, id),
    reads: { campaigns: selectScheduledCampaign(ctx, id) },
    decide: (segment, { campaigns: [campaign] }) =>
      campaign === undefined
        ? {
            writes: [deleteSegmentRow(ctx, id)],
            events: [{ type: "segment.deleted", id }],
            answer: segment,
          }
        : new SegmentScheduled(campaign.id),
  });

export const requireUsable = (rows: readonly SegmentRow[]): SegmentRow => assertValidSegment(requireRow(rows, KIND));
