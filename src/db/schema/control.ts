// Tables of the control database.
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { plans } from "../../shared/access/workspace.ts";

export const workspaces = sqliteTable("workspaces", {
  number: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().unique(),
  shard: integer().notNull(),
  name: text().notNull(),
  plan: text({ enum: plans }).notNull(),
  /** An IANA name. Decides when a day begins, and when a snooze until the morning ends. */
  timeZone: text("time_zone").notNull().default("UTC"),
  /** When the setup steps were hidden. Null while the overview shows them. */
  stepsHiddenAt: integer("steps_hidden_at"),
  createdAt: integer("created_at").notNull(),
});

/** Maps a connection to its workspace, for callers that know only the connection's id (webhooks). */
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
    /** The key's limit. Null for the limit of the plan. */
    requests: integer(),
    windowSeconds: integer("window_seconds"),
    /** Increases with each change that invalidates cached copies or affects the limiter. */
    revision: integer().notNull().default(1),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    lastUsedAt: integer("last_used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("api_keys_by_workspace").on(table.workspaceId, table.id)],
);
