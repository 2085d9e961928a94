import type { BaseCtx } from "../../shared/context.ts";
import { runChunk, findCleanups, findWorkspaceNumbers } from "./clean-contacts.sql.ts";

const CHUNKS_PER_RUN = 20;

/**
 * Clears the values that deleted tags, fields and options left on contacts, and indexes anew what a migration asked for, a chunk
 * of contacts at a time. Cleanups take turns; the next run goes on where this one ends. No request waits for it: readers leave out
 * these values, and searches leave out the combined facet until it is there, so that they find everything.
 */
export async function cleanContacts(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const pending = await findCleanups(db, CHUNKS_PER_RUN);
  if (pending.length === 0) return;
  const numbers = await findWorkspaceNumbers(
    base.control,
    pending.map(({ workspaceId }) => workspaceId),
  );
  for (let chunks = 0; chunks < CHUNKS_PER_RUN; chunks++) {
    const cleanup = pending.shift();
    if (cleanup === undefined) return;
    const number = numbers.get(cleanup.workspaceId);
    if (number === undefined) throw new Error(`Cleanup ${cleanup.id} does not belong to a workspace.`);
    const isDone = await runChunk(db, cleanup, number);
    if (!isDone) pending.push(cleanup);
  }
}
