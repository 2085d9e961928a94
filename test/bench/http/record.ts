// Bases of the product's calls: their databases' and objects' part, recorded and sent again by a Worker that does
// nothing else.
import type { Deployed } from "../deployed.ts";
import { type Call, send } from "./load.ts";

export interface RecordableCall {
  /** Reads are repeated. Writes change rows, so each recorded write is sent once. */
  isWrite: boolean;
  next(): Call;
}

/** Enough to vary search terms and keys. */
const READS = 20;

/** Records the calls, for which the floor's copy of the database has the state before. Returns the bases' requests. */
export async function recordCalls<C extends RecordableCall>(
  { product, floor, copyDatabase, restart }: Deployed,
  calls: readonly C[],
  writes: number,
): Promise<Map<C, () => Call>> {
  await copyDatabase();
  for (const [name, call] of calls.entries())
    for (let count = 0; count < (call.isWrite ? writes : READS); count++)
      await send(call.next(), undefined, { Record: String(name) });
  const recorded = await send({ method: "GET", url: new URL("/recorded", product) });
  // The proxies of a recording would slow the product's compiled code.
  await restart();
  await send({ method: "POST", url: new URL("/recorded", floor), body: recorded });
  return new Map(
    calls.map((call, name) => {
      let sent = 0;
      const index = () => (call.isWrite ? sent++ : sent++ % READS);
      return [call, () => ({ method: "GET", url: new URL(`/replay/${name}/${index()}`, floor) })];
    }),
  );
}
