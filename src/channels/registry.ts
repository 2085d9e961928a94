import type { Channel } from "./channel.ts";
import { sandbox } from "./sandbox.ts";

const channels: Record<string, Channel> = { sandbox };

/** The channel that speaks to a provider; null where this version has none. */
export const channelOf = (provider: string): Channel | null => channels[provider] ?? null;
