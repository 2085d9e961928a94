// The ids that providers have for people, merged contacts, and opt-outs. Shard tables.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The ids that providers have for contacts, with or without a number. */
export const contactIdentities = sqliteTable(
  "contact_identities",
  {
    workspaceId: text("workspace_id").notNull(),
    provider: text().notNull(),
    externalId: text("external_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /** The connection that first reported the id: WhatsApp's user ids hold for one business portfolio. */
    connectionId: text("connection_id"),
    username: text(),
    /** When the provider gave the person another id instead. Such an id is recognised, but neither shown nor sent to. */
    replacedAt: integer("replaced_at"),
    /** Another contact that turned out to have the id too: the two are one person, and are to be merged. */
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

/** Contacts that were merged into another, whose rows are deleted. Their messages move in steps. */
export const contactJoins = sqliteTable(
  "contact_joins",
  {
    fromSeq: integer("from_seq").primaryKey(),
    fromId: text("from_id").notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    /** Always a contact that exists: when that one is merged into another, this follows. */
    intoSeq: integer("into_seq").notNull(),
    joinedAt: integer("joined_at").notNull(),
    /** When the last message had moved; null until then. */
    movedAt: integer("moved_at"),
  },
  (table) => [
    index("contact_joins_into").on(table.intoSeq),
    index("contact_joins_pending")
      .on(table.intoSeq)
      .where(sql`moved_at IS NULL`),
  ],
);

/** Numbers and user ids that people gave up for others, as providers reported it. Each notice counts once. */
export const numberChanges = sqliteTable(
  "number_changes",
  {
    connectionId: text("connection_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    /** Null where the notice names a user id only. */
    fromPhoneKey: text("from_phone_key"),
    toPhone: text("to_phone"),
    toPhoneKey: text("to_phone_key"),
    /** As in `suppressions`; null where the notice names no user id before, or none after. */
    fromUserKey: text("from_user_key"),
    toUserId: text("to_user_id"),
    /** The contact that gave it up; null where there was none. */
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
 * Opt-outs. They belong to the person: `key` is a contact's id, a phone key, or `<provider>:<id>`, and triggers on contacts and
 * identities keep all keys of a person alike, so that readers need to look at the contact's id and phone key only.
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
 * Contacts as they were before the batch that is running, for the events that tell what it changed; the batch deletes its rows.
 * Triggers on opt-outs add rows, since an opt-out reaches contacts that no statement names.
 */
export const contactSnapshots = sqliteTable(
  "contact_snapshots",
  {
    workspaceId: text("workspace_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /** The type of the event with the changes; "flags" for the events of opt-outs. */
    type: text().notNull(),
    /** JSON: field to value. */
    before: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.contactSeq, table.type] })],
);

/** When people last sent START, by the same keys: a STOP from before that which arrives later changes nothing. */
export const optIns = sqliteTable(
  "opt_ins",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedInAt: integer("opted_in_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/** Opt-outs of marketing alone, as people give them in WhatsApp itself; by the same keys. */
export const marketingSuppressions = sqliteTable(
  "marketing_suppressions",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    optedOutAt: integer("opted_out_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);

/** When people last chose whether to get marketing, by the same keys: a choice that is repeated or arrives late changes nothing. */
export const marketingChoices = sqliteTable(
  "marketing_choices",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
