// Work on many contacts at once, and the views of the contacts' table that a workspace keeps. Tables of shards.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Actions on many contacts, done in steps from the newest to the oldest. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    action: text({ enum: ["add_tags", "remove_tags", "set", "archive", "opt_out"] }).notNull(),
    /** JSON: the contacts, as a list of their `seq`s or as a filter. */
    target: text().notNull(),
    /** JSON: the tags by number, and the values to set, those of custom fields by number. */
    change: text().notNull(),
    /** JSON: the one who asked, whom the events name. */
    actor: text().notNull(),
    status: text({ enum: ["running", "completed", "failed"] }).notNull(),
    /** JSON: code and message, of a job that failed. */
    error: text({ mode: "json" }).$type<{ code: string; message: string }>(),
    /** Contacts from this `seq` on are done; it starts behind the newest contact there was. */
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

/** Filters and columns of the contacts' table, kept under a name for all members of a workspace. */
export const contactViews = sqliteTable(
  "contact_views",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    /** The same for all spellings of the name. */
    nameKey: text("name_key").notNull().default(""),
    /** The query of the page that shows it. */
    query: text().notNull(),
    /** The user who saved it. */
    createdBy: text("created_by").notNull().default(""),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("contact_views_by_workspace").on(table.workspaceId, table.id),
    uniqueIndex("contact_views_by_name").on(table.workspaceId, table.nameKey),
  ],
);
