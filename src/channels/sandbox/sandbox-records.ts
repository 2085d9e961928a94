import * as z from "zod";
import type { ReadReceipt, OutboundMessage, OpenConnection } from "../channel.ts";
import type { Cache } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";

export const providerIdOf = ({ id, attempt }: OutboundMessage) => `sandbox-${id}-${attempt}`;

const MAX_ATTEMPTS = 6;

export const keysOnSandbox = (messageId: string): string[] => [
  `sandbox-${messageId}`,
  ...Array.from({ length: MAX_ATTEMPTS }, (_, index) => `sandbox-${messageId}-${index + 1}`),
];

export const messageIdOnSandbox = (key: string): string =>
  /^sandbox-(?<id>[^-]+)(?:-\d+)?$/.exec(key)?.groups?.["id"] ?? key;

export const noParts = { media: null, replyTo: [], isForwarded: false, referral: null };

const MAX_RECEIPTS = 50;

const receipts = z.array(z.object({ from: z.string(), providerMessageId: z.string() })).catch([]);

const keyOf = (connectionId: string) => `sandbox-receipts:${connectionId}`;

export const loadReceipts = async (memory: Cache, connectionId: string): Promise<ReadReceipt[]> =>
  receipts.parse(await memory.get(keyOf(connectionId)));

export async function storeReceipt({ id }: OpenConnection, receipt: ReadReceipt, { memory }: { memory: Cache }) {
  const before = await loadReceipts(memory, id);
  await memory.put(keyOf(id), [receipt, ...before].slice(0, MAX_RECEIPTS), { ttlSeconds: DAY_MS / 1000 });
}
