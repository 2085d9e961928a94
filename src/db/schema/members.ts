// People who sign in, and what they may do where. Tables of the control database.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

const role = () => text({ enum: ["owner", "admin", "agent"] }).notNull();
const moment = (name: string) => integer(name, { mode: "timestamp_ms" }).notNull();

/** The next three are better-auth's, which names their columns: those it needs for emails and passwords. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /**
     * In lower case. Not unique: a password set through an invitation makes a user of its own, so that nobody gets at what
     * another invitation gave to the same email.
     */
    email: text().notNull(),
    /** The operator has confirmed that this user is the person of the email. */
    emailVerified: integer("email_verified", { mode: "boolean" }).notNull().default(false),
    image: text(),
    createdAt: moment("created_at"),
    updatedAt: moment("updated_at"),
  },
  (table) => [index("users_by_email").on(table.email)],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    userId: text("user_id").notNull(),
    expiresAt: moment("expires_at"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: moment("created_at"),
    updatedAt: moment("updated_at"),
  },
  (table) => [index("sessions_by_user").on(table.userId), index("sessions_by_end").on(table.expiresAt)],
);

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    userId: text("user_id").notNull(),
    accountId: text("account_id").notNull(),
    /** `credential`: email and password. */
    providerId: text("provider_id").notNull(),
    password: text(),
    createdAt: moment("created_at"),
    updatedAt: moment("updated_at"),
  },
  (table) => [index("accounts_by_user").on(table.userId)],
);

export const members = sqliteTable(
  "members",
  {
    workspaceId: text("workspace_id").notNull(),
    userId: text("user_id").notNull(),
    role: role(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] }), index("members_by_user").on(table.userId)],
);

/**
 * What is still to be done after users were merged, a row for each workspace: rows there name the user who is gone, and are moved to
 * the one who stays.
 */
export const userMerges = sqliteTable(
  "user_merges",
  {
    intoId: text("into_id").notNull(),
    fromId: text("from_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    mergedAt: integer("merged_at").notNull(),
    /** Notes and messages from these ids on are done; they sort behind every id at first. */
    notesBefore: text("notes_before").notNull().default("~"),
    messagesBefore: text("messages_before").notNull().default("~"),
  },
  (table) => [
    primaryKey({ columns: [table.intoId, table.fromId, table.workspaceId] }),
    index("user_merges_by_age").on(table.mergedAt),
  ],
);

export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    /** In lower case. */
    email: text().notNull(),
    role: role(),
    /** SHA-256 of the secret in its link. */
    hash: text().notNull().unique(),
    expiresAt: integer("expires_at").notNull(),
    acceptedAt: integer("accepted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("invitations_by_end").on(table.expiresAt),
    uniqueIndex("invitations_open")
      .on(table.workspaceId, table.email)
      .where(sql`accepted_at IS NULL`),
    index("invitations_listed")
      .on(table.workspaceId, table.id)
      .where(sql`accepted_at IS NULL`),
  ],
);

/** How often a password has been tried lately, by what the attempts have in common. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    /** Then the count begins anew. */
    until: integer().notNull(),
  },
  (table) => [index("sign_in_attempts_by_end").on(table.until)],
);

/** Where each user has signed in before: locking an account for others leaves these open. */
export const signInNetworks = sqliteTable(
  "sign_in_networks",
  {
    userId: text("user_id").notNull(),
    /** An IPv4 address, or the /64 of an IPv6 one. */
    network: text().notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.network] }),
    index("sign_in_networks_by_age").on(table.lastAt),
  ],
);

/** Links by which a person sets a new password. */
export const resetLinks = sqliteTable(
  "reset_links",
  {
    /** SHA-256 of the secret in the link. */
    hash: text().primaryKey(),
    userId: text("user_id").notNull(),
    /** Where it was made. */
    workspaceId: text("workspace_id").notNull(),
    /** The owner who made it; null for the operator. */
    madeBy: text("made_by"),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("reset_links_by_user").on(table.userId), index("reset_links_by_end").on(table.expiresAt)],
);
