import type { Channel } from "./channel.ts";
import { sandbox } from "./sandbox/sandbox.ts";
import { waha } from "./waha/waha.ts";
import { whatsappCloud } from "./whatsapp-cloud/whatsapp-cloud.ts";

const channels: Record<string, Channel> = { sandbox, whatsapp_cloud: whatsappCloud, waha };

/** The channel that speaks to a provider; null where this version has none. */
export const channelOf = (provider: string): Channel | null =>
  Object.hasOwn(channels, provider) ? (channels[provider] ?? null) : null;
