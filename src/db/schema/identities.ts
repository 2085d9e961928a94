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
     * The connection that first reported the id. Needed because a WhatsApp user id is valid only within one
     * business portfolio.
     */
    connectionId: text("connection_id"),
    username: text(),
    /**
     * When the provider replaced this id with a new one. A late event can still contain the old id, but Tidings
     * sends nothing to it, and the API does not return it.
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
 * Contacts that were merged into another contact. The merge deletes the contact `fromSeq` at once. A job later
 * moves the messages of the deleted contact to `intoSeq`.
 */
export const contactJoins = sqliteTable(
  "contact_joins",
  {
    fromSeq: integer("from_seq").primaryKey(),
    fromId: text("from_id").notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    /**
     * The contact that remains after the merge. If it is later merged into another contact, this row points to
     * that one.
     */
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

/** One row for each report of a provider that the number or user id of a person has changed. */
export const numberChanges = sqliteTable(
  "number_changes",
  {
    connectionId: text("connection_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    fromPhoneKey: text("from_phone_key"),
    toPhone: text("to_phone"),
    toPhoneKey: text("to_phone_key"),
    /** The old user id, in the form `<provider>:<user id>`. Null if the provider did not send both user ids. */
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
 * Opt-outs by `key`: the id of a contact, a phone key, or `<provider>:<user id>`. Triggers copy each opt-out to
 * all keys of the same person.
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
 * The values of contacts before a batch that may change them. Triggers copy opt-outs to other contacts, so only a
 * comparison at the end of the batch shows which events to add. The batch then deletes these rows.
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

/** When each person last sent START. If a STOP that was sent before this time arrives late, it has no effect. */
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

/** When each person last accepted or rejected marketing. If an older choice arrives late, it has no effect. */
export const marketingChoices = sqliteTable(
  "marketing_choices",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
