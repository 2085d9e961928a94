import { loadChannel } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { tryOpenConnection } from "../connections/open-connection.ts";
import type { UnreadConversation } from "./tell-read.sql.ts";

/** Read receipts are a courtesy: they are tried for as long as work after an answer may well take. */
const WAITS_MS = [1000, 4000];

/** Tells the provider, after the answer, that the person's messages were read. A failure is logged; it fails nothing. */
export function tellRead(ctx: Ctx, unread: readonly UnreadConversation[]): void {
  for (const conversation of unread) ctx.waitUntil(sendReceipt(ctx, conversation));
}

async function sendReceipt(ctx: Ctx, unread: UnreadConversation): Promise<void> {
  const { connection_id: id, provider, provider_message_id: providerMessageId, address: from } = unread;
  const channel = await loadChannel(provider);
  if (channel?.markRead === undefined) return;
  const connection = await tryOpenConnection(ctx, { ...unread, id });
  if (connection === null) return;
  for (const waitMs of [...WAITS_MS, null]) {
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
