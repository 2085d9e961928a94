// Tables of conversations and messages, in shards.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const conversations = sqliteTable(
  "conversations",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    connectionId: text("connection_id").notNull(),
    channel: text({ enum: ["official", "unofficial"] }).notNull(),
    /** A `snoozed` conversation counts as open, but `snoozed=false` excludes it before `snoozedUntil`. */
    status: text({ enum: ["open", "snoozed", "done"] })
      .notNull()
      .default("open"),
    unreadCount: integer("unread_count").notNull().default(0),
    lastMessage: text("last_message").notNull(),
    lastMessageAt: integer("last_message_at").notNull(),
    lastMessageId: text("last_message_id").notNull(),
    lastInboundAt: integer("last_inbound_at"),
    /** The address that the person last used: a phone number with its key, or a provider's user id without a key. */
    wroteFrom: text("wrote_from"),
    wroteFromKey: text("wrote_from_key"),
    /** Inbound messages up to this id are read. */
    readUpTo: text("read_up_to").notNull().default(""),
    assigneeId: text("assignee_id"),
    snoozedUntil: integer("snoozed_until"),
    /** JSON list of labels as written. `label_keys` contains the folded labels in the same order. */
    labels: text().notNull().default("[]"),
    labelKeys: text("label_keys").notNull().default("[]"),
    waitingSince: integer("waiting_since"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("conversations_of_contact").on(table.contactSeq, table.connectionId),
    index("conversations_latest").on(table.workspaceId, table.status, table.lastMessageAt, table.id),
    index("conversations_of_assignee").on(
      table.workspaceId,
      table.status,
      table.assigneeId,
      table.lastMessageAt,
      table.id,
    ),
    index("conversations_snoozed")
      .on(table.snoozedUntil)
      .where(sql`snoozed_until IS NOT NULL`),
    index("conversations_snoozed_in_workspace")
      .on(table.workspaceId, table.snoozedUntil)
      .where(sql`snoozed_until IS NOT NULL`),
    index("conversations_waiting")
      .on(table.workspaceId, table.waitingSince)
      .where(sql`waiting_since IS NOT NULL`),
    index("conversations_unread")
      .on(table.workspaceId, table.status, table.lastMessageAt, table.id)
      .where(sql`unread_count > 0`),
  ],
);

export const conversationJoins = sqliteTable(
  "conversation_joins",
  {
    fromId: text("from_id").primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** Always an existing conversation: if that conversation is merged too, this column changes. */
    intoId: text("into_id").notNull(),
  },
  (table) => [index("conversation_joins_into").on(table.intoId)],
);

export const messages = sqliteTable(
  "messages",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    contactSeq: integer("contact_seq").notNull(),
    connectionId: text("connection_id").notNull(),
    campaignId: text("campaign_id"),
    templateId: text("template_id"),
    /** JSON: the values for the provider's template. Null for a local template, whose text is in `body`. */
    templateForm: text("template_form"),
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    /** An E.164 number. For a person without a number, the provider's user id. */
    address: text().notNull(),
    body: text().notNull(),
    state: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** A message can be claimed from this time on. Not null while a direct message is unsettled. */
    nextAttemptAt: integer("next_attempt_at"),
    /** The time of a retry of a campaign message. `nextAttemptAt` is always null for campaign messages. */
    retryAt: integer("retry_at"),
    claimedAt: integer("claimed_at"),
    /**
     * The run that claimed a direct message and can repeat the claim. In a cancelled message, the request that
     * cancelled the message.
     */
    claimToken: text("claim_token"),
    providerMessageId: text("provider_message_id"),
    /**
     * The provider's key of the message in reports. Set for inbound messages. Set for outbound messages if the provider
     * does not return our id, or after a report with a key.
     */
    providerKey: text("provider_key"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    providerCode: text("provider_code"),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
    deliveredAt: integer("delivered_at"),
    readAt: integer("read_at"),
    failedAt: integer("failed_at"),
    /** The provider's pricing of the message: whether it is billable, its category, and the pricing rule. */
    billable: integer({ mode: "boolean" }),
    priceCategory: text("price_category"),
    priceType: text("price_type"),
    /** When the author last edited or deleted the message. `body` is the current text. */
    editedAt: integer("edited_at"),
    revokedAt: integer("revoked_at"),
    type: text(),
    /** JSON with the fields of the type, as in `channels/content.ts`. Null for plain text. */
    content: text(),
    /** The id of the message to which this message replies or reacts. Null if unknown. */
    replyTo: text("reply_to"),
    /** The provider's key of the message to which this message replies, if `reply_to` is unknown. */
    replyToKey: text("reply_to_key"),
    metadata: text(),
    /** JSON: the advertisement or product that led the person to write. */
    referral: text(),
    isForwarded: integer("is_forwarded", { mode: "boolean" }),
    sendAt: integer("send_at"),
    /**
     * A member, an API key or `provider_agent`. Null for campaigns and for messages that only the provider reported.
     */
    authorId: text("author_id"),
    /** True for the test of a campaign, which does not count as a reply. Otherwise null. */
    isTest: integer("is_test", { mode: "boolean" }),
    /** True if the provider's agent sent or answers the message. Otherwise null. */
    isStandby: integer("is_standby", { mode: "boolean" }),
    /** The last reaction of each side: an emoji, or "" after its removal. */
    contactReaction: text("contact_reaction"),
    contactReactionAt: integer("contact_reaction_at"),
    ownReaction: text("own_reaction"),
    ownReactionAt: integer("own_reaction_at"),
  },
  (table) => [
    index("messages_scheduled")
      .on(table.sendAt)
      .where(sql`state = -1`),
    index("messages_scheduled_by_contact")
      .on(table.contactSeq, table.sendAt)
      .where(sql`state = -1`),
    index("messages_history").on(table.contactSeq, table.connectionId, table.id),
    index("messages_due")
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
    index("messages_unsettled")
      .on(table.contactSeq, table.connectionId, table.id)
      .where(sql`next_attempt_at IS NOT NULL`),
    index("messages_retries")
      .on(table.campaignId, table.retryAt)
      .where(sql`retry_at IS NOT NULL`),
    uniqueIndex("messages_by_provider_key")
      .on(table.connectionId, table.providerKey)
      .where(sql`provider_key IS NOT NULL`),
  ],
);

/** Messages before this id are not in the search index yet. At most one row. */
export const messageIndexing = sqliteTable("message_indexing", {
  id: integer().primaryKey(),
  beforeId: text("before_id").notNull(),
});

/** All texts of edited or deleted messages, including the first text. Each text applies from `writtenAt` on. */
export const messageVersions = sqliteTable(
  "message_versions",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id").notNull(),
    messageId: text("message_id").notNull(),
    writtenAt: integer("written_at").notNull(),
    body: text().notNull(),
  },
  (table) => [index("message_versions_of_message").on(table.messageId, table.writtenAt, table.id)],
);

/** Edits, deletions, reactions and quotes that arrived before their message. Rows wait for that message. */
export const messageRevisions = sqliteTable(
  "message_revisions",
  {
    connectionId: text("connection_id").notNull(),
    providerKey: text("provider_key").notNull(),
    /** All reports of one change have the same id. For a reaction or a quote, the id is the key of its message. */
    revisionId: text("revision_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["edit", "revoke", "reaction", "quote"] }).notNull(),
    /**
     * The author of the change must be the message's author. `address` and `phoneKey` are null for the account itself.
     */
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    address: text(),
    phoneKey: text("phone_key"),
    /** The new text or emoji. Null if the text or emoji was removed. */
    body: text(),
    at: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.providerKey, table.revisionId] }),
    index("message_revisions_by_age").on(table.createdAt),
  ],
);

/** The highest reported state of messages whose provider id is unknown. The settlement applies the state. */
export const earlyStatuses = sqliteTable(
  "early_statuses",
  {
    connectionId: text("connection_id").notNull(),
    providerKey: text("provider_key").notNull(),
    workspaceId: text("workspace_id").notNull(),
    providerMessageId: text("provider_message_id").notNull(),
    state: integer().notNull(),
    sentAt: integer("sent_at"),
    deliveredAt: integer("delivered_at"),
    readAt: integer("read_at"),
    failedAt: integer("failed_at"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    providerCode: text("provider_code"),
    billable: integer({ mode: "boolean" }),
    priceCategory: text("price_category"),
    priceType: text("price_type"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.providerKey] }),
    index("early_statuses_by_age").on(table.createdAt),
  ],
);
