import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, type Statement, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { noteTemplateChange } from "../connections/template-syncs.sql.ts";
import { appendEvents, changeEvents, changedFields, event, eventsOf } from "../events/append-events.sql.ts";
import type { ExternalTemplate } from "./sync-templates.sql.ts";
import { templateRecord } from "./templates.schemas.ts";
import { newTemplateFields, templateAsJson, unfinishedCampaign } from "./templates.sql.ts";

interface TemplateName {
  connection_id: string;
  name: string;
  language: string;
}

const isNamed = (ctx: Ctx, { connection_id, name, language }: TemplateName): SQL => sql`
  workspace_id = ${ctx.workspace.id} AND connection_id = ${connection_id} AND name = ${name} AND language = ${language}`;

/** One row with the provider's template of a name as JSON in `result`, or none. */
export const namedTemplateAsJson = (ctx: Ctx, named: TemplateName): SQL =>
  templateAsJson(ctx, sql`(SELECT id FROM templates WHERE ${isNamed(ctx, named)})`);

const templateRow = z.object({ result: fromJson(templateRecord) });

export const selectNamedTemplate = (ctx: Ctx, named: TemplateName) =>
  statement(templateRow, namedTemplateAsJson(ctx, named));

const externalTemplateRow = templateRow.extend({
  providerId: z.string().nullable(),
  campaignId: z.string().nullable(),
});

/** A template with its provider's id, and an unfinished campaign that sends it. */
export type ExternalTemplateRow = z.infer<typeof externalTemplateRow>;

export const selectExternalTemplate = (ctx: Ctx, id: string): Statement<ExternalTemplateRow> =>
  statement(
    externalTemplateRow,
    sql`
      SELECT (${templateAsJson(ctx, id)}) AS result, provider_id AS providerId,
        (${unfinishedCampaign(ctx, sql`template_id = ${id}`)}) AS campaignId
      FROM templates WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`,
  );

export const connectionOf = (ctx: Ctx, id: string): SQL =>
  sql`(SELECT connection_id FROM templates WHERE id = ${id} AND workspace_id = ${ctx.workspace.id})`;

/**
 * Adds a template that the provider has taken, unless a sync was first: what that found is newer. `at`: when it was submitted, so
 * that reviews since then hold.
 */
export function insertSubmittedTemplate(
  ctx: Ctx,
  connectionId: string,
  { row, at }: { row: ExternalTemplate; at: number },
  guard: SQL,
): SQL[] {
  const isLive = sql`
    EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL)`;
  return [
    sql`
      INSERT INTO templates (id, workspace_id, connection_id, source, name, language, provider_id, category, status, parameters,
        body, variables, components, created_at, updated_at)
      SELECT ${row.id}, ${ctx.workspace.id}, ${connectionId}, 'external', ${row.name}, ${row.language}, ${row.providerId},
        ${row.category}, ${row.status}, ${row.parameters}, ${row.body}, ${JSON.stringify(row.variables)},
        ${JSON.stringify(row.components)}, ${at}, ${at}
      WHERE ${isLive} AND ${guard} ON CONFLICT DO NOTHING`,
    appendEvents(
      ctx,
      sql`
        SELECT ${event("template.created", sql`id`, changedFields(newTemplateFields))} FROM templates
        WHERE id = ${row.id} AND workspace_id = ${ctx.workspace.id}`,
    ),
    noteTemplateChange(ctx, connectionId, guard),
  ];
}

const revised = z.object({ revision: z.number() });

/** Before its provider is asked, so that of several requests that expect the same revision one alone asks. */
export const claimNextRevision = (ctx: Ctx, id: string): Statement<z.infer<typeof revised>> =>
  statement(
    revised,
    sql`UPDATE templates SET revision = revision + 1 WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} RETURNING revision`,
  );

/** Takes back the revision that was claimed, unless something has changed since. */
export const releaseRevision = (ctx: Ctx, id: string, claimed: number): SQL => sql`
  UPDATE templates SET revision = revision - 1
  WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND revision = ${claimed}`;

/** A template as it is after a change at its provider, which began `at`: reviews since then hold. A claimed revision is the change's own. */
export type ChangedTemplate = Pick<
  ExternalTemplate,
  "category" | "status" | "parameters" | "body" | "variables" | "components"
> & { at: number; claimed: number | null };

export function updateExternalTemplate(ctx: Ctx, id: string, changed: ChangedTemplate, guard: SQL): SQL[] {
  const { category, status, parameters, body } = changed;
  const [variables, components] = [JSON.stringify(changed.variables), JSON.stringify(changed.components)];
  const condition = sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND source = 'external' AND ${guard}`;
  const from = sql`FROM templates WHERE ${condition}`;
  const reason = sql`iif(${status} = 'REJECTED', rejection_reason, NULL)`;
  return [
    appendEvents(
      ctx,
      eventsOf([
        changeEvents("template.updated", {
          objectId: sql`id`,
          fields: {
            body: [sql`body`, sql`${body}`],
            category: [sql`category`, sql`${category}`],
            variables: [sql`json(variables)`, sql`json(${variables})`],
            components: [sql`json(components)`, sql`json(${components})`],
          },
          from,
        }),
        changeEvents("template.status_changed", {
          objectId: sql`id`,
          fields: {
            status: [sql`status`, sql`${status}`],
            rejection_reason: [sql`rejection_reason`, reason],
          },
          from,
        }),
      ]),
    ),
    noteTemplateChange(ctx, connectionOf(ctx, id), guard),
    sql`
      UPDATE templates SET category = ${category}, status = ${status}, parameters = ${parameters}, body = ${body},
        variables = ${variables}, components = ${components}, rejection_reason = ${reason},
        updated_at = max(updated_at, ${changed.at}),
        revision = revision - (revision IS ${changed.claimed}) + ((category, components) IS NOT (${category}, ${components}))
      WHERE ${condition}`,
  ];
}

export function deleteExternalTemplateRow(ctx: Ctx, id: string, guard: SQL): SQL[] {
  const from = sql`FROM templates WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND source = 'external' AND ${guard}`;
  return [
    appendEvents(ctx, sql`SELECT ${event("template.deleted", sql`id`)} ${from}`),
    noteTemplateChange(ctx, connectionOf(ctx, id), guard),
    sql`DELETE ${from}`,
  ];
}
