// Measures webhooks of the built Worker, with a receiver on this machine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Client } from "../client.ts";
import { type Deployed, startDeployed } from "../deployed.ts";
import { OVER, type Table } from "../table.ts";
import { createTag, createWebhook, deleteWebhook, makeCustomer } from "./customer.ts";
import { measureNeighbours } from "./neighbours.ts";
import { type Proof, prove } from "./proof.ts";
import { Receiver } from "./receiver.ts";
import { until } from "./waiting.ts";

const BATCH = { max_events: 100, max_wait_seconds: 1 };
const SINGLY = { events: 2000, perSecond: 100, batch: null };
const IN_BATCHES = { events: 20_000, perSecond: 500, batch: BATCH };
/** The share of events that are also sent without batches. */
const SINGLY_PROVED = 0.2;
const COMMITS = 200;
const COMMIT_EVERY_MS = 50;
const P95_MS = 1000;
const MAX_RATIO = 2;
const PATIENCE_MS = 120_000;

const row = (what: string, measured: string, budget = "", isMet: boolean | null = null): string[] => [
  what,
  measured,
  budget,
  isMet === null ? "" : isMet ? "ok" : OVER,
];

const events = z.object({ events: z.array(z.object({ id: z.string() })) });

/** Sends an existing log, and returns the events per second from the first to the last arrival. */
async function measureRate(
  deployed: Deployed,
  receiver: Receiver,
  { client, wanted, batch }: { client: Client; wanted: number; batch: object | null },
): Promise<number> {
  const [oldest] = (await client.ask("GET", "/api/v1/events?limit=1", null, events)).events;
  let [count, firstAt, lastAt] = [0, 0, 0];
  const url = receiver.at("/fast", (attempt) => {
    if (count === 0) firstAt = attempt.at;
    if (count < wanted) lastAt = attempt.at;
    count += attempt.events.length;
    return 200;
  });
  const { id } = await createWebhook(client, { url, types: ["*"], batch, start_after: oldest?.id });
  await until(deployed, { holds: () => count >= wanted, withinMs: PATIENCE_MS });
  await deleteWebhook(client, id);
  return (1000 * Math.min(count, wanted)) / Math.max(1, lastAt - firstAt);
}

/** Times in ms, ascending: from the response of the call that creates an event to the first attempt. */
async function measureFirstAttempts(deployed: Deployed, receiver: Receiver): Promise<number[]> {
  const client = await makeCustomer(deployed);
  const arrivedAt = new Map<string, number>();
  const url = receiver.at("/prompt", (attempt) => {
    for (const { object_id: objectId } of attempt.events) arrivedAt.set(objectId, attempt.at);
    return 200;
  });
  await createWebhook(client, { url, types: ["tag.created"] });
  const answered: { id: string; at: number }[] = [];
  for (let index = 0; index < COMMITS; index++) {
    const id = await createTag(client, `Tag ${index}`);
    answered.push({ id, at: performance.now() });
    await sleep(COMMIT_EVERY_MS);
  }
  await until(deployed, { holds: () => arrivedAt.size === COMMITS, withinMs: PATIENCE_MS });
  return answered.map(({ id, at }) => Math.max(0, (arrivedAt.get(id) ?? Infinity) - at)).toSorted((a, b) => a - b);
}

const at = (sorted: number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? Infinity;
const ms = (time: number): string => `${time.toFixed(0)} ms`;

async function measureAll(deployed: Deployed, receiver: Receiver, size: number): Promise<Table[]> {
  const columns = ["what", "measured", "budget", ""];
  const times = await measureFirstAttempts(deployed, receiver);
  const neighbours = await measureNeighbours(deployed, receiver);
  const inBatches = await prove(deployed, receiver, { count: size, batch: BATCH });
  const singly = await prove(deployed, receiver, { count: size * SINGLY_PROVED, batch: null });
  const { client } = inBatches;
  const speed: string[][] = [];
  for (const { events: most, perSecond, batch } of [SINGLY, IN_BATCHES]) {
    const wanted = Math.min(most, inBatches.events);
    const rate = await measureRate(deployed, receiver, { client, wanted, batch });
    const way = batch === null ? "one a request" : `in batches of ${batch.max_events}`;
    speed.push(row(`${wanted} events, ${way}, a second`, rate.toFixed(0), `≥ ${perSecond}`, rate >= perSecond));
  }
  const [alone, beside] = [at(neighbours.alone, 0.5), at(neighbours.beside, 0.5)];
  const ratio = beside / alone;
  return [
    {
      title: "Webhooks of the Worker as deployed, to a receiver on this machine that answers at once",
      columns,
      rows: [
        ...speed,
        row(`answer to first attempt, ${COMMITS} events, p50`, ms(at(times, 0.5))),
        row("  p95", ms(at(times, 0.95)), `≤ ${P95_MS} ms`, at(times, 0.95) <= P95_MS),
      ],
    },
    {
      title: `${neighbours.endpoints} endpoints of as many workspaces, beside one that never answers and has ${neighbours.waiting} events before it`,
      columns,
      rows: [
        row("answer to first attempt alone, median", ms(alone)),
        row("  beside the one that hangs", ms(beside)),
        row("  ratio", ratio.toFixed(2), `≤ ${MAX_RATIO}`, ratio <= MAX_RATIO),
        row("  attempts at the one that hangs meanwhile", String(neighbours.hanging)),
      ],
    },
    tabulateProofs([singly, inBatches]),
  ];
}

/** One column for single events, and one for batches. */
function tabulateProofs(proofs: Proof[]): Table {
  const told = (what: string, of: (proof: Proof) => string | number) => [
    what,
    ...proofs.map((each) => String(of(each))),
    "",
    "",
  ];
  const none = (what: string, of: (proof: Proof) => number) => [
    what,
    ...proofs.map((each) => String(of(each))),
    "0",
    proofs.every((each) => of(each) === 0) ? "ok" : OVER,
  ];
  return {
    title:
      "Events that are made while they are sent, by a service that is killed; the receiver answers 500 at random to one request of ten",
    columns: ["what", "one a request", `${BATCH.max_events} a request`, "budget", ""],
    rows: [
      told("events", ({ events: count }) => count),
      told("requests", ({ requests }) => requests),
      told("  of them answered 500", ({ failures }) => failures),
      told("kills", ({ kills }) => kills),
      told("from the first to the last event", ({ seconds }) => `${seconds.toFixed(0)} s`),
      none("lost", ({ lost }) => lost),
      told("accepted more than once", ({ again }) => again),
      none("accepted before an earlier one of its contact", ({ outOfOrder }) => outOfOrder),
    ],
  };
}

/** `size` is the number of events that are sent while requests fail. */
export async function measureWebhooks(size: number): Promise<Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  const receiver = await Receiver.start();
  try {
    const deployed = await startDeployed(directory);
    try {
      return await measureAll(deployed, receiver, size);
    } finally {
      await deployed.stop();
    }
  } finally {
    receiver.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
