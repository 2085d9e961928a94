// Cloudflare's list prices, in $ a million (developers.cloudflare.com, November 2026). What the plan includes is not subtracted.

/** What a piece of work uses. */
export interface Usage {
  /** Of the Worker: HTTP requests, batches of queues, runs of the cron. */
  requests: number;
  /** Of the Worker. */
  cpuMs: number;
  read: number;
  written: number;
  /** Calls and alarms of objects. */
  objectCalls: number;
  /** Rows that objects write, alarms included. */
  objectRows: number;
  /** Seconds in which an object is in memory, with 128 MB. */
  objectSeconds: number;
  /** Three for each message: it is written, read and deleted. */
  queueOperations: number;
  kvReads: number;
}

const PRICES: Usage = {
  requests: 0.3,
  cpuMs: 0.02,
  read: 0.001,
  written: 1,
  objectCalls: 0.15,
  objectRows: 1,
  objectSeconds: 12.5 * 0.128,
  queueOperations: 0.4,
  kvReads: 0.5,
};

/** In $ for a million times this usage. */
export const priceOfMillion = (usage: Partial<Usage>): number =>
  Object.entries(PRICES).reduce(
    (sum, [name, price]) => sum + price * (new Map(Object.entries(usage)).get(name) ?? 0),
    0,
  );
