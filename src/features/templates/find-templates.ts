import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { selectComponentsByIds } from "./find-templates.sql.ts";

/** The components of templates, by id; templates that are gone are left out. Asks nothing where there are no ids. */
export async function findTemplateComponents(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, readonly unknown[]>> {
  const wanted = [...new Set(ids)];
  const rows = wanted.length === 0 ? [] : await fetchRows(ctx.db, selectComponentsByIds(ctx, wanted));
  return new Map(rows.map(({ id, components }) => [id, components]));
}
