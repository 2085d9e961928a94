import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import * as repository from "./find-uses.sql.ts";

const named = z.array(z.object({ id: z.string(), name: z.string() }));

export type Named = z.infer<typeof named>[number];

/** The records that stop working once something is deleted, newest first, at most 20 of a kind. */
export interface Uses {
  name: string;
  segments: Named[];
  campaigns: Named[];
  templates: Named[];
}

const itself = z.array(z.object({ name: z.string() }));
const field = z.array(z.object({ name: z.string(), key: z.string() }));

/** Throws `not_found`. */
export async function findUsesOfTag(ctx: Ctx, id: string): Promise<Uses> {
  const [rows, segments, campaigns] = await repository.usesOfTag(ctx, id);
  const [tag] = itself.parse(rows);
  if (tag === undefined) throw notFound("tag");
  return { name: tag.name, segments: named.parse(segments), campaigns: named.parse(campaigns), templates: [] };
}

/** `key` is what filters and templates call it. Throws `not_found`. */
export async function findUsesOfCustomField(ctx: Ctx, id: string): Promise<Uses & { key: string }> {
  const [rows, segments, campaigns, templates] = await repository.usesOfCustomField(ctx, id);
  const [found] = field.parse(rows);
  if (found === undefined) throw notFound("custom field");
  return {
    ...found,
    segments: named.parse(segments),
    campaigns: named.parse(campaigns),
    templates: named.parse(templates),
  };
}

/** Throws `not_found`. */
export async function findUsesOfTemplate(ctx: Ctx, id: string): Promise<Uses> {
  const [rows, campaigns] = await repository.usesOfTemplate(ctx, id);
  const [template] = itself.parse(rows);
  if (template === undefined) throw notFound("template");
  return { name: template.name, segments: [], campaigns: named.parse(campaigns), templates: [] };
}
