import { and, desc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { failOnOtherValues } from "../../db/revisions.ts";
import { sql } from "../../db/sql.ts";
import { type SQL, transact } from "../../db/statement.ts";
import { connectionShards, connections, workspaces } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { WorkspaceRef } from "../../shared/workspace.ts";
import {
  appendEvents,
  changeEvents,
  changedFields,
  type ChangedFields,
  event,
  eventsOf,
  newFields,
} from "../events/append-events.sql.ts";

export type ConnectionRow = typeof connections.$inferSelect;

const isLive = (ctx: Ctx) => and(eq(connections.workspaceId, ctx.workspace.id), isNull(connections.deletedAt));
const isLiveConnection = (ctx: Ctx, id: string | SQL) => and(isLive(ctx), eq(connections.id, id));

/** A row, or none where there is no such connection any more. */
export const selectConnection = (ctx: Ctx, id: string | SQL) =>
  ctx.db.select().from(connections).where(isLiveConnection(ctx, id));

/** A row if the connection was deleted. */
export const selectDeletedConnection = (ctx: Ctx, id: string) =>
  ctx.db
    .select({ id: connections.id })
    .from(connections)
    .where(
      and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspace.id), isNotNull(connections.deletedAt)),
    );

/** Null where there is none, or none any more. */
export const findConnection = async (ctx: Ctx, id: string): Promise<ConnectionRow | null> =>
  (await transact(ctx.db, { rows: selectConnection(ctx, id) })).rows[0] ?? null;

/** Newest first, one row beyond `limit`. */
export const selectConnections = (ctx: Ctx, limit: number, before: string | undefined) =>
  ctx.db
    .select()
    .from(connections)
    .where(and(isLive(ctx), before === undefined ? undefined : lt(connections.id, before)))
    .orderBy(desc(connections.id))
    .limit(limit + 1);

const isOtherDefault = (ctx: Ctx, { id, channel }: Pick<ConnectionRow, "id" | "channel">): SQL => sql`
  workspace_id = ${ctx.workspace.id} AND channel = ${channel} AND id <> ${id} AND is_default AND deleted_at IS NULL`;

const clearOtherDefaults = (ctx: Ctx, connection: Pick<ConnectionRow, "id" | "channel">): SQL =>
  sql`UPDATE connections SET is_default = FALSE WHERE ${isOtherDefault(ctx, connection)}`;

const asBoolean = (column: SQL): SQL => sql`json(iif(${column}, 'true', 'false'))`;

/** The default of the channel that gives way to another connection. */
const lostDefaultEvents = (ctx: Ctx, connection: Pick<ConnectionRow, "id" | "channel">): SQL => sql`
  SELECT ${event("connection.updated", sql`id`, sql`'{"is_default":[true,false]}'`)}
  FROM connections WHERE ${isOtherDefault(ctx, connection)}`;

/** No event holds settings, since they may be secret. */
const newConnectionEvent = (ctx: Ctx, { id }: ConnectionRow): SQL => {
  const plain = ["name", "channel", "provider", "status", "status_detail", "messages_per_second"];
  const fields: ChangedFields = {
    ...newFields(plain),
    is_default: [sql`NULL`, asBoolean(sql`is_default`)],
  };
  return sql`
    SELECT ${event("connection.created", sql`id`, changedFields(fields))} FROM connections
    WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;
};

/** The first connection of a channel becomes its default, whatever was asked for. `alongside` is run in the same transaction. */
export async function insertConnection(ctx: Ctx, row: ConnectionRow, alongside: SQL[]): Promise<void> {
  await ctx.control.insert(connectionShards).values({ connectionId: row.id, workspaceId: row.workspaceId });
  const others = sql`SELECT 1 FROM connections WHERE workspace_id = ${ctx.workspace.id} AND channel = ${row.channel} AND is_default AND deleted_at IS NULL`;
  const isDefault = row.isDefault ? sql`TRUE` : sql`NOT EXISTS (${others})`;
  await transact(ctx.db, {
    lostDefault: row.isDefault ? [appendEvents(ctx, lostDefaultEvents(ctx, row))] : [],
    otherDefaults: row.isDefault ? [clearOtherDefaults(ctx, row)] : [],
    connection: ctx.db.insert(connections).values({ ...row, isDefault }),
    created: appendEvents(ctx, newConnectionEvent(ctx, row)),
    alongside,
  });
}

type ConnectionChange = Partial<
  Pick<
    ConnectionRow,
    | "name"
    | "messagesPerSecond"
    | "isDefault"
    | "config"
    | "secrets"
    | "status"
    | "statusDetail"
    | "statusAt"
    | "unreachableSince"
    | "retestAt"
  >
>;

/** An event says that settings changed, without their values, since they may be secret. */
function changedConnectionEvents(ctx: Ctx, connection: ConnectionRow, change: ConnectionChange): SQL {
  const { name, messagesPerSecond, isDefault, config, secrets } = change;
  const after = (column: string, value: unknown) =>
    [sql`${sql.identifier(column)}`, value === undefined ? sql`${sql.identifier(column)}` : sql`${value}`] as const;
  const from = sql`FROM connections WHERE ${isLiveConnection(ctx, connection.id)}`;
  const fields: ChangedFields = {
    name: after("name", name),
    messages_per_second: after("messages_per_second", messagesPerSecond),
    is_default: [
      asBoolean(sql`is_default`),
      isDefault === undefined ? asBoolean(sql`is_default`) : asBoolean(sql`${isDefault}`),
    ],
  };
  const hasSettings = [config, secrets].some((each) => Object.keys(each ?? {}).length > 0);
  const updated = sql`
    SELECT type, object_id, nullif(changes, '{}') AS changes FROM (
      SELECT ${event("connection.updated", sql`id`, changedFields(fields))} ${from})
    WHERE ${hasSettings} OR changes <> '{}'`;
  const status = { status: after("status", change.status), status_detail: after("status_detail", change.statusDetail) };
  return eventsOf([
    ...(isDefault === true ? [lostDefaultEvents(ctx, connection)] : []),
    updated,
    changeEvents("connection.status_changed", {
      objectId: sql`id`,
      fields: status,
      from,
    }),
  ]);
}

/** Settings are merged in SQL, so that two changes at once keep both. */
export async function changeConnection(
  ctx: Ctx,
  connection: ConnectionRow,
  changed: ConnectionChange,
  shown: Pick<ConnectionChange, "name" | "messagesPerSecond">,
): Promise<void> {
  const { config, secrets, ...change } = changed;
  const merged = {
    config: sql`json_patch(${connections.config}, ${JSON.stringify(config ?? {})})`,
    secrets: sql`json_patch(${connections.secrets}, ${JSON.stringify(secrets ?? {})})`,
  };
  await transact(ctx.db, {
    precondition: failOnOtherValues(sql`FROM connections WHERE ${isLiveConnection(ctx, connection.id)}`, [
      [sql`name`, shown.name, change.name],
      [sql`messages_per_second`, shown.messagesPerSecond, change.messagesPerSecond],
    ]),
    events: appendEvents(ctx, changedConnectionEvents(ctx, connection, changed)),
    otherDefaults: change.isDefault === true ? [clearOtherDefaults(ctx, connection)] : [],
    changed: ctx.db
      .update(connections)
      .set({ ...change, ...merged })
      .where(isLiveConnection(ctx, connection.id)),
  });
}

export async function markConnectionDeleted(ctx: Ctx, id: string): Promise<void> {
  const from = sql`FROM connections WHERE ${isLiveConnection(ctx, id)}`;
  await transact(ctx.db, {
    event: appendEvents(ctx, sql`SELECT ${event("connection.deleted", sql`id`)} ${from}`),
    deletion: ctx.db
      .update(connections)
      .set({ deletedAt: ctx.now(), isDefault: false, retestAt: null })
      .where(isLiveConnection(ctx, id)),
  });
}

/** The workspace of a connection known only by its id; null when there never was one. */
export async function findWorkspaceOfConnection(ctx: BaseCtx, id: string): Promise<WorkspaceRef | null> {
  const [row] = await ctx.control
    .select({ id: workspaces.id, number: workspaces.number, shard: workspaces.shard })
    .from(connectionShards)
    .innerJoin(workspaces, eq(workspaces.id, connectionShards.workspaceId))
    .where(eq(connectionShards.connectionId, id));
  return row ?? null;
}
