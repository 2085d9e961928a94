// One template to many people. Shard tables.
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
    status: text({ enum: ["scheduled", "running", "paused", "completed", "cancelled", "failed"] }).notNull(),
    lastError: text("last_error"),
    /** JSON: whom it is for; once it runs, as that was understood at the start. */
    audience: text().notNull(),
    /** JSON: texts for the template's variables, by name. */
    variables: text().notNull(),
    /** As counted when it was made or started, then how many rows there are. */
    recipientCount: integer("recipient_count").notNull(),
    /** Its messages' ids begin so and end in eight digits that count from 0. Null until it starts, as the next two. */
    messagePrefix: text("message_prefix"),
    /** The highest contact there was at the start. */
    top: integer(),
    /** Contacts up to here have been looked at. */
    cursor: integer(),
    /** How many recipients have rows. */
    expanded: integer().notNull().default(0),
    /** How many of those, from the first, leases have covered. */
    claimed: integer().notNull().default(0),
    /** Sends that leases were given for, first ones and repeated ones. */
    taken: integer().notNull().default(0),
    /** How many of those have come to something. */
    answered: integer().notNull().default(0),
    /** How the latest sends ended, 1 for a failure, at most 100, the last one last. */
    recent: text().notNull().default(""),
    /** Sends that ended since `pace_at`, and in the ten seconds before that. */
    paceAt: integer("pace_at").notNull().default(0),
    paceNow: integer("pace_now").notNull().default(0),
    paceBefore: integer("pace_before").notNull().default(0),
    /** Why recipients that no lease covers are skipped; null while they are not. */
    rest: text({ enum: ["cancelled", "expired"] }),
    audienceReadyAt: integer("audience_ready_at"),
    scheduledAt: integer("scheduled_at"),
    sendBefore: integer("send_before"),
    startedAt: integer("started_at"),
    /** When it came to an end, whichever. */
    completedAt: integer("completed_at"),
    createdAt: integer("created_at").notNull(),
    /** From when on the cron looks after it; null once nothing more can happen by itself. */
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
 * Numbers that nobody else is sent to in a campaign: their holders were, and gave them up while it was under way.
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

/** Recipients that somebody is sending to: numbers `lo` up to before `hi`, and repeated attempts. */
export const leases = sqliteTable(
  "leases",
  {
    campaignId: text("campaign_id").notNull(),
    grantId: text("grant_id").notNull(),
    /** Who claimed it: a second delivery of the same grant finds it taken. */
    holder: text().notNull(),
    lo: integer().notNull(),
    hi: integer().notNull(),
    retries: integer().notNull(),
    takenAt: integer("taken_at").notNull(),
    settledAt: integer("settled_at"),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.grantId] })],
);
