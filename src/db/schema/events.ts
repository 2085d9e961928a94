// The event logs of workspaces and their listeners. Shard tables, except the outbox in the control database.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wakeableKinds } from "../../shared/wakeable-object.ts";

/** Chunks hold the events of one batch by one actor, in order; a long batch has several. The key is a range of sequence numbers. */
export const eventChunks = sqliteTable(
  "event_chunks",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The sequence number of the first event. */
    first: integer().notNull(),
    /** The number of events. */
    count: integer().notNull(),
    at: integer().notNull(),
    actorType: text("actor_type", { enum: ["api_key", "member", "operator", "provider", "system"] }).notNull(),
    actorId: text("actor_id"),
    /** JSON list of `[type, object id, changes or null]`. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.first] })],
);

/** Durable Objects to wake after a workspace's events are appended. */
export const eventListeners = sqliteTable(
  "event_listeners",
  {
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: wakeableKinds }).notNull(),
    /** The object's name. */
    id: text().notNull(),
    /** The object is woken only before this time. */
    until: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.kind, table.id] })],
);

/** Events of changes in the control database, until a job appends them to the log on the workspace's shard. */
export const eventOutbox = sqliteTable(
  "event_outbox",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** The time of the change. The log stores the time of the append, because its times never decrease. */
    at: integer().notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    type: text().notNull(),
    objectId: text("object_id").notNull(),
    /** JSON: field to `[before, after]`, or null. */
    changes: text(),
  },
  (table) => [index("event_outbox_by_workspace").on(table.workspaceId, table.id)],
);

/** Outbox rows that are in the log, so that a repeated job appends them once. */
export const eventOutboxDone = sqliteTable(
  "event_outbox_done",
  { id: text().primaryKey(), at: integer().notNull() },
  (table) => [index("event_outbox_done_by_age").on(table.at)],
);
