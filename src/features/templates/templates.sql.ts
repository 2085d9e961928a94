import { and, desc, eq, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { changedColumns, columns } from "../../db/columns.ts";
import { campaigns, templates, media } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import type { TemplateRow } from "./templates.schemas.ts";
import { isVisible } from "../media/media-states.sql.ts";
import { mediaRecord } from "../media/media.schemas.ts";

const t = columns(templates, "t");
const column = columns(templates);

const recordColumns = {
  id: templates.id,
  name: templates.name,
  body: templates.body,
  status: templates.status,
  source: templates.source,
  connection_id: templates.connectionId,
  language: templates.language,
  category: templates.category,
  variables: templates.variables,
  components: sql`coalesce(${templates.components}, '[]')`.mapWith(templates.components).as("components"),
  parameters: templates.parameters,
  quality: templates.quality,
  rejection_reason: templates.rejectionReason,
  created_at: templates.createdAt,
  updated_at: templates.updatedAt,
  revision: templates.revision,
};

const isOfWorkspace = (ctx: Ctx) => eq(templates.workspaceId, ctx.workspace.id);
const isTemplate = (ctx: Ctx, id: string | SQL) => and(eq(templates.id, id), isOfWorkspace(ctx));

export interface TemplateFilter {
  status: TemplateRow["status"] | undefined;
  source: TemplateRow["source"] | undefined;
  limit: number | undefined;
  before: string | undefined;
}

export function selectTemplates(ctx: Ctx, { status, source, limit, before }: TemplateFilter) {
  const filters = [
    status === undefined ? undefined : eq(templates.status, status),
    source === undefined ? undefined : eq(templates.source, source),
    before === undefined ? undefined : lt(templates.id, before),
  ];
  const all = ctx.db
    .select(recordColumns)
    .from(templates)
    .where(and(isOfWorkspace(ctx), ...filters))
    .orderBy(desc(templates.id));
  return limit === undefined ? all : all.limit(limit + 1);
}

export const selectTemplate = (ctx: Ctx, id: string | SQL) =>
  ctx.db.select(recordColumns).from(templates).where(isTemplate(ctx, id));

export const selectLocalNameHolder = (ctx: Ctx, name: string) =>
  ctx.db
    .select({ id: templates.id })
    .from(templates)
    .where(and(isOfWorkspace(ctx), eq(templates.name, name), isNull(templates.connectionId)));

interface TemplateName {
  connection_id: string;
  name: string;
  language: string;
}

export const selectNamedTemplate = (ctx: Ctx, { connection_id: connectionId, name, language }: TemplateName) =>
  ctx.db
    .select(recordColumns)
    .from(templates)
    .where(
      and(
        isOfWorkspace(ctx),
        eq(templates.connectionId, connectionId),
        eq(templates.name, name),
        eq(templates.language, language),
      ),
    );

export const selectProviderId = (ctx: Ctx, id: string) =>
  ctx.db.select({ providerId: templates.providerId }).from(templates).where(isTemplate(ctx, id));

export const connectionOf = (ctx: Ctx, id: string): SQL =>
  sql`${ctx.db.select({ id: templates.connectionId }).from(templates).where(isTemplate(ctx, id))}`;

const UNFINISHED = ["draft", "scheduled", "running", "paused"] as const;

export const isUnfinishedStatus = (status: SQL): SQL => sql`${status} IN ${UNFINISHED}`;

export const selectUnfinishedCampaign = (ctx: Ctx, condition: SQL) =>
  ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, ctx.workspace.id), inArray(campaigns.status, UNFINISHED), condition))
    .limit(1);

export const selectSendingCampaign = (ctx: Ctx, id: string) =>
  selectUnfinishedCampaign(ctx, eq(campaigns.templateId, id));

const rowOf = (template: TemplateRow) => ({
  id: template.id,
  name: template.name,
  body: template.body,
  status: template.status,
  source: template.source,
  connectionId: template.connection_id,
  language: template.language,
  category: template.category,
  variables: template.variables,
  components: template.source === "local" ? null : template.components,
  parameters: template.parameters,
  quality: template.quality,
  rejectionReason: template.rejection_reason,
  createdAt: template.created_at,
  updatedAt: template.updated_at,
  revision: template.revision,
});

export const insertTemplate = (ctx: Ctx, template: TemplateRow, providerId: string | null) =>
  ctx.db.insert(templates).values({ ...rowOf(template), workspaceId: ctx.workspace.id, providerId });

export function updateTemplateRow(ctx: Ctx, before: TemplateRow, after: TemplateRow) {
  const changed = changedColumns(rowOf(before), rowOf(after));
  return changed === null ? [] : [ctx.db.update(templates).set(changed).where(isTemplate(ctx, after.id))];
}

export const deleteTemplateRow = (ctx: Ctx, id: string) => ctx.db.delete(templates).where(isTemplate(ctx, id));

/**
 * Returns no row if another edit has changed the revision. Of two concurrent edits, only one therefore calls the
 * provider.
 */
export const claimNextRevision = (ctx: Ctx, { id, revision }: TemplateRow) =>
  ctx.db
    .update(templates)
    .set({ revision: revision + 1 })
    .where(and(isTemplate(ctx, id), eq(templates.revision, revision)))
    .returning({ revision: templates.revision });

export const releaseRevision = (ctx: Ctx, id: string, claimed: number) =>
  ctx.db
    .update(templates)
    .set({ revision: claimed - 1 })
    .where(and(isTemplate(ctx, id), eq(templates.revision, claimed)));

/** Raw SQL, because the event feed builds JSON in SQL. */
export const templateAsJson = (ctx: Ctx, id: SQL): SQL => sql`
  SELECT json_object('id', ${column.id}, 'name', ${column.name}, 'body', ${column.body}, 'status', ${column.status}, 'source', ${column.source},
    'connection_id', ${column.connectionId}, 'language', ${column.language}, 'category', ${column.category},
    'variables', json(${column.variables}), 'components', json(coalesce(${column.components}, '[]')),
    'parameters', ${column.parameters}, 'quality', ${column.quality}, 'rejection_reason', ${column.rejectionReason},
    'created_at', ${column.createdAt}, 'updated_at', ${column.updatedAt}, 'revision', ${column.revision}) AS result
  FROM templates WHERE ${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id}`;

const componentsRow = z.object({ id: z.string(), components: fromJson(z.array(z.unknown())) });

/** Raw SQL, because the ids are passed as one JSON parameter. D1 limits the number of parameters. */
export const selectComponentsByIds = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof componentsRow>> =>
  statement(
    componentsRow,
    sql`
      SELECT ${t.id}, coalesce(${t.components}, '[]') AS components
      FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN templates t ON ${t.id} = j.value
      WHERE ${t.workspaceId} = ${ctx.workspace.id}`,
  );

const f = columns(media, "f");

const templateFile = mediaRecord.pick({ id: true, status: true, mime_type: true, bytes: true });

export type TemplateFile = z.infer<typeof templateFile>;

export const selectTemplateFiles = (ctx: Ctx, ids: readonly string[]): Statement<TemplateFile>[] =>
  ids.length === 0
    ? []
    : [
        statement(
          templateFile,
          sql`
            SELECT ${f.id}, ${f.status}, ${f.mimeType}, ${f.bytes} FROM json_each(${JSON.stringify(ids)}) e
            CROSS JOIN media f ON ${f.id} = e.value AND ${f.workspaceId} = ${ctx.workspace.id} AND ${isVisible(f)}`,
        ),
      ];
