import {
  type HttpIo,
  type Channel,
  type ChannelIo,
  type OpenConnection,
  type OutboundMessage,
  ProviderError,
  type FetchedMedia,
  MediaUnavailable,
} from "../channel.ts";
import type { ProviderMedia } from "../content.ts";
import { fault, hiddenIdOf, reportsOf, STEP_MS } from "./people.ts";
import { providerIdOf, storeReceipt } from "./sandbox-records.ts";
import { sandboxTemplates, templateReviews } from "./templates.ts";
import { mediaIdsOf } from "../templates/channel-templates.ts";

function refusalOf({ to, attempt }: OutboundMessage) {
  const ending = to.slice(-4);
  if (ending === "0001")
    return { kind: "refused", error: fault("invalid_recipient", "The number is not on this network.") } as const;
  if (ending === "0002" && attempt <= 2)
    return { kind: "retry", error: fault("provider_unreachable", "The network is busy.") } as const;
  if (ending === "0007" && attempt === 1) {
    return {
      kind: "retry",
      error: fault("rate_limited", "Too many messages to the network."),
      afterMs: STEP_MS,
      scope: "recipient",
    } as const;
  }
  return null;
}

async function fetchMedia(
  _: OpenConnection,
  { id, url }: ProviderMedia,
  io: HttpIo & Pick<ChannelIo, "media">,
): Promise<FetchedMedia> {
  if (id !== null) {
    try {
      const file = await io.media.open(id);
      return { body: await file.read(), mimeType: file.mimeType, bytes: file.bytes };
    } catch (error) {
      if (error instanceof MediaUnavailable) throw new ProviderError(error.message);
      throw error;
    }
  }
  const { status, headers, body } = await io.download({ method: "GET", url: url ?? "", headers: {} });
  if (status === 200 && body !== null) return { body, mimeType: headers.get("Content-Type"), bytes: null };
  await body?.cancel();
  throw new ProviderError(`The address returned ${status}.`, String(status));
}

export const sandbox: Channel = {
  async send(connection: OpenConnection, message: OutboundMessage, { phoneNetwork, now, media }) {
    const refusal = refusalOf(message);
    if (refusal !== null) return refusal;
    try {
      for (const id of mediaIdsOf(message)) await media.open(id);
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      return { kind: "refused", error: fault("media_invalid", error.message) };
    }
    await phoneNetwork.hand(connection, message, reportsOf(message, now()));
    if (message.to.endsWith("0003"))
      return { kind: "lost", error: fault("provider_unreachable", "The response was lost.") };
    const userId = hiddenIdOf(message.to);
    return {
      kind: "accepted",
      providerMessageId: providerIdOf(message),
      ...(userId !== null && { userIds: [userId] }),
    };
  },
  test: () => Promise.resolve({ detail: "The sandbox is always reachable." }),
  syncTemplates: () => Promise.resolve({ templates: [...sandboxTemplates], isPartial: true }),
  ...templateReviews,
  fetchMedia,
  markRead: storeReceipt,
};
