// Contacts, with tags, custom fields and segments. Tables of shards.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /** Workspace number * 2^32 + n, so that a workspace is a range with its newest contact at the end. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** Equal for all spellings of one phone number. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /** JSON list of tag numbers. Readers leave out those of deleted tags until they have been cleared. */
    tags: text().notNull().default("[]"),
    /** JSON: field number to value. Readers leave out those of deleted fields until they have been cleared. */
    customFields: text("custom_fields").notNull().default("{}"),
    /** JSON: texts as search and segments compare them, folded by `shared/text/folding.ts`. */
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Raised by each change of a field that clients may write: the record's ETag. */
    revision: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex("contacts_active_phone")
      .on(table.workspaceId, table.phoneKey)
      .where(sql`archived_at IS NULL AND phone_key IS NOT NULL`),
    uniqueIndex("contacts_active_email")
      .on(table.workspaceId, table.emailKey)
      .where(sql`archived_at IS NULL AND email_key IS NOT NULL`),
    index("contacts_archived_phone")
      .on(table.workspaceId, table.phoneKey, table.archivedAt)
      .where(sql`archived_at IS NOT NULL AND phone_key IS NOT NULL`),
    index("contacts_archived_email")
      .on(table.workspaceId, table.emailKey, table.archivedAt)
      .where(sql`archived_at IS NOT NULL AND email_key IS NOT NULL`),
    // For lists by name, with contacts without one at the end. Drizzle splits expressions at commas: hence no `coalesce`.
    index("contacts_by_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`,
        table.seq,
      )
      .where(sql`archived_at IS NULL`),
  ],
);

/** A workspace gives each number once; a deleted tag keeps its row. */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** Equal for names that differ only in case or width. */
    nameKey: text("name_key").notNull(),
    color: text().notNull(),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.number] }),
    uniqueIndex("tags_by_name")
      .on(table.workspaceId, table.nameKey)
      .where(sql`deleted_at IS NULL`),
    index("tags_live")
      .on(table.workspaceId, table.number)
      .where(sql`deleted_at IS NULL`),
  ],
);

/** Definitions of custom fields. A workspace gives each number once, so that a new field under an old key has no old values. */
export const customFields = sqliteTable(
  "custom_fields",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    fieldKey: text("field_key").notNull(),
    label: text().notNull(),
    type: text({
      enum: [
        "text",
        "number",
        "boolean",
        "date",
        "datetime",
        "select",
        "multi_select",
        "country",
        "url",
        "email",
        "phone",
      ],
    }).notNull(),
    /** JSON list of strings, for selects. */
    options: text({ mode: "json" }).$type<string[]>().notNull(),
    /** JSON list: removed options that have not been cleared from all contacts yet. */
    removedOptions: text("removed_options", { mode: "json" }).$type<string[]>().notNull(),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.number] }),
    uniqueIndex("custom_fields_by_key")
      .on(table.workspaceId, table.fieldKey)
      .where(sql`deleted_at IS NULL`),
    index("custom_fields_live")
      .on(table.workspaceId, table.number)
      .where(sql`deleted_at IS NULL`),
  ],
);

/**
 * The workspace's custom fields in one row, for readers of contacts: a JSON list of `{number, key, type, removed}`.
 * Triggers keep it.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
});

/**
 * Deleted tags, fields and options whose values are still to be cleared from contacts: triggers add the rows. And workspaces whose
 * contacts are to be indexed anew ("index"): a migration adds the rows.
 */
export const cleanups = sqliteTable(
  "cleanups",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["tag", "field", "option", "index"] }).notNull(),
    number: integer().notNull(),
    /** JSON list of the options that were removed. */
    options: text().notNull().default("[]"),
    /** Contacts up to this `seq` have been cleared. */
    cursor: integer().notNull().default(0),
  },
  (table) => [
    index("cleanups_index")
      .on(table.workspaceId)
      .where(sql`kind = 'index'`),
  ],
);

/** Saved filters over contacts. */
export const segments = sqliteTable(
  "segments",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    /** JSON, with tags by number and custom fields by number, so that renaming changes nothing. */
    filter: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
