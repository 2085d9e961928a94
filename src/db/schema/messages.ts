// Conversations and messages. Shard tables.
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
    /** A `snoozed` conversation is an open one that `snoozed=false` leaves out until `snoozedUntil`; others have no `snoozedUntil`. */
    status: text({ enum: ["open", "snoozed", "done"] })
      .notNull()
      .default("open"),
    unreadCount: integer("unread_count").notNull().default(0),
    lastMessage: text("last_message").notNull(),
    lastMessageAt: integer("last_message_at").notNull(),
    lastMessageId: text("last_message_id").notNull(),
    lastInboundAt: integer("last_inbound_at"),
    /** The address that the person last wrote from: a number as it was spelled, with its key, or the provider's user id, without. */
    wroteFrom: text("wrote_from"),
    wroteFromKey: text("wrote_from_key"),
    /** Inbound messages up to this id have been read. */
    readUpTo: text("read_up_to").notNull().default(""),
    /** The member who looks after it. */
    assigneeId: text("assignee_id"),
    snoozedUntil: integer("snoozed_until"),
    /** JSON list of strings, as they were written; `label_keys` has them folded, in the same order. */
    labels: text().notNull().default("[]"),
    labelKeys: text("label_keys").notNull().default("[]"),
    /** The time of the first inbound message that nobody has answered. */
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

/** Conversations that became part of another, whose rows are gone. */
export const conversationJoins = sqliteTable(
  "conversation_joins",
  {
    fromId: text("from_id").primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** Always a conversation that exists: merging that one moves it on. */
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
    /** JSON: the values that the provider's template is filled in with; null for a local template, whose text is in `body`. */
    templateForm: text("template_form"),
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    /** E.164, or the provider's user id of a person without a number. */
    address: text().notNull(),
    body: text().notNull(),
    /** A rank of `messages.states.ts`. */
    state: integer().notNull(),
    attempts: integer().notNull().default(0),
    /** Set while a direct message is unsettled: the time from which it may be claimed. */
    nextAttemptAt: integer("next_attempt_at"),
    /** Set while a campaign's message waits for its retry or makes it; `nextAttemptAt` of such a message is always null. */
    retryAt: integer("retry_at"),
    claimedAt: integer("claimed_at"),
    /**
     * Chosen by the run that claimed a direct message: the repeat of a claim whose answer was lost finds its message by it. Of a
     * cancelled message, the id of the request that cancelled it.
     */
    claimToken: text("claim_token"),
    providerMessageId: text("provider_message_id"),
    /** The key that reports name it by: of inbound ones, where providers do not send our id back, and once a report has named it so. */
    providerKey: text("provider_key"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    providerCode: text("provider_code"),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
    deliveredAt: integer("delivered_at"),
    readAt: integer("read_at"),
    failedAt: integer("failed_at"),
    /** How the provider prices the message: whether it is charged for, as which category, by which rule. */
    billable: integer({ mode: "boolean" }),
    priceCategory: text("price_category"),
    priceType: text("price_type"),
    /** The times of its author's last edit and of taking it back; `body` is the text since then. */
    editedAt: integer("edited_at"),
    revokedAt: integer("revoked_at"),
    /** A type of `channels/content.ts`; null of a text, and of a template. */
    type: text(),
    /** JSON by type, as in `channels/content.ts`; null of a text without anything besides. */
    content: text(),
    /** The message that it answers, or that it is a reaction to; null where that is not known. */
    replyTo: text("reply_to"),
    /** The provider's key of that message, where `reply_to` is not known. */
    replyToKey: text("reply_to_key"),
    /** JSON: the caller's own strings by name. */
    metadata: text(),
    /** JSON: the advertisement or product that led the person to write. */
    referral: text(),
    isForwarded: integer("is_forwarded", { mode: "boolean" }),
    /** The time that a scheduled message was asked to leave at. */
    sendAt: integer("send_at"),
    /** The member or the API key that had it sent, or `provider_agent`; null of campaigns' and of other messages that a provider reports. */
    authorId: text("author_id"),
    /** True for the test of a campaign, which answers nobody; null otherwise. */
    isTest: integer("is_test", { mode: "boolean" }),
    /** True where the provider's own agent sent it, or answers it; null otherwise. */
    isStandby: integer("is_standby", { mode: "boolean" }),
    /** The last reaction of each side: an emoji, or "" where it was taken back. */
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

/** Messages of before the search over messages that are still to be indexed, newest first: those before the id. One row, or none. */
export const messageIndexing = sqliteTable("message_indexing", {
  id: integer().primaryKey(),
  beforeId: text("before_id").notNull(),
});

/** All texts of messages that were edited or taken back, the first one included; each holds from `writtenAt` on. */
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

/** Edits, revocations, reactions and quotes that came before the message they name: they wait here until they are applied to it. */
export const messageRevisions = sqliteTable(
  "message_revisions",
  {
    connectionId: text("connection_id").notNull(),
    providerKey: text("provider_key").notNull(),
    /** The same each time that the provider reports the change; of a reaction or a quote, the key of the message that it came in. */
    revisionId: text("revision_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    kind: text({ enum: ["edit", "revoke", "reaction", "quote"] }).notNull(),
    /**
     * The author of the change, who must be the message's but for a reaction or a quote. `address` and `phoneKey` are null for our
     * own account.
     */
    fromContact: integer("from_contact", { mode: "boolean" }).notNull(),
    address: text(),
    phoneKey: text("phone_key"),
    /** The new text, or the emoji; null where the message was taken back. */
    body: text(),
    at: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.providerKey, table.revisionId] }),
    index("message_revisions_by_age").on(table.createdAt),
  ],
);

/** The highest state that statuses report of messages whose provider's id is not known yet; merged by the settlement. */
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
