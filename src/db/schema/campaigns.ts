// A campaign sends one template to many contacts. Shard tables.
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
    /** JSON: the request without its audience. Null in rows of earlier versions, which store the request in other columns. */
    request: text(),
    /** Increases with each change of the request. */
    revision: integer().notNull().default(1),
    /** JSON: texts for the template's variables, by name. For earlier versions without `request`. */
    variables: text().notNull(),
    /** JSON: the values of header, buttons and cards, or null. For earlier versions without `request`. */
    parts: text(),
    /** The count at creation or start, later the number of recipients with rows. */
    recipientCount: integer("recipient_count").notNull(),
    /** The prefix of message ids, which end in eight digits that count from 0. Null before the start, like the next two. */
    messagePrefix: text("message_prefix"),
    /** The newest contact at the start. Newer contacts are not recipients. */
    lastContactSeq: integer("top"),
    cursor: integer(),
    expanded: integer().notNull().default(0),
    /** How many recipients, from the first, leases cover. */
    claimed: integer().notNull().default(0),
    /** Leased sends: first attempts and retries. */
    leasedSends: integer("taken").notNull().default(0),
    /** How many leased sends are settled or given up. */
    settledSends: integer("answered").notNull().default(0),
    /** The latest 100 results for the circuit breaker, oldest first: one digit each, 1 for a failure. */
    recentResults: text("recent").notNull().default(""),
    /** Sends settled since `pace_at`, and in the ten seconds before it. */
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
    index("campaigns_awake")
      .on(table.wakeAt)
      .where(sql`wake_at IS NOT NULL`),
  ],
);

/** Numbers that a campaign does not send to again, because a recipient gave them up. A trigger on contacts adds the rows. */
export const spentNumbers = sqliteTable(
  "spent_numbers",
  {
    campaignId: text("campaign_id").notNull(),
    phoneKey: text("phone_key").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.phoneKey] })],
);

/** Claims on blocks of recipients, from `lo` to before `hi`, and on a number of retries. */
export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /** The invocation that holds the lease. A second delivery of the grant finds another holder. */
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
  /** JSON: billable and free messages by category, from statuses. */
  cost: text(),
  /** JSON: messages sent, delivered, read or failed within a time span, by "<span> <state>". Null for older campaigns. */
  timeline: text(),
  /** JSON: failed and skipped messages by reason. Null for older campaigns. */
  reasons: text(),
});
