import type { BaseCtx } from "../../shared/context.ts";
import { runChunk, findCleanups, findWorkspaceNumbers } from "./clean-contacts.sql.ts";

const CHUNKS_PER_RUN = 20;

/**
 * Clears values of deleted tags, fields and options from contacts, and reindexes contacts after a migration, in chunks. Readers
 * skip these values, and searches do not use the combined facet until reindexing ends.
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
