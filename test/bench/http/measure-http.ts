// Measures the CPU time of calls over HTTP, in turns with their bases in the same run. A base sends the same statements
// to a copy of the database and as many calls of objects, so the multiple is the cost of the product's own code.
// A full garbage collection stops all calls of the local runtime for about 100 ms, also those of an empty Worker. So
// each turn begins after a collection, and a table of its own compares the pauses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Deployed, startDeployed } from "../deployed.ts";
import { quantile } from "../quantile.ts";
import { OVER, type Table } from "../table.ts";
import { workerdCpuMs } from "../workerd.ts";
import { type FloorCall, prepareCalls, type ProductCall } from "./calls.ts";
import { type Call, drive, type Load } from "./load.ts";
import { measurePauses } from "./measure-pauses.ts";
import { measureSearch } from "./measure-search.ts";
import { recordCalls } from "./record.ts";

const ROUNDS = 5;
/** Ten requests wait in a pause. With 1500 requests in all, one pause of the machine is no p99. */
const READS_A_TURN = 300;
/** Fewer, because each recorded write is sent once. */
const WRITES_A_TURN = 100;
/** V8 compiles functions after some hundred calls. */
const REQUESTS_TO_WARM_UP = 300;
/** Requests of a turn that are not measured. A garbage collection also discards compiled code. */
const WARM_UP_A_TURN = 100;
/** A number that leaves the machine idle at times, and a number that does not. */
const CONNECTIONS = [10, 50];
/** The largest allowed p99, as a multiple of p50, unless p99 of the base or of an empty Worker is larger. */
const STEADY = 5;
/** In this time, the cron merges the segments that the contacts have added to the search index. */
const MINUTES_TO_MERGE = 3;
/** A turn ends when the process has rested for this time, because sends continue after the response. */
const REST_MS = 20;
/** CPU time that the process takes in `REST_MS` without a request. */
const IDLE_MS = 1;

interface Measured {
  cpuMs: number;
  /** Duration of each request in ms. */
  durations: number[];
}

interface Row {
  name: string;
  isWrite?: boolean;
  next(): Call;
  /** The budget, and the row that it is a multiple of. */
  limit?: { multiple: number; base: Row };
}

async function rest(): Promise<void> {
  let [before, after] = [-Infinity, workerdCpuMs()];
  while (after - before > IDLE_MS) {
    await sleep(REST_MS);
    [before, after] = [after, workerdCpuMs()];
  }
}

/** CPU time includes the database, the objects and the work after the responses. */
async function measureTurn({ next }: Row, load: Load, { collectGarbage }: Deployed): Promise<Measured> {
  await collectGarbage();
  await drive(next, { ...load, requests: WARM_UP_A_TURN });
  await rest();
  const before = workerdCpuMs();
  const durations = await drive(next, load);
  await rest();
  return { cpuMs: workerdCpuMs() - before, durations };
}

async function measureAll(rows: readonly Row[], deployed: Deployed): Promise<Map<number, Map<Row, Measured>>> {
  const nothing = (): [Row, Measured][] => rows.map((row) => [row, { cpuMs: 0, durations: [] }]);
  const all = new Map(CONNECTIONS.map((count) => [count, new Map(nothing())]));
  for (const row of rows) await measureTurn(row, { connections: 10, requests: REQUESTS_TO_WARM_UP }, deployed);
  for (let round = 0; round < ROUNDS; round++) {
    await deployed.runCron(); // A round takes about a minute.
    for (const [connections, measured] of all) {
      for (const [row, sum] of measured) {
        const requests = row.isWrite ? WRITES_A_TURN : READS_A_TURN;
        const turn = await measureTurn(row, { connections, requests }, deployed);
        sum.cpuMs += turn.cpuMs;
        sum.durations.push(...turn.durations);
      }
    }
  }
  return all;
}

function rowsOf(
  floors: Record<"empty" | "trip" | "object" | "health", FloorCall>,
  authenticated: ProductCall,
  bases: ReadonlyMap<ProductCall, () => Call>,
): Row[] {
  const object: Row = floors.object;
  const calls = [...bases].flatMap(([{ name, budget, next, isWrite }, base]): Row[] => {
    const baseRow = { name: "  its statements only", next: base, isWrite };
    return [{ name, next, isWrite, limit: { multiple: budget, base: baseRow } }, baseRow];
  });
  const { name, next, budget } = authenticated;
  return [
    floors.empty,
    floors.trip,
    object,
    floors.health,
    { name, next, limit: { multiple: budget, base: object } },
    ...calls,
  ];
}

export async function measureHttp(): Promise<Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const deployed = await startDeployed(directory, { script: "test/bench/workers/recorder.ts" });
    try {
      const { floors, authenticated, calls } = await prepareCalls(deployed);
      for (let minute = 0; minute < MINUTES_TO_MERGE; minute++) await deployed.runCron();
      const turns = ROUNDS * CONNECTIONS.length;
      const writes = REQUESTS_TO_WARM_UP + WARM_UP_A_TURN + turns * (WARM_UP_A_TURN + WRITES_A_TURN);
      const rows = rowsOf(floors, authenticated, await recordCalls(deployed, calls, writes));
      const all = await measureAll(rows, deployed);
      const tables = [...all].map(([connections, measured]) => tabulate(connections, measured));
      const reads = rows.flatMap((row): [Row, Row][] =>
        row.isWrite === false && row.limit !== undefined ? [[row, row.limit.base]] : [],
      );
      for (let minute = 0; minute < MINUTES_TO_MERGE; minute++) await deployed.runCron();
      return [...tables, await measureSearch(calls, CONNECTIONS), await measurePauses(floors.empty, reads, deployed)];
    } finally {
      await deployed.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const cpuOf = (measured?: Measured) => (measured === undefined ? NaN : measured.cpuMs / measured.durations.length);

const spreadOf = ({ durations }: Measured) => {
  const ascending = durations.toSorted((a, b) => a - b);
  return quantile(ascending, 0.99) / quantile(ascending, 0.5);
};

function tabulate(connections: number, all: ReadonlyMap<Row, Measured>): Table {
  const [empty = { cpuMs: 0, durations: [] }] = all.values();
  const rows = [...all].map(([{ name, limit }, measured]) => {
    const ascending = measured.durations.toSorted((a, b) => a - b);
    const [p50, p99] = [quantile(ascending, 0.5), quantile(ascending, 0.99)];
    const base = limit && all.get(limit.base);
    const multiple = base && cpuOf(measured) / cpuOf(base);
    const isSteady = p99 / p50 <= Math.max(STEADY, spreadOf(empty), base === undefined ? 0 : spreadOf(base));
    const isMet = isSteady && (limit === undefined || multiple === undefined || multiple <= limit.multiple);
    return [
      name,
      cpuOf(measured).toFixed(2),
      multiple?.toFixed(2) ?? "",
      (p99 / p50).toFixed(1),
      ...[p50, p99, ascending.at(-1) ?? NaN].map((ms) => ms.toFixed(0)),
      ...(limit === undefined
        ? []
        : [`≤ ${limit.multiple} × base, p99 ≤ ${STEADY} × p50 or the base's`, isMet ? "ok" : OVER]),
    ];
  });
  return {
    title: `Calls over HTTP at ${connections} connections, in turns; CPU × base, which sends the same statements and calls as many objects; ms without waits for a processor`,
    columns: ["call", "CPU ms", "× base", "p99 / p50", "p50", "p99", "max", "budget", ""],
    rows,
  };
}
