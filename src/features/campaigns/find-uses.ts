import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { selectCustomFieldUses, selectTagUses, selectTemplateUses } from "./find-uses.sql.ts";

export interface NamedRecord {
  id: string;
  name: string;
}

/** Records that stop working after a deletion, newest first, at most 20 per kind. */
export interface Uses {
  name: string;
  segments: NamedRecord[];
  campaigns: NamedRecord[];
  templates: NamedRecord[];
}

/** Throws `not_found`. */
export async function findUsesOfTag(ctx: Ctx, id: string): Promise<Uses> {
  const { tag, segments, campaigns } = await transact(ctx.db, selectTagUses(ctx, id));
  if (tag[0] === undefined) throw notFound("tag");
  return { ...tag[0], segments, campaigns, templates: [] };
}

/** `key` is the field's name in filters and templates. Throws `not_found`. */
export async function findUsesOfCustomField(ctx: Ctx, id: string): Promise<Uses & { key: string }> {
  const { field, ...uses } = await transact(ctx.db, selectCustomFieldUses(ctx, id));
  if (field[0] === undefined) throw notFound("custom field");
  return { ...field[0], ...uses };
}

/** Throws `not_found`. */
export async function findUsesOfTemplate(ctx: Ctx, id: string): Promise<Uses> {
  const { template, campaigns } = await transact(ctx.db, selectTemplateUses(ctx, id));
  if (template[0] === undefined) throw notFound("template");
  return { ...template[0], segments: [], campaigns, templates: [] };
}
