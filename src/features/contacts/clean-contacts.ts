import type { BaseCtx } from "../../shared/context.ts";
import { cleanChunk, findCleanups, findWorkspaceNumbers } from "./clean-contacts.sql.ts";

/** In `seq`s: the contacts that one statement looks at. */
const CHUNK = 5000;
const CHUNKS_A_RUN = 20;

/**
 * Clears the values that deleted tags, fields and options left on contacts, a chunk of contacts at a time. Cleanups take turns;
 * the next run goes on where this one ends. Readers do not show these values, so no request waits for it.
 */
export async function cleanContacts(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const pending = await findCleanups(db, CHUNKS_A_RUN);
  if (pending.length === 0) return;
  const numbers = await findWorkspaceNumbers(
    base.control,
    pending.map(({ workspaceId }) => workspaceId),
  );
  for (let chunks = 0; chunks < CHUNKS_A_RUN; chunks++) {
    const cleanup = pending.shift();
    if (cleanup === undefined) return;
    const number = numbers.get(cleanup.workspaceId);
    if (number === undefined) throw new Error(`Cleanup ${cleanup.id} belongs to no workspace.`);
    const isDone = await cleanChunk(db, cleanup, number, CHUNK);
    if (!isDone) pending.push(cleanup);
  }
}
