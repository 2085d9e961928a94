import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, type Statement, statement, transact } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import type { TemplateStatus } from "../../channels/channel-templates.ts";
import type { Ctx } from "../../shared/context.ts";
import {
  appendEvents,
  type ChangedFields,
  changeEvents,
  changedFields,
  event,
  eventsOf,
} from "../events/append-events.sql.ts";
import type { EventType } from "../events/events.types.ts";
import { newTemplateFields } from "./templates.sql.ts";

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

/** Not every provider's list has them: they are kept then. */
const keptQuality = sql`coalesce(excluded.quality, templates.quality)`;
const keptReason = sql`iif(excluded.status = 'REJECTED', coalesce(excluded.rejection_reason, templates.rejection_reason), NULL)`;

/** Adds the templates of a connection, while it is there, and changes those that differ; gives the ids of both. */
const upsertExternalTemplates = (ctx: Ctx, connectionId: string, json: string): Statement<TemplateId> =>
  statement(
    templateId,
    sql`
  INSERT INTO templates (id, workspace_id, connection_id, source, name, language, provider_id, category, status, parameters,
    body, variables, components, quality, rejection_reason, created_at, updated_at)
  SELECT e.value ->> 'id', ${ctx.workspace.id}, ${connectionId}, 'external', e.value ->> 'name', e.value ->> 'language',
    e.value ->> 'providerId', e.value ->> 'category', e.value ->> 'status', e.value ->> 'parameters',
    e.value ->> 'body', e.value -> 'variables', e.value -> 'components', e.value ->> 'quality',
    e.value ->> 'rejectionReason', ${ctx.now()}, ${ctx.now()}
  FROM json_each(${json}) e
  WHERE ${connectionIsLive(ctx, connectionId)}
  ON CONFLICT (connection_id, name, language) WHERE connection_id IS NOT NULL DO UPDATE SET
    ${list(
      columnsOfProvider.map((name) => sql`${name} = excluded.${name}`),
      sql`, `,
    )}, quality = ${keptQuality}, rejection_reason = ${keptReason}, updated_at = excluded.updated_at
  WHERE ${list(
    columnsOfProvider.map((name) => sql`templates.${name} IS NOT excluded.${name}`),
    sql` OR `,
  )} OR templates.quality IS NOT ${keptQuality} OR templates.rejection_reason IS NOT ${keptReason}
  RETURNING id`,
  );

const connectionIsLive = (ctx: Ctx, connectionId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL)`;

/** The events of what `upsertExternalTemplates` is about to change. A change of components alone is told without its values. */
function externalTemplateEvents(ctx: Ctx, connectionId: string, json: string): SQL {
  const sent = sql`
    SELECT e.value ->> 'name' AS name, e.value ->> 'language' AS language, e.value ->> 'category' AS category,
      e.value ->> 'status' AS status, e.value ->> 'body' AS body, e.value -> 'variables' AS variables,
      e.value -> 'components' AS components, 'external' AS source, ${connectionId} AS connection_id,
      coalesce(t.id, e.value ->> 'id') AS id, t.id AS known_id, t.category AS old_category, t.status AS old_status,
      e.value ->> 'quality' AS quality, t.quality AS old_quality, t.body AS old_body, t.variables AS old_variables, t.components AS old_components
    FROM json_each(${json}) e
    LEFT JOIN templates t ON t.connection_id = ${connectionId} AND t.name = e.value ->> 'name' AND t.language = e.value ->> 'language'
    WHERE ${connectionIsLive(ctx, connectionId)}`;
  const changes = changedFields({
    body: [sql`old_body`, sql`body`],
    category: [sql`old_category`, sql`category`],
    variables: [sql`json(old_variables)`, sql`json(variables)`],
  });
  const known = sql`FROM sent WHERE known_id IS NOT NULL`;
  const status = { status: [sql`old_status`, sql`status`] } as const;
  // Materialized, so that the list stays outside: it would be read for each template otherwise.
  return sql`WITH sent AS MATERIALIZED (${sent}) ${eventsOf([
    sql`SELECT ${event("template.created", sql`id`, changedFields(newTemplateFields))} FROM sent WHERE known_id IS NULL`,
    sql`SELECT type, object_id, nullif(changes, '{}') AS changes FROM (
      SELECT ${event("template.updated", sql`id`, changes)}, components IS NOT old_components AS has_other_parts ${known})
      WHERE changes <> '{}' OR has_other_parts`,
    changeEvents("template.status_changed", { objectId: sql`id`, fields: status, from: known }),
    changeEvents("template.quality_changed", {
      objectId: sql`id`,
      fields: { quality: [sql`old_quality`, sql`coalesce(quality, old_quality)`] },
      from: known,
    }),
  ])}`;
}

/** Deletes the templates that the provider no longer holds. */
const deleteTemplatesBut = (
  ctx: Ctx,
  connectionId: string,
  kept: readonly Pick<ExternalTemplate, "name" | "language">[],
) => {
  const names = JSON.stringify(kept.map(({ name, language }) => [name, language]));
  const from = sql`
    FROM templates WHERE connection_id = ${connectionId} AND workspace_id = ${ctx.workspace.id}
      AND (name, language) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${names}))`;
  return {
    removal: appendEvents(ctx, sql`SELECT ${event("template.deleted", sql`id`)} ${from}`),
    removed: statement(templateId, sql`DELETE ${from} RETURNING id`),
  };
};

const replaceTemplates = (ctx: Ctx, connectionId: string, rows: readonly ExternalTemplate[]) => {
  const lists = jsonLists(rows);
  return {
    events: lists.map((json) => appendEvents(ctx, externalTemplateEvents(ctx, connectionId, json))),
    written: lists.map((json) => upsertExternalTemplates(ctx, connectionId, json)),
    ...deleteTemplatesBut(ctx, connectionId, rows),
  };
};

/** Statements that make a connection's templates what its provider holds. */
export function replaceExternalTemplates(ctx: Ctx, connectionId: string, rows: readonly ExternalTemplate[]): SQL[] {
  const { events, written, removal, removed } = replaceTemplates(ctx, connectionId, rows);
  return [...events, ...written.map((each) => each.sql), removal, removed.sql];
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
  await transact(ctx.db, deleteTemplatesBut(ctx, connectionId, []));
}

export interface TemplateReview {
  name: string;
  language: string;
  /** Null leaves it as it is, as do null or no `quality` and `category`. */
  status: TemplateStatus | null;
  reason?: string | null | undefined;
  quality?: string | null | undefined;
  category?: string | null | undefined;
  /** ms since the epoch. */
  at: number;
}

/** The last moment that a provider's time may mean: it is mostly in whole seconds. */
const endOfMoment = (at: number): number => (at % 1000 === 0 ? at + 999 : at);

/** Sets what a review says of an external template, unless something later is known of it. */
export async function updateReviewedTemplate(
  ctx: Ctx,
  connectionId: string,
  { name, language, status, reason = null, quality = null, category = null, at }: TemplateReview,
): Promise<void> {
  const isReviewed = sql`
    connection_id = ${connectionId} AND name = ${name} AND language = ${language} AND workspace_id = ${ctx.workspace.id}
    AND updated_at <= ${endOfMoment(at)}`;
  const next = {
    status: sql`coalesce(${status}, status)`,
    quality: sql`coalesce(${quality}, quality)`,
    category: sql`coalesce(${category}, category)`,
    rejection_reason: status === null ? sql`rejection_reason` : sql`${status === "REJECTED" ? reason : null}`,
  };
  const from = sql`FROM templates WHERE ${isReviewed}`;
  const tell = (type: EventType, fields: ChangedFields) => changeEvents(type, { objectId: sql`id`, fields, from });
  await transact(ctx.db, {
    event: appendEvents(
      ctx,
      eventsOf([
        tell("template.updated", { category: [sql`category`, next.category] }),
        tell("template.status_changed", {
          status: [sql`status`, next.status],
          rejection_reason: [sql`rejection_reason`, next.rejection_reason],
        }),
        tell("template.quality_changed", { quality: [sql`quality`, next.quality] }),
      ]),
    ),
    update: sql`
      UPDATE templates SET status = ${next.status}, quality = ${next.quality}, category = ${next.category},
        rejection_reason = ${next.rejection_reason}, updated_at = max(updated_at, ${at})
      WHERE ${isReviewed} AND (status, quality, category, rejection_reason, updated_at)
        IS NOT (${next.status}, ${next.quality}, ${next.category}, ${next.rejection_reason}, max(updated_at, ${at}))`,
  });
}
