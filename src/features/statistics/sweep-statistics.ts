import { fetchRows } from "../../db/statement.ts";
import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { countEvents } from "./count-events.ts";
import { selectTimeZones, selectWorkspacesBehind } from "./count-events.sql.ts";

/** The search for workspaces reads three rows for each. The overview counts new events anyway. */
const EVERY_MINUTES = 5;

const WORKSPACES_PER_RUN = 500;
/** Limited, because other requests wait while a page is read. */
const PAGES_PER_WORKSPACE = 10;
const PAGES_PER_RUN = 200;

/** Counts the events of workspaces whose overview nobody opens, well before the events are deleted. */
export async function sweepStatistics(base: BaseCtx, shard: number): Promise<void> {
  if (new Date(base.now()).getUTCMinutes() % EVERY_MINUTES !== 0) return;
  const behind = await fetchRows(base.shard(shard), selectWorkspacesBehind(WORKSPACES_PER_RUN));
  if (behind.length === 0) return;
  const ids = behind.map(({ id }) => id);
  const workspaces = await selectTimeZones(base, ids);
  for (let left = PAGES_PER_RUN; left > 0 && workspaces.length > 0; left -= PAGES_PER_WORKSPACE) {
    const workspace = workspaces.shift();
    if (workspace === undefined) return;
    const { timeZone, ...ref } = workspace;
    const { isComplete } = await countEvents(forWorkspace(base, ref), {
      timeZone,
      days: 1,
      pages: PAGES_PER_WORKSPACE,
    });
    if (!isComplete) workspaces.push(workspace);
  }
}
