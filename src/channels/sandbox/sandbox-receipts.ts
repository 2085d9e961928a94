// Read receipts of people in the sandbox. Stored in the cache, because they are only displayed.
import * as z from "zod";
import type { Cache } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import type { OpenConnection } from "../channel.ts";
import type { ReadReceipt } from "../people.ts";

const MAX_RECEIPTS = 50;

const receipts = z.array(z.object({ from: z.string(), providerMessageId: z.string() })).catch([]);

const keyOf = (connectionId: string) => `sandbox-receipts:${connectionId}`;

/** The latest receipts of a connection, latest first. */
export const loadReceipts = async (memory: Cache, connectionId: string): Promise<ReadReceipt[]> =>
  receipts.parse(await memory.get(keyOf(connectionId)));

export async function storeReceipt({ id }: OpenConnection, receipt: ReadReceipt, { memory }: { memory: Cache }) {
  const before = await loadReceipts(memory, id);
  await memory.put(keyOf(id), [receipt, ...before].slice(0, MAX_RECEIPTS), { ttlSeconds: DAY_MS / 1000 });
}
