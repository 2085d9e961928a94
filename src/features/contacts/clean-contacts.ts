import type { BaseCtx } from "../../shared/context.ts";
import { cleanWindow, pendingCleanups, workspaceNumbers } from "./clean-contacts.sql.ts";

const WINDOW = 5000;
const WINDOWS_A_RUN = 20;

/**
 * Takes from contacts what deleted tags, fields and options left on them, a window of contacts at a time; cleanups take
 * turns, and what is left is for the next run. Readers do not show these values, so nobody waits for it.
 */
export async function cleanContacts(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const pending = await pendingCleanups(db, WINDOWS_A_RUN);
  if (pending.length === 0) return;
  const numbers = await workspaceNumbers(
    base.control,
    pending.map((cleanup) => cleanup.workspace_id),
  );
  for (let windows = 0; windows < WINDOWS_A_RUN; windows++) {
    const cleanup = pending.shift();
    if (cleanup === undefined) return;
    const number = numbers.get(cleanup.workspace_id);
    if (number === undefined) throw new Error(`Cleanup ${cleanup.id} belongs to no workspace.`);
    const ended = await cleanWindow(db, cleanup, number, WINDOW);
    if (!ended) pending.push(cleanup);
  }
}
