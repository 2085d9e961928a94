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
    /** JSON: the audience as it was asked for; once the campaign runs, also as it was resolved at the start. */
    audience: text().notNull(),
    /** JSON: the request, without its audience. Null in rows of earlier versions, which have it in other columns. */
    request: text(),
    /** Rises with each change of the request. */
    revision: integer().notNull().default(1),
    /** Of `request`, for earlier versions. JSON: texts for the template's variables, by name. */
    variables: text().notNull(),
    /** Of `request`, for earlier versions. JSON: the values of header, buttons and cards; null where none were sent. */
    parts: text(),
    /** As counted when it was made or started, then how many recipients have rows. */
    recipientCount: integer("recipient_count").notNull(),
    /** Its messages' ids begin so and end in eight digits that count from 0. Null until it starts, as the next two. */
    messagePrefix: text("message_prefix"),
    /** The newest contact there was at the start: later ones are no recipients. */
    lastContactSeq: integer("top"),
    /** The contact up to which the audience has been expanded to rows. */
    cursor: integer(),
    /** How many recipients have rows. */
    expanded: integer().notNull().default(0),
    /** How many of those, from the first, leases have covered. */
    claimed: integer().notNull().default(0),
    /** Sends that leases were given for, first attempts and retries. */
    leasedSends: integer("taken").notNull().default(0),
    /** How many of those are settled or given up. */
    settledSends: integer("answered").notNull().default(0),
    /** Results of the latest sends for the circuit breaker: a digit each, 1 for a failure, at most 100, the last one last. */
    recentResults: text("recent").notNull().default(""),
    /** Sends that were settled since `pace_at`, and in the ten seconds before that. */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    /** The reason for which recipients that no lease covers are skipped; null while they are not. */
    skipRestAs: text("rest", { enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    /** When it completed, failed or was cancelled. */
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /** The time from which the cron's sweep advances it; null once nothing more can happen by itself. */
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

/**
 * Numbers that a campaign sends to no other contact: the one who had the number was a recipient and gave it up since.
 * A trigger on contacts adds the rows.
 */
export const spentNumbers = sqliteTable(
  "spent_numbers",
  {
    campaignId: text("campaign_id").notNull(),
    phoneKey: text("phone_key").notNull(),
    contactSeq: integer("contact_seq").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.phoneKey] })],
);

/** Claims over blocks of recipients: numbers `lo` up to before `hi`, and so many retries. */
export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /** The invocation that took it: a second delivery of the same grant finds it taken. */
    holder: text().notNull(),
    lo: integer().notNull(),
    hi: integer().notNull(),
    retries: integer().notNull(),
    takenAt: integer("taken_at").notNull(),
    settledAt: integer("settled_at"),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.grantId] })],
);

/** The counts of a campaign's messages by state. A message in none of them is pending. */
export const tallies = sqliteTable("tallies", {
  campaignId: text("campaign_id").primaryKey(),
  sent: integer().notNull().default(0),
  delivered: integer().notNull().default(0),
  read: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  skipped: integer().notNull().default(0),
  unknown: integer().notNull().default(0),
  /** JSON: billable and free messages by category, as statuses report them. */
  cost: text(),
  /** JSON: messages that were sent, delivered, read or failed in a span of time, by "<span> <state>". Null of older campaigns. */
  timeline: text(),
  /** JSON: failed and skipped messages by reason. Null of older campaigns. */
  reasons: text(),
});
