// Raw SQL: one statement stores the provider's whole list, and another appends the differences from the stored rows as
// events.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect, subqueryColumns } from "../../../db/columns.ts";
import { connections, templates } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
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
  type ChangedFields,
} from "../../events/append-events.sql.ts";
import type { EventType } from "../../events/events.types.ts";
import type { ExternalTemplate } from "../templates.schemas.ts";

const column = columns(templates);
const t = columns(templates, "t");
const stored = columns(templates, "templates");
const excluded = columns(templates, "excluded");
const c = columns(connections);

const templateId = z.object({ id: z.string() });

const sentValue = (name: keyof ExternalTemplate, operator: "->>" | "->" = "->>"): SQL =>
  sql.raw(`e.value ${operator} '${name}'`);

const list = (items: SQL[], separator = sql`, `) => sql.join(items, separator);

/** If the provider returns no quality or no reason for a rejection, the stored value remains. */
const updates = [
  ...(["providerId", "category", "status", "parameters", "body", "variables", "components"] as const).map((name) => ({
    name,
    value: excluded[name],
  })),
  { name: "quality", value: sql`coalesce(${excluded.quality}, ${stored.quality})` },
  {
    name: "rejectionReason",
    value: sql`iif(${excluded.status} = 'REJECTED', coalesce(${excluded.rejectionReason}, ${stored.rejectionReason}), NULL)`,
  },
] as const;
const assignments = list(updates.map(({ name, value }) => sql`${column[name]} = ${value}`));
const isUpdated = list(
  updates.map(({ name, value }) => sql`${stored[name]} IS NOT ${value}`),
  sql` OR `,
);

export interface ListedConnection {
  id: string;
  templateChanges: number;
}

const upsertExternalTemplates = (ctx: Ctx, connection: ListedConnection, json: string) =>
  statement(
    templateId,
    insertSelect(
      templates,
      {
        id: sentValue("id"),
        workspaceId: ctx.workspace.id,
        connectionId: connection.id,
        source: "external",
        name: sentValue("name"),
        language: sentValue("language"),
        providerId: sentValue("providerId"),
        category: sentValue("category"),
        status: sentValue("status"),
        parameters: sentValue("parameters"),
        body: sentValue("body"),
        variables: sentValue("variables", "->"),
        components: sentValue("components", "->"),
        quality: sentValue("quality"),
        rejectionReason: sentValue("rejectionReason"),
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
      sql`
        FROM json_each(${json}) e WHERE ${listHolds(ctx, connection)}
        ON CONFLICT (${column.connectionId}, ${column.name}, ${column.language}) WHERE ${column.connectionId} IS NOT NULL
        DO UPDATE SET ${assignments}, ${column.updatedAt} = ${excluded.updatedAt}, ${column.revision} = ${stored.revision}
          + ((${stored.category}, ${stored.components}) IS NOT (${excluded.category}, ${excluded.components}))
        WHERE ${isUpdated}
        RETURNING ${column.id}`,
    ),
  );

/** False if a template has changed since the list was fetched: the list is then outdated, so nothing is stored. */
const listHolds = (ctx: Ctx, { id, templateChanges }: ListedConnection): SQL => sql`
  EXISTS (SELECT 1 FROM connections WHERE ${c.id} = ${id} AND ${c.workspaceId} = ${ctx.workspace.id}
    AND ${c.deletedAt} IS NULL AND ${c.templateChanges} = ${templateChanges})`;

function externalTemplateEvents(ctx: Ctx, connection: ListedConnection, json: string): SQL {
  const { list: selected, names: sent } = subqueryColumns("sent", {
    id: sql`coalesce(${t.id}, ${sentValue("id")})`,
    stored_id: t.id,
    name: sentValue("name"),
    language: sentValue("language"),
    status: sentValue("status"),
    old_status: t.status,
    category: sentValue("category"),
    old_category: t.category,
    body: sentValue("body"),
    old_body: t.body,
    variables: sentValue("variables", "->"),
    old_variables: t.variables,
    components: sentValue("components", "->"),
    old_components: t.components,
    quality: sql`coalesce(${sentValue("quality")}, ${t.quality})`,
    old_quality: t.quality,
  });
  const created = {
    name: sent.name,
    body: sent.body,
    status: sent.status,
    source: sql`'external'`,
    connection_id: sql`${connection.id}`,
    language: sent.language,
    category: sent.category,
    variables: sql`json(${sent.variables})`,
    components: sql`json(${sent.components})`,
  };
  const newTemplate = Object.fromEntries(
    Object.entries(created).map(([name, value]) => [name, [sql`NULL`, value] as const]),
  );
  const changes = (type: EventType, fields: ChangedFields) =>
    changeEvents(type, { objectId: sent.id, fields, from: sql`FROM sent WHERE ${sent.stored_id} IS NOT NULL` });
  // Without MATERIALIZED, SQLite would read the whole list again for each template.
  return sql`
    WITH sent AS MATERIALIZED (
      SELECT ${selected} FROM json_each(${json}) e
      LEFT JOIN templates t ON ${t.connectionId} = ${connection.id} AND ${t.name} = ${sentValue("name")}
        AND ${t.language} = ${sentValue("language")}
      WHERE ${listHolds(ctx, connection)}
    ) ${eventsOf([
      sql`
        SELECT ${event("template.created", sent.id, changedFields(newTemplate))} FROM sent
        WHERE ${sent.stored_id} IS NULL`,
      changes("template.updated", {
        body: [sent.old_body, sent.body],
        category: [sent.old_category, sent.category],
        variables: [sql`json(${sent.old_variables})`, sql`json(${sent.variables})`],
        components: [sql`json(${sent.old_components})`, sql`json(${sent.components})`],
      }),
      changes("template.status_changed", { status: [sent.old_status, sent.status] }),
      changes("template.quality_changed", { quality: [sent.old_quality, sent.quality] }),
    ])}`;
}

const deleteTemplatesBut = (
  ctx: Ctx,
  connectionId: string,
  kept: readonly Pick<ExternalTemplate, "name" | "language">[],
  condition = sql`TRUE`,
) => {
  const names = JSON.stringify(kept.map(({ name, language }) => [name, language]));
  const from = sql`
    FROM templates WHERE ${column.connectionId} = ${connectionId} AND ${column.workspaceId} = ${ctx.workspace.id}
      AND (${column.name}, ${column.language}) NOT IN (SELECT e.value ->> 0, e.value ->> 1 FROM json_each(${names}) e)
      AND ${condition}`;
  return {
    removal: [appendEvents(ctx, sql`SELECT ${event("template.deleted", column.id)} ${from}`)],
    removed: [statement(templateId, sql`DELETE ${from} RETURNING ${column.id}`)],
  };
};

/**
 * Templates that are missing in a complete list were deleted at the provider, so the sync also deletes them here. A
 * partial list deletes nothing.
 */
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
