import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const notes = sqliteTable(
  "notes",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    conversationId: text("conversation_id").notNull(),
    authorType: text("author_type", { enum: ["member", "api_key"] }).notNull(),
    authorId: text("author_id").notNull(),
    body: text().notNull(),
    mentions: text().notNull().default("[]"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("notes_by_conversation").on(table.conversationId, table.id)],
);

export const unseenMentions = sqliteTable(
  "unseen_mentions",
  {
    workspaceId: text("workspace_id").notNull(),
    memberId: text("member_id").notNull(),
    conversationId: text("conversation_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.memberId] }),
    index("unseen_mentions_of_member").on(table.workspaceId, table.memberId, table.conversationId),
  ],
);

/**
 * Copies of the members' names from the control database, so that one round trip reads conversations together
 * with the names. If a member leaves, the row stays, because conversations may still show the name.
 */
export const memberNames = sqliteTable(
  "member_names",
  {
    workspaceId: text("workspace_id").notNull(),
    userId: text("user_id").notNull(),
    name: text().notNull(),
    /**
     * When the member left. Null for a current member. When a job has unassigned all conversations of a former
     * member, it sets this to null.
     */
    removedAt: integer("removed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index("member_names_removed")
      .on(table.removedAt)
      .where(sql`removed_at IS NOT NULL`),
  ],
);

export const conversationLabels = sqliteTable(
  "conversation_labels",
  {
    workspaceId: text("workspace_id").notNull(),
    labelKey: text("label_key").notNull(),
    status: text({ enum: ["open", "snoozed", "done"] }).notNull(),
    lastMessageAt: integer("last_message_at").notNull(),
    conversationId: text("conversation_id").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.workspaceId, table.labelKey, table.status, table.lastMessageAt, table.conversationId],
    }),
  ],
);
