import * as z from "zod";
import { bool, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import * as repository from "./tags.sql.ts";
import { type TagRecord, tagRecord } from "./tags.schemas.ts";

/** What a tag's name is known by: names that differ only in case or width are one tag. Accents tell tags apart. */
export const tagKey = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase(); // ß is SS

/** A row for `createMissingTags`. */
export const newTag = (ctx: Ctx, name: string, color: string | null = null): repository.NewTag => ({
  id: ctx.newId("tag"),
  name,
  key: tagKey(name),
  color,
});

const listed = tagRecord.extend({ number: z.number() });

/** Newest first, one beyond `limit` where there are more. */
export async function listTags(ctx: Ctx, limit: number, below?: number): Promise<z.infer<typeof listed>[]> {
  return z.array(listed).parse(await repository.list(ctx, limit, below));
}

const obstacles = z.object({ found: bool, holder: z.string().nullable() });

const taken = (tagId: string | null): AppError =>
  new AppError("conflict", "Another tag has this name.", { field: "name", tag_id: tagId });

/** Throws `conflict` when a tag has this name, whatever its case. */
export async function createTag(
  ctx: Ctx,
  { name, color }: { name: string; color?: string | undefined },
): Promise<TagRecord> {
  const tag = newTag(ctx, name, color ?? null);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => repository.createMissingTags(ctx, [tag], guard),
    result: repository.tagAsJson(ctx, tag.id, null),
    shape: tagRecord,
    facts: statement(obstacles, repository.obstacles(ctx, tag.id, tag.key)),
  });
  if (result === null) throw taken(facts[0]?.holder ?? null);
  return result;
}

/** Changes what was sent; contacts show it at once. Throws `not_found`, `conflict`. */
export async function updateTag(
  ctx: Ctx,
  id: string,
  { name, color }: { name?: string | undefined; color?: string | undefined },
): Promise<TagRecord> {
  const key = name === undefined ? null : tagKey(name);
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.update(ctx, id, { name: name ?? null, key, color: color ?? null }, guard)],
    result: repository.tagAsJson(ctx, id, key),
    shape: tagRecord,
    facts: statement(obstacles, repository.obstacles(ctx, id, key)),
  });
  if (result !== null) return result;
  const [obstacle] = facts;
  throw obstacle?.found === true ? taken(obstacle.holder) : notFound("tag");
}

/** Ends a tag: no contact shows it any more, and its name is free. Throws `not_found`, also the second time. */
export async function deleteTag(ctx: Ctx, id: string): Promise<TagRecord> {
  const at = ctx.now();
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [repository.markDeleted(ctx, id, at, guard)],
    result: repository.deletedAsJson(ctx, id, at),
    shape: tagRecord,
  });
  if (result === null) throw notFound("tag");
  return result;
}
