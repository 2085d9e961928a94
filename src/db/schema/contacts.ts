// Who is talked to. Shard tables.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const contacts = sqliteTable(
  "contacts",
  {
    /** workspace number * 2^32 + n: a workspace is a range, newest first is its end. */
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    name: text(),
    phone: text(),
    /** The same for every spelling that reaches the same phone. */
    phoneKey: text("phone_key"),
    email: text(),
    emailKey: text("email_key"),
    company: text(),
    status: text().notNull().default("new"),
    lifecycleStage: text("lifecycle_stage").notNull().default("lead"),
    source: text().notNull().default("api"),
    addressAs: text("address_as"),
    /** JSON list of tag numbers. A number whose tag is gone is a tombstone that readers strip. */
    tags: text().notNull().default("[]"),
    /** JSON: field number to value. Numbers of fields that are gone are stripped by readers. */
    customFields: text("custom_fields").notNull().default("{}"),
    /** JSON: what search and segments compare, folded in code by `shared/folding.ts`. */
    folded: text().notNull().default("{}"),
    archivedAt: integer("archived_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
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
  ],
);

/** Numbers are given once, per workspace; a deleted tag keeps its row until no contact shows its number. */
export const tags = sqliteTable(
  "tags",
  {
    workspaceId: text("workspace_id").notNull(),
    number: integer().notNull(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** Folded to compare without regard to case. */
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

/** Definitions of custom fields. Numbers are given once, per workspace, so that a field made again has no old values. */
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
    /** JSON list: options removed whose values have not all been cleared yet. */
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
 * What readers of contacts need of the workspace's definitions, in one row kept by triggers:
 * JSON list of `{number, key, type, removed}` of the fields that exist.
 */
export const contactLayouts = sqliteTable("contact_layouts", {
  workspaceId: text("workspace_id").primaryKey(),
  fields: text().notNull(),
});

/** Values left on contacts by deleted tags, fields and options, cleared in windows of contacts. Triggers add the rows. */
export const cleanups = sqliteTable("cleanups", {
  id: integer().primaryKey({ autoIncrement: true }),
  workspaceId: text("workspace_id").notNull(),
  kind: text({ enum: ["tag", "field", "option"] }).notNull(),
  number: integer().notNull(),
  /** JSON list of the options that were removed. */
  options: text().notNull().default("[]"),
  /** Contacts up to this `seq` are done. */
  cursor: integer().notNull().default(0),
});

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
  },
  (table) => [index("segments_by_workspace").on(table.workspaceId, table.id)],
);
