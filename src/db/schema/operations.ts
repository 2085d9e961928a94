// Idempotency records, dead events, sandbox messages and daily statistics. Shard tables.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** First answers to requests with an Idempotency-Key; purged by day. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    /** Days since the epoch. */
    day: integer().notNull(),
    actor: text().notNull(),
    key: text().notNull(),
    operation: text().notNull(),
    fingerprint: text().notNull(),
    /** JSON: what the answer is presented from. */
    result: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.actor, table.key] })],
);

/** Queue messages that could not be processed. */
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

/** Messages that the sandbox's phone network received; tests count duplicates in it. */
export const sandboxDeliveries = sqliteTable(
  "sandbox_deliveries",
  {
    id: text().notNull(),
    connectionId: text("connection_id").notNull(),
    messageId: text("message_id").notNull(),
    address: text().notNull(),
    body: text().notNull(),
    /** JSON: type and content of a message that is not a plain text, and the message that it answers. */
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
    /** `2026-11-23`, in the time zone that the workspace had when the day was counted. */
    day: text().notNull(),
    /** JSON: the counts of the day by name. */
    counts: text({ mode: "json" }).$type<[name: string, count: number][]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day] })],
);

/** How far each workspace's log has been counted. */
export const statisticsCursors = sqliteTable("statistics_cursors", {
  workspaceId: text("workspace_id").primaryKey(),
  /** The sequence number of the first event that is not counted yet. */
  next: integer().notNull(),
  /** The workspace's time zone when it was last counted. */
  timeZone: text("time_zone").notNull().default("UTC"),
});
