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
    /** JSON of the requested audience. When the campaign starts, the resolved audience is added. */
    audience: text().notNull(),
    /**
     * JSON of the request, except the audience. Null if an earlier version stored the request in separate
     * columns.
     */
    request: text(),
    revision: integer().notNull().default(1),
    /** JSON of the template's variables. Used only for rows without `request`. */
    variables: text().notNull(),
    /** JSON of the values for header, buttons and cards. Used only for rows without `request`. */
    parts: text(),
    /** An estimate until all recipients are created. */
    recipientCount: integer("recipient_count").notNull(),
    /**
     * A message id consists of this prefix and the recipient's number (eight digits). Like the next two
     * columns, null until the campaign starts.
     */
    messagePrefix: text("message_prefix"),
    /** The `seq` of the newest contact when the campaign started. Later contacts do not become recipients. */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** Recipients with a lower number belong to a lease. */
    claimed: integer().notNull().default(0),
    leasedSends: integer("taken").notNull().default(0),
    /** Leased sends that have a result or will not be sent. */
    settledSends: integer("answered").notNull().default(0),
    /** The last 100 results, oldest first, for pausing a failing campaign. 1 is a failure. */
    recentResults: text("recent").notNull().default(""),
    /** `paceNow` counts results since `paceAt`, and `paceBefore` counts results in the ten seconds before. */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    /** Why recipients without a lease are skipped. Null while they are not skipped. */
    skipRestAs: text("rest", { enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /** The sweep continues the campaign at this time. Null if the campaign waits for a user. */
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
     * The invocation that claimed the lease. The same grant may be delivered twice, and the second invocation
     * must not use the lease.
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
  /** JSON with the number of billable and free messages per category, as the provider reported them. */
  cost: text(),
  /** JSON that counts messages by "<time span> <state>". Null for older campaigns. */
  timeline: text(),
  /** JSON that counts failed and skipped messages by reason. Null for older campaigns. */
  reasons: text(),
});
