import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

const own = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const fieldsWith = (components: SQL): SQL => sql`
  'id', id, 'name', name, 'body', body, 'status', status, 'source', source, 'connection_id', connection_id,
  'language', language, 'category', category, 'variables', json(variables), 'components', json(${components}),
  'created_at', created_at, 'updated_at', updated_at`;

/** Texts and cards, which may be large, are left out: lists tell only which kinds of parts there are. */
const fields = fieldsWith(sql`(
  SELECT json_group_array(json_object('type', value -> 'type', 'format', value -> 'format', 'buttons', value -> 'buttons'))
  FROM json_each(coalesce(templates.components, '[]')))`);

export interface TemplateFilter {
  status: string | undefined;
  source: string | undefined;
  /** Undefined for all. */
  limit: number | undefined;
  before: string | undefined;
}

/** Newest first, one row beyond `limit`, each with JSON in `result`. */
export const list = (ctx: Ctx, { status, source, limit, before }: TemplateFilter): Promise<{ result: string }[]> =>
  ctx.db.all(sql`
    SELECT json_object(${fields}) AS result FROM templates WHERE workspace_id = ${ctx.workspace.id}
      ${status === undefined ? sql`` : sql`AND status = ${status}`}
      ${source === undefined ? sql`` : sql`AND source = ${source}`}
      ${before === undefined ? sql`` : sql`AND id < ${before}`}
    ORDER BY id DESC LIMIT ${limit === undefined ? -1 : limit + 1}`);

/** One row with the template as JSON in `result`, or none. */
export const templateAsJson = (ctx: Ctx, id: string, condition = sql`TRUE`): SQL =>
  sql`SELECT json_object(${fields}) AS result FROM templates WHERE ${own(ctx, id)} AND ${condition}`;

export async function findAsJson(ctx: Ctx, id: string): Promise<string | null> {
  const [row] = await ctx.db.all<{ result: string }>(templateAsJson(ctx, id));
  return row?.result ?? null;
}

/** One row with the template and what filling it in takes as JSON in `result`, or none. */
export const sendableAsJson = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT json_object(${fieldsWith(sql`coalesce(components, '[]')`)}, 'parameters', parameters) AS result
  FROM templates WHERE ${own(ctx, id)}`;

/** The other local template with this name. */
const holder = (ctx: Ctx, id: string, name: string): SQL =>
  sql`SELECT id FROM templates WHERE workspace_id = ${ctx.workspace.id} AND name = ${name} AND connection_id IS NULL AND id <> ${id}`;

/** An unfinished campaign that sends this template. */
const user = (ctx: Ctx, id: string): SQL => sql`
  SELECT id FROM campaigns WHERE workspace_id = ${ctx.workspace.id} AND status IN ('scheduled', 'running', 'paused')
    AND template_id = ${id} LIMIT 1`;

/** What a refused change is explained from: where the template comes from, null for nowhere, who has the name, who sends it. */
export const obstacles = (ctx: Ctx, id: string, name: string | null): SQL => sql`
  SELECT (SELECT source FROM templates WHERE ${own(ctx, id)}) AS source,
    (${holder(ctx, id, name ?? "")}) AS holder, (${user(ctx, id)}) AS user`;

export interface LocalTemplate {
  name: string;
  body: string;
  variables: string[];
}

/** Adds a local template, unless one has the name. */
export const insert = (ctx: Ctx, id: string, { name, body, variables }: LocalTemplate, guard: SQL): SQL => sql`
  INSERT INTO templates (id, workspace_id, name, body, status, source, variables, created_at, updated_at)
  SELECT ${id}, ${ctx.workspace.id}, ${name}, ${body}, 'APPROVED', 'local', ${JSON.stringify(variables)}, ${ctx.now()}, ${ctx.now()}
  WHERE ${guard} ON CONFLICT DO NOTHING`;

/** True while nothing speaks against a change, and still true once it is made. */
const changeable = (ctx: Ctx, id: string, name: string | null): SQL =>
  sql`source = 'local' AND NOT EXISTS (${user(ctx, id)}) AND ${name === null ? sql`TRUE` : sql`NOT EXISTS (${holder(ctx, id, name)})`}`;

export interface TemplateChange {
  name: string | null;
  /** Null leaves text and variables as they are. */
  text: { body: string; variables: string[] } | null;
}

export const update = (ctx: Ctx, id: string, { name, text }: TemplateChange, guard: SQL): SQL => sql`
  UPDATE templates SET name = coalesce(${name}, name), body = coalesce(${text?.body ?? null}, body),
    variables = coalesce(${text === null ? null : JSON.stringify(text.variables)}, variables), updated_at = ${ctx.now()}
  WHERE ${own(ctx, id)} AND ${changeable(ctx, id, name)} AND ${guard}`;

/** One row with the template as JSON in `result` where it was, or might be, changed so; or none. */
export const changedAsJson = (ctx: Ctx, id: string, name: string | null): SQL =>
  templateAsJson(ctx, id, changeable(ctx, id, name));

export const remove = (ctx: Ctx, id: string, guard: SQL): SQL =>
  sql`DELETE FROM templates WHERE ${own(ctx, id)} AND ${changeable(ctx, id, null)} AND ${guard}`;

/** One row with `result` where the statement before it changed a row, or none. */
export const ifChanged = (result: string): SQL => sql`SELECT ${result} AS result WHERE changes() > 0`;
