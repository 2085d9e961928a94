// What a million messages, an idle deployment and a busy key cost, in list prices.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { ReadShares } from "../../../src/features/scans/scans.heavy-use.ts";
import { addPeople, campaignOf } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { meteredWorld } from "../../support/metered-world.ts";
import { type HeldMessage, HeldQueues } from "../../support/queues.ts";
import type { Customer } from "../../support/world.ts";
import { priceOfMillion, type Usage } from "../prices.ts";
import { cpuMs, Table } from "./report.ts";

const OPERATIONS = 3;
/** `sent`, `delivered` and `read`, which WhatsApp reports one by one or in bundles. */
const STATUSES = 3;
const DAY_MINUTES = 1440;
const MONTH_DAYS = 30;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const MAX_CAMPAIGN_PRICE = 7;
const LONE_STATUSES = "a POST a status";
const REASON = "A status that comes alone is a request and a queue message of three operations: $4.50 of it.";
const BUSY_PER_SECOND = 10;
const BUSY_SECONDS = 60;

/** WhatsApp's usual rate. The part "campaigns" has others. */
const PER_SECOND = 80;
const PEOPLE = 2000;
const nameOf = (statuses: string) => `campaign at ${PER_SECOND}/s, ${statuses}`;

const COLUMNS = [
  "requests",
  "CPU ms",
  "D1 read",
  "D1 written",
  "object calls",
  "object rows",
  "queue operations",
  "KV reads",
];

const cellsOf = (usage: Usage): string[] =>
  [
    usage.requests,
    usage.cpuMs,
    usage.read,
    usage.written,
    usage.objectCalls,
    usage.objectRows,
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

  get statuses(): number {
    return this.accepted.get("tidings-statuses") ?? 0;
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

async function billedWorld(options = {}) {
  stopClock();
  const queues = new BilledQueues();
  const { world, costOf } = meteredWorld(queues);
  const customer = await world.customer(options);
  await countObjectRows(customer);
  /** The usage of `work` by each of `count`; `requests` counts the HTTP requests, to which batches are added. */
  const usageOf = async (count: number, requests: number, work: () => Promise<unknown>) => {
    const before = [queues.messageCount, queues.statuses, queues.batches, world.alarms.rung, objectRows] as const;
    const cpu = await cpuMs();
    const cost = await costOf(work);
    const each = (amount: number) => amount / count;
    const usage: Usage = {
      requests: each(requests + queues.batches - before[2]),
      cpuMs: each((await cpuMs()) - cpu),
      read: each(cost.read),
      written: each(cost.written),
      objectCalls: each(cost.objects + world.alarms.rung - before[3]),
      objectRows: each(objectRows - before[4]),
      queueOperations: each(OPERATIONS * (queues.messageCount - before[0])),
      kvReads: each(cost.kv),
    };
    return { usage, statusOperations: each(OPERATIONS * (queues.statuses - before[1])) };
  };
  return { world, customer, usageOf };
}

/** With every status in a request and a queue message of its own. */
const withLoneStatuses = (usage: Usage, statusOperations: number): Usage => ({
  ...usage,
  requests: usage.requests + STATUSES,
  queueOperations: usage.queueOperations - statusOperations + OPERATIONS * STATUSES,
});

beforeEach(() => {
  stopClock();
  // The clock stands still, so shares do not recover, and later reads would take turns, which are two calls more.
  vi.spyOn(ReadShares.prototype, "note").mockReturnValue();
});

type Add = (name: string, usage: Usage, maxPrice?: number) => void;

async function billCampaign(add: Add): Promise<void> {
  const { world, customer, usageOf } = await billedWorld();
  const connection = `/connections/${customer.connectionId}`;
  expect((await customer.manage("PATCH", connection, { messages_per_second: PER_SECOND })).status).toBe(200);
  await addPeople(customer, PEOPLE);
  const order = await campaignOf(customer);
  const { usage, statusOperations } = await usageOf(PEOPLE, 1, async () => {
    await customer.call("POST", "/campaigns", order);
    await world.settle();
  });
  add(nameOf("statuses in bundles"), usage);
  add(nameOf(LONE_STATUSES), withLoneStatuses(usage, statusOperations), MAX_CAMPAIGN_PRICE);
}

it("tells what a million messages cost", { timeout: 1_800_000 }, async () => {
  const table = new Table(
    "A message from acceptance until it is read, all list prices in; CPU is that of the whole local runtime, database included",
    ["message", ...COLUMNS, "$ a million"],
    { [nameOf(LONE_STATUSES)]: REASON },
  );
  const add: Add = (name, usage, maxPrice = Infinity) => {
    const price = priceOfMillion(usage);
    const budget = maxPrice === Infinity ? "" : `≤ $${maxPrice}`;
    table.add([name, ...cellsOf(usage), price.toFixed(2)], budget, budget === "" ? null : price <= maxPrice);
  };
  await billCampaign(add);
  const { world, customer, usageOf } = await billedWorld();
  const send = (number: number) =>
    customer.send("+14152000010", `Hello ${number}`, { headers: { "Idempotency-Key": `order-${number}` } });
  await send(0);
  await world.settle();
  const count = 100;
  const { usage, statusOperations } = await usageOf(count, count, async () => {
    for (let number = 1; number <= count; number++) {
      await send(number);
      await world.settle();
    }
  });
  add(`POST /messages, ${LONE_STATUSES}`, withLoneStatuses(usage, statusOperations));
  await table.show();
});

it("tells what an idle deployment and a busy key cost a month", { timeout: 1_800_000 }, async () => {
  const table = new Table(
    "A month of 30 days, all list prices in; the Workers Paid plan costs $5 and includes more than the first two rows use",
    ["deployment", ...COLUMNS, "$ a month"],
  );
  const add = (name: string, usage: Usage, times: number) => {
    const month = Object.fromEntries(Object.entries(usage).map(([what, amount]) => [what, amount * times]));
    table.add([name, ...cellsOf({ ...usage, ...month }), (priceOfMillion(month) / 1e6).toFixed(2)], "", null);
  };
  const idle = await billedWorld();
  const restOfDay = async () => {
    for (let minute = 0; minute < DAY_MINUTES; minute++) {
      idle.world.advance(MINUTE_MS);
      await idle.world.cron();
      await idle.world.settle({ withinMs: 0 });
    }
  };
  const day = await idle.usageOf(1, DAY_MINUTES, restOfDay);
  add("idle: one workspace, one connection, the cron", day.usage, MONTH_DAYS);

  const busyKey = { key: { rate_limit: { requests: 10_000, window_seconds: 20 } } };
  const { world, customer, usageOf } = await billedWorld(busyKey);
  await addPeople(customer, 40);
  const objects = () => [
    bindings.KEY_LIMITER.getByName(customer.keyId),
    bindings.REQUEST_LOG.getByName(customer.workspaceId),
  ];
  let alarms = 0;
  const ringDue = async () => {
    for (const stub of objects()) {
      const at = await runInDurableObject(stub, (object, { storage }) => {
        Reflect.set(object, "env", world.env);
        return storage.getAlarm();
      });
      if (at === null || at > Date.now()) continue;
      alarms++;
      await runDurableObjectAlarm(stub);
    }
  };
  await customer.call("GET", "/contacts?limit=20");
  for (const path of ["/me", "/contacts?limit=20"]) {
    alarms = 0;
    const { usage } = await usageOf(1, BUSY_SECONDS * BUSY_PER_SECOND, async () => {
      for (let second = 0; second < BUSY_SECONDS; second++) {
        for (let call = 0; call < BUSY_PER_SECOND; call++) expect((await customer.call("GET", path)).status).toBe(200);
        world.advance(SECOND_MS);
        await ringDue();
      }
    });
    // The request log receives a report a second, which is no single request's cost.
    const all = { ...usage, objectCalls: usage.objectCalls + alarms + BUSY_SECONDS };
    add(
      `a key with ${BUSY_PER_SECOND} calls a second all month: GET ${path}`,
      all,
      (MONTH_DAYS * 86_400) / BUSY_SECONDS,
    );
  }
  await table.show();
});
