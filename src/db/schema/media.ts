// Files of messages, whose bytes are in R2. Shard tables.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    status: text({ enum: ["pending", "stored", "failed", "expired"] }).notNull(),
    /** As the bytes say once they are stored; as was announced until then. */
    mimeType: text("mime_type"),
    bytes: integer(),
    /** Hex. */
    sha256: text(),
    filename: text(),
    /** The kind of message that it is fetched for: its limits apply. Null of uploads, of what came in, and of a fetch for no message. */
    messageType: text("message_type"),
    /** JSON: where it is to be fetched from, a URL or a file of a connection's provider. Null for uploaded bytes. */
    source: text(),
    /** Why it failed, in a sentence. */
    reason: text(),
    attempts: integer().notNull().default(0),
    /** The time of the next fetch, while it is pending. */
    fetchAt: integer("fetch_at"),
    createdAt: integer("created_at").notNull(),
    /**
     * When the sweep deletes bytes: of a stored file, of an upload that broke off by then, of a file that was deleted. Null of all else,
     * also of an expired file whose bytes are gone.
     */
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

/** Ids that providers gave files which were uploaded to them: a file is uploaded once a connection until its id lapses. */
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
