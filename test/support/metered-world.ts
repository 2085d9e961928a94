import { meter } from "../../src/http/response/cost.ts";
import { HeldQueues } from "./queues.ts";
import { recordedWorld } from "./recording.ts";
import { countsIn } from "./storage.ts";
import type { World } from "./world.ts";

export interface Cost {
  trips: number;
  statements: number;
  read: number;
  written: number;
  /** Rows in the ledger of the sandbox. The other counts omit them, because real providers do not cause them. */
  ledger: number;
  kv: number;
  objects: number;
  queue: number;
}

export function meteredWorld(queues = new HeldQueues()): {
  world: World;
  costOf(work: () => Promise<unknown>): Promise<Cost>;
} {
  const { world, recording } = recordedWorld(queues);
  const { REQUEST_LOG } = world.env;
  const { env, header } = meter({ ...world.env });
  // `REQUEST_LOG` is not metered, because one report contains all requests of a second.
  Object.assign(world.env, env, { REQUEST_LOG });
  const others = () => {
    const { reads = 0, writes = 0 } = countsIn(header(), "kv");
    const { calls: objects = 0 } = countsIn(header(), "do");
    const { sends: queue = 0 } = countsIn(header(), "queue");
    return { kv: reads + writes, objects, queue };
  };
  return {
    world,
    async costOf(work) {
      recording.take();
      const before = others();
      await work();
      const after = others();
      const ran = recording.take();
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      const isLedger = (sql: string) => /INSERT INTO sandbox_deliveries/.test(sql);
      const ours = ran.filter(({ sql }) => !isLedger(sql));
      return {
        trips: new Set(ours.map(({ trip }) => trip)).size,
        statements: ours.length,
        read: sum(ours.map(({ rowsRead }) => rowsRead)),
        written: sum(ours.map(({ rowsWritten }) => rowsWritten)),
        ledger: sum(ran.map(({ sql, rowsWritten }) => (isLedger(sql) ? rowsWritten : 0))),
        kv: after.kv - before.kv,
        objects: after.objects - before.objects,
        queue: after.queue - before.queue,
      };
    },
  };
}
