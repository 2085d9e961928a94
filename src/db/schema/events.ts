// The event log of each workspace, and who is to hear of its events. Shard tables, but for the outbox, which is the control
// database's.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { wakeableKinds } from "../../shared/wakeable-object.ts";

/**
 * Chunks: the events of one batch by one actor, in the order in which they happened. A batch too long for one row fills several. The
 * key is a range of sequence numbers.
 */
export const eventChunks = sqliteTable(
  "event_chunks",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The sequence number of its first event. */
    first: integer().notNull(),
    /** How many events it holds. */
    count: integer().notNull(),
    at: integer().notNull(),
    actorType: text("actor_type", { enum: ["api_key", "member", "operator", "provider", "system"] }).notNull(),
    actorId: text("actor_id"),
    /** JSON: a list of `[type, object id, changes or null]`. */
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.first] })],
);

/** Objects that are to be woken when events of a workspace are appended. */
export const eventListeners = sqliteTable(
  "event_listeners",
  {
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: wakeableKinds }).notNull(),
    /** The name of the object. */
    id: text().notNull(),
    /** From then on it is not woken any more. */
    until: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.kind, table.id] })],
);

/** Events of changes in the control database, until a job has appended them to the log of their workspace's shard. */
export const eventOutbox = sqliteTable(
  "event_outbox",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** When the change was made; the log shows when it was appended, since its times never go back. */
    at: integer().notNull(),
    actorType: text("actor_type").notNull(),
    actorId: text("actor_id"),
    type: text().notNull(),
    objectId: text("object_id").notNull(),
    /** JSON: field to `[before, after]`; or null. */
    changes: text(),
  },
  (table) => [index("event_outbox_by_workspace").on(table.workspaceId, table.id)],
);

/** Rows of the outbox that are in the log: a job that runs twice appends them once. */
export const eventOutboxDone = sqliteTable(
  "event_outbox_done",
  { id: text().primaryKey(), at: integer().notNull() },
  (table) => [index("event_outbox_done_by_age").on(table.at)],
);
