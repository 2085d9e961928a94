import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    body: text().notNull(),
    status: text({ enum: ["APPROVED", "PENDING", "REJECTED"] }).notNull(),
    source: text({ enum: ["external", "local"] }).notNull(),
    /**
     * The connection whose provider stores the template. This column and the next five are null for local
     * templates, which exist only in Tidings.
     */
    connectionId: text("connection_id"),
    providerId: text("provider_id"),
    language: text(),
    category: text(),
    parameters: text({ enum: ["positional", "named"] }),
    components: text({ mode: "json" }).$type<Record<string, unknown>[]>(),
    variables: text({ mode: "json" }).$type<string[]>().notNull(),
    quality: text(),
    rejectionReason: text("rejection_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [
    index("templates_by_workspace").on(table.workspaceId, table.id),
    index("templates_by_status").on(table.workspaceId, table.status, table.id),
    index("templates_by_source").on(table.workspaceId, table.source, table.id),
    index("templates_by_source_and_status").on(table.workspaceId, table.source, table.status, table.id),
    uniqueIndex("templates_local_name")
      .on(table.workspaceId, table.name)
      .where(sql`connection_id IS NULL`),
    uniqueIndex("templates_external_name")
      .on(table.connectionId, table.name, table.language)
      .where(sql`connection_id IS NOT NULL`),
  ],
);

export const cannedReplies = sqliteTable(
  "canned_replies",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    shortcut: text().notNull(),
    /** Two shortcuts that differ only in case or width have the same key, so that they cannot both exist. */
    shortcutKey: text("shortcut_key").notNull(),
    body: text().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [
    index("canned_replies_by_workspace").on(table.workspaceId, table.id),
    uniqueIndex("canned_replies_by_shortcut").on(table.workspaceId, table.shortcutKey),
  ],
);
