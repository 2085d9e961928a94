import { and, eq, lte, sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, type Statement, statement, transact } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import { templates } from "../../db/schema/index.ts";
import type { TemplateStatus } from "../../channels/channel-templates.ts";
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

const templateId = z.object({ id: z.string() });

type TemplateId = z.infer<typeof templateId>;

const columnsOfProvider = ["provider_id", "category", "status", "parameters", "body", "variables", "components"].map(
  (name) => sql.identifier(name),
);
const list = (items: SQL[], separator: SQL) => sql.join(items, separator);

/** Adds the templates of a connection, while it is there, and changes those that differ; gives the ids of both. */
const upsertExternalTemplates = (ctx: Ctx, connectionId: string, json: string): Statement<TemplateId> =>
  statement(
    templateId,
    sql`
  INSERT INTO templates (id, workspace_id, connection_id, source, name, language, provider_id, category, status, parameters,
    body, variables, components, created_at, updated_at)
  SELECT e.value ->> 'id', ${ctx.workspace.id}, ${connectionId}, 'external', e.value ->> 'name', e.value ->> 'language',
    e.value ->> 'providerId', e.value ->> 'category', e.value ->> 'status', e.value ->> 'parameters',
    e.value ->> 'body', e.value -> 'variables', e.value -> 'components', ${ctx.now()}, ${ctx.now()}
  FROM json_each(${json}) e
  WHERE EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL)
  ON CONFLICT (connection_id, name, language) WHERE connection_id IS NOT NULL DO UPDATE SET
    ${list(
      columnsOfProvider.map((name) => sql`${name} = excluded.${name}`),
      sql`, `,
    )}, updated_at = excluded.updated_at
  WHERE ${list(
    columnsOfProvider.map((name) => sql`templates.${name} IS NOT excluded.${name}`),
    sql` OR `,
  )}
  RETURNING id`,
  );

/** Deletes the templates that the provider no longer holds. */
const deleteTemplatesBut = (
  ctx: Ctx,
  connectionId: string,
  kept: readonly Pick<ExternalTemplate, "name" | "language">[],
): Statement<TemplateId> => {
  const names = JSON.stringify(kept.map(({ name, language }) => [name, language]));
  return statement(
    templateId,
    sql`
  DELETE FROM templates WHERE connection_id = ${connectionId} AND workspace_id = ${ctx.workspace.id}
    AND (name, language) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${names}))
  RETURNING id`,
  );
};

const replaceTemplates = (ctx: Ctx, connectionId: string, rows: readonly ExternalTemplate[]) => ({
  written: jsonLists(rows).map((json) => upsertExternalTemplates(ctx, connectionId, json)),
  removed: deleteTemplatesBut(ctx, connectionId, rows),
});

/** Statements that make a connection's templates what its provider holds. */
export function replaceExternalTemplates(ctx: Ctx, connectionId: string, rows: readonly ExternalTemplate[]): SQL[] {
  const { written, removed } = replaceTemplates(ctx, connectionId, rows);
  return [...written, removed].map((each) => each.sql);
}

/** Makes a connection's templates what its provider holds; gives the ids of templates that were written and of those removed. */
export async function storeExternalTemplates(
  ctx: Ctx,
  connectionId: string,
  rows: readonly ExternalTemplate[],
): Promise<{ written: string[]; removed: string[] }> {
  const { written, removed } = await transact(ctx.db, replaceTemplates(ctx, connectionId, rows));
  return { written: written.map(({ id }) => id), removed: removed.map(({ id }) => id) };
}

export async function deleteTemplatesOfConnection(ctx: Ctx, connectionId: string): Promise<void> {
  await ctx.db
    .delete(templates)
    .where(and(eq(templates.connectionId, connectionId), eq(templates.workspaceId, ctx.workspace.id)));
}

export interface TemplateReview {
  name: string;
  language: string;
  status: TemplateStatus;
  /** ms since the epoch. */
  at: number;
}

/** Sets the status of an external template, unless something later is known of it. */
export async function updateReviewedTemplate(
  ctx: Ctx,
  connectionId: string,
  { name, language, status, at }: TemplateReview,
): Promise<void> {
  await ctx.db
    .update(templates)
    .set({ status, updatedAt: at })
    .where(
      and(
        eq(templates.connectionId, connectionId),
        eq(templates.name, name),
        eq(templates.language, language),
        eq(templates.workspaceId, ctx.workspace.id),
        lte(templates.updatedAt, at),
        sql`(${templates.status}, ${templates.updatedAt}) IS NOT (${status}, ${at})`,
      ),
    );
}
