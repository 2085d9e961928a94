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
    /** The requested audience as JSON. When the campaign starts, the resolved audience is added. */
    audience: text().notNull(),
    /**
     * The request as JSON, without its audience. Earlier versions stored it in separate columns, and it is
     * then null.
     */
    request: text(),
    revision: integer().notNull().default(1),
    /** The template's variables as JSON. Only rows without `request` use this column. */
    variables: text().notNull(),
    /** The values for header, buttons and cards as JSON. Only rows without `request` use this column. */
    parts: text(),
    recipientCount: integer("recipient_count").notNull(),
    /**
     * A message id is this prefix, followed by the recipient's number in eight digits. Until the campaign
     * starts, this column and the next two are null.
     */
    messagePrefix: text("message_prefix"),
    /** The `seq` of the newest contact when the campaign started. Later contacts do not become recipients. */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** Every recipient with a lower number belongs to a lease. */
    claimed: integer().notNull().default(0),
    leasedSends: integer("taken").notNull().default(0),
    /** Counts leased sends that have a result, and those that will never be sent. */
    settledSends: integer("answered").notNull().default(0),
    /**
     * The last 100 results, oldest first, with one digit per result. 1 is a failure, and too many failures
     * pause the campaign.
     */
    recentResults: text("recent").notNull().default(""),
    /** `paceNow` counts results since `paceAt`, and `paceBefore` counts results in the ten seconds before. */
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
    /** When the sweep continues the campaign. Null if the campaign waits for a request. */
    wakeAt: integer("wake_at"),
  },
  (table) => [
    index("campaigns_by_workspace").on(table.workspaceId, table.id),
    index("campaigns_by_status").on(table.workspaceId, table.status),
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
     * The invocation that claimed the lease. If the same grant is delivered twice, the second invocation must
     * not use the lease.
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
  /** How many messages reached each "<time span> <state>", as JSON. Older campaigns have null. */
  timeline: text(),
  /** How many messages failed or were skipped for each reason, as JSON. Older campaigns have null. */
  reasons: text(),
});
