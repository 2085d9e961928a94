// A change in the control database also causes events, but the event log is on a shard, and no transaction can write to
// both. The change therefore stores its events in an outbox, and each event is later appended to the log exactly once.
import { eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect } from "../../db/columns.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { isOneOf } from "../../db/idioms.ts";
import { eventOutbox, eventOutboxDone, workspaces } from "../../db/schema/index.ts";
import { fetchRows, statement, transact } from "../../db/statement.ts";
import type { BaseCtx, Database } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import type { WorkspaceRef } from "../../shared/access/workspace.ts";
import { appendEventsOfWorkspaces } from "./append-events.sql.ts";
import { walkWorkspaces } from "./event-log.sql.ts";

const d = columns(eventOutboxDone, "d");
const w = columns(workspaces, "w");

const selectOutbox = (base: BaseCtx, workspaceId: string, limit: number) =>
  base.control
    .select({
      id: eventOutbox.id,
      workspace_id: eventOutbox.workspaceId,
      actor_type: eventOutbox.actorType,
      actor_id: eventOutbox.actorId,
      type: eventOutbox.type,
      object_id: eventOutbox.objectId,
      changes: eventOutbox.changes,
    })
    .from(eventOutbox)
    .where(eq(eventOutbox.workspaceId, workspaceId))
    .orderBy(eventOutbox.id)
    .limit(limit);

type OutboxRow = Awaited<ReturnType<typeof selectOutbox>>[number];

const waitingWorkspace = z.object({ id: z.string(), number: z.number(), shard: z.number() });

const selectWaitingWorkspaces = (limit: number) =>
  statement(
    waitingWorkspace,
    sql`
      ${walkWorkspaces(eventOutbox)}
      SELECT ${w.id} AS id, ${w.number} AS number, ${w.shard} AS shard FROM walked CROSS JOIN workspaces w ON ${w.id} = walked.id LIMIT ${limit}`,
  );

async function appendOutbox(db: Database, rows: readonly OutboxRow[], now: number): Promise<void> {
  const waiting = sql`
    FROM json_each(${JSON.stringify(rows)}) e
    WHERE NOT EXISTS (SELECT 1 FROM event_outbox_done d WHERE ${d.id} = e.value ->> 'id')`;
  const value = (name: string) => sql`e.value ->> ${name} AS ${sql.identifier(name)}`;
  const fields = ["workspace_id", "actor_type", "actor_id", "type", "object_id", "changes"].map(value);
  await transact(db, {
    append: appendEventsOfWorkspaces(sql`SELECT ${sql.join(fields, sql`, `)} ${waiting}`, now),
    done: insertSelect(eventOutboxDone, { id: sql`e.value ->> 'id'`, at: now }, waiting),
  });
}

const EVENTS_AT_ONCE = 100;
const WORKSPACES_PER_RUN = 100;

export async function emptyOutbox(base: BaseCtx, { id, shard }: Pick<WorkspaceRef, "id" | "shard">): Promise<void> {
  const rows = await selectOutbox(base, id, EVENTS_AT_ONCE);
  if (rows.length === 0) return;
  await appendOutbox(base.shard(shard), rows, base.now());
  const ids = rows.map((row) => row.id);
  await base.control.delete(eventOutbox).where(isOneOf(eventOutbox.id, ids));
}

/**
 * A request normally empties its outbox itself. This job appends the events of requests that failed before they could
 * do so.
 */
export async function sweepOutbox(base: BaseCtx): Promise<void> {
  for (const workspace of await fetchRows(base.control, selectWaitingWorkspaces(WORKSPACES_PER_RUN))) {
    await emptyOutbox(base, workspace);
  }
}

/**
 * The ids of appended events are kept for this time. A job that read an event before another job appended it then does
 * not append it again, even if the job is slow.
 */
const DONE_KEPT_MS = 7 * DAY_MS;

export const forgetDoneOutbox = (base: BaseCtx, shard: number): Promise<void> =>
  deleteInChunks(base.shard(shard), eventOutboxDone, lt(eventOutboxDone.at, base.now() - DONE_KEPT_MS));
