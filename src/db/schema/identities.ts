import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const contactIdentities = sqliteTable(
  "contact_identities",
  {
    workspaceId: text("workspace_id").notNull(),
    provider: text().notNull(),
    externalId: text("external_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /**
     * The connection that first reported the id, because WhatsApp's user ids work only within one business
     * portfolio.
     */
    connectionId: text("connection_id"),
    username: text(),
    /**
     * When the provider replaced this id with a new one. The old id still identifies the person in late
     * events, but Tidings sends nothing to it, and the API does not return it.
     */
    replacedAt: integer("replaced_at"),
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
 * Contacts that were merged into another contact. A merge deletes the contact at once, but a job moves its
 * messages in steps.
 */
export const contactJoins = sqliteTable(
  "contact_joins",
  {
    fromSeq: integer("from_seq").primaryKey(),
    fromId: text("from_id").notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    /** The contact that remains. Updated if this contact is merged into another one. */
    intoSeq: integer("into_seq").notNull(),
    joinedAt: integer("joined_at").notNull(),
    movedAt: integer("moved_at"),
  },
  (table) => [
    index("contact_joins_into").on(table.intoSeq),
    index("contact_joins_pending")
      .on(table.intoSeq)
      .where(sql`moved_at IS NULL`),
  ],
);

/** One row for each time a provider reports that a person's number or user id changed. */
export const numberChanges = sqliteTable(
  "number_changes",
  {
    connectionId: text("connection_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    fromPhoneKey: text("from_phone_key"),
    toPhone: text("to_phone"),
    toPhoneKey: text("to_phone_key"),
    /** A key as in `suppressions`. Null if the provider did not send both user ids. */
    fromUserKey: text("from_user_key"),
    toUserId: text("to_user_id"),
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

/**
 * Opt-outs by `key`: a contact's id, a phone key, or `<provider>:<id>`. Triggers copy an opt-out to all keys
 * of the same person.
 */
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
 * An opt-out also changes the person's other contacts. The events of these changes need the old values,
 * which this table keeps until the end of the batch.
 */
export const contactSnapshots = sqliteTable(
  "contact_snapshots",
  {
    workspaceId: text("workspace_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    type: text().notNull(),
    before: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.contactSeq, table.type] })],
);

/** When people last sent START, so that a STOP that they sent before but that arrives later has no effect. */
export const optIns = sqliteTable(
  "opt_ins",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedInAt: integer("opted_in_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/** Opt-outs from marketing only, which people can choose in WhatsApp. The keys are those of `suppressions`. */
export const marketingSuppressions = sqliteTable(
  "marketing_suppressions",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedOutAt: integer("opted_out_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/** When people last accepted or rejected marketing, so that an older choice that arrives later has no effect. */
export const marketingChoices = sqliteTable(
  "marketing_choices",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
