import type { Channel } from "./channel.ts";
import { sandbox } from "./sandbox.ts";
import { waha } from "./waha.ts";
import { whatsappCloud } from "./whatsapp-cloud.ts";

const channels: Record<string, Channel> = { sandbox, whatsapp_cloud: whatsappCloud, waha };

/** The channel that speaks to a provider; null where this version has none. */
export const channelOf = (provider: string): Channel | null =>
  Object.hasOwn(channels, provider) ? (channels[provider] ?? null) : null;
