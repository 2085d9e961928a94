// Notes about conversations, which are not part of them. A shard table.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Written by members and software about a conversation, for each other. */
export const notes = sqliteTable(
  "notes",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    conversationId: text("conversation_id").notNull(),
    authorType: text("author_type", { enum: ["member", "api_key"] }).notNull(),
    authorId: text("author_id").notNull(),
    body: text().notNull(),
    /** JSON list of the ids of members whom the text names. */
    mentions: text().notNull().default("[]"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("notes_by_conversation").on(table.conversationId, table.id)],
);

/** Conversations in which a note names a member who has not looked there since. */
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
