import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { connections, conversations, messages } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { loadChannel } from "../../channels/registry.ts";
import { log } from "../../shared/logger.ts";
import { storedSettings } from "../connections/connections.schemas.ts";
import { tryOpenConnection } from "../connections/open-connection.ts";

const k = columns(connections, "k");
const m = columns(messages, "m");
const v = columns(conversations, "v");
const message = columns(messages);

/**
 * We look for the person's newest message only in this many of the thread's latest messages, to limit the rows read.
 */
const MAX_SEARCHED = 500;

const unreadMessage = z.object({
  connection_id: z.string(),
  provider: z.string(),
  ...storedSettings,
  provider_message_id: z.string(),
  address: z.string(),
});

type UnreadMessage = z.infer<typeof unreadMessage>;

/** Skips reactions, because providers cannot mark them as read. Raw SQL for CROSS JOIN. */
export const selectNewestUnread = (ctx: Ctx, conversationId: string) =>
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
          ORDER BY ${message.id} DESC LIMIT ${MAX_SEARCHED})
        WHERE ${message.fromContact} AND ${message.type} IS NOT 'reaction' ORDER BY ${message.id} DESC LIMIT 1)
      WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id} AND ${v.unreadCount} > 0
        AND ${m.providerMessageId} IS NOT NULL`,
  );

/** There are only two short retries, because the platform allows 30 s of work after a response. */
const RETRY_AFTER_MS = [1000, 4000];

/** A receipt is optional. We send it after the response, and only log a failure. */
export function sendReadReceipts(ctx: Ctx, unread: readonly UnreadMessage[]): void {
  if (!ctx.sends) return;
  for (const each of unread) ctx.waitUntil(sendReceipt(ctx, each));
}

async function sendReceipt(ctx: Ctx, unread: UnreadMessage): Promise<void> {
  const { connection_id: id, provider, provider_message_id: providerMessageId, address: from } = unread;
  const channel = await loadChannel(provider);
  if (channel?.markRead === undefined) return;
  const connection = await tryOpenConnection(ctx, { ...unread, id });
  if (connection === null) return;
  for (const waitMs of [...RETRY_AFTER_MS, null]) {
    try {
      return await channel.markRead(
        connection,
        { providerMessageId, from },
        { upstream: ctx.upstream, download: ctx.download, memory: ctx.cache },
      );
    } catch (error) {
      log.error("read_receipt_failed", { requestId: ctx.requestId, connectionId: id, error });
    }
    if (waitMs !== null) await ctx.wait(waitMs);
  }
}
