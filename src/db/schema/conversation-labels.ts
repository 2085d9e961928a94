import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An entry for each label of a conversation, so that a list by label is a range of the key. Triggers keep it. */
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
