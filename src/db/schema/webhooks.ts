// URLs that receive events. A shard table; each webhook's Durable Object stores its progress.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    url: text().notNull(),
    description: text(),
    /** JSON: the patterns of event types, as sent. */
    types: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether to include events of campaign messages, exclude them, or exclude events of all other messages. */
    campaigns: text({ enum: ["include", "exclude", "only"] }).notNull(),
    /** JSON list of ids. Null for all connections. */
    connectionIds: text("connection_ids", { mode: "json" }).$type<string[]>(),
    /** JSON: the maximum number of events per request, and their maximum wait. Null for one event per request. */
    batch: text({ mode: "json" }).$type<{ max_events: number; max_wait_seconds: number }>(),
    /** JSON: sealed signing secrets, newest first. Previous secrets sign until `until`. */
    secrets: text({ mode: "json" }).$type<{ sealed: string; until: number | null }[]>().notNull(),
    status: text({ enum: ["active", "probing", "paused", "disabled"] }).notNull(),
    statusReason: text("status_reason"),
    /** The sequence number of the last event that is not sent. */
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
