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
    /** The API returns a `snoozed` conversation with the status `open`. */
    status: text({ enum: ["open", "snoozed", "done"] })
      .notNull()
      .default("open"),
    unreadCount: integer("unread_count").notNull().default(0),
    lastMessage: text("last_message").notNull(),
    lastMessageAt: integer("last_message_at").notNull(),
    lastMessageId: text("last_message_id").notNull(),
    lastInboundAt: integer("last_inbound_at"),
    /** The number or user id from which the person last wrote. If it is a user id, `wrote_from_key` is null. */
    wroteFrom: text("wrote_from"),
    wroteFromKey: text("wrote_from_key"),
    readUpTo: text("read_up_to").notNull().default(""),
    assigneeId: text("assignee_id"),
    snoozedUntil: integer("snoozed_until"),
    /**
     * Labels as users wrote them, as a JSON list. `label_keys` contains the keys by which they are compared, in
     * the same order.
     */
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
    /** The remaining conversation. If it is later merged into another one, this row points to that one. */
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
    /**
     * The values for a provider's template, as JSON. Null for a local template: its text, with the values
     * filled in, is in `body`.
     */
    templateForm: text("template_form"),
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    /** An E.164 number, or the provider's user id if the person has no number. */
    address: text().notNull(),
    body: text().notNull(),
    state: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** When a job may next claim this direct message. Null as soon as the message has a result. */
    nextAttemptAt: integer("next_attempt_at"),
    /** When a campaign message is retried. For direct messages, this is null and `nextAttemptAt` is used. */
    retryAt: integer("retry_at"),
    claimedAt: integer("claimed_at"),
    /** Names the job that claimed a direct message, or the request that cancelled it. */
    claimToken: text("claim_token"),
    providerMessageId: text("provider_message_id"),
    /**
     * The key that the provider uses for this message in status reports. Some providers report Tidings' own message
     * id instead. For these, the key of a sent message is usually null.
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
    billable: integer({ mode: "boolean" }),
    priceCategory: text("price_category"),
    priceType: text("price_type"),
    /** When the author last edited or deleted the message. `body` is the text after the edit. */
    editedAt: integer("edited_at"),
    revokedAt: integer("revoked_at"),
    type: text(),
    /** JSON in the shape that `channels/content.ts` defines for the type. Null for plain text. */
    content: text(),
    replyTo: text("reply_to"),
    /** The provider's key of the quoted message, if Tidings does not have that message. */
    replyToKey: text("reply_to_key"),
    metadata: text(),
    /** The ad or product through which the person started the conversation, as JSON. */
    referral: text(),
    isForwarded: integer("is_forwarded", { mode: "boolean" }),
    sendAt: integer("send_at"),
    /**
     * The member, API key or `provider_agent` that wrote the message. Null for a campaign message, and for a
     * message that was sent with other software.
     */
    authorId: text("author_id"),
    /** True for the test message of a campaign. Otherwise null. */
    isTest: integer("is_test", { mode: "boolean" }),
    /** True if the provider's own agent handled the conversation at the time of the message. Otherwise null. */
    isStandby: integer("is_standby", { mode: "boolean" }),
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

/** A job indexes old messages for search, newest first. Messages before `beforeId` are not indexed yet. */
export const messageIndexing = sqliteTable("message_indexing", {
  id: integer().primaryKey(),
  beforeId: text("before_id").notNull(),
});

/** Every text that an edited or deleted message has had, each with the time from which it applied. */
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

/**
 * Edits, deletions, reactions and quotes that arrived before the message to which they belong. When the message
 * arrives, they are applied to it.
 */
export const messageRevisions = sqliteTable(
  "message_revisions",
  {
    connectionId: text("connection_id").notNull(),
    providerKey: text("provider_key").notNull(),
    /**
     * If the provider reports a change twice, both reports have the same id, so the change is stored once. For a
     * reaction or quote, this is the provider's key of the message that contains the reaction or quote.
     */
    revisionId: text("revision_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["edit", "revoke", "reaction", "quote"] }).notNull(),
    /**
     * Who made the change. An edit or deletion has an effect only if its author also wrote the message. `address`
     * and `phoneKey` are null if the change comes from the workspace's own account.
     */
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    address: text(),
    phoneKey: text("phone_key"),
    /** The new text or emoji. Null if the change removed it. */
    body: text(),
    at: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.providerKey, table.revisionId] }),
    index("message_revisions_by_age").on(table.createdAt),
  ],
);

/**
 * Statuses that arrived before Tidings stored the provider's key of the message. If several statuses arrive for
 * one message, its row contains the most advanced one.
 */
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
