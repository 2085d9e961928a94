// Measures another workspace's requests over HTTP, alone and beside a workspace that works as much as possible, in
// turns. The local runtime serves everybody on one thread, so rows of plain GET /tags show the costs of that thread.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Deployed, startDeployed } from "../deployed.ts";
import { takeSpent, TIMED } from "../timed.ts";
import { quantile } from "../quantile.ts";
import { OVER, type Table } from "../table.ts";
import { loadsOf, type WorkLoad } from "./loads.ts";
import { Workspace } from "./workspaces.ts";

const CONTACTS = Number(process.env["BENCH_SIZE"] || 20_000);
const NEIGHBOURS_CONTACTS = 1000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] || 3);
const ALONE_MS = 1500;
const BESIDE_MS = 5000;
/** A load has its full effect this long after its start, and no effect this long after its end. */
const RAMP_MS = 1000;
const MINUTE_MS = 60_000;
/** Memory, because the local database waits for a disk on the thread that serves everybody. */
const STORAGE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const MAX_MEDIAN = 1.5;
const MAX_P99 = 3;
const MAX_SHARE = 0.5;
/** The workspace waits this long after a refusal. */
const REFUSED_MS = 500;

interface Measured {
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
  await beside(load, round * 10_000, measured, async () => {
    await takeSpent(deployed);
    const startedAt = performance.now();
    measured.beside.push(...(await look(neighbour, BESIDE_MS)));
    measured.ms += performance.now() - startedAt;
    const { sqlMs, longestMs } = await takeSpent(deployed);
    measured.sqlMs += sqlMs;
    measured.longestMs = Math.max(measured.longestMs, longestMs);
  });
}

function p50AndP99(times: number[]): [p50: number, p99: number] {
  const ascending = times.toSorted((a, b) => a - b);
  return [quantile(ascending, 0.5), quantile(ascending, 0.99)];
}

function rowOf({ name, hasBudget }: WorkLoad, alone: number[], measured: Measured): string[] {
  const { beside: busy, answered, refused, ms, sqlMs, longestMs } = measured;
  const [p50, p99] = p50AndP99(busy);
  const [p50Alone, p99Alone] = p50AndP99(alone);
  const [median, tail] = [p50 / p50Alone, p99 / p99Alone];
  const share = sqlMs / ms;
  return [
    name,
    ...[p50, median, p99, tail].map((each) => each.toFixed(1)),
    String(busy.length),
    String(answered),
    String(refused),
    longestMs.toFixed(0),
    `${(100 * share).toFixed(0)} %`,
    hasBudget ? `median ≤ ${MAX_MEDIAN} ×, p99 ≤ ${MAX_P99} ×, ${100 * MAX_SHARE} %` : "",
    hasBudget ? (median <= MAX_MEDIAN && tail <= MAX_P99 && share <= MAX_SHARE ? "ok" : OVER) : "",
  ];
}

const aloneRow = (alone: number[]): string[] => {
  const [p50, p99] = p50AndP99(alone).map((each) => each.toFixed(1));
  return ["nothing", p50 ?? "", "", p99 ?? "", "", String(alone.length), "", "", "", "", "", ""];
};

const COLUMNS = [
  "beside",
  "p50",
  "×",
  "p99",
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
  const directory = mkdtempSync(join(STORAGE, "tidings-bench-"));
  const deployed = await startDeployed(directory, { script: TIMED });
  try {
    const [busy, neighbour] = [await Workspace.create(deployed), await Workspace.create(deployed)];
    await busy.fill(CONTACTS);
    await neighbour.fill(NEIGHBOURS_CONTACTS);
    await busy.signIn();
    const only = process.env["BENCH_ONLY"] ?? "";
    const loads = (await loadsOf(busy, CONTACTS)).filter(({ name }) =>
      only.split(",").some((part) => name.includes(part)),
    );
    const nothing = () => ({ beside: [], answered: 0, refused: 0, ms: 0, sqlMs: 0, longestMs: 0 });
    const all = new Map<string, Measured>(loads.map(({ name }) => [name, nothing()]));
    const alone: number[] = [];
    let cronAt = 0;
    await look(neighbour, ALONE_MS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const load of loads) {
        // The cron merges the segments of the search index. Without merges, searches become slower with each import.
        if (Date.now() >= cronAt) {
          await deployed.runCron();
          cronAt = Date.now() + MINUTE_MS;
        }
        const measured = all.get(load.name);
        if (measured === undefined) continue;
        await look(neighbour, RAMP_MS);
        alone.push(...(await look(neighbour, ALONE_MS)));
        await measureLoad(deployed, load, neighbour, measured, round);
        console.error(new Date().toISOString(), rowOf(load, alone, measured).join("  "));
      }
    }
    const title = `Another workspace's GET /tags over HTTP, alone and beside a workspace of ${CONTACTS} contacts`;
    return [
      {
        title,
        columns: COLUMNS,
        rows: [aloneRow(alone), ...loads.map((load) => rowOf(load, alone, all.get(load.name) ?? nothing()))],
      },
    ];
  } finally {
    await deployed.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
