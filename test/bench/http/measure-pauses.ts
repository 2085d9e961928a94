// Measures full garbage collections, during which no call continues.
import type { Deployed } from "../deployed.ts";
import { OVER, type Table } from "../table.ts";
import { workerdCpuMs } from "../workerd.ts";
import { type Call, drive } from "./load.ts";

const LOAD = { connections: 10, requests: 1000 };
/** The product also has more live memory than its base. */
const MAX_RATIO = 2.5;

interface PausedCall {
  name: string;
  next(): Call;
}

async function measurePause({ next }: PausedCall, worker: "product" | "floor", deployed: Deployed): Promise<number> {
  await deployed.collectGarbage();
  await drive(next, LOAD);
  const before = workerdCpuMs();
  await deployed.liveMemory(worker);
  return workerdCpuMs() - before;
}

/** Measures the pause that each call's garbage causes in its Worker. `pairs` contains calls with their bases. */
export async function measurePauses(
  empty: PausedCall,
  pairs: readonly [call: PausedCall, base: PausedCall][],
  deployed: Deployed,
): Promise<Table> {
  const rows = [[empty.name, (await measurePause(empty, "floor", deployed)).toFixed(0), "", ""]];
  for (const [call, base] of pairs) {
    const pause = await measurePause(call, "product", deployed);
    const ofBase = await measurePause(base, "floor", deployed);
    const isMet = pause <= MAX_RATIO * ofBase;
    rows.push([call.name, pause.toFixed(0), (pause / ofBase).toFixed(2), `≤ ${MAX_RATIO} × base`, isMet ? "ok" : OVER]);
    rows.push([base.name, ofBase.toFixed(0), "", ""]);
  }
  return {
    title: `Pauses of the local runtime: the full garbage collection of a Worker after ${LOAD.requests} calls at ${LOAD.connections} connections`,
    columns: ["call", "CPU ms", "× base", "budget", ""],
    rows,
  };
}
