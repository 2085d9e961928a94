import { fetchRow, fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { nameKey } from "../../shared/folding.ts";
import { appendEvents } from "../events/append-events.sql.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type TagRecord, tagRecord } from "./tags.schemas.ts";
import {
  deletedTagAsJson,
  insertMissingTags,
  type ListedTag,
  markTagDeleted,
  type NewTag,
  selectTag,
  selectTagObstacles,
  selectTags,
  type ShownTag,
  tagAsJson,
  tagCreatedEvents,
  updateTagIfKeyFree,
} from "./tags.sql.ts";

/** A row for `insertMissingTags`. */
export const newTag = (ctx: Ctx, name: string, color: string | null = null): NewTag => ({
  id: ctx.newId("tag"),
  name,
  key: nameKey(name),
  color,
});

/** Newest first, one beyond `limit` where there are more. */
export const listTags = (ctx: Ctx, limit: number, below?: number): Promise<ListedTag[]> =>
  fetchRows(ctx.db, selectTags(ctx, limit, below));

/** Throws `not_found`. */
export async function getTag(ctx: Ctx, id: string): Promise<TagRecord> {
  const row = await fetchRow(ctx.db, selectTag(ctx, id));
  if (row === undefined) throw notFound("tag");
  return row.result;
}

const nameTaken = (tagId: string | null): AppError =>
  new AppError("conflict", "Another tag has this name.", { field: "name", tag_id: tagId });

/** Throws `conflict` when a tag has this name, whatever its case. */
export async function createTag(
  ctx: Ctx,
  { name, color }: { name: string; color?: string | undefined },
): Promise<TagRecord> {
  const tag = newTag(ctx, name, color ?? null);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [...insertMissingTags(ctx, [tag], guard), appendEvents(ctx, tagCreatedEvents(ctx, [tag.id]))],
    result: tagAsJson(ctx, tag.id, null),
    shape: tagRecord,
    facts: selectTagObstacles(ctx, tag.id, tag.key),
  });
  if (result === null) throw nameTaken(facts[0]?.name_holder_id ?? null);
  return result;
}

/**
 * Changes what was sent; contacts show it at once. Throws `not_found`, `conflict`, and `precondition_failed` where somebody else has
 * changed the same since a form was made with what is `shown`.
 */
export async function updateTag(
  ctx: Ctx,
  id: string,
  { name, color }: { name?: string | undefined; color?: string | undefined },
  shown: ShownTag = {},
): Promise<TagRecord> {
  const key = name === undefined ? null : nameKey(name);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => updateTagIfKeyFree(ctx, id, { name: name ?? null, key, color: color ?? null }, shown, guard),
    result: tagAsJson(ctx, id, key),
    shape: tagRecord,
    facts: selectTagObstacles(ctx, id, key),
  });
  if (result !== null) return result;
  const [obstacle] = facts;
  throw obstacle?.exists === true ? nameTaken(obstacle.name_holder_id) : notFound("tag");
}

/** Contacts stop showing the tag, and its name is free. Throws `not_found`, also the second time. */
export async function deleteTag(ctx: Ctx, id: string): Promise<TagRecord> {
  const at = ctx.now();
  const { result } = await commitOnce(ctx, {
    effects: (guard) => markTagDeleted(ctx, id, at, guard),
    result: deletedTagAsJson(ctx, id, at),
    shape: tagRecord,
  });
  if (result === null) throw notFound("tag");
  return result;
}
