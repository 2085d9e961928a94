import type { MessageError, OpenConnection, OutboundMessage, SendOutcome } from "../../../channels/channel.ts";
import { channelOf } from "../../../channels/registry.ts";
import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { UpstreamClosed } from "../../../shared/upstream.ts";
import { pauseSending } from "../../pacing/pacing.service.ts";
import { createPhoneNetwork } from "../../sandbox/sandbox.service.ts";
import type { Held } from "../settle/settle-messages.ts";

/** Makes one call to a provider and tells what came of it; never throws. `held`: no call was made, none was to begin any more. */
export type HandOver = (
  provider: string,
  connection: OpenConnection,
  message: OutboundMessage,
) => Promise<SendOutcome | Held>;

/** A failure that we tell of, not the provider. */
export const ownError = (code: MessageError["code"], message: string): MessageError => ({
  code,
  message,
  providerCode: null,
});

/** What the sends of one run go through together. Where `isOpen` is given, no call begins once it says no. */
export function createHandOver(ctx: Ctx, isOpen?: () => boolean): HandOver {
  const upstream = isOpen === undefined ? ctx.upstream : ctx.upstreamWhile(isOpen);
  const io = { memory: ctx.cache, phoneNetwork: createPhoneNetwork(ctx), upstream, now: ctx.now };
  return async (provider, connection, message) => {
    const channel = channelOf(provider);
    if (channel === null)
      return { kind: "refused", error: ownError("provider_rejected", "This version does not speak to the provider.") };
    try {
      return await channel.send(connection, message, io);
    } catch (cause) {
      if (cause instanceof UpstreamClosed) return { kind: "held", until: ctx.now() };
      log.error("send_answer_lost", { messageId: message.id, connectionId: connection.id, error: cause });
      return { kind: "lost", error: ownError("provider_unreachable", "The provider's answer was lost.") };
    }
  };
}

/** Where a provider asks for a pause without saying how long. To one person WhatsApp allows a message per 6 s. */
const PAUSE_MS = { connection: 1000, recipient: 6000 } as const;

/** Has what follows wait too, where the provider asked for that; gives for how long all that goes out has to, in ms. */
export async function slowDown(
  ctx: Ctx,
  connectionId: string,
  { provider, address }: { provider: string; address: string },
  outcome: SendOutcome | Held,
): Promise<number> {
  if (outcome.kind !== "retry" || outcome.scope === undefined) return 0;
  const { scope, afterMs: forMs = PAUSE_MS[scope] } = outcome;
  await pauseSending(ctx, connectionId, { provider, address, scope, forMs });
  return scope === "connection" ? forMs : 0;
}
