// Tables of campaigns, in shards. A campaign sends one template to many contacts.
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
    /** JSON: the requested audience. The start adds the resolved audience. */
    audience: text().notNull(),
    /** JSON: the request without its audience. Null if an earlier version stored the request in separate columns. */
    request: text(),
    revision: integer().notNull().default(1),
    /** JSON: texts by variable of the template. Only rows of earlier versions, without `request`, use this column. */
    variables: text().notNull(),
    /**
     * JSON: the values of header, buttons and cards. Only rows of earlier versions, without `request`, use this column.
     */
    parts: text(),
    /** An estimate from creation or start. After the expansion, the number of recipients. */
    recipientCount: integer("recipient_count").notNull(),
    /**
     * A message id is this prefix and the recipient's number in eight digits. Null before the start, like the next two
     * columns.
     */
    messagePrefix: text("message_prefix"),
    /** The `seq` of the newest contact at the start. Later contacts are not recipients. */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** Leases contain the recipients with lower numbers than this. */
    claimed: integer().notNull().default(0),
    /** Includes retries. */
    leasedSends: integer("taken").notNull().default(0),
    /** The number of leased sends that are settled or given up. */
    settledSends: integer("answered").notNull().default(0),
    /** The last 100 results for the circuit breaker, oldest first. Each result is one digit, and 1 is a failure. */
    recentResults: text("recent").notNull().default(""),
    /** `paceNow` counts sends settled since `paceAt`. `paceBefore` counts sends of the ten seconds before `paceAt`. */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    /** The reason why recipients without a lease are skipped. Null if they are not skipped. */
    skipRestAs: text("rest", { enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /** The sweep advances the campaign from this time on. Null if the campaign waits for a request. */
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

/** Numbers that a recipient has lost, and to which the campaign does not send again. A trigger adds the rows. */
export const spentNumbers = sqliteTable(
  "spent_numbers",
  {
    campaignId: text("campaign_id").notNull(),
    phoneKey: text("phone_key").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.phoneKey] })],
);

/** A lease is a claim on the recipients with numbers from `lo` to `hi` - 1, and on a number of retries. */
export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /**
     * The invocation that claimed the lease. If the grant is delivered twice, the second invocation does not use the
     * lease.
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
  /** JSON: the number of billable and free messages by category, from the provider's statuses. */
  cost: text(),
  /** JSON: counts of messages sent, delivered, read or failed by "<time span> <state>". Null for older campaigns. */
  timeline: text(),
  /** JSON: failed and skipped messages counted by reason. Null for older campaigns. */
  reasons: text(),
});
