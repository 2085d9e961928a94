import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ChannelEvent } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../support/alarms.ts";
import { addPeople, campaign, campaignOf } from "../../support/campaigns.ts";
import { type HeldMessage, HeldQueues } from "../../support/queues.ts";
import { costOf as costOfAnswer } from "../../support/storage.ts";
import type { Customer, World } from "../../support/world.ts";
import { type Cost, meteredWorld } from "./metered-world.ts";
import { contactsWanted, Table } from "./report.ts";

/** $ a million: D1 and objects as of the list prices in the product's plan, Queues as of Cloudflare's public page. */
const PRICES = { written: 1, read: 0.001, queueOperations: 0.4, objects: 0.15 };
/** A queue message is written, read and deleted. */
const OPERATIONS = 3;
const MAX_PRICE = 6;
const MAX_WRITTEN = { "echoes our id": 5.1, "knows its own id only": 6.1 } as const;
const STARTS = 7;
const FEW = 1000;
const MAX_TRIPS = 3;

beforeEach(() => {
  stopClock();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Counts messages; delivers so many events at a time. */
class CountingQueues extends HeldQueues {
  accepted = 0;

  constructor(private readonly eventsADelivery: number) {
    super();
  }

  protected override accept(message: HeldMessage): void {
    this.accepted++;
    super.accept(message);
  }

  protected override batchSizeOf(queue: string): number {
    return queue === "tidings-events" ? this.eventsADelivery : super.batchSizeOf(queue);
  }
}

const nameless = (event: ChannelEvent): ChannelEvent =>
  event.type === "status" ? { ...event, messageId: null, providerKey: event.providerMessageId } : event;

/** From now on the sandbox reports by its own ids, as some providers do. */
function forgetOurIds(): void {
  const send = sandbox.send.bind(sandbox);
  vi.spyOn(sandbox, "send").mockImplementation(async (connection, message, io) => {
    const hand: typeof io.phoneNetwork.hand = (to, sent, reports) =>
      io.phoneNetwork.hand(
        to,
        sent,
        reports.map(({ afterMs, event }) => ({ afterMs, event: nameless(event) })),
      );
    const outcome = await send(connection, message, { ...io, phoneNetwork: { hand } });
    return outcome.kind === "accepted" ? { ...outcome, providerKey: outcome.providerMessageId } : outcome;
  });
}

interface Case {
  provider: keyof typeof MAX_WRITTEN;
  people: number;
  perSecond: number;
  /** Statuses that the events queue delivers at a time. */
  together: number;
}

const cases: Case[] = [
  { provider: "echoes our id", people: 5000, perSecond: 1000, together: 100 },
  { provider: "echoes our id", people: 2000, perSecond: 1000, together: 10 },
  { provider: "echoes our id", people: 1000, perSecond: 1000, together: 1 },
  { provider: "echoes our id", people: 2000, perSecond: 80, together: 100 },
  { provider: "echoes our id", people: 1000, perSecond: 80, together: 1 },
  { provider: "knows its own id only", people: 5000, perSecond: 1000, together: 100 },
  { provider: "knows its own id only", people: 2000, perSecond: 1000, together: 10 },
  { provider: "knows its own id only", people: 1000, perSecond: 1000, together: 1 },
  { provider: "knows its own id only", people: 2000, perSecond: 80, together: 100 },
];

type LifeCost = Pick<Cost, "trips" | "statements" | "read" | "written" | "objects"> & { queueOperations: number };

/** What a recipient costs on average from the call that starts the campaign until it is read. */
async function costOfLife({ provider, people, perSecond, together }: Case): Promise<LifeCost> {
  if (provider === "knows its own id only") forgetOurIds();
  const queues = new CountingQueues(together);
  const { world, costOf } = meteredWorld(queues);
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: perSecond });
  await addPeople(customer, people);
  const order = await campaignOf(customer);
  const before = { messages: queues.accepted, alarms: world.alarms.rung };
  let id = "";
  const cost = await costOf(async () => {
    id = (await customer.call("POST", "/campaigns", order)).body.campaign_id;
    await world.settle();
  });
  vi.restoreAllMocks();
  expect((await campaign(customer, id)).counts).toMatchObject({ read: people });
  const each = (count: number) => count / people;
  return {
    trips: each(cost.trips),
    statements: each(cost.statements),
    read: each(cost.read),
    written: each(cost.written),
    objects: each(cost.objects + world.alarms.rung - before.alarms),
    queueOperations: each(OPERATIONS * (queues.accepted - before.messages)),
  };
}

const priceOf = ({ written, read, queueOperations, objects }: LifeCost): number =>
  written * PRICES.written + read * PRICES.read + queueOperations * PRICES.queueOperations + objects * PRICES.objects;

it("tells what a recipient costs in its whole life", { timeout: 1_800_000 }, async () => {
  const table = new Table(
    "A campaign's recipient: queued, sent, delivered, read. $ a million recipients: D1 rows written 1.00 and read 0.001, queue operations 0.40 (Cloudflare's public page), calls of objects 0.15",
    [
      "provider",
      "rate/s",
      "statuses a delivery",
      "written",
      "read",
      "per 1000: trips",
      "statements",
      "queue operations",
      "object calls",
      "$ a million",
    ],
  );
  for (const each of cases) {
    const { provider, perSecond, together } = each;
    const cost = await costOfLife(each);
    const price = priceOf(cost);
    const thousand = (count: number) => (1000 * count).toFixed(0);
    const atLeases = together === 100 && perSecond === 1000;
    const maxWritten = atLeases ? MAX_WRITTEN[provider] : Infinity;
    const maxPrice = together >= 10 ? MAX_PRICE : Infinity;
    table.add(
      [
        provider,
        perSecond,
        together,
        cost.written.toFixed(2),
        cost.read.toFixed(1),
        thousand(cost.trips),
        thousand(cost.statements),
        thousand(cost.queueOperations),
        thousand(cost.objects),
        price.toFixed(2),
      ],
      [atLeases ? `≤ ${maxWritten} written` : "", together >= 10 ? `≤ $${maxPrice}` : ""].filter(Boolean).join(", "),
      together === 1 ? null : cost.written <= maxWritten && price <= maxPrice,
    );
  }
  await table.show();
});

/** Two workspaces on one shard, of few and many contacts. */
async function neighbours(world: World, sizes: number[]): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (const size of sizes) {
    const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
    await world.manage("POST", "/workspaces", { name: "The next workspace is on the other shard" });
    await addPeople(customer, size);
    customers.push(customer);
  }
  return customers;
}

it("tells what it costs to start a campaign", { timeout: 3_600_000 }, async () => {
  const { world } = meteredWorld();
  const sizes = [FEW, await contactsWanted()];
  const customers = await neighbours(world, sizes);
  const orders = await Promise.all(customers.map((customer) => campaignOf(customer)));
  const times = sizes.map((): number[] => []);
  const costs = sizes.map(() => ({ trips: 0, read: 0, written: 0 }));
  for (let start = -1; start < STARTS; start++) {
    for (const [index, customer] of customers.entries()) {
      const before = performance.now();
      const answer = await customer.call("POST", "/campaigns", orders[index]);
      if (start >= 0) times[index]?.push(performance.now() - before);
      expect(answer.status).toBe(201);
      const { trips = 0, rows_read: read = 0, rows_written: written = 0 } = costOfAnswer(answer);
      costs[index] = { trips, read, written };
      world.queues.messages.length = 0;
    }
  }
  const table = new Table(`Starting a campaign to everybody, median of ${STARTS} calls in turn`, [
    "contacts",
    "trips before the answer",
    "read",
    "written",
    "ms",
    "ratio",
  ]);
  const medians = times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0);
  for (const [index, size] of sizes.entries()) {
    const { trips, read, written } = costs[index] ?? { trips: 0, read: 0, written: 0 };
    const ms = medians[index] ?? 0;
    const ratio = (ms / (medians[0] ?? ms)).toFixed(1);
    table.add([size, trips, read, written, ms.toFixed(1), ratio], `≤ ${MAX_TRIPS} trips`, trips <= MAX_TRIPS);
  }
  await table.show();
});
