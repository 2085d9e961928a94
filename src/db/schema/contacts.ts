import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /**
     * The workspace's number * 2^32 + the number of the contact in the workspace. All contacts of a workspace
     * are therefore next to each other in the table.
     */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** Some phone numbers have two spellings. This is the one spelling by which numbers are compared. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /**
     * The numbers of the contact's tags, as a JSON list. The number of a deleted tag stays here until a cleanup
     * removes it, and readers skip it.
     */
    tags: text().notNull().default("[]"),
    /**
     * The contact's values by custom field number, as JSON. The value of a deleted field stays here until a
     * cleanup removes it, and readers skip it.
     */
    customFields: text("custom_fields").notNull().default("{}"),
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Increases with each change of a field that clients can write. The API returns it as the ETag. */
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
    // Contacts without a name sort last. Uses CASE, because Drizzle splits index expressions at commas and
    // would break `coalesce(…, …)`.
    index("contacts_by_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`,
        table.seq,
      )
      .where(sql`archived_at IS NULL`),
  ],
);

/**
 * The row of a deleted tag stays, because some contacts still contain its number. Otherwise a new tag could get
 * this number and would appear on these contacts.
 */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** Two names that differ only in case or width have the same key, so that they cannot both exist. */
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
 * The row of a deleted field stays, so that its number is not used again. A new field with the same key gets
 * another number, because otherwise it would show the values of the deleted field.
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
    /** Deleted options as a JSON list. They are kept because some contacts may still have them as a value. */
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
 * A copy of the workspace's custom fields. `fields` is a JSON list of `{number, key, type, removed}`. Triggers
 * update the copy, so that queries for contacts need not read `custom_fields`.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
  /** Increases with every change, because an earlier text can return: when a removed option has been cleared. */
  version: integer().notNull().default(0),
});

/**
 * When a tag, field or option is deleted, a trigger adds a row here, and a job then removes it from all contacts.
 * A migration can add a row of the kind `index`, so that the job rebuilds the search index.
 */
export const cleanups = sqliteTable(
  "cleanups",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["tag", "field", "option", "index"] }).notNull(),
    number: integer().notNull(),
    options: text().notNull().default("[]"),
    /** The job has finished contacts up to this `seq`. */
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
    /** Names tags and custom fields by number, so that the filter stays valid when they are renamed. */
    filter: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
