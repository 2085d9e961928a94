import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { storedSettings } from "../connections/connections.schemas.ts";

/** How many of a thread's messages are searched for the person's newest. */
const LOOKED_THROUGH = 500;

const unreadMessage = z.object({
  connection_id: z.string(),
  provider: z.string(),
  ...storedSettings,
  provider_message_id: z.string(),
  address: z.string(),
});

export type UnreadMessage = z.infer<typeof unreadMessage>;

/**
 * The person's newest message in a conversation, with its connection; no row if nothing is unread. A reaction cannot be marked as
 * read. Raw for CROSS JOIN, which fixes the order of lookups.
 */
export const selectNewestUnread = (ctx: Ctx, conversationId: string): Statement<UnreadMessage> =>
  statement(
    unreadMessage,
    sql`
      SELECT k.id AS connection_id, k.provider AS provider, k.config AS config, k.secrets AS secrets,
        m.provider_message_id AS provider_message_id, m.address AS address
      FROM conversations v CROSS JOIN connections k ON k.id = v.connection_id AND k.deleted_at IS NULL
      CROSS JOIN messages m ON m.id = (
        SELECT id FROM (
          SELECT id, from_contact, type FROM messages WHERE contact_seq = v.contact_seq AND connection_id = v.connection_id
          ORDER BY id DESC LIMIT ${LOOKED_THROUGH})
        WHERE from_contact AND type IS NOT 'reaction' ORDER BY id DESC LIMIT 1)
      WHERE v.id = ${conversationId} AND v.workspace_id = ${ctx.workspace.id} AND v.unread_count > 0
        AND m.provider_message_id IS NOT NULL`,
  );
