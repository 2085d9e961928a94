// Tables of campaigns. A campaign sends one template to many contacts. In shards.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const campaigns = sqliteTable(
  "campaigns",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    workspaceNumber: integer("workspace_number").notNull(),
    name: text().notNull(),
    templateId: text("template_id").notNull(),
    channel: text({ enum: ["official", "unofficial"] }).notNull(),
    connectionId: text("connection_id").notNull(),
    status: text({ enum: ["draft", "scheduled", "running", "paused", "completed", "cancelled", "failed"] }).notNull(),
    lastError: text("last_error"),
    /** JSON: the requested audience. After the start, also the resolved audience. */
    audience: text().notNull(),
    /** JSON: the request without its audience. Null in rows of earlier versions, which stored the request in other columns. */
    request: text(),
    /** Increases with each change of the request. */
    revision: integer().notNull().default(1),
    /** JSON: texts for the template's variables, by name. Only in rows of earlier versions, without `request`. */
    variables: text().notNull(),
    /** JSON: the values of header, buttons and cards, or null. Only in rows of earlier versions, without `request`. */
    parts: text(),
    /** The count at creation or start. After the expansion, the number of recipients with rows. */
    recipientCount: integer("recipient_count").notNull(),
    /**
     * The prefix of message ids, which end with the recipient's number in eight digits. Null before the start, like the next two.
     */
    messagePrefix: text("message_prefix"),
    /** The newest contact at the start. Newer contacts are not recipients. */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** The number of recipients that leases contain, counted from the first recipient. */
    claimed: integer().notNull().default(0),
    /** The number of leased sends, including retries. */
    leasedSends: integer("taken").notNull().default(0),
    /** The number of leased sends that are settled or given up. */
    settledSends: integer("answered").notNull().default(0),
    /** The latest 100 results for the circuit breaker, oldest first. One digit per send; 1 is a failure. */
    recentResults: text("recent").notNull().default(""),
    /** The number of sends settled since `pace_at`, and in the ten seconds before it. */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    /** Why recipients without a lease are skipped. Null if they are not skipped. */
    skipRestAs: text("rest", { enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /** The time from which the sweep advances the campaign. Null if the campaign cannot advance on its own. */
    wakeAt: integer("wake_at"),
  },
  (table) => [
    index("campaigns_by_workspace").on(table.workspaceId, table.id),
    index("campaigns_by_status").on(table.workspaceId, table.status),
    index("campaigns_stopped")
      .on(table.id)
      .where(sql`status = 'paused' AND last_error IS NOT NULL`),
    index("campaigns_awake")
      .on(table.wakeAt)
      .where(sql`wake_at IS NOT NULL`),
  ],
);

/** Numbers to which a campaign does not send again, because a recipient lost the number. A trigger on contacts adds the rows. */
export const spentNumbers = sqliteTable(
  "spent_numbers",
  {
    campaignId: text("campaign_id").notNull(),
    phoneKey: text("phone_key").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.phoneKey] })],
);

/** Leases: claims on recipients from number `lo` to before `hi`, and on a number of retries. */
export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /** The invocation that claimed the lease. A second delivery of the grant sees that another invocation has it. */
    holder: text().notNull(),
    lo: integer().notNull(),
    hi: integer().notNull(),
    retries: integer().notNull(),
    takenAt: integer("taken_at").notNull(),
    settledAt: integer("settled_at"),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.grantId] })],
);

export const tallies = sqliteTable("tallies", {
  campaignId: text("campaign_id").primaryKey(),
  sent: integer().notNull().default(0),
  delivered: integer().notNull().default(0),
  read: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  skipped: integer().notNull().default(0),
  unknown: integer().notNull().default(0),
  /** JSON: the number of billable and free messages by category, from statuses. */
  cost: text(),
  /** JSON: messages sent, delivered, read or failed in each time span, by "<span> <state>". Null for older campaigns. */
  timeline: text(),
  /** JSON: the number of failed and skipped messages by reason. Null for older campaigns. */
  reasons: text(),
});
