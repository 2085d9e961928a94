import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { connections, conversations, messages } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { storedSettings } from "../connections/connections.schemas.ts";

const k = columns(connections, "k");
const m = columns(messages, "m");
const v = columns(conversations, "v");
const message = columns(messages);

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
      SELECT ${k.id} AS connection_id, ${k.provider} AS provider, ${k.config} AS config, ${k.secrets} AS secrets,
        ${m.providerMessageId} AS provider_message_id, ${m.address} AS address
      FROM conversations v CROSS JOIN connections k ON ${k.id} = ${v.connectionId} AND ${k.deletedAt} IS NULL
      CROSS JOIN messages m ON ${m.id} = (
        SELECT ${message.id} FROM (
          SELECT ${message.id}, ${message.fromContact}, ${message.type} FROM messages
          WHERE ${message.contactSeq} = ${v.contactSeq} AND ${message.connectionId} = ${v.connectionId}
          ORDER BY ${message.id} DESC LIMIT ${LOOKED_THROUGH})
        WHERE ${message.fromContact} AND ${message.type} IS NOT 'reaction' ORDER BY ${message.id} DESC LIMIT 1)
      WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id} AND ${v.unreadCount} > 0
        AND ${m.providerMessageId} IS NOT NULL`,
  );
