// How people are known to providers, which contacts became one, and what people opted out of. Shard tables.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** People as a provider knows them, with or without a number. */
export const contactIdentities = sqliteTable(
  "contact_identities",
  {
    workspaceId: text("workspace_id").notNull(),
    provider: text().notNull(),
    externalId: text("external_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    /** The connection that the id was first heard of on: WhatsApp's user ids hold for one business portfolio. */
    connectionId: text("connection_id"),
    username: text(),
    /** When the provider gave the person another id instead. Such an id is recognised, but neither shown nor sent to. */
    replacedAt: integer("replaced_at"),
    /** Another contact that turned out to have the id too: the two are one person, and are to be joined. */
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

/** Contacts that became part of another, whose rows are gone. Their messages move in steps. */
export const contactJoins = sqliteTable(
  "contact_joins",
  {
    fromSeq: integer("from_seq").primaryKey(),
    fromId: text("from_id").notNull().unique(),
    workspaceId: text("workspace_id").notNull(),
    /** Always a contact that exists: a join of that one moves it on. */
    intoSeq: integer("into_seq").notNull(),
    joinedAt: integer("joined_at").notNull(),
    /** When no message was left behind. */
    movedAt: integer("moved_at"),
  },
  (table) => [
    index("contact_joins_into").on(table.intoSeq),
    index("contact_joins_pending")
      .on(table.intoSeq)
      .where(sql`moved_at IS NULL`),
  ],
);

/** Numbers and user ids that people gave up for others, as a provider told it. Each notice counts once. */
export const numberChanges = sqliteTable(
  "number_changes",
  {
    connectionId: text("connection_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    /** Null where the notice told of a user id only. */
    fromPhoneKey: text("from_phone_key"),
    toPhone: text("to_phone"),
    toPhoneKey: text("to_phone_key"),
    /** As in `suppressions`; null where the notice names no user id before, or none after. */
    fromUserKey: text("from_user_key"),
    toUserId: text("to_user_id"),
    /** Who gave it up, if that was known. */
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

/** When people last asked for everything again, by the same keys: an opt-out from before that, told of late, changes nothing. */
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

/** When people last chose whether to get marketing, by the same keys: a choice that is told again or late changes nothing. */
export const marketingChoices = sqliteTable(
  "marketing_choices",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text().notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.key] })],
);
