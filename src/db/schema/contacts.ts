// Tables of contacts, tags, custom fields and segments, in shards.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /** The workspace's number * 2^32 + n. The contacts of a workspace are therefore one range of keys. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** All spellings of one phone number have the same key. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /** JSON list of tag numbers. Readers skip deleted tags until a cleanup removes their numbers. */
    tags: text().notNull().default("[]"),
    /**
     * JSON: values by the number of the custom field. Readers skip deleted fields until a cleanup removes their values.
     */
    customFields: text("custom_fields").notNull().default("{}"),
    /** JSON: texts that search and segments compare. `shared/text/folding.ts` folds them. */
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Increases with each change of a field that clients can write. The API returns the revision as the ETag. */
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
    // Lists by name put contacts without a name last. This is not `coalesce`, because Drizzle splits expressions at
    // commas.
    index("contacts_by_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`,
        table.seq,
      )
      .where(sql`archived_at IS NULL`),
  ],
);

/** The row of a deleted tag remains, because a workspace never reuses the number of a tag. */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** Names that differ only in case or width have the same key. */
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

/**
 * A workspace never reuses the number of a field. A new field with the key of a deleted field therefore has no old
 * values.
 */
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
    /** JSON list of deleted options that contacts might still have. */
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
 * JSON list of a workspace's fields as `{number, key, type, removed}`, for reads of contacts. Triggers update the row.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
});

/**
 * Values that a job must remove from contacts. Triggers add the rows. The kind `index` is a search index to rebuild
 * after a migration.
 */
export const cleanups = sqliteTable(
  "cleanups",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["tag", "field", "option", "index"] }).notNull(),
    number: integer().notNull(),
    options: text().notNull().default("[]"),
    /** Contacts up to this `seq` are clean. */
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
    /** JSON with the numbers of tags and custom fields, so that a new name does not affect the filter. */
    filter: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
