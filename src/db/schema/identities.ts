// Tables of provider ids of people, merged contacts and opt-outs, in shards.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const contactIdentities = sqliteTable(
  "contact_identities",
  {
    workspaceId: text("workspace_id").notNull(),
    provider: text().notNull(),
    externalId: text("external_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /** The connection that first reported the id. WhatsApp's user ids are valid within one business portfolio. */
    connectionId: text("connection_id"),
    username: text(),
    /**
     * When the provider replaced the id. A replaced id still identifies the person, but the API does not return it and
     * no message uses it.
     */
    replacedAt: integer("replaced_at"),
    /** A different contact with the same id. Both are one person and will be merged. */
    claimedBy: integer("claimed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.provider, table.externalId] }),
    index("contact_identities_by_contact").on(table.contactSeq),
    index("contact_identities_claimed")
      .on(table.claimedBy)
      .where(sql`claimed_by IS NOT NULL`),
  ],
);

/**
 * Contacts that were merged into a different contact. Their rows are deleted at once, and their messages move in steps.
 */
export const contactJoins = sqliteTable(
  "contact_joins",
  {
    fromSeq: integer("from_seq").primaryKey(),
    fromId: text("from_id").notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    /** Always an existing contact: if that contact is merged too, this column changes. */
    intoSeq: integer("into_seq").notNull(),
    joinedAt: integer("joined_at").notNull(),
    /** When the last message was moved. Null before that. */
    movedAt: integer("moved_at"),
  },
  (table) => [
    index("contact_joins_into").on(table.intoSeq),
    index("contact_joins_pending")
      .on(table.intoSeq)
      .where(sql`moved_at IS NULL`),
  ],
);

/** Changes of numbers and user ids. Each notice of a provider has one row. */
export const numberChanges = sqliteTable(
  "number_changes",
  {
    connectionId: text("connection_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    /** Null if the notice contains only a user id. */
    fromPhoneKey: text("from_phone_key"),
    toPhone: text("to_phone"),
    toPhoneKey: text("to_phone_key"),
    /** A key as in `suppressions`. Null if the notice does not contain both user ids. */
    fromUserKey: text("from_user_key"),
    toUserId: text("to_user_id"),
    /** The contact that lost the number or id. Null if no contact had the number or id. */
    contactSeq: integer("contact_seq"),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.providerMessageId] }),
    index("number_changes_by_phone")
      .on(table.workspaceId, table.fromPhoneKey, table.changedAt)
      .where(sql`from_phone_key IS NOT NULL`),
    index("number_changes_by_user_id")
      .on(table.workspaceId, table.fromUserKey, table.changedAt)
      .where(sql`from_user_key IS NOT NULL`),
  ],
);

/** `key` is a contact's id, a phone key, or `<provider>:<id>`. Triggers add the row to all keys of a person. */
export const suppressions = sqliteTable(
  "suppressions",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedOutAt: integer("opted_out_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/**
 * Contacts before the current batch. An opt-out also changes contacts that no statement selects, and their events need
 * the old values.
 */
export const contactSnapshots = sqliteTable(
  "contact_snapshots",
  {
    workspaceId: text("workspace_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /** The type of the event, or "flags" for events of opt-outs. */
    type: text().notNull(),
    /** JSON: the contact's values by field, before the batch. */
    before: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.contactSeq, table.type] })],
);

/**
 * When people last sent START, by the keys of `suppressions`. A STOP that was sent earlier but arrives later has no
 * effect.
 */
export const optIns = sqliteTable(
  "opt_ins",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedInAt: integer("opted_in_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/** Opt-outs from marketing, which people choose in WhatsApp. The keys are those of `suppressions`. */
export const marketingSuppressions = sqliteTable(
  "marketing_suppressions",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedOutAt: integer("opted_out_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/**
 * When people last accepted or rejected marketing, by the keys of `suppressions`. A repeated or late choice has no
 * effect.
 */
export const marketingChoices = sqliteTable(
  "marketing_choices",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
