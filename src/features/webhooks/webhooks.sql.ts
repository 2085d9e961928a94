import { and, desc, eq, gt, inArray, isNull, lt, sql, or, type SQL } from "drizzle-orm";
import { changedColumns } from "../../db/columns.ts";
import { connections, eventChunks, messages, webhooks } from "../../db/schema/index.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { startListening, stopListening } from "../events/listen-for-events.sql.ts";
import { newestSequence, oldestSequence } from "../events/event-log.sql.ts";
import { MAX_WEBHOOKS } from "./webhooks.changes.ts";
import { isSending, SENDING } from "./webhooks.retries.ts";
import type { WebhookRow } from "./webhooks.schemas.ts";

const value = sql<string>`json_each.value`;

const recordColumns = {
  id: webhooks.id,
  url: webhooks.url,
  description: webhooks.description,
  types: webhooks.types,
  campaigns: webhooks.campaigns,
  connection_ids: webhooks.connectionIds,
  batch: webhooks.batch,
  secrets: webhooks.secrets,
  status: webhooks.status,
  status_reason: webhooks.statusReason,
  start_after: webhooks.startAfter,
  created_at: webhooks.createdAt,
  updated_at: webhooks.updatedAt,
  revision: webhooks.revision,
};

const isOfWorkspace = (ctx: Ctx) => eq(webhooks.workspaceId, ctx.workspace.id);
const isWebhook = (ctx: Ctx, id: string) => and(eq(webhooks.id, id), isOfWorkspace(ctx));

export const selectWebhook = (ctx: Ctx, id: string) =>
  ctx.db.select(recordColumns).from(webhooks).where(isWebhook(ctx, id));

export function logBounds({ workspace }: Ctx) {
  const id = sql`${workspace.id}`;
  return { oldest: oldestSequence(id), newest: newestSequence(id) };
}

function selectStates(ctx: Ctx) {
  const { oldest, newest } = logBounds(ctx);
  return ctx.db
    .select({ webhook: recordColumns, oldest: oldest.as("oldest"), newest: newest.as("newest") })
    .from(webhooks);
}

export const selectWebhookState = (ctx: Ctx, id: string) => selectStates(ctx).where(isWebhook(ctx, id));

export const selectWebhooks = (ctx: Ctx, limit: number, before: string | undefined) =>
  selectStates(ctx)
    .where(and(isOfWorkspace(ctx), before === undefined ? undefined : lt(webhooks.id, before)))
    .orderBy(desc(webhooks.id))
    .limit(limit + 1);

export const selectLastAllowedWebhook = (ctx: Ctx) =>
  ctx.db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(isOfWorkspace(ctx))
    .orderBy(webhooks.id)
    .limit(1)
    .offset(MAX_WEBHOOKS - 1);

export const selectUnknownConnections = ({ db, workspace }: Ctx, ids: readonly string[]) =>
  db
    .select({ id: value })
    .from(sql`json_each(${JSON.stringify(ids)})`)
    .leftJoin(connections, and(eq(connections.id, value), eq(connections.workspaceId, workspace.id)))
    .where(isNull(connections.id));

const rowOf = (webhook: Omit<WebhookRow, "start_after">) => ({
  id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  types: webhook.types,
  campaigns: webhook.campaigns,
  connectionIds: webhook.connection_ids,
  batch: webhook.batch,
  secrets: webhook.secrets,
  status: webhook.status,
  statusReason: webhook.status_reason,
  createdAt: webhook.created_at,
  updatedAt: webhook.updated_at,
  revision: webhook.revision,
});

export const insertWebhook = (ctx: Ctx, webhook: Omit<WebhookRow, "start_after">, startAfter: number | SQL<number>) => [
  ctx.db.insert(webhooks).values({
    ...rowOf(webhook),
    workspaceId: ctx.workspace.id,
    workspaceNumber: ctx.workspace.number,
    startAfter,
  }),
  startListening(ctx, ["webhook", webhook.id]),
];

/** New events wake the webhook's Durable Object only while `status` allows sending. */
export function updateWebhookRow(ctx: Ctx, before: WebhookRow, after: WebhookRow) {
  const changed = changedColumns(rowOf(before), rowOf(after));
  if (changed === null) return [];
  const { id, status } = after;
  const listen = isSending(status) ? startListening : stopListening;
  return [
    ctx.db.update(webhooks).set(changed).where(isWebhook(ctx, id)),
    ...(status === before.status ? [] : [listen(ctx, ["webhook", id])]),
  ];
}

export const deleteWebhookRow = (ctx: Ctx, id: string) => [
  ctx.db.delete(webhooks).where(isWebhook(ctx, id)),
  stopListening(ctx, ["webhook", id]),
];

/**
 * Selects the webhooks of workspaces with events after `since`. Also selects webhooks that were created in this
 * `minute` of an hour (0 to 59), so that the sweep wakes each webhook once an hour.
 */
export function selectWebhooksToWake(db: Database, { since, minute }: { since: number; minute?: number }) {
  const newestAt = db
    .select({ at: eventChunks.at })
    .from(eventChunks)
    .where(eq(eventChunks.workspaceId, webhooks.workspaceId))
    .orderBy(desc(eventChunks.first))
    .limit(1);
  const isOfMinute = sql`${webhooks.createdAt} / ${sql.raw(String(MINUTE_MS))} % 60 = ${minute}`;
  return db
    .select({ id: webhooks.id, workspaceId: webhooks.workspaceId, workspaceNumber: webhooks.workspaceNumber })
    .from(webhooks)
    .where(
      and(
        inArray(webhooks.status, SENDING),
        or(gt(sql`${newestAt}`, since), minute === undefined ? undefined : isOfMinute),
      ),
    );
}

export async function findConnectionsOfMessages(
  { db, workspace }: Ctx,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: messages.id, connectionId: messages.connectionId })
    .from(sql`json_each(${JSON.stringify(ids)})`)
    .crossJoin(messages)
    .where(and(eq(messages.id, value), eq(messages.workspaceId, workspace.id)));
  return new Map(found.map(({ id, connectionId }) => [id, connectionId]));
}
