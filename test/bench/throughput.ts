// Sends campaigns through the deployed Worker to a provider that responds immediately.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Client, makeClients } from "./client.ts";
import { type Deployed, startDeployed } from "./deployed.ts";
import { OVER, type Table } from "./table.ts";
import { workerdCpuMs, workerdMemory } from "./workerd.ts";

const PER_SECOND = 1000;
const CONTACTS_A_CALL = 500;
const STALE_GRANTS = 2000;
const MINUTE_MS = 60_000;
const HEAP_EVERY_MS = 30_000;
/**
 * Allowed growth of the live heap in MB: the median of the campaign's second half minus the median of the first half.
 */
const HEAP_GROWTH = 10;
/** How long to wait after the last change. The lease of a dead consumer expires after two minutes. */
const PATIENCE_MS = 3 * MINUTE_MS;
const GOAL = 1000;

const templateMade = z.object({ template: z.object({ id: z.string() }) });
const campaignMade = z.object({ campaign_id: z.string() });
const deliveries = z.object({ count: z.number(), firstAt: z.number(), lastAt: z.number() });
const costs = z.object({ rows_read: z.number(), rows_written: z.number() });
const shown = z.object({
  campaign: z.object({
    recipient_count: z.number(),
    started_at: z.iso.datetime(),
    audience_ready_at: z.iso.datetime().nullable(),
    counts: z.record(z.string(), z.number()),
  }),
});

export interface Load {
  people: number;
  /** Number of connections. Each sends a campaign to all people. */
  connections: number;
  /** True if the provider reports each message as delivered and read. */
  statuses: boolean;
}

/**
 * Returns a different number for each index. For numbers that end in 0004, the sandbox reports no statuses; for other
 * numbers, two.
 */
const numberOf = (index: number, statuses: boolean) =>
  `+4915${String(index).padStart(7, "0")}${statuses ? "1234" : "0004"}`;

/** Creates a workspace with this many people. Returns a client per connection, each with its own key. */
async function makeWorkspace(deployed: Deployed, { people, connections, statuses }: Load): Promise<Client[]> {
  const clients = await makeClients(deployed, { connections, perSecond: PER_SECOND });
  for (let first = 0; first < people; first += CONTACTS_A_CALL) {
    const count = Math.min(CONTACTS_A_CALL, people - first);
    const contacts = Array.from({ length: count }, (_, index) => ({
      phone: numberOf(first + index, statuses),
      name: "Ada",
    }));
    await clients[0]?.ask("POST", "/api/v1/contacts/batch", { contacts }, z.unknown());
  }
  return clients;
}

/** The number of grants per second that the consumer processes if there is nothing to send. */
async function drainRate(client: Client): Promise<number> {
  const path = "/bench/stale-grants";
  await client.ask("POST", `${path}?count=${STALE_GRANTS}`, null, deliveries);
  for (;;) {
    const { count, firstAt, lastAt } = await client.ask("GET", path, null, deliveries);
    if (count >= STALE_GRANTS) return (1000 * count) / Math.max(1, lastAt - firstAt);
    await sleep(100);
  }
}

interface Run {
  /** Times in ms since the first start. */
  expandedMs: number;
  sentMs: number;
  doneMs: number;
  cpuMs: number;
  /** `memory`: the largest memory of the process in MB. `heap`: the live heap of the Worker every half minute. */
  memory: number;
  heaps: number[];
  counts: Record<string, number>;
}

async function startAll(clients: Client[]): Promise<{ client: Client; id: string }[]> {
  const template = { name: "News", body: "Hello {{1}}, good news" };
  const { template: stored } = (await clients[0]?.ask("POST", "/api/v1/templates", template, templateMade)) ?? {};
  const started: { client: Client; id: string }[] = [];
  for (const client of clients) {
    const body = { template_id: stored?.id, channel: "unofficial" };
    started.push({ client, id: (await client.ask("POST", "/api/v1/campaigns", body, campaignMade)).campaign_id });
  }
  return started;
}

/** Starts a campaign on every connection. Waits until every recipient has its last status, or until nothing changes. */
async function runCampaigns(deployed: Deployed, clients: Client[], last: "sent" | "read"): Promise<Run> {
  const cpuBefore = workerdCpuMs();
  const startedAt = Date.now();
  const campaigns = await startAll(clients);
  const run: Run = { expandedMs: 0, sentMs: 0, doneMs: 0, cpuMs: 0, memory: 0, heaps: [], counts: {} };
  let cronAt = startedAt + MINUTE_MS;
  let changedAt = startedAt;
  while (run.doneMs === 0) {
    await sleep(250);
    if (Date.now() > cronAt) {
      await deployed.runCron();
      cronAt += MINUTE_MS;
    }
    if (Date.now() > startedAt + run.heaps.length * HEAP_EVERY_MS) run.heaps.push(await deployed.liveHeap());
    const all = await Promise.all(
      campaigns.map(
        async ({ client, id }) => (await client.ask("GET", `/api/v1/campaigns/${id}`, null, shown)).campaign,
      ),
    );
    const states = Object.keys(all[0]?.counts ?? {});
    const counts = Object.fromEntries(
      states.map((state) => [state, all.reduce((sum, each) => sum + (each.counts[state] ?? 0), 0)]),
    );
    if (JSON.stringify(counts) !== JSON.stringify(run.counts)) changedAt = Date.now();
    run.counts = counts;
    run.memory = Math.max(run.memory, workerdMemory().now);
    const readyAts = all.flatMap(({ audience_ready_at: at }) => (at === null ? [] : [Date.parse(at)]));
    if (readyAts.length === all.length) run.expandedMs = Math.max(...readyAts) - startedAt;
    if (run.sentMs === 0 && counts["pending"] === 0) run.sentMs = Date.now() - startedAt;
    const recipients = all.reduce((sum, { recipient_count: count }) => sum + count, 0);
    const isDone = run.sentMs > 0 && counts[last] === recipients;
    if (isDone || Date.now() > changedAt + PATIENCE_MS) run.doneMs = changedAt - startedAt;
  }
  run.cpuMs = workerdCpuMs() - cpuBefore;
  return run;
}

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A measured figure, its goal if there is one, and whether the figure meets the goal. */
type Told = [what: string, figure: string, goal?: string, met?: boolean];

async function measure(deployed: Deployed, load: Load): Promise<Told[]> {
  const clients = await makeWorkspace(deployed, load);
  const [first] = clients;
  if (first === undefined) throw new Error("There is no connection.");
  const [memoryBefore, heapBefore] = [workerdMemory().now, await deployed.liveHeap()];
  const costsBefore = await first.ask("GET", "/bench/costs", null, costs);
  const drained = [await drainRate(first)];
  const last = load.statuses ? "read" : "sent";
  const run = await runCampaigns(deployed, clients, last);
  const { rows_read: read, rows_written: written } = await first.ask("GET", "/bench/costs", null, costs);
  drained.push(await drainRate(first));
  const middle = Math.ceil(run.heaps.length / 2);
  const heaps = [run.heaps.slice(0, middle), run.heaps.slice(middle)].map(medianOf);
  const [firstHeap = 0, secondHeap = firstHeap] = heaps;
  const recipients = load.people * load.connections;
  const rate = (1000 * recipients) / run.sentMs;
  // If there are few connections, their rate is the limit.
  const goal = Math.min(GOAL, 0.9 * PER_SECOND * load.connections);
  const reached = run.counts[last] ?? 0;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [
    ["recipients", String(recipients)],
    ["connections, at 1000/s each", String(load.connections)],
    ["statuses reported of each", load.statuses ? "delivered, read" : "none"],
    ["start to all expanded", seconds(run.expandedMs)],
    ["start to all sent", seconds(run.sentMs)],
    ["start to the last status", seconds(run.doneMs)],
    ["recipients a second, start to all sent", rate.toFixed(0), `≥ ${goal}`, rate >= goal],
    ["empty consumer, grants a second, before and after", drained.map((each) => each.toFixed(0)).join(", ")],
    ["CPU of workerd, ms a recipient", (run.cpuMs / recipients).toFixed(2)],
    ["cores busy in workerd, on average", (run.cpuMs / run.doneMs).toFixed(2)],
    [
      "rows written a recipient, with those of the sandbox",
      ((written - costsBefore.rows_written) / recipients).toFixed(2),
    ],
    ["rows read a recipient", ((read - costsBefore.rows_read) / recipients).toFixed(1)],
    [
      "alive on the Worker's heap, before, median of each half, after",
      `${[heapBefore, firstHeap, secondHeap, await deployed.liveHeap()].map((mb) => mb.toFixed(0)).join(", ")} MB`,
      `+ ${HEAP_GROWTH} MB at most`,
      secondHeap <= firstHeap + HEAP_GROWTH,
    ],
    ["memory of workerd before", `${memoryBefore.toFixed(0)} MB`],
    ["memory of workerd, the most", `${run.memory.toFixed(0)} MB`],
    ["memory of workerd after", `${workerdMemory().now.toFixed(0)} MB`],
    [`came to ${last}`, String(reached), String(recipients), reached === recipients],
  ];
}

function tabulate(measured: Told[][]): Table {
  const rows = (measured[0] ?? []).map(([what], index) => {
    const told = measured.map((each) => each[index] ?? (["", ""] satisfies Told));
    const goals = told.flatMap(([, , goal]) => goal ?? []);
    const verdict = goals.length === 0 ? "" : told.every(([, , , met = true]) => met) ? "ok" : OVER;
    return [what, ...told.map(([, figure]) => figure), [...new Set(goals)].join(", "), verdict];
  });
  const title = "Campaigns through the Worker as deployed, over HTTP, a provider that takes no time";
  return { title, columns: ["what", ...measured.map(() => ""), "budget", ""], rows };
}

export async function measureThroughput(loads: Load[]): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const deployed = await startDeployed(directory, { script: "test/bench/throughput/worker.ts" });
    try {
      const measured: Told[][] = [];
      for (const load of loads) measured.push(await measure(deployed, load));
      return tabulate(measured);
    } finally {
      await deployed.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
