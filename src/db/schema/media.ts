import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    status: text({ enum: ["pending", "stored", "failed", "expired"] }).notNull(),
    /** Until the file is stored, this is the type that the sender declared. Then Tidings detects it from the bytes. */
    mimeType: text("mime_type"),
    bytes: integer(),
    sha256: text(),
    filename: text(),
    messageType: text("message_type"),
    /**
     * Where Tidings fetches the file: a URL, or an id at the connection's provider, as JSON. Null if the client
     * uploaded the file.
     */
    source: text(),
    reason: text(),
    attempts: integer().notNull().default(0),
    fetchAt: integer("fetch_at"),
    createdAt: integer("created_at").notNull(),
    /** When the sweep deletes the file's bytes. Null if there are no bytes, or if they must stay. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    index("media_by_workspace").on(table.workspaceId, table.id),
    index("media_to_fetch")
      .on(table.fetchAt)
      .where(sql`fetch_at IS NOT NULL`),
    index("media_to_expire")
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL`),
  ],
);

/**
 * The ids that providers returned for uploaded files. Until an id expires, messages with the same file use it
 * instead of a new upload.
 */
export const mediaUploads = sqliteTable(
  "media_uploads",
  {
    connectionId: text("connection_id").notNull(),
    sha256: text().notNull(),
    mimeType: text("mime_type").notNull(),
    workspaceId: text("workspace_id").notNull(),
    providerMediaId: text("provider_media_id").notNull(),
    lapsesAt: integer("lapses_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.sha256, table.mimeType] }),
    index("media_uploads_by_age").on(table.lapsesAt),
  ],
);
