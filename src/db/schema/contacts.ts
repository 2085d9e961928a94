import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /** The workspace's number * 2^32 + n, so that all contacts of a workspace are next to each other. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** The same for all spellings of a phone number. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /** JSON list of tag numbers. It may contain deleted tags, which readers skip, until a cleanup removes them. */
    tags: text().notNull().default("[]"),
    /**
     * JSON that maps a custom field's number to its value. It may contain deleted fields, which readers skip,
     * until a cleanup removes them.
     */
    customFields: text("custom_fields").notNull().default("{}"),
    /** JSON of the texts for search and segments, folded by `shared/text/folding.ts`. */
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Increases when a field changes that clients can write. The API returns it as the ETag. */
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
    // In lists by name, contacts without a name come last. Drizzle splits expressions at commas, so this
    // cannot use `coalesce`.
    index("contacts_by_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`,
        table.seq,
      )
      .where(sql`archived_at IS NULL`),
  ],
);

/** The row stays after the tag is deleted, so that its number is never reused. */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** The same for names that differ only in case or width. */
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

/** Numbers are never reused. If a deleted field's key is used again, the new field does not show the old values. */
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
    options: text({ mode: "json" }).$type<string[]>().notNull(),
    /** JSON list of deleted options, which some contacts may still have. */
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
 * JSON list of the workspace's fields as `{number, key, type, removed}`. Triggers keep it up to date, so
 * reading contacts needs no other table.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
});

/**
 * Triggers add a row when a tag or field is deleted, and a job then removes its values from contacts. The
 * kind `index` means that the search index must be rebuilt after a migration.
 */
export const cleanups = sqliteTable(
  "cleanups",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["tag", "field", "option", "index"] }).notNull(),
    number: integer().notNull(),
    options: text().notNull().default("[]"),
    /** The cleanup has processed contacts up to this `seq`. */
    cursor: integer().notNull().default(0),
  },
  (table) => [
    index("cleanups_index")
      .on(table.workspaceId)
      .where(sql`kind = 'index'`),
  ],
);

export const segments = sqliteTable(
  "segments",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    /** JSON with the numbers of tags and custom fields, so that renaming them does not change the filter. */
    filter: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
