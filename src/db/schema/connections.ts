import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SealedSecret } from "../../shared/security/crypto.ts";

export const connections = sqliteTable(
  "connections",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    name: text().notNull(),
    channel: text({ enum: ["official", "unofficial"] }).notNull(),
    provider: text({ enum: ["sandbox", "whatsapp_cloud", "waha"] }).notNull(),
    status: text({ enum: ["active", "disconnected", "error"] }).notNull(),
    statusDetail: text("status_detail"),
    statusAt: integer("status_at"),
    /** The provider's limit on new people per day, such as `TIER_1K`, and when it was reported. */
    messagingLimit: text("messaging_limit"),
    messagingLimitAt: integer("messaging_limit_at"),
    /**
     * When the provider stopped responding, which set the status to `error`. Null if the provider responds, or if
     * the status has another cause. Tidings tests the connection again at `retestAt`.
     */
    unreachableSince: integer("unreachable_since"),
    retestAt: integer("retest_at"),
    templateSyncAt: integer("template_sync_at"),
    templateSyncFailures: integer("template_sync_failures").notNull().default(0),
    /**
     * How many changes Tidings has made to templates at the provider. If this number increases while a sync fetches
     * the provider's list of templates, the sync ignores the list, because it may be from before the change.
     */
    templateChanges: integer("template_changes").notNull().default(0),
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    messagesPerSecond: integer("messages_per_second").notNull(),
    config: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    secrets: text({ mode: "json" }).$type<Record<string, SealedSecret>>().notNull(),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("connections_by_workspace").on(table.workspaceId, table.id),
    index("connections_to_retest")
      .on(table.retestAt)
      .where(sql`retest_at IS NOT NULL`),
    index("connections_failing")
      .on(table.statusAt)
      .where(sql`status <> 'active' AND deleted_at IS NULL`),
    index("connections_to_sync")
      .on(table.templateSyncAt)
      .where(sql`template_sync_at IS NOT NULL`),
  ],
);
