// Tables of event logs, their listeners and webhooks, in shards. The outbox is in the control database.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wakeableKinds } from "../../shared/wakeable-object.ts";

/** The events of one batch by one actor, in order. A long batch has several rows, and `first` is a sequence number. */
export const eventChunks = sqliteTable(
  "event_chunks",
  {
    workspaceId: text("workspace_id").notNull(),
    first: integer().notNull(),
    count: integer().notNull(),
    at: integer().notNull(),
    actorType: text("actor_type", { enum: ["api_key", "member", "operator", "provider", "system"] }).notNull(),
    actorId: text("actor_id"),
    /** JSON list of `[type, object id, changes or null]`. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.first] })],
);

export const eventListeners = sqliteTable(
  "event_listeners",
  {
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: wakeableKinds }).notNull(),
    id: text().notNull(),
    /** After this time, the object is not notified. */
    until: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.kind, table.id] })],
);

/** Events of changes in the control database. A job moves the events to the log on the workspace's shard. */
export const eventOutbox = sqliteTable(
  "event_outbox",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** The time of the change. The log stores the time of the append instead, so that its times never decrease. */
    at: integer().notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    type: text().notNull(),
    objectId: text("object_id").notNull(),
    /** JSON: `[before, after]` by field, or null. */
    changes: text(),
  },
  (table) => [index("event_outbox_by_workspace").on(table.workspaceId, table.id)],
);

/** Rows of the outbox that the log contains. A repeated job does not append them again. */
export const eventOutboxDone = sqliteTable(
  "event_outbox_done",
  { id: text().primaryKey(), at: integer().notNull() },
  (table) => [index("event_outbox_done_by_age").on(table.at)],
);

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    url: text().notNull(),
    description: text(),
    /** JSON: the patterns of event types, as the client sent them. */
    types: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Includes or excludes events of campaign messages. `only` excludes events of other messages. */
    campaigns: text({ enum: ["include", "exclude", "only"] }).notNull(),
    /** JSON list of ids. Null for all connections. */
    connectionIds: text("connection_ids", { mode: "json" }).$type<string[]>(),
    /** JSON: limits of a request that contains many events. Null if each request contains one event. */
    batch: text({ mode: "json" }).$type<{ max_events: number; max_wait_seconds: number }>(),
    /** JSON: sealed signing secrets, newest first. A former secret also signs until `until`. */
    secrets: text({ mode: "json" }).$type<{ sealed: string; until: number | null }[]>().notNull(),
    status: text({ enum: ["active", "probing", "paused", "disabled"] }).notNull(),
    statusReason: text("status_reason"),
    /** The webhook receives events after this sequence number. */
    startAfter: integer("start_after").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [
    index("webhooks_by_workspace").on(table.workspaceId, table.id),
    index("webhooks_by_status").on(table.status),
  ],
);
