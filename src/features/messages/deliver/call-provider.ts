import { messageError, refusedOutcome } from "../../../channels/answers.ts";
import type { OpenConnection, OutboundMessage, SendOutcome } from "../../../channels/channel.ts";
import { loadChannel } from "../../../channels/registry.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isOutOfSubrequests } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { UpstreamClosed } from "../../../shared/network/upstream.ts";
import { createMediaLibrary } from "../../media/open/open-media.ts";
import { pauseSending } from "../../pacing/pacing.service.ts";
import { createPhoneNetwork } from "../../sandbox/sandbox.service.ts";
import type { Held } from "../settle/decide-settlement.ts";

export type CallProvider = (
  provider: string,
  connection: OpenConnection,
  message: OutboundMessage,
) => Promise<SendOutcome | Held>;

/** If the run has used its subrequests, the message waits this long for another invocation, which has its own limit. */
const NEXT_INVOCATION_MS = 5000;

/**
 * Create one caller for each run, because its calls share state such as uploaded files. No call begins after `isOpen`
 * returns false.
 */
export function createProviderCaller(ctx: Ctx, isOpen?: () => boolean): CallProvider {
  const upstream = isOpen === undefined ? ctx.upstream : ctx.upstreamWhile(isOpen);
  const io = {
    download: ctx.download,
    memory: ctx.cache,
    phoneNetwork: createPhoneNetwork(ctx),
    upstream,
    now: ctx.now,
    media: createMediaLibrary(ctx),
  };
  return async (provider, connection, message) => {
    const channel = await loadChannel(provider);
    if (channel === null)
      return refusedOutcome("provider_rejected", "This version of Tidings does not support the provider.");
    // Checks `isOpen` again, because loading the channel takes time.
    if (isOpen?.() === false) return { kind: "held", until: ctx.now() };
    try {
      return await channel.send(connection, message, io);
    } catch (cause) {
      if (cause instanceof UpstreamClosed) return { kind: "held", until: ctx.now() };
      // Channels make no subrequest after the send. The subrequest that failed was therefore the send or an earlier
      // one, and the provider did not receive the message.
      if (isOutOfSubrequests(cause)) return { kind: "held", until: ctx.now() + NEXT_INVOCATION_MS };
      log.error("send_answer_lost", { messageId: message.id, connectionId: connection.id, error: cause });
      return { kind: "lost", error: messageError("provider_unreachable", "The provider's response was lost.") };
    }
  };
}

/**
 * Pauses for a provider that requests a pause without a duration. WhatsApp accepts one message per 6 s to the same
 * person.
 */
const PAUSE_MS = { connection: 1000, recipient: 6000 } as const;

export async function applyProviderPause(
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
