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
  /** When the workspace hid the first steps on its overview. Null while the overview shows them. */
  stepsHiddenAt: integer("steps_hidden_at"),
  createdAt: integer("created_at").notNull(),
});

/** Finds the workspace of a provider's webhook, because the webhook's URL contains only the connection's id. */
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
    /** Requests per window. Null if the plan's limit applies. */
    requests: integer(),
    windowSeconds: integer("window_seconds"),
    /** Increases with each change that affects cached keys or the rate limiter. */
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

/** better-auth defines the columns of the next three tables, which contain emails and password hashes. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** In lower case. Not unique, because a person who accepts an invitation with a password gets a separate user. */
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
     * After two users are merged, a job replaces the old user id in notes and messages, newest first. Rows
     * from this id on are done, and the default `~` sorts after all ids.
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

/** Counts recent attempts to sign in per device, email, network or user, so that they can be limited. */
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
