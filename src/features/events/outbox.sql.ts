// Events of changes in the control database. One transaction cannot span both databases, so the events wait beside the change and
// a job moves them to the log of the workspace's shard, each once.
import { sql } from "../../db/sql.ts";
import * as z from "zod";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { type SQL, statement, type Statement, transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx, Database } from "../../shared/context.ts";
import { appendEventsOfWorkspaces, eventActor } from "./append-events.sql.ts";
import { walkWorkspaces } from "./walk-workspaces.sql.ts";

/** Keeps the event that `event` selects, if any, until the job has appended it. For a batch on the control database. */
export function insertIntoOutbox(ctx: Ctx, event: SQL): SQL {
  const actor = eventActor(ctx.actor);
  return sql`
    INSERT INTO event_outbox (id, workspace_id, at, actor_type, actor_id, type, object_id, changes)
    SELECT ${ctx.newId("evo")}, ${ctx.workspace.id}, ${ctx.now()}, ${actor.type}, ${actor.id}, type, object_id, changes
    FROM (${event})`;
}

const outboxRow = z.object({
  id: z.string(),
  workspace_id: z.string(),
  actor_type: z.string(),
  actor_id: z.string().nullable(),
  type: z.string(),
  object_id: z.string(),
  changes: z.string().nullable(),
});

export type OutboxRow = z.infer<typeof outboxRow>;

const columns = sql`id, workspace_id, actor_type, actor_id, type, object_id, changes`;

/** The oldest events of a workspace that wait. */
export const selectOutbox = (workspaceId: string, limit: number): Statement<OutboxRow> =>
  statement(
    outboxRow,
    sql`SELECT ${columns} FROM event_outbox WHERE workspace_id = ${workspaceId} ORDER BY id LIMIT ${limit}`,
  );

const waitingWorkspace = z.object({ id: z.string(), number: z.number(), shard: z.number() });

/** Workspaces that have events waiting. */
export const selectWaitingWorkspaces = (limit: number): Statement<z.infer<typeof waitingWorkspace>> =>
  statement(
    waitingWorkspace,
    sql`
      ${walkWorkspaces("event_outbox")}
      SELECT w.id AS id, w.number AS number, w.shard AS shard FROM walked CROSS JOIN workspaces w ON w.id = walked.id LIMIT ${limit}`,
  );

/** Appends those that are not in the log yet, and notes that they are. */
export async function appendOutbox(db: Database, rows: readonly OutboxRow[], now: number): Promise<void> {
  const waiting = sql`
    FROM json_each(${JSON.stringify(rows)}) e
    WHERE NOT EXISTS (SELECT 1 FROM event_outbox_done d WHERE d.id = e.value ->> 'id')`;
  const value = (name: string) => sql`e.value ->> ${name} AS ${sql.identifier(name)}`;
  const fields = ["workspace_id", "actor_type", "actor_id", "type", "object_id", "changes"].map(value);
  await transact(db, {
    append: appendEventsOfWorkspaces(sql`SELECT ${sql.join(fields, sql`, `)} ${waiting}`, now),
    done: sql`INSERT INTO event_outbox_done (id, at) SELECT e.value ->> 'id', ${now} ${waiting}`,
  });
}

export async function deleteFromOutbox(base: BaseCtx, ids: readonly string[]): Promise<void> {
  await transact(base.control, {
    deletion: sql`DELETE FROM event_outbox WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  });
}

/** Forgets which events of the outbox are in the log, once no job can hold them any more. */
export const deleteDoneBefore = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, { table: "event_outbox_done", key: "id", condition: sql`at < ${before}` });
