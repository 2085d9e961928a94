// Raw, because one statement stores the provider's whole list, and the events compare the list with the stored rows.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { templates } from "../../../db/schema/index.ts";
import { type SQL, type Statement, statement, transact } from "../../../db/statement.ts";
import { bool } from "../../../db/rows.ts";
import { jsonLists } from "../../../db/idioms.ts";
import type { Ctx } from "../../../shared/context.ts";
import {
  appendEvents,
  appendLongEvents,
  changeEvents,
  changedFields,
  event,
  eventsOf,
  newFields,
} from "../../events/append-events.sql.ts";
import type { ExternalTemplate } from "../templates.schemas.ts";

const t = columns(templates, "t");
const stored = columns(templates, "templates");

const templateId = z.object({ id: z.string() });

type TemplateId = z.infer<typeof templateId>;

const columnsOfProvider = ["provider_id", "category", "status", "parameters", "body", "variables", "components"].map(
  (name) => sql.identifier(name),
);
const list = (items: SQL[], separator: SQL) => sql.join(items, separator);

/** Some providers list templates without these values, so the stored values remain. */
const keptQuality = sql`coalesce(excluded.quality, ${stored.quality})`;
const keptReason = sql`iif(excluded.status = 'REJECTED', coalesce(excluded.rejection_reason, ${stored.rejectionReason}), NULL)`;

/** A connection, and its number of template changes before the list was fetched. */
export interface ListedConnection {
  id: string;
  templateChanges: number;
}

/** Adds and updates the templates of a connection while its list is current. Returns their ids. */
const upsertExternalTemplates = (ctx: Ctx, connection: ListedConnection, json: string): Statement<TemplateId> =>
  statement(
    templateId,
    sql`
  INSERT INTO templates (id, workspace_id, connection_id, source, name, language, provider_id, category, status, parameters,
    body, variables, components, quality, rejection_reason, created_at, updated_at)
  SELECT e.value ->> 'id', ${ctx.workspace.id}, ${connection.id}, 'external', e.value ->> 'name', e.value ->> 'language',
    e.value ->> 'providerId', e.value ->> 'category', e.value ->> 'status', e.value ->> 'parameters',
    e.value ->> 'body', e.value -> 'variables', e.value -> 'components', e.value ->> 'quality',
    e.value ->> 'rejectionReason', ${ctx.now()}, ${ctx.now()}
  FROM json_each(${json}) e
  WHERE ${listHolds(ctx, connection)}
  ON CONFLICT (connection_id, name, language) WHERE connection_id IS NOT NULL DO UPDATE SET
    ${list(
      columnsOfProvider.map((name) => sql`${name} = excluded.${name}`),
      sql`, `,
    )}, quality = ${keptQuality}, rejection_reason = ${keptReason}, updated_at = excluded.updated_at,
    revision = ${stored.revision} + ((${stored.category}, ${stored.components}) IS NOT (excluded.category, excluded.components))
  WHERE ${list(
    columnsOfProvider.map((name) => sql`templates.${name} IS NOT excluded.${name}`),
    sql` OR `,
  )} OR ${stored.quality} IS NOT ${keptQuality} OR ${stored.rejectionReason} IS NOT ${keptReason}
  RETURNING id`,
  );

/** True if the connection exists and none of its templates has changed since the list was fetched. */
const listHolds = (ctx: Ctx, { id, templateChanges }: ListedConnection): SQL => sql`
  EXISTS (SELECT 1 FROM connections WHERE id = ${id} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL
    AND template_changes = ${templateChanges})`;

const newTemplateFields = {
  ...newFields(["name", "body", "status", "source", "connection_id", "language", "category"]),
  variables: [sql`NULL`, sql`json(variables)`],
  components: [sql`NULL`, sql`json(components)`],
} as const;

function externalTemplateEvents(ctx: Ctx, connection: ListedConnection, json: string): SQL {
  const sent = sql`
    SELECT e.value ->> 'name' AS name, e.value ->> 'language' AS language, e.value ->> 'category' AS category,
      e.value ->> 'status' AS status, e.value ->> 'body' AS body, e.value -> 'variables' AS variables,
      e.value -> 'components' AS components, 'external' AS source, ${connection.id} AS connection_id,
      coalesce(${t.id}, e.value ->> 'id') AS id, ${t.id} AS known_id, ${t.category} AS old_category, ${t.status} AS old_status,
      e.value ->> 'quality' AS quality, ${t.quality} AS old_quality, ${t.body} AS old_body, ${t.variables} AS old_variables, ${t.components} AS old_components
    FROM json_each(${json}) e
    LEFT JOIN templates t ON ${t.connectionId} = ${connection.id} AND ${t.name} = e.value ->> 'name' AND ${t.language} = e.value ->> 'language'
    WHERE ${listHolds(ctx, connection)}`;
  const fields = {
    body: [sql`old_body`, sql`body`],
    category: [sql`old_category`, sql`category`],
    variables: [sql`json(old_variables)`, sql`json(variables)`],
    components: [sql`json(old_components)`, sql`json(components)`],
  } as const;
  const known = sql`FROM sent WHERE known_id IS NOT NULL`;
  const status = { status: [sql`old_status`, sql`status`] } as const;
  // Without MATERIALIZED, SQLite would read the list again for each template.
  return sql`WITH sent AS MATERIALIZED (${sent}) ${eventsOf([
    sql`SELECT ${event("template.created", sql`id`, changedFields(newTemplateFields))} FROM sent WHERE known_id IS NULL`,
    changeEvents("template.updated", { objectId: sql`id`, fields, from: known }),
    changeEvents("template.status_changed", { objectId: sql`id`, fields: status, from: known }),
    changeEvents("template.quality_changed", {
      objectId: sql`id`,
      fields: { quality: [sql`old_quality`, sql`coalesce(quality, old_quality)`] },
      from: known,
    }),
  ])}`;
}

/** Deletes all templates of a connection except `kept`, if the condition holds. */
const deleteTemplatesBut = (
  ctx: Ctx,
  connectionId: string,
  kept: readonly Pick<ExternalTemplate, "name" | "language">[],
  condition = sql`TRUE`,
) => {
  const names = JSON.stringify(kept.map(({ name, language }) => [name, language]));
  const from = sql`
    FROM templates WHERE connection_id = ${connectionId} AND workspace_id = ${ctx.workspace.id}
      AND (name, language) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${names})) AND ${condition}`;
  return {
    removal: [appendEvents(ctx, sql`SELECT ${event("template.deleted", sql`id`)} ${from}`)],
    removed: [statement(templateId, sql`DELETE ${from} RETURNING id`)],
  };
};

/** The templates listed by a provider. Other templates are deleted unless the list is partial. */
export interface ListedTemplates {
  rows: readonly ExternalTemplate[];
  isPartial: boolean;
}

const NOTHING_REMOVED = { removal: [], removed: [] };

const replaceTemplates = (ctx: Ctx, connection: ListedConnection, { rows, isPartial }: ListedTemplates) => {
  const lists = jsonLists(rows);
  return {
    events: lists.map((json) => appendLongEvents(ctx, externalTemplateEvents(ctx, connection, json))),
    written: lists.map((json) => upsertExternalTemplates(ctx, connection, json)),
    ...(isPartial ? NOTHING_REMOVED : deleteTemplatesBut(ctx, connection.id, rows, listHolds(ctx, connection))),
  };
};

export function replaceExternalTemplates(ctx: Ctx, connection: ListedConnection, listed: ListedTemplates): SQL[] {
  const { events, written, removal, removed } = replaceTemplates(ctx, connection, listed);
  return [...events, ...written.map((each) => each.sql), ...removal, ...removed.map((each) => each.sql)];
}

const holds = z.object({ holds: bool });

/** Returns null if the list is outdated and nothing was stored. */
export async function storeExternalTemplates(
  ctx: Ctx,
  connection: ListedConnection,
  listed: ListedTemplates,
): Promise<{ written: string[]; removed: string[] } | null> {
  const { current, written, removed } = await transact(ctx.db, {
    current: statement(holds, sql`SELECT ${listHolds(ctx, connection)} AS holds`),
    ...replaceTemplates(ctx, connection, listed),
  });
  if (current[0]?.holds !== true) return null;
  return { written: written.map(({ id }) => id), removed: removed.map(({ id }) => id) };
}

export function deleteTemplatesOfConnection(ctx: Ctx, connectionId: string): SQL[] {
  const { removal, removed } = deleteTemplatesBut(ctx, connectionId, []);
  return [...removal, ...removed.map((each) => each.sql)];
}
