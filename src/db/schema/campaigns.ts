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
    /**
     * The audience as JSON, as the request described it. When the campaign starts, the resolved audience is
     * added to it.
     */
    audience: text().notNull(),
    /**
     * The request without its audience, as JSON. Null in rows of earlier versions, which stored it in
     * separate columns.
     */
    request: text(),
    revision: integer().notNull().default(1),
    /** The template's variables as JSON, in rows without `request`. */
    variables: text().notNull(),
    /** The values for header, buttons and cards as JSON, in rows without `request`. */
    parts: text(),
    recipientCount: integer("recipient_count").notNull(),
    /**
     * The id of a campaign message is this prefix, followed by the recipient's number in eight digits.
     * `messagePrefix`, `lastContactSeq` and `cursor` are null until the campaign starts.
     */
    messagePrefix: text("message_prefix"),
    /**
     * The `seq` of the newest contact when the campaign started. Contacts that are created later have a higher
     * `seq` and do not become recipients.
     */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** Recipients with a number below this one already belong to a lease. */
    claimed: integer().notNull().default(0),
    leasedSends: integer("taken").notNull().default(0),
    /** How many of the leased sends are finished: they have a result or will never be sent. */
    settledSends: integer("answered").notNull().default(0),
    /**
     * The last 100 results, oldest first, one digit each: 1 is a failure. If too many of them are failures, the
     * campaign is paused.
     */
    recentResults: text("recent").notNull().default(""),
    /**
     * The send rate is calculated from these three columns. `paceNow` counts the results since `paceAt`, and
     * `paceBefore` counts the results in the ten seconds before `paceAt`.
     */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    skipRestAs: text("rest", { enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /**
     * When the sweep next continues the campaign. Null if the campaign continues only after a request, such as
     * start or resume.
     */
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

export const spentNumbers = sqliteTable(
  "spent_numbers",
  {
    campaignId: text("campaign_id").notNull(),
    phoneKey: text("phone_key").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.phoneKey] })],
);

export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /**
     * Identifies the invocation that claimed the lease. If the queue delivers a grant twice, the second invocation
     * finds a different holder and sends nothing.
     */
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
  /** How many messages were billable and how many were free, per category, as JSON. */
  cost: text(),
  /**
   * How many messages reached each state in each span of ten minutes, as JSON such as `{"2890512 sent": 40}`. Null
   * for older campaigns.
   */
  timeline: text(),
  /** How many messages failed or were skipped for each reason, as JSON. Null for older campaigns. */
  reasons: text(),
});
