import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The stored responses of requests with an Idempotency-Key. When all responses of a day are too old to be
 * replayed, a job deletes them together.
 */
export const idempotency = sqliteTable(
  "idempotency",
  {
    day: integer().notNull(),
    actor: text().notNull(),
    key: text().notNull(),
    operation: text().notNull(),
    fingerprint: text().notNull(),
    result: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.actor, table.key] })],
);

export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    queue: text().notNull(),
    reason: text().notNull(),
    payload: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("dead_letters_by_workspace").on(table.workspaceId, table.id),
    index("dead_letters_latest").on(table.workspaceId, table.createdAt, table.id),
    index("dead_letters_by_age").on(table.createdAt),
  ],
);

export const sandboxDeliveries = sqliteTable(
  "sandbox_deliveries",
  {
    id: text().notNull(),
    connectionId: text("connection_id").notNull(),
    messageId: text("message_id").notNull(),
    address: text().notNull(),
    body: text().notNull(),
    content: text(),
    attempt: integer().notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.id] }),
    index("sandbox_deliveries_by_address").on(table.connectionId, table.address, table.id),
    index("sandbox_deliveries_by_age").on(table.at),
  ],
);

export const statisticsDays = sqliteTable(
  "statistics_days",
  {
    workspaceId: text("workspace_id").notNull(),
    /** For example `2026-11-23`, in the time zone that the workspace had when the messages were counted. */
    day: text().notNull(),
    counts: text({ mode: "json" }).$type<[name: string, count: number][]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day] })],
);

export const statisticsCursors = sqliteTable("statistics_cursors", {
  workspaceId: text("workspace_id").primaryKey(),
  next: integer().notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
});
