import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CONTACT_SLICES } from "../../../src/features/scans/scans.slices.ts";
import { stopClock } from "../../support/clock.ts";
import { addPeople, campaignOf } from "../../support/campaigns.ts";
import { costOf as costOfAnswer } from "../../support/storage.ts";
import type { Customer, World } from "../../support/world.ts";
import { recordedWorld } from "../../support/recording.ts";
import { priceOfMillion } from "../prices.ts";
import { type Case, costOfLife, type LifeCost, MAX_WRITTEN } from "./recipient-life.ts";
import { contactsWanted, Table } from "./report.ts";

/** In leases of 100, and at WhatsApp's usual rate, whose leases have 40. */
const MAX_PRICE = { "echoes our id": [5.35, 5.85], "knows its own id only": [6.35, 6.85] } as const;
const STARTS = 7;
const FEW = 1000;
const MAX_TRIPS = 3;

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

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

const priceOf = ({ written, read, queueOperations, objects }: LifeCost): number =>
  priceOfMillion({ written, read, queueOperations, objectCalls: objects });

it("The cost of a campaign's recipient stays within the budget", { timeout: 1_800_000 }, async () => {
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
    const [inFullLeases, inSmallLeases] = MAX_PRICE[provider];
    const maxPrice = together === 1 ? Infinity : perSecond === 1000 ? inFullLeases : inSmallLeases;
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

it("The cost of starting a campaign stays within the budget", { timeout: 3_600_000 }, async () => {
  const { world, recording } = recordedWorld();
  const sizes = [FEW, await contactsWanted()];
  const customers = await neighbours(world, sizes);
  const orders = await Promise.all(customers.map((customer) => campaignOf(customer)));
  const times = sizes.map((): number[] => []);
  const costs = sizes.map(() => ({ trips: 0, read: 0, written: 0, longest: 0, mostRead: 0 }));
  for (let start = -1; start < STARTS; start++) {
    for (const [index, customer] of customers.entries()) {
      recording.take();
      const before = performance.now();
      const answer = await customer.call("POST", "/campaigns", orders[index]);
      if (start >= 0) times[index]?.push(performance.now() - before);
      expect(answer.status).toBe(201);
      const { trips = 0, rows_read: read = 0, rows_written: written = 0 } = costOfAnswer(answer);
      const ran = recording.take();
      const longest = Math.max(...ran.map(({ sqlMs }) => sqlMs));
      const mostRead = Math.max(...ran.map(({ rowsRead }) => rowsRead));
      costs[index] = { trips, read, written, longest, mostRead };
      world.queues.messages.length = 0;
    }
  }
  const table = new Table(`Starting a campaign to everybody, median of ${STARTS} calls in turn`, [
    "contacts",
    "trips before the answer",
    "read",
    "written",
    "longest statement reads",
    "its ms",
    "ms",
    "ratio",
  ]);
  const medians = times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0);
  for (const [index, size] of sizes.entries()) {
    const cost = costs[index];
    if (cost === undefined) continue;
    const { trips, read, written, longest, mostRead } = cost;
    const ms = medians[index] ?? 0;
    const ratio = (ms / (medians[0] ?? ms)).toFixed(1);
    // A count reads this many contacts at a time, with two rows each. If the database is slow, a count reads fewer.
    const isOneWindow = size <= CONTACT_SLICES.first;
    const mostAWindow = 2 * CONTACT_SLICES.most + 5;
    table.add(
      [size, trips, read, written, mostRead, longest.toFixed(1), ms.toFixed(1), ratio],
      `${isOneWindow ? `≤ ${MAX_TRIPS} trips` : "trips grow with the windows of the count"}, ≤ ${mostAWindow} read a statement`,
      mostRead <= mostAWindow && (trips <= MAX_TRIPS || !isOneWindow),
    );
  }
  await table.show();
});
