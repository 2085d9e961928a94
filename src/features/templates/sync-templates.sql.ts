import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import type { Ctx } from "../../shared/context.ts";

export interface ExternalTemplate {
  /** Taken where the template is new. */
  id: string;
  providerId: string;
  name: string;
  language: string;
  category: string | null;
  status: string;
  parameters: string;
  body: string;
  variables: string[];
  components: object[];
}

const told = ["provider_id", "category", "status", "parameters", "body", "variables", "components"].map((name) =>
  sql.identifier(name),
);
const list = (items: SQL[], separator: SQL) => sql.join(items, separator);

/** Adds the templates of a connection, while it is there, and changes those that differ; gives the ids of both. */
const upsert = (ctx: Ctx, connectionId: string, json: string): SQL => sql`
  INSERT INTO templates (id, workspace_id, connection_id, source, name, language, provider_id, category, status, parameters,
    body, variables, components, created_at, updated_at)
  SELECT e.value ->> 'id', ${ctx.workspace.id}, ${connectionId}, 'external', e.value ->> 'name', e.value ->> 'language',
    e.value ->> 'providerId', e.value ->> 'category', e.value ->> 'status', e.value ->> 'parameters',
    e.value ->> 'body', e.value -> 'variables', e.value -> 'components', ${ctx.now()}, ${ctx.now()}
  FROM json_each(${json}) e
  WHERE EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL)
  ON CONFLICT (connection_id, name, language) WHERE connection_id IS NOT NULL DO UPDATE SET
    ${list(
      told.map((name) => sql`${name} = excluded.${name}`),
      sql`, `,
    )}, updated_at = excluded.updated_at
  WHERE ${list(
    told.map((name) => sql`templates.${name} IS NOT excluded.${name}`),
    sql` OR `,
  )}
  RETURNING id`;

/** Removes what the provider no longer holds. */
const removeOthers = (ctx: Ctx, connectionId: string, kept: readonly [name: string, language: string][]): SQL => sql`
  DELETE FROM templates WHERE connection_id = ${connectionId} AND workspace_id = ${ctx.workspace.id}
    AND (name, language) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(kept)}))
  RETURNING id`;

/** Statements that make a connection's templates what its provider holds. */
export const replaceAll = (ctx: Ctx, connectionId: string, rows: readonly ExternalTemplate[]): SQL[] => [
  ...jsonLists(rows).map((json) => upsert(ctx, connectionId, json)),
  removeOthers(
    ctx,
    connectionId,
    rows.map(({ name, language }) => [name, language]),
  ),
];

const ids = z.array(z.object({ id: z.string() }));

/** Runs `replaceAll` as one transaction; gives the ids of templates that were written and of those that were removed. */
export async function store(
  ctx: Ctx,
  connectionId: string,
  rows: readonly ExternalTemplate[],
): Promise<{ written: string[]; removed: string[] }> {
  const results = await batch(ctx.db, replaceAll(ctx, connectionId, rows));
  const removed = ids.parse(results.pop()).map(({ id }) => id);
  return { written: results.flatMap((each) => ids.parse(each).map(({ id }) => id)), removed };
}

/** Removes all templates of a connection. */
export async function removeOf(ctx: Ctx, connectionId: string): Promise<void> {
  await batch(ctx.db, [removeOthers(ctx, connectionId, [])]);
}

export interface Judgement {
  name: string;
  language: string;
  status: string;
  /** ms since the epoch. */
  at: number;
}

/** Sets the status of an external template, unless something later is known of it. */
export async function applyJudgement(
  ctx: Ctx,
  connectionId: string,
  { name, language, status, at }: Judgement,
): Promise<void> {
  await ctx.db.run(sql`
    UPDATE templates SET status = ${status}, updated_at = ${at}
    WHERE connection_id = ${connectionId} AND name = ${name} AND language = ${language} AND workspace_id = ${ctx.workspace.id}
      AND updated_at <= ${at} AND (status, updated_at) IS NOT (${status}, ${at})`);
}
