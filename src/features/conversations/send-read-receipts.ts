import { loadChannel } from "../../channels/registry.ts";
import type { Ctx } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { tryOpenConnection } from "../connections/open-connection.ts";
import type { UnreadMessage } from "./send-read-receipts.sql.ts";

/** Pauses before the second and third attempt. Work after a response may take 30 s in total. */
const RETRY_AFTER_MS = [1000, 4000];

/** Sends read receipts to the provider after the response. Receipts are optional, so failures are only logged. */
export function sendReadReceipts(ctx: Ctx, unread: readonly UnreadMessage[]): void {
  for (const message of unread) ctx.waitUntil(sendReceipt(ctx, message));
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
