import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A job changes contacts in steps, from the newest to the oldest. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    action: text({ enum: ["add_tags", "remove_tags", "set", "archive", "opt_out"] }).notNull(),
    /** JSON list of `seq`s, or a JSON filter. */
    target: text().notNull(),
    /** JSON with tags and custom fields by number, and the new values. */
    change: text().notNull(),
    /** JSON of the actor that the job's events name. */
    actor: text().notNull(),
    status: text({ enum: ["running", "completed", "failed"] }).notNull(),
    error: text({ mode: "json" }).$type<{ code: string; message: string }>(),
    /** The job has changed the contacts from this `seq` upwards. */
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
    /** The same for names that differ only in case or width. */
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
