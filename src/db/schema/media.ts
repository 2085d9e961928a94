// Tables of files, in shards. The bytes of files are in R2.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    status: text({ enum: ["pending", "stored", "failed", "expired"] }).notNull(),
    /** The detected type of a stored file. Before the file is stored, the announced type. */
    mimeType: text("mime_type"),
    bytes: integer(),
    /** In hex. */
    sha256: text(),
    filename: text(),
    /**
     * The limits of this message type apply to the file. Null for uploads, inbound files and downloads without a
     * message.
     */
    messageType: text("message_type"),
    /** JSON: a URL, or a file of a connection's provider. Null for uploaded bytes. */
    source: text(),
    /** Why the download failed, as a sentence. */
    reason: text(),
    attempts: integer().notNull().default(0),
    fetchAt: integer("fetch_at"),
    createdAt: integer("created_at").notNull(),
    /** When the sweep deletes the bytes of a stored, deleted or interrupted file. Otherwise null. */
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

/** Provider ids of uploaded files. A connection uploads a file again only after its id expires. */
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
