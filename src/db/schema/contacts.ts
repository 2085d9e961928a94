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

/** People as a provider knows them, with or without a number. */
export const contactIdentities = sqliteTable(
  "contact_identities",
  {
    workspaceId: text("workspace_id").notNull(),
    provider: text().notNull(),
    externalId: text("external_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.provider, table.externalId] }),
    index("contact_identities_by_contact").on(table.contactSeq),
  ],
);

/** Opt-outs. They belong to the number, so `key` is a phone key, or a contact's id. */
export const suppressions = sqliteTable(
  "suppressions",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedOutAt: integer("opted_out_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
