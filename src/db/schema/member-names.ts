// Names of members in the databases of their workspaces. A shard table.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Names of members as a shard shows them: members are in the control database, and a read takes one trip. A row is written by the
 * batch that stores a member's id, and stays when the member is gone.
 */
export const memberNames = sqliteTable(
  "member_names",
  {
    workspaceId: text("workspace_id").notNull(),
    userId: text("user_id").notNull(),
    name: text().notNull(),
    /** Set when the member is removed, until nothing is assigned to them any more. */
    removedAt: integer("removed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index("member_names_removed")
      .on(table.removedAt)
      .where(sql`removed_at IS NOT NULL`),
  ],
);
