// Measures calls over HTTP and the minimum costs in turns, in the same run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OVER, type Table } from "../table.ts";
import { workerdCpuMs } from "../workerd.ts";
import { floors, prepareCalls, type TimedCall } from "./calls.ts";
import { startDeployed } from "../deployed.ts";
import { drive } from "./load.ts";

const ROUNDS = 5;
const TURN_MS = 2000;
/** With 10 connections, the machine is sometimes idle. With 50, it is always busy. */
const CONNECTIONS = [10, 50];
/** The time after which the work of a send is done. Some work follows the response. */
const REST_MS = 250;
/** The largest allowed p99, as a multiple of p50. */
const STEADY = 5;

interface Measured {
  cpuMs: number;
  /** `ms`: the duration of each request, ascending. `totalMs`: the duration of all turns. */
  ms: number[];
  totalMs: number;
}

const nothing = (): Measured => ({ cpuMs: 0, ms: [], totalMs: 0 });

/** The CPU time includes the database, the Durable Objects, and the work after the responses. */
async function measureTurn(call: TimedCall, connections: number, measured: Measured): Promise<void> {
  const [cpuBefore, startedAt] = [workerdCpuMs(), performance.now()];
  const timings = await drive(call.next, { connections, forMs: TURN_MS });
  measured.totalMs += performance.now() - startedAt;
  await sleep(REST_MS);
  measured.cpuMs += workerdCpuMs() - cpuBefore;
  measured.ms.push(...timings.map(({ ms }) => ms));
}

async function measureAll(calls: TimedCall[]): Promise<Map<number, Map<string, Measured>>> {
  const all = new Map(CONNECTIONS.map((count) => [count, new Map(calls.map(({ name }) => [name, nothing()]))]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [connections, measured] of all) {
      for (const call of calls) {
        // The first round warms up.
        const kept = round === 0 ? nothing() : measured.get(call.name);
        if (kept !== undefined) await measureTurn(call, connections, kept);
      }
    }
  }
  for (const measured of all.values()) for (const { ms } of measured.values()) ms.sort((a, b) => a - b);
  return all;
}

const STATEMENTS =
  "Most of it is the database's: sent by a Worker that does nothing else, the same statements take 1.33 ms of a list, 1.72 of the " +
  "search for a name, 2.57 of that for a part of a phone, 1.24 of conversations and 1.48 of a history, on a machine where a bare trip takes 1.";
const WRITES = "A batch of eight statements that writes six rows and their indexes, and syncs the file.";
const SEND =
  "Of 5.5 × in one run, four trips that do nothing take 2.7, one of them for the sandbox's own record of the delivery; " +
  "eight more statements in them 0.2; what the statements do 1.1; the request and its limiter 0.3; the pacer 0.1; our code 1.1.";
const LOCAL_LOOP =
  "The local runtime reads sockets only when its event loop is idle, and then answers in bursts; a Worker that does nothing waits as long.";
const REASONS = {
  ...Object.fromEntries(Object.values(floors).map((name) => [name, LOCAL_LOOP])),
  "list 20 contacts with tags": STATEMENTS,
  "search a name": STATEMENTS,
  "search part of a phone": STATEMENTS,
  "get a contact": STATEMENTS,
  "page by cursor, deep": STATEMENTS,
  "conversations 20": STATEMENTS,
  "history 20": STATEMENTS,
  "create a contact with a tag": WRITES,
  "send, accepted and handed over": SEND,
};

const quantile = ({ ms }: Measured, share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? NaN;
const cpuOf = ({ cpuMs, ms }: Measured) => cpuMs / ms.length;

/** CPU time of an authenticated request with only one round trip. */
function bareTripCpu(measured: Map<string, Measured>): number {
  const cpu = (name: string) => cpuOf(measured.get(name) ?? nothing());
  return cpu(floors.authenticated) + cpu(floors.trip) - cpu(floors.noop);
}

export async function measureHttp(): Promise<Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const deployed = await startDeployed(directory);
    try {
      const calls = await prepareCalls(deployed);
      const all = await measureAll(calls);
      return [...all].map(([connections, measured]) => tabulate(connections, calls, measured));
    } finally {
      await deployed.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function tabulate(connections: number, calls: TimedCall[], all: Map<string, Measured>): Table {
  const base = bareTripCpu(all);
  const health = cpuOf(all.get(floors.health) ?? nothing());
  const rows = calls.map(({ name, goal }) => {
    const measured = all.get(name) ?? nothing();
    const multiple = cpuOf(measured) / base;
    const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(measured, share));
    const spread = (p99 ?? NaN) / (p50 ?? NaN);
    const goals = [...(goal === null ? [] : [`≤ ${goal} ×`]), `p99 ≤ ${STEADY} × p50`];
    const met = (goal === null || multiple <= goal) && spread <= STEADY;
    return [
      name,
      multiple.toFixed(2),
      (cpuOf(measured) / health).toFixed(1),
      spread.toFixed(1),
      cpuOf(measured).toFixed(2),
      (measured.ms.length / (measured.totalMs / 1000)).toFixed(0),
      ...[p50, p99, p999, measured.ms.at(-1)].map((ms = NaN) => ms.toFixed(0)),
      String(measured.ms.length),
      goals.join(", "),
      met ? "ok" : OVER,
    ];
  });
  const columns = [
    "call",
    "CPU × bare trip",
    "× /health",
    "p99 / p50",
    "CPU ms",
    "req/s",
    "p50",
    "p99",
    "p99.9",
    "max",
    "requests",
    "budget",
    "",
  ];
  return {
    reasons: REASONS,
    title: `Calls over HTTP at ${connections} connections, in turns; CPU × that of an authenticated request with one bare trip (${base.toFixed(2)} ms)`,
    columns,
    rows,
  };
}
