import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    action: text({ enum: ["add_tags", "remove_tags", "set", "archive", "opt_out"] }).notNull(),
    /** The contacts to change: a list of `seq`s or a filter, as JSON. */
    target: text().notNull(),
    /** The new values of tags and custom fields, by number, as JSON. */
    change: text().notNull(),
    actor: text().notNull(),
    status: text({ enum: ["running", "completed", "failed"] }).notNull(),
    error: text({ mode: "json" }).$type<{ code: string; message: string }>(),
    /** The job changes contacts in descending order of `seq`. All contacts with this `seq` or a higher one are done. */
    cursor: integer().notNull(),
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    index("jobs_by_workspace").on(table.workspaceId, table.id),
    index("jobs_running")
      .on(table.workspaceId, table.id)
      .where(sql`status = 'running'`),
  ],
);

export const contactViews = sqliteTable(
  "contact_views",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    /** Two names that differ only in case or width have the same key, so that they cannot both exist. */
    nameKey: text("name_key").notNull().default(""),
    query: text().notNull(),
    createdBy: text("created_by").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("contact_views_by_workspace").on(table.workspaceId, table.id),
    uniqueIndex("contact_views_by_name").on(table.workspaceId, table.nameKey),
  ],
);
