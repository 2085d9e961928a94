// Addresses that events are sent to. A shard table; how far each has come is kept by its Durable Object.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    url: text().notNull(),
    description: text(),
    /** JSON: the patterns of event types, as they were sent. */
    types: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether events about messages of campaigns are sent, left out, or the only ones about messages. */
    campaigns: text({ enum: ["include", "exclude", "only"] }).notNull(),
    /** JSON list of ids; null for all connections. */
    connectionIds: text("connection_ids", { mode: "json" }).$type<string[]>(),
    /** JSON: how many events go into one request at most, and how long they wait for each other; null for one each. */
    batch: text({ mode: "json" }).$type<{ max_events: number; max_wait_seconds: number }>(),
    /** JSON: sealed signing secrets, newest first; those before it sign until a time. */
    secrets: text({ mode: "json" }).$type<{ sealed: string; until: number | null }[]>().notNull(),
    status: text({ enum: ["active", "probing", "paused", "disabled"] }).notNull(),
    statusReason: text("status_reason"),
    /** The sequence number of the last event that it does not get. */
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
