import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { plans } from "../../shared/access/workspace.ts";

export const workspaces = sqliteTable("workspaces", {
  number: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  shard: integer().notNull(),
  name: text().notNull(),
  plan: text({ enum: plans }).notNull(),
  timeZone: text("time_zone").notNull().default("UTC"),
  /** When a member hid the first steps on the workspace's overview. Null as long as they are visible. */
  stepsHiddenAt: integer("steps_hidden_at"),
  createdAt: integer("created_at").notNull(),
});

/**
 * The workspace of each connection. The URL of a provider's webhook contains only the connection's id, so this
 * table finds the workspace.
 */
export const connectionShards = sqliteTable("connection_shards", {
  connectionId: text("connection_id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
});

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    connectionId: text("connection_id").notNull(),
    hash: text().notNull().unique(),
    name: text().notNull(),
    lastFour: text("last_four").notNull(),
    readOnly: integer("read_only", { mode: "boolean" }).notNull(),
    /** The key's own limit: requests per window. Null if the plan's limit applies. */
    requests: integer(),
    windowSeconds: integer("window_seconds"),
    /**
     * Increases with each change that the caches and the rate limiter must know, such as a new limit. They compare
     * revisions to detect that their copy of the key is outdated.
     */
    revision: integer().notNull().default(1),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    lastUsedAt: integer("last_used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("api_keys_by_workspace").on(table.workspaceId, table.id)],
);

const role = () => text({ enum: ["owner", "admin", "agent"] }).notNull();
const moment = (name: string) => integer(name, { mode: "timestamp_ms" }).notNull();

/** The columns of the next three tables are those that better-auth requires. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /**
     * In lower case. Not unique: somebody who sets a new password to accept an invitation becomes a separate user,
     * because the invitation's link does not prove that they own the email address.
     */
    email: text().notNull(),
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
    /** How the person signs in. `credential` means email and password. */
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

export const userMerges = sqliteTable(
  "user_merges",
  {
    intoId: text("into_id").notNull(),
    fromId: text("from_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    mergedAt: integer("merged_at").notNull(),
    /**
     * A job replaces `fromId` with `intoId` in notes and messages, newest first. It has finished all rows with this
     * id or a later one. The default `~` sorts after every id, so it means that no row is finished.
     */
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
    email: text().notNull(),
    role: role(),
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

/** Counts the recent sign-in attempts per device, email, network or user, because their number is limited. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    until: integer().notNull(),
  },
  (table) => [index("sign_in_attempts_by_end").on(table.until)],
);

export const signInNetworks = sqliteTable(
  "sign_in_networks",
  {
    userId: text("user_id").notNull(),
    network: text().notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.network] }),
    index("sign_in_networks_by_age").on(table.lastAt),
  ],
);

export const resetLinks = sqliteTable(
  "reset_links",
  {
    hash: text().primaryKey(),
    userId: text("user_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    madeBy: text("made_by"),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("reset_links_by_user").on(table.userId), index("reset_links_by_end").on(table.expiresAt)],
);
