import { fetchRows } from "../../db/statement.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { deleteOldChunks, selectWorkspacesWithOldEvents } from "./delete-old-events.sql.ts";

const EVENTS_KEPT_MS = 30 * DAY_MS;

/** Old events are looked for once an hour: to find them takes a row read for every workspace. */
const MINUTE_OF_HOUR = 17;

const WORKSPACES_PER_RUN = 1000;
/** Others wait while a statement runs. */
const CHUNKS_AT_ONCE = 500;
const STATEMENTS_PER_RUN = 200;

/** Deletes events that are 30 days old, but for the newest of each workspace: sequence numbers go on from it. */
export async function deleteOldEvents(base: BaseCtx, shard: number): Promise<void> {
  if (new Date(base.now()).getUTCMinutes() !== MINUTE_OF_HOUR) return;
  const db = base.shard(shard);
  const before = base.now() - EVENTS_KEPT_MS;
  const workspaces = await fetchRows(db, selectWorkspacesWithOldEvents(before, WORKSPACES_PER_RUN));
  for (let left = STATEMENTS_PER_RUN; left > 0 && workspaces.length > 0; left--) {
    const workspace = workspaces.shift();
    if (workspace === undefined) return;
    const deleted = await deleteOldChunks(db, workspace.id, before, CHUNKS_AT_ONCE);
    if (deleted === CHUNKS_AT_ONCE) workspaces.push(workspace);
  }
}
