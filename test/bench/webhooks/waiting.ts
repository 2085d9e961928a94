import { setTimeout as sleep } from "node:timers/promises";
import type { Deployed } from "../deployed.ts";

const MINUTE_MS = 60_000;

/**
 * Waits until the condition is true or the time is over, and returns the condition. Meanwhile, runs the cron every
 * minute.
 */
export async function until(
  deployed: Deployed,
  { holds, everyMs = 5, withinMs }: { holds: () => boolean | Promise<boolean>; everyMs?: number; withinMs: number },
): Promise<boolean> {
  const end = Date.now() + withinMs;
  let cronAt = Date.now() + MINUTE_MS;
  while (!(await holds())) {
    if (Date.now() > end) return false;
    await sleep(everyMs);
    if (Date.now() < cronAt) continue;
    cronAt += MINUTE_MS;
    await deployed.runCron();
  }
  return true;
}
