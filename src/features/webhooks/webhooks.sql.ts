import { sql } from "../../db/sql.ts";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { appendEvents, changedFields, event } from "../events/append-events.sql.ts";
import { fromJson } from "../../shared/json.ts";
import type { EventType } from "../events/events.types.ts";
import { startListening, stopListening } from "../events/listen-for-events.sql.ts";
import { newestSequence, oldestSequence } from "../events/log-bounds.sql.ts";
import { SENDING } from "./webhooks.retries.ts";
import {
  type WebhookChange,
  type WebhookPlace,
  webhookRow,
  type WebhookRow,
  type WebhookSettings,
  webhookState,
} from "./webhooks.schemas.ts";

export const MAX_WEBHOOKS = 10;
/** Secrets that sign at once: the newest, and those before it whose time is not over. */
export const MAX_SECRETS = 5;

const isWebhook = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const webhookJson = sql`json_object('id', id, 'url', url, 'description', description, 'types', json(types),
  'campaigns', campaigns, 'connection_ids', json(connection_ids), 'batch', json(batch), 'secrets', json(secrets),
  'status', status, 'status_reason', status_reason, 'start_after', start_after, 'created_at', created_at,
  'updated_at', updated_at, 'revision', revision)`;

/** The revision of a webhook; no row where there is none. */
export const webhookRevision = (ctx: Ctx, id: string): SQL =>
  sql`SELECT revision FROM webhooks WHERE ${isWebhook(ctx, id)}`;

export const selectWebhook = (ctx: Ctx, id: string): Statement<WebhookRow> =>
  statement(webhookRow, sql`SELECT ${webhookJson} AS result FROM webhooks WHERE ${isWebhook(ctx, id)}`);

const stateJson = (ctx: Ctx, place: SQL): SQL => sql`json_object(
  'webhook', ${webhookJson}, 'place', ${place}, 'oldest', ${oldestSequence(sql`${ctx.workspace.id}`)}, 'newest', ${newestSequence(sql`${ctx.workspace.id}`)})`;

/** One row with the webhook and the bounds of the log as JSON in `result`, or none. `place` comes from its object. */
export const webhookAsJson = (ctx: Ctx, id: string, place: WebhookPlace | null = null): SQL =>
  sql`SELECT ${stateJson(ctx, place === null ? sql`NULL` : sql`json(${JSON.stringify(place)})`)} AS result
    FROM webhooks WHERE ${isWebhook(ctx, id)}`;

/** The same, and no row where this is not its newest secret. */
export const webhookWithSecretAsJson = (ctx: Ctx, id: string, sealed: string): SQL =>
  sql`${webhookAsJson(ctx, id)} AND secrets ->> '$[0].sealed' = ${sealed}`;

const stateRow = z.object({ result: fromJson(webhookState) });

/** One webhook, with the bounds of the log. */
export const selectWebhookState = (ctx: Ctx, id: string): Statement<z.infer<typeof stateRow>> =>
  statement(stateRow, webhookAsJson(ctx, id));

/** The same of all, newest first, one row beyond `limit`. */
export const selectWebhooks = (
  ctx: Ctx,
  limit: number,
  before: string | undefined,
): Statement<z.infer<typeof stateRow>> =>
  statement(
    stateRow,
    sql`
      SELECT ${stateJson(ctx, sql`NULL`)} AS result FROM webhooks
      WHERE workspace_id = ${ctx.workspace.id} ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );

const unknownConnection = z.object({ id: z.string() });

/** Those of these ids that no connection of the workspace has, or had. */
export const selectUnknownConnections = (
  ctx: Ctx,
  ids: readonly string[],
): Statement<z.infer<typeof unknownConnection>> =>
  statement(
    unknownConnection,
    sql`
      SELECT e.value AS id FROM json_each(${JSON.stringify(ids)}) e
      WHERE NOT EXISTS (SELECT 1 FROM connections k WHERE k.id = e.value AND k.workspace_id = ${ctx.workspace.id})`,
  );

const hasRoom = (ctx: Ctx): SQL =>
  sql`(SELECT count(*) FROM webhooks WHERE workspace_id = ${ctx.workspace.id}) < ${MAX_WEBHOOKS}`;

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const isList = (value: string | null): SQL => (value === null ? sql`NULL` : sql`json(${value})`);

export interface NewWebhook extends WebhookSettings {
  id: string;
  sealedSecret: string;
  /** Null for the newest event there is when the row is inserted. */
  startAfter: number | null;
}

/** Inserts a webhook where the workspace has room for another, and has its object woken by events. */
export function insertWebhook(ctx: Ctx, row: NewWebhook, guard: SQL): SQL[] {
  const { id, url, description, campaigns } = row;
  const [types, connectionIds, batch] = [JSON.stringify(row.types), jsonOf(row.connection_ids), jsonOf(row.batch)];
  const changes = changedFields({
    url: [sql`NULL`, sql`${url}`],
    description: [sql`NULL`, sql`${description}`],
    types: [sql`NULL`, isList(types)],
    campaigns: [sql`NULL`, sql`${campaigns}`],
    connection_ids: [sql`NULL`, isList(connectionIds)],
    batch: [sql`NULL`, isList(batch)],
    status: [sql`NULL`, sql`'active'`],
  });
  const secrets = JSON.stringify([{ sealed: row.sealedSecret, until: null }]);
  return [
    appendEvents(ctx, sql`SELECT ${event("webhook.created", id, changes)} WHERE ${hasRoom(ctx)} AND ${guard}`),
    sql`
      INSERT INTO webhooks (id, workspace_id, workspace_number, url, description, types, campaigns, connection_ids, batch, secrets, status, start_after, created_at, updated_at)
      SELECT ${id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${url}, ${description}, ${types}, ${campaigns}, ${connectionIds}, ${batch}, ${secrets}, 'active',
        ${row.startAfter === null ? newestSequence(sql`${ctx.workspace.id}`) : sql`${row.startAfter}`}, ${ctx.now()}, ${ctx.now()}
      WHERE ${hasRoom(ctx)} AND ${guard}`,
    startListening(ctx, ["webhook", id], isSendingWebhook(ctx, id)),
  ];
}

const sends = sql`status IN (${sql.join(
  SENDING.map((status) => sql`${status}`),
  sql`, `,
)})`;

const isSendingWebhook = (ctx: Ctx, id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE ${isWebhook(ctx, id)} AND ${sends})`;

/** Has events wake the object of a webhook while it sends, and no longer. */
const listenWhileSending = (ctx: Ctx, id: string): SQL[] => [
  startListening(ctx, ["webhook", id], isSendingWebhook(ctx, id)),
  stopListening(ctx, ["webhook", id], sql`NOT ${isSendingWebhook(ctx, id)}`),
];

interface Change {
  type: EventType;
  /** Columns with their new value, by the API's name. Lists are JSON. */
  set: Record<string, { value: SQL; isJson: boolean }>;
  /** Beside that it is this webhook. */
  condition: SQL;
  /** Whether a client asked for it, which raises the revision: what becomes of its endpoint does not. */
  isAsked: boolean;
}

/** Changes columns of a webhook and appends the event, where anything differs. */
function changeColumns(ctx: Ctx, id: string, { type, set, condition, isAsked }: Change): SQL[] {
  const columns = Object.entries(set);
  const isChange = sql`${isWebhook(ctx, id)} AND ${condition} AND (${sql.join(
    columns.map(([name, { value }]) => sql`${sql.identifier(name)} IS NOT ${value}`),
    sql` OR `,
  )})`;
  const fields: Record<string, readonly [SQL, SQL]> = Object.fromEntries(
    columns.map(([name, { value, isJson }]): [string, readonly [SQL, SQL]] => {
      const column = sql`webhooks.${sql.identifier(name)}`;
      return [name, isJson ? [sql`json(${column})`, sql`json(${value})`] : [column, value]];
    }),
  );
  const assigned = columns.map(([name, { value }]) => sql`${sql.identifier(name)} = ${value}`);
  return [
    appendEvents(ctx, sql`SELECT ${event(type, id, changedFields(fields))} FROM webhooks WHERE ${isChange}`),
    sql`UPDATE webhooks SET ${sql.join(assigned, sql`, `)}, updated_at = ${ctx.now()}, revision = revision + ${isAsked ? 1 : 0} WHERE ${isChange}`,
  ];
}

/** Changes what is not undefined. */
export function updateWebhookRow(ctx: Ctx, id: string, change: WebhookChange, guard: SQL): SQL[] {
  const plain = { url: change.url, description: change.description, campaigns: change.campaigns };
  const lists = { types: change.types, connection_ids: change.connection_ids, batch: change.batch };
  const set = Object.fromEntries([
    ...Object.entries(plain).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value: sql`${value}`, isJson: false }] as const],
    ),
    ...Object.entries(lists).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value: sql`${jsonOf(value)}`, isJson: true }] as const],
    ),
  ]);
  return Object.keys(set).length === 0
    ? []
    : changeColumns(ctx, id, { type: "webhook.updated", set, condition: guard, isAsked: true });
}

/** Sets the status where `condition` holds, with what follows for who is woken by events. */
export function setWebhookStatus(
  ctx: Ctx,
  id: string,
  {
    status,
    reason = null,
    condition,
    isAsked,
  }: { status: string; reason?: string | null; condition: SQL; isAsked: boolean },
): SQL[] {
  const type = status === "disabled" ? "webhook.disabled" : "webhook.updated";
  const set = {
    status: { value: sql`${status}`, isJson: false },
    status_reason: { value: sql`${reason}`, isJson: false },
  };
  return [...changeColumns(ctx, id, { type, set, condition, isAsked }), ...listenWhileSending(ctx, id)];
}

/** The status as its object has found it, unless it was changed meanwhile. */
export const moveWebhookStatus = (ctx: Ctx, id: string, from: string, status: string, reason: string | null): SQL[] =>
  setWebhookStatus(ctx, id, { status, reason, condition: sql`status = ${from}`, isAsked: false });

/** Puts a new secret before the others, which go on signing until `until`, where not so many sign then that one would be lost. */
export function addWebhookSecret(ctx: Ctx, id: string, sealed: string, until: number, guard: SQL): SQL[] {
  const ends = sql`min(coalesce(value ->> 'until', ${until}), ${until})`;
  const hasPlace = sql`(SELECT count(*) FROM json_each(webhooks.secrets) WHERE ${ends} > ${ctx.now()}) < ${MAX_SECRETS}`;
  return [
    appendEvents(
      ctx,
      sql`SELECT ${event("webhook.updated", id)} FROM webhooks WHERE ${isWebhook(ctx, id)} AND ${hasPlace} AND ${guard}`,
    ),
    sql`
      UPDATE webhooks SET updated_at = ${ctx.now()}, secrets = (SELECT json_group_array(json(secret)) FROM (
        SELECT json_object('sealed', ${sealed}, 'until', NULL) AS secret UNION ALL
        SELECT json_object('sealed', value ->> 'sealed', 'until', CAST(${ends} AS INTEGER)) FROM json_each(webhooks.secrets)
        WHERE ${ends} > ${ctx.now()}))
      WHERE ${isWebhook(ctx, id)} AND ${hasPlace} AND ${guard}`,
  ];
}

export const deleteWebhookRow = (ctx: Ctx, id: string, guard: SQL): SQL[] => [
  appendEvents(ctx, sql`SELECT ${event("webhook.deleted", id)} FROM webhooks WHERE ${isWebhook(ctx, id)} AND ${guard}`),
  sql`DELETE FROM webhooks WHERE ${isWebhook(ctx, id)} AND ${guard}`,
  stopListening(ctx, ["webhook", id], sql`NOT ${isSendingWebhook(ctx, id)}`),
];

const reference = z.object({ id: z.string(), workspace_id: z.string(), workspace_number: z.number() });

/** The webhooks of a shard that send, in workspaces with events since `since`. */
export const selectRecentWebhooks = (since: number): Statement<z.infer<typeof reference>> =>
  statement(
    reference,
    sql`
      SELECT w.id AS id, w.workspace_id AS workspace_id, w.workspace_number AS workspace_number FROM webhooks w
      WHERE ${sends}
        AND (SELECT at FROM event_chunks WHERE workspace_id = w.workspace_id ORDER BY first DESC LIMIT 1) > ${since}`,
  );

/** A value as the answer of a request that has had its effect elsewhere. */
export const jsonAsResult = (value: unknown): SQL => sql`SELECT ${JSON.stringify(value)} AS result`;
