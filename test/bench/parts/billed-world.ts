// A world that counts what its work uses, as the platform bills it.
import { runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { stopClock } from "../../support/clock.ts";
import { meteredWorld } from "../../support/metered-world.ts";
import { type HeldMessage, HeldQueues } from "../../support/queues.ts";
import type { Customer, World } from "../../support/world.ts";
import type { Usage } from "../prices.ts";
import { cpuMs } from "./report.ts";

const OPERATIONS = 3;

export const COLUMNS = [
  "requests",
  "CPU ms",
  "D1 read",
  "D1 written",
  "object calls",
  "object rows",
  "object seconds",
  "queue operations",
  "KV reads",
];

export const cellsOf = (usage: Usage): string[] =>
  [
    usage.requests,
    usage.cpuMs,
    usage.read,
    usage.written,
    usage.objectCalls,
    usage.objectRows,
    usage.objectSeconds,
    usage.queueOperations,
    usage.kvReads,
  ].map((amount) => amount.toFixed(amount < 10 ? 3 : 0));

class BilledQueues extends HeldQueues {
  readonly accepted = new Map<string, number>();
  batches = 0;

  protected override accept(message: HeldMessage): void {
    this.accepted.set(message.queue, (this.accepted.get(message.queue) ?? 0) + 1);
    super.accept(message);
  }

  protected override async deliver(env: Env, queue: string, messages: HeldMessage[]): Promise<void> {
    this.batches++;
    await super.deliver(env, queue, messages);
  }

  get messageCount(): number {
    return this.accepted.values().reduce((sum, count) => sum + count, 0);
  }
}

let objectRows = 0;

/** Counts what objects of this isolate write: a put, a delete and an alarm are a row each. */
async function countObjectRows(customer: Customer): Promise<void> {
  const stub = bindings.KEY_LIMITER.getByName(customer.keyId);
  await runInDurableObject(stub, (_, { storage }) => {
    for (const target of [storage, storage.kv]) {
      const prototype: unknown = Object.getPrototypeOf(target);
      for (const name of ["put", "delete", "setAlarm"]) {
        const original: unknown = Reflect.get(Object(prototype), name);
        if (typeof original !== "function" || Reflect.has(original, "isCounted")) continue;
        const counted = function (this: unknown, ...args: unknown[]): unknown {
          objectRows++;
          return Reflect.apply(original, this, args);
        };
        Reflect.set(Object(prototype), name, Object.assign(counted, { isCounted: true }));
      }
    }
  });
}

/** `activeObjects` is the number of objects that are in memory during all of the measured work. */
export async function billedWorld(
  createCustomer: (world: World) => Promise<Customer> = (world) => world.customer(),
  { activeObjects = 0, vars = {} }: { activeObjects?: number; vars?: Partial<Env> } = {},
) {
  stopClock();
  const queues = new BilledQueues();
  const { world, costOf } = meteredWorld(queues);
  Object.assign(world.env, vars);
  const customer = await createCustomer(world);
  await countObjectRows(customer);
  /** The usage of `work` by each of `count`. `work` returns the number of HTTP requests, to which batches are added. */
  const usageOf = async (count: number, work: () => Promise<number>): Promise<Usage> => {
    const before = [queues.messageCount, queues.batches, world.alarms.rung, objectRows, Date.now()] as const;
    const cpu = await cpuMs();
    let requests = 0;
    const cost = await costOf(async () => {
      requests = await work();
    });
    const each = (amount: number) => amount / count;
    return {
      requests: each(requests + queues.batches - before[1]),
      cpuMs: each((await cpuMs()) - cpu),
      read: each(cost.read),
      written: each(cost.written),
      objectCalls: each(cost.objects + world.alarms.rung - before[2]),
      objectRows: each(objectRows - before[3]),
      objectSeconds: each((activeObjects * (Date.now() - before[4])) / 1000),
      queueOperations: each(OPERATIONS * (queues.messageCount - before[0])),
      kvReads: each(cost.kv),
    };
  };
  return { world, customer, usageOf };
}
