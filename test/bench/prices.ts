// Cloudflare's list prices in $ per million (developers.cloudflare.com, November 2026). They include what the plan
// would make free.

/** The billed usage of some work. */
export interface Usage {
  /** Runs of the Worker: HTTP requests, batches of queues, and the cron. */
  requests: number;
  /** CPU time of the Worker. */
  cpuMs: number;
  read: number;
  written: number;
  /** Calls and alarms of Durable Objects. */
  objectCalls: number;
  /** Rows that Durable Objects write, including alarms. */
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

/** The price in $ for a million times this usage. */
export const priceOfMillion = (usage: Partial<Usage>): number =>
  Object.entries(PRICES).reduce(
    (sum, [name, price]) => sum + price * (new Map(Object.entries(usage)).get(name) ?? 0),
    0,
  );
