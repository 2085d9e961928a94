import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wakeableKinds } from "../../shared/wakeable-object.ts";

/**
 * The events that one actor caused in one batch. `first` is the sequence number of the first event in this row;
 * a long batch is split into several rows.
 */
export const eventChunks = sqliteTable(
  "event_chunks",
  {
    workspaceId: text("workspace_id").notNull(),
    first: integer().notNull(),
    count: integer().notNull(),
    at: integer().notNull(),
    actorType: text("actor_type", { enum: ["api_key", "member", "operator", "provider", "system"] }).notNull(),
    actorId: text("actor_id"),
    /** The events as a JSON list of `[type, object id, changes or null]`. */
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
    until: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.kind, table.id] })],
);

/**
 * Events about changes in the control database. A transaction there cannot write to the workspace's shard, so a
 * job moves the events to the event log in the shard later.
 */
export const eventOutbox = sqliteTable(
  "event_outbox",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /**
     * When the change happened. In the event log, the event gets the time of the append instead, because times
     * in the log never decrease.
     */
    at: integer().notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    type: text().notNull(),
    objectId: text("object_id").notNull(),
    /** The changed fields with `[before, after]`, as JSON. Null if the event has no changes. */
    changes: text(),
  },
  (table) => [index("event_outbox_by_workspace").on(table.workspaceId, table.id)],
);

/**
 * The outbox rows that a job has moved to the log. If the job is repeated, it skips these rows, so that no
 * event is in the log twice.
 */
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
    types: text({ mode: "json" }).$type<string[]>().notNull(),
    /** `exclude` leaves out events about campaign messages, and `only` leaves out events about all other messages. */
    campaigns: text({ enum: ["include", "exclude", "only"] }).notNull(),
    connectionIds: text("connection_ids", { mode: "json" }).$type<string[]>(),
    /** The limits of a request that contains several events, as JSON. Null if each request contains one event. */
    batch: text({ mode: "json" }).$type<{ max_events: number; max_wait_seconds: number }>(),
    /**
     * Encrypted signing secrets as a JSON list, newest first. Until the time in `until`, requests are also signed
     * with the replaced secret, so that receivers have time to switch to the new one.
     */
    secrets: text({ mode: "json" }).$type<{ sealed: string; until: number | null }[]>().notNull(),
    status: text({ enum: ["active", "probing", "paused", "disabled"] }).notNull(),
    statusReason: text("status_reason"),
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
