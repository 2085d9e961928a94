// Files of messages, with their bytes in R2. Shard tables.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    status: text({ enum: ["pending", "stored", "failed", "expired"] }).notNull(),
    /** The detected type of a stored file, before that the announced type. */
    mimeType: text("mime_type"),
    bytes: integer(),
    /** Hex. */
    sha256: text(),
    filename: text(),
    /** The kind of message whose limits apply. Null for uploads, inbound files and fetches without a message. */
    messageType: text("message_type"),
    /** JSON: the source of the fetch, a URL or a file of a connection's provider. Null for uploaded bytes. */
    source: text(),
    /** Why the fetch failed, as a sentence. */
    reason: text(),
    attempts: integer().notNull().default(0),
    fetchAt: integer("fetch_at"),
    createdAt: integer("created_at").notNull(),
    /** When the sweep deletes the bytes of a stored, deleted or interrupted file; otherwise null. */
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

/** Provider ids of uploaded files. A connection uploads a file again only after its id lapses. */
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
