// Counts of what happened in a workspace, made from its event log. Shard tables.
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
