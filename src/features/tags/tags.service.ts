import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { nameKey } from "../../shared/text/folding.ts";
import { changeRecord, requireRow } from "../commits/change-record.ts";
import { decideAndCommit } from "../commits/decide-and-commit.ts";
import { createdEvent, updatedEvents } from "../events/events.changes.ts";
import { changeTag, type TagInput, tagNameTaken } from "./tags.changes.ts";
import { type TagRecord, tagRecord } from "./tags.schemas.ts";
import {
  type ListedTag,
  insertTag,
  type NewTag,
  selectTag,
  selectTagHolder,
  selectTags,
  storedColor,
  updateTagRow,
} from "./tags.sql.ts";

const KIND = "tag";

export const newTag = (ctx: Ctx, name: string): NewTag => ({ id: ctx.newId("tag"), name, nameKey: nameKey(name) });

export const listTags = (ctx: Ctx, limit: number, below?: number): Promise<ListedTag[]> =>
  fetchRows(ctx.db, selectTags(ctx, limit, below));

export const getTag = async (ctx: Ctx, id: string): Promise<TagRecord> =>
  requireRow(await fetchRows(ctx.db, selectTag(ctx, id)), KIND);

export function createTag(ctx: Ctx, input: TagInput & { name: string }): Promise<TagRecord> {
  const { name } = input;
  const [id, key, createdAt] = [ctx.newId("tag"), nameKey(name), ctx.now()];
  return decideAndCommit(ctx, {
    shape: tagRecord,
    reads: { holders: selectTagHolder(ctx, key) },
    expectsNothing: true,
    decide({ holders: [holder] }) {
      if (holder !== undefined) return tagNameTaken(holder.id);
      // If the request has no color, the insert chooses one. We therefore read the color after the insert.
      const color = storedColor(id);
      return {
        writes: [insertTag(ctx, { id, name, nameKey: key, color: input.color, createdAt })],
        events: [createdEvent("tag.created", id, { name, color })],
        answer: { id, name, color, created_at: createdAt },
      };
    },
  });
}

/** Throws `precondition_failed` if somebody changed a field after the form was rendered. */
export function updateTag(ctx: Ctx, id: string, input: TagInput, rendered: TagInput = {}): Promise<TagRecord> {
  const key = input.name === undefined ? undefined : nameKey(input.name);
  return changeRecord(ctx, {
    kind: KIND,
    shape: tagRecord,
    record: selectTag(ctx, id),
    reads: { holders: key === undefined ? undefined : selectTagHolder(ctx, key) },
    decide(tag, { holders: [holder] }) {
      const changed = changeTag(tag, holder, input, rendered);
      if (changed instanceof AppError) return changed;
      const { name, color } = changed;
      return {
        writes: [updateTagRow(ctx, id, { name, nameKey: key, color })],
        events: updatedEvents("tag.updated", id, tag, changed),
        answer: changed,
      };
    },
  });
}

export const deleteTag = (ctx: Ctx, id: string): Promise<TagRecord> =>
  changeRecord(ctx, {
    kind: KIND,
    shape: tagRecord,
    record: selectTag(ctx, id),
    decide: (tag) => ({
      writes: [updateTagRow(ctx, id, { deletedAt: ctx.now() })],
      events: [{ type: "tag.deleted", id }],
      answer: tag,
    }),
  });
