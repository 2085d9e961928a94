import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, type Statement, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { appendEvents, changeEvents, changedFields, event, newFields } from "../events/append-events.sql.ts";
import { templateRecord } from "./templates.schemas.ts";

const ofId = (ctx: Ctx, id: string | SQL): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const fields = sql`
  'id', id, 'name', name, 'body', body, 'status', status, 'source', source, 'connection_id', connection_id,
  'language', language, 'category', category, 'variables', json(variables), 'components', json(coalesce(components, '[]')),
  'parameters', parameters, 'quality', quality, 'rejection_reason', rejection_reason,
  'created_at', created_at, 'updated_at', updated_at, 'revision', revision`;

const templateRow = z.object({ result: fromJson(templateRecord) });

export interface TemplateFilter {
  status: string | undefined;
  source: string | undefined;
  /** Undefined for all. */
  limit: number | undefined;
  before: string | undefined;
}

/** Newest first, one row beyond `limit`. */
export const selectTemplates = (ctx: Ctx, { status, source, limit, before }: TemplateFilter) =>
  statement(
    templateRow,
    sql`
    SELECT json_object(${fields}) AS result FROM templates WHERE workspace_id = ${ctx.workspace.id}
      ${status === undefined ? sql`` : sql`AND status = ${status}`}
      ${source === undefined ? sql`` : sql`AND source = ${source}`}
      ${before === undefined ? sql`` : sql`AND id < ${before}`}
    ORDER BY id DESC LIMIT ${limit === undefined ? -1 : limit + 1}`,
  );

/** One row with the template as JSON in `result`, or none. */
export const templateAsJson = (ctx: Ctx, id: string | SQL, condition = sql`TRUE`): SQL =>
  sql`SELECT json_object(${fields}) AS result FROM templates WHERE ${ofId(ctx, id)} AND ${condition}`;

export const selectTemplate = (ctx: Ctx, id: string | SQL) => statement(templateRow, templateAsJson(ctx, id));

/** The other local template with this name. */
const holderOfName = (ctx: Ctx, id: string, name: string): SQL =>
  sql`SELECT id FROM templates WHERE workspace_id = ${ctx.workspace.id} AND name = ${name} AND connection_id IS NULL AND id <> ${id}`;

/** True in SQL of the status of a campaign that still sends, or may. */
export const isUnfinishedStatus = (status: SQL): SQL => sql`${status} IN ('draft', 'scheduled', 'running', 'paused')`;

/** An unfinished campaign of the workspace. */
export const unfinishedCampaign = (ctx: Ctx, condition: SQL): SQL => sql`
  SELECT id FROM campaigns WHERE workspace_id = ${ctx.workspace.id} AND ${isUnfinishedStatus(sql`status`)} AND ${condition} LIMIT 1`;

const sendingCampaign = (ctx: Ctx, id: string): SQL => unfinishedCampaign(ctx, sql`template_id = ${id}`);

const obstacles = z.object({
  /** Null where there is no such template. */
  source: z.string().nullable(),
  /** The other local template that has the name. */
  nameHolderId: z.string().nullable(),
  /** An unfinished campaign that sends the template. */
  campaignId: z.string().nullable(),
});

/** The facts that a refused change is explained from. */
export type TemplateObstacles = z.infer<typeof obstacles>;

export const selectTemplateObstacles = (ctx: Ctx, id: string, name: string | null): Statement<TemplateObstacles> =>
  statement(
    obstacles,
    sql`
  SELECT (SELECT source FROM templates WHERE ${ofId(ctx, id)}) AS source,
    (${holderOfName(ctx, id, name ?? "")}) AS nameHolderId, (${sendingCampaign(ctx, id)}) AS campaignId`,
  );

/** The revision of a template; no row where there is none. */
export const templateRevision = (ctx: Ctx, id: string): SQL =>
  sql`SELECT revision FROM templates WHERE ${ofId(ctx, id)}`;

export interface LocalTemplate {
  name: string;
  body: string;
  variables: string[];
}

/** Fields of a new template for the log. */
export const newTemplateFields = {
  ...newFields(["name", "body", "status", "source", "connection_id", "language", "category"]),
  variables: [sql`NULL`, sql`json(variables)`],
  components: [sql`NULL`, sql`json(components)`],
} as const;

/** Adds a local template, unless one has the name. */
export const insertLocalTemplate = (
  ctx: Ctx,
  id: string,
  { name, body, variables }: LocalTemplate,
  guard: SQL,
): SQL[] => [
  sql`
  INSERT INTO templates (id, workspace_id, name, body, status, source, variables, created_at, updated_at)
  SELECT ${id}, ${ctx.workspace.id}, ${name}, ${body}, 'APPROVED', 'local', ${JSON.stringify(variables)}, ${ctx.now()}, ${ctx.now()}
  WHERE ${guard} ON CONFLICT DO NOTHING`,
  appendEvents(
    ctx,
    sql`SELECT ${event("template.created", sql`id`, changedFields(newTemplateFields))} FROM templates WHERE ${ofId(ctx, id)}`,
  ),
];

/** True while nothing speaks against a change, and still true once it is made. */
const isChangeable = (ctx: Ctx, id: string, name: string | null): SQL =>
  sql`source = 'local' AND NOT EXISTS (${sendingCampaign(ctx, id)}) AND ${name === null ? sql`TRUE` : sql`NOT EXISTS (${holderOfName(ctx, id, name)})`}`;

export interface TemplateChange {
  name: string | null;
  /** Null leaves text and variables as they are. */
  text: { body: string; variables: string[] } | null;
}

export function updateLocalTemplate(ctx: Ctx, id: string, { name, text }: TemplateChange, guard: SQL): SQL[] {
  const condition = sql`${ofId(ctx, id)} AND ${isChangeable(ctx, id, name)} AND ${guard}`;
  const [newName, body] = [sql`coalesce(${name}, name)`, sql`coalesce(${text?.body ?? null}, body)`];
  const variables = sql`coalesce(${text === null ? null : JSON.stringify(text.variables)}, variables)`;
  const changed = {
    name: [sql`name`, newName],
    body: [sql`body`, body],
    variables: [sql`json(variables)`, sql`json(${variables})`],
  } as const;
  const from = sql`FROM templates WHERE ${condition}`;
  return [
    appendEvents(ctx, changeEvents("template.updated", { objectId: sql`id`, fields: changed, from })),
    sql`
      UPDATE templates SET name = ${newName}, body = ${body}, variables = ${variables}, updated_at = ${ctx.now()},
        revision = revision + ((name, body) IS NOT (${newName}, ${body}))
      WHERE ${condition}`,
  ];
}

/** One row with the template as JSON in `result` where it was, or might be, changed so; or none. */
export const changedTemplateAsJson = (ctx: Ctx, id: string, name: string | null): SQL =>
  templateAsJson(ctx, id, isChangeable(ctx, id, name));

export function deleteLocalTemplate(ctx: Ctx, id: string, guard: SQL): SQL[] {
  const condition = sql`${ofId(ctx, id)} AND ${isChangeable(ctx, id, null)} AND ${guard}`;
  return [
    appendEvents(ctx, sql`SELECT ${event("template.deleted", sql`id`)} FROM templates WHERE ${condition}`),
    sql`DELETE FROM templates WHERE ${condition}`,
  ];
}
