import { lazily } from "../shared/memo.ts";
import type { Channel } from "./channel.ts";

const channels: Record<string, () => Promise<Channel>> = {
  sandbox: lazily(async () => (await import("./sandbox/sandbox.ts")).sandbox),
  whatsapp_cloud: lazily(async () => (await import("./whatsapp-cloud/whatsapp-cloud.ts")).whatsappCloud),
  waha: lazily(async () => (await import("./waha/waha.ts")).waha),
};

export const loadChannel = async (provider: string): Promise<Channel | null> =>
  Object.hasOwn(channels, provider) ? ((await channels[provider]?.()) ?? null) : null;
