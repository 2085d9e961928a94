import { fetchRows } from "../../db/statement.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";
import {
  appendOutbox,
  deleteDoneBefore,
  deleteFromOutbox,
  selectOutbox,
  selectWaitingWorkspaces,
} from "./outbox.sql.ts";

const EVENTS_AT_ONCE = 100;
const WORKSPACES_PER_RUN = 100;

/** Moves a workspace's waiting events from the control database to its log. Concurrent runs append each event exactly once. */
export async function emptyOutbox(base: BaseCtx, { id, shard }: Pick<WorkspaceRef, "id" | "shard">): Promise<void> {
  const rows = await selectOutbox(base, id, EVENTS_AT_ONCE);
  if (rows.length === 0) return;
  await appendOutbox(base.shard(shard), rows, base.now());
  await deleteFromOutbox(
    base,
    rows.map((row) => row.id),
  );
}

/** Moves the events of workspaces whose request failed to do so. */
export async function sweepOutbox(base: BaseCtx): Promise<void> {
  for (const workspace of await fetchRows(base.control, selectWaitingWorkspaces(WORKSPACES_PER_RUN))) {
    await emptyOutbox(base, workspace);
  }
}

/** Far longer than a job needs to append a row that it has read. */
const DONE_KEPT_MS = 7 * DAY_MS;

export const forgetDoneOutbox = (base: BaseCtx, shard: number): Promise<void> =>
  deleteDoneBefore(base.shard(shard), base.now() - DONE_KEPT_MS);
