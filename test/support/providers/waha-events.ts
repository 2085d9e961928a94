import { expect } from "vitest";
import type { ChannelEvent } from "../../../src/channels/channel-events.ts";
import { type ContentType, contentShapes, type InboundParts } from "../../../src/channels/content.ts";
import { waha } from "../../../src/channels/waha/waha.ts";
import { WahaStandIn } from "./waha.ts";

export const NOW = 1_800_000_000_000;
export const server = new WahaStandIn();
export const chat = "14155550177@c.us";

export async function parse(event: string, payload: object): Promise<ChannelEvent[]> {
  const { body } = await server.deliver(event, payload);
  return waha.webhook?.parse({ id: "conn_1", config: server.config("https://waha.test") }, body, NOW) ?? [];
}

export async function read(more: object, event = "message"): Promise<{ body: string; parts?: InboundParts | null }> {
  const [message, ...others] = await parse(event, server.message(chat, "", { id: `false_${chat}_ID`, ...more }));
  expect(others).toEqual([]);
  if (message?.type !== "message" && message?.type !== "own") throw new Error("This is no message.");
  const { body, parts } = message;
  if (parts && parts.type !== "text") {
    const { content } = parts;
    const type: ContentType = parts.type;
    contentShapes[type].parse(parts.media ? { media_id: "med_1", ...Object(content) } : content);
  }
  return { body, ...(parts && { parts }) };
}

export const plain = { media: null, replyTo: [], isForwarded: false, referral: null };
export const noweb = (message: object) => ({ _data: { key: {}, message, pushName: "Ann" } });
export const gows = (message: object) => ({ _data: { Info: { Type: "text" }, Message: message } });
export const webjs = (data: object) => ({ _data: data });
