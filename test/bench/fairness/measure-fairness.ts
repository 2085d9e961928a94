// Measures another workspace's requests over HTTP, alone and beside a workspace that works as much as possible, in
// turns. The local runtime serves everybody on one thread, so rows of plain GET /tags show the costs of that thread.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Deployed, startDeployed } from "../deployed.ts";
import { OVER, type Table } from "../table.ts";
import { loadsOf, type WorkLoad } from "./loads.ts";
import { Workspace } from "./workspaces.ts";

const CONTACTS = Number(process.env["BENCH_SIZE"] || 20_000);
const NEIGHBOURS_CONTACTS = 1000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] || 3);
const ALONE_MS = 1500;
const BESIDE_MS = 5000;
/** The load is at full strength after this time. */
const RAMP_MS = 1000;
const MAX_MEDIAN = 1.5;
const MAX_P99 = 3;
const MAX_SHARE = 0.5;
/** The workspace waits this long after a refusal. */
const REFUSED_MS = 500;

const spent = z.object({ sqlMs: z.number(), longestMs: z.number(), batches: z.number() });

interface Measured {
  alone: number[];
  beside: number[];
  answered: number;
  refused: number;
  ms: number;
  sqlMs: number;
  longestMs: number;
}

async function look(neighbour: Workspace, forMs: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + forMs; performance.now() < end;) {
    const startedAt = performance.now();
    await neighbour.read("GET", "/tags", z.unknown());
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Runs the load until `work` ends. */
async function beside<T>({ atOnce, next }: WorkLoad, first: number, measured: Measured, work: () => Promise<T>) {
  const state = { isOver: false, n: first };
  const one = async () => {
    while (!state.isOver) {
      const { status, text } = await next(state.n++);
      if (status >= 300 && status !== 429) throw new Error(`${status}: ${text}`);
      measured[status === 429 ? "refused" : "answered"]++;
      if (status === 429) await sleep(REFUSED_MS);
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, one));
  await sleep(RAMP_MS);
  const result = await work();
  state.isOver = true;
  await all;
  return result;
}

async function measureLoad(
  deployed: Deployed,
  load: WorkLoad,
  neighbour: Workspace,
  measured: Measured,
  round: number,
) {
  const take = async () => spent.parse(await (await fetch(new URL("/bench/spent", deployed.product))).json());
  measured.alone.push(...(await look(neighbour, ALONE_MS)));
  await beside(load, round * 10_000, measured, async () => {
    await take();
    const startedAt = performance.now();
    measured.beside.push(...(await look(neighbour, BESIDE_MS)));
    measured.ms += performance.now() - startedAt;
    const { sqlMs, longestMs } = await take();
    measured.sqlMs += sqlMs;
    measured.longestMs = Math.max(measured.longestMs, longestMs);
  });
}

const quantile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;

function rowOf({ name, hasBudget }: WorkLoad, measured: Measured): string[] {
  const { alone, beside: busy, answered, refused, ms, sqlMs, longestMs } = measured;
  const [p50, p99] = [quantile(alone, 0.5), quantile(alone, 0.99)];
  const [median, tail] = [quantile(busy, 0.5) / p50, quantile(busy, 0.99) / p99];
  const share = sqlMs / ms;
  return [
    name,
    ...[p50, quantile(busy, 0.5), median, p99, quantile(busy, 0.99), tail].map((each) => each.toFixed(1)),
    String(busy.length),
    String(answered),
    String(refused),
    longestMs.toFixed(0),
    `${(100 * share).toFixed(0)} %`,
    hasBudget ? `median ≤ ${MAX_MEDIAN} ×, p99 ≤ ${MAX_P99} ×, ${100 * MAX_SHARE} %` : "",
    hasBudget ? (median <= MAX_MEDIAN && tail <= MAX_P99 && share <= MAX_SHARE ? "ok" : OVER) : "",
  ];
}

const WRITES =
  "A part takes up to 9 ms of the one thread that all Workers and databases share here: 12 to 14 ms beside 3 alone.";
const REASONS = {
  "8 batches of 500, new": WRITES,
  "1 batch of 500, new": WRITES,
  "8 batches of 100 messages": WRITES,
  "import of 20,000": WRITES,
  "20 searches": "FTS5 cannot search in slices: one search of a text and a filter takes up to 24 ms.",
};

const COLUMNS = [
  "beside",
  "p50 alone",
  "beside",
  "×",
  "p99 alone",
  "beside",
  "×",
  "looks",
  "answered",
  "refused",
  "longest batch ms",
  "database busy",
  "budget",
  "",
];

export async function measureFairness(): Promise<Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  const deployed = await startDeployed(directory, { script: "test/bench/workers/timed.ts" });
  try {
    const [busy, neighbour] = [await Workspace.create(deployed), await Workspace.create(deployed)];
    await busy.fill(CONTACTS);
    await neighbour.fill(NEIGHBOURS_CONTACTS);
    await busy.signIn();
    const only = process.env["BENCH_ONLY"] ?? "";
    const loads = (await loadsOf(busy, CONTACTS)).filter(({ name }) =>
      only.split(",").some((part) => name.includes(part)),
    );
    const nothing = () => ({ alone: [], beside: [], answered: 0, refused: 0, ms: 0, sqlMs: 0, longestMs: 0 });
    const all = new Map<string, Measured>(loads.map(({ name }) => [name, nothing()]));
    await look(neighbour, ALONE_MS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const load of loads) {
        const measured = all.get(load.name);
        if (measured === undefined) continue;
        await measureLoad(deployed, load, neighbour, measured, round);
        console.error(new Date().toISOString(), rowOf(load, measured).join("  "));
      }
    }
    const title = `Another workspace's GET /tags over HTTP, alone and beside a workspace of ${CONTACTS} contacts`;
    return [
      {
        title,
        columns: COLUMNS,
        rows: loads.map((load) => rowOf(load, all.get(load.name) ?? nothing())),
        reasons: REASONS,
      },
    ];
  } finally {
    await deployed.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
