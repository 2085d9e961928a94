import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /**
     * The workspace's number * 2^32 + the contact's number in the workspace. Contacts of one workspace are
     * therefore next to each other in the table.
     */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** The phone number in one spelling for comparisons, because some numbers can be written in two ways. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /**
     * The numbers of the contact's tags, as a JSON list. If a tag was deleted, readers skip its number until
     * a cleanup removes it.
     */
    tags: text().notNull().default("[]"),
    /**
     * Values by custom field number, as JSON. If a field was deleted, readers skip its value until a cleanup
     * removes it.
     */
    customFields: text("custom_fields").notNull().default("{}"),
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Increases when a change affects a field that clients can write. The API returns it as the ETag. */
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
    // Sorts contacts without a name last. Drizzle splits expressions at commas, so this cannot use `coalesce`.
    index("contacts_by_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`,
        table.seq,
      )
      .where(sql`archived_at IS NULL`),
  ],
);

/** The row of a deleted tag stays, so that no new tag gets the number that some contacts still contain. */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** Compares names: names that differ only in case or width have the same key. */
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
 * The row of a deleted field stays. A new field with the same key gets another number, so it does not show
 * the old values.
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
    /** Deleted options as a JSON list, because some contacts may still have them. */
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
 * The workspace's custom fields as JSON: `{number, key, type, removed}`. Triggers keep this copy up to date,
 * so that reading contacts needs no other table.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
});

/**
 * When a tag or field is deleted, a trigger adds a row, and a job then removes its values from contacts. A
 * row of the kind `index` lets the job rebuild the search index after a migration.
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
    /** Contains tags and custom fields by number, so that renaming them does not change the filter. */
    filter: text({ mode: "json" }).$type<unknown>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revision: integer().notNull().default(1),
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
