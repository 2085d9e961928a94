// Tables of bulk jobs on contacts and of saved views of the contacts table, in shards.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A job changes many contacts in steps, from the newest contact to the oldest. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    action: text({ enum: ["add_tags", "remove_tags", "set", "archive", "opt_out"] }).notNull(),
    /** JSON: a list of `seq`s, or a filter. */
    target: text().notNull(),
    /** JSON: the tags and custom fields by number, and the values to set. */
    change: text().notNull(),
    /** JSON: the actor of the events. */
    actor: text().notNull(),
    status: text({ enum: ["running", "completed", "failed"] }).notNull(),
    error: text({ mode: "json" }).$type<{ code: string; message: string }>(),
    /** Contacts with this `seq` or a higher one are done. */
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
    /** Names that differ only in case or width have the same key. */
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
