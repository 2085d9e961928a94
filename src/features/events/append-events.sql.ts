// A batch must append its events before it changes the records, and both statements must have the same condition. The
// change makes the condition false, so a repeated batch appends nothing. Raw SQL, because SQLite numbers the events and
// packs them into chunks.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { eventChunks, eventListeners } from "../../db/schema/index.ts";
import { WAKE_COLUMN } from "../../db/statement.ts";
import type { Actor } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import type { EventType } from "./events.types.ts";
import { nextSequence } from "./event-log.sql.ts";

const chunk = columns(eventChunks);
const stored = columns(eventChunks, "event_chunks");
const l = columns(eventListeners, "l");

/**
 * Selects the Durable Objects that listen for events, as a JSON list of `[kind, id]`. `Database.wake` wakes them after
 * the commit.
 */
export const listenersOf = (workspaceId: SQL, now: number): SQL => sql`
  (SELECT json_group_array(json_array(${l.kind}, ${l.id})) FROM event_listeners l
    WHERE ${l.workspaceId} = ${workspaceId} AND ${l.until} > ${now})`;

const insertChunks = (chunks: SQL, now: number): SQL => sql`
  INSERT INTO event_chunks (${chunk.workspaceId}, ${chunk.first}, ${chunk.count}, ${chunk.at}, ${chunk.actorType}, ${chunk.actorId}, ${chunk.body}) ${chunks}
  RETURNING ${listenersOf(stored.workspaceId, now)} AS ${sql.identifier(WAKE_COLUMN)}`;

const chunkBody = sql`json_group_array(json_array(type, object_id, json(changes)))`;

export function eventActor(actor: Actor): { type: Actor["type"]; id: string | null } {
  switch (actor.type) {
    case "api_key":
      return { type: actor.type, id: actor.id };
    case "member":
      return { type: actor.type, id: actor.userId };
    case "provider":
      return { type: actor.type, id: actor.connectionId };
    case "operator":
    case "system":
      return { type: actor.type, id: null };
  }
}

/** Selects one event. `changes` is a JSON object of `{field: [before, after]}`, or NULL. */
export const event = (type: EventType | SQL, objectId: SQL | string, changes: SQL = sql`NULL`): SQL =>
  sql`${type} AS type, ${objectId} AS object_id, ${changes} AS changes`;

/** Combines at most five events, because D1 allows five terms in a UNION. The log keeps their order. */
export const eventsOf = (parts: SQL[]): SQL => sql.join(parts, sql` UNION ALL `);

/** Writes all events as one row, so together they must not exceed 1 MB. Writes no row if there are no events. */
export function appendEvents(ctx: Ctx, events: SQL): SQL {
  const workspaceId = sql`${ctx.workspace.id}`;
  const actor = eventActor(ctx.actor);
  return insertChunks(
    sql`
      SELECT ${workspaceId}, ${nextSequence(workspaceId)}, count, ${ctx.now()}, ${actor.type}, ${actor.id}, body
      FROM (SELECT count(*) AS count, ${chunkBody} AS body FROM (${events})) WHERE count > 0`,
    ctx.now(),
  );
}

/** A chunk has at most this many bytes. A larger event gets its own chunk. */
const CHUNK_BYTES = 400_000;

export function appendLongEvents(ctx: Ctx, events: SQL): SQL {
  const workspaceId = sql`${ctx.workspace.id}`;
  const actor = eventActor(ctx.actor);
  const bytes = sql`(length(CAST(coalesce(changes, '') AS BLOB)) + 100)`;
  return insertChunks(
    sql`
    SELECT ${workspaceId}, ${nextSequence(workspaceId)} + sum(count) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) - count,
      count, ${ctx.now()}, ${actor.type}, ${actor.id}, body
    FROM (
      SELECT iif(bytes > ${CHUNK_BYTES}, -position, upto / ${CHUNK_BYTES} | 0) AS part, min(position) AS position, count(*) AS count,
        ${chunkBody} AS body
      FROM (SELECT type, object_id, changes, ${bytes} AS bytes, row_number() OVER () AS position,
        sum(${bytes}) OVER (ROWS UNBOUNDED PRECEDING) AS upto FROM (${events}))
      GROUP BY part)
    WHERE TRUE`,
    ctx.now(),
  );
}

/**
 * Like `appendEvents`, but for events of several workspaces and actors: `events` must also have the columns
 * `workspace_id`, `actor_type` and `actor_id`. All events of one workspace and actor are stored in one row.
 */
export function appendEventsOfWorkspaces(events: SQL, now: number): SQL {
  return insertChunks(
    sql`
    SELECT workspace_id, ${nextSequence(sql`grouped.workspace_id`)}
        + sum(count) OVER (PARTITION BY workspace_id ORDER BY actor_type, actor_id ROWS UNBOUNDED PRECEDING) - count,
      count, ${now}, actor_type, actor_id, body
    FROM (SELECT workspace_id, actor_type, actor_id, count(*) AS count, ${chunkBody} AS body
      FROM (${events}) GROUP BY workspace_id, actor_type, actor_id) AS grouped
    WHERE TRUE`,
    now,
  );
}

export type ChangedFields = Record<string, readonly [before: SQL, after: SQL]>;

export const changeEvents = (
  type: EventType,
  { objectId, fields, from }: { objectId: SQL; fields: ChangedFields; from: SQL },
): SQL => sql`SELECT * FROM (SELECT ${event(type, objectId, changedFields(fields))} ${from}) WHERE changes <> '{}'`;

/** The changes of a new record: each field changes from NULL to the value of the column with the same name. */
export const newFields = (names: readonly string[]): ChangedFields =>
  Object.fromEntries(names.map((name) => [name, [sql`NULL`, sql`${sql.identifier(name)}`]]));

/**
 * Callers must wrap a JSON value in `json()`, because SQLite otherwise treats it as a string. The fields are evaluated
 * in the inner select, where their column names cannot clash with the columns of `json_each`, for example `key`.
 */
export function changedFields(fields: ChangedFields): SQL {
  const triples = Object.entries(fields).map(
    ([name, [before, after]]) => sql`json_array(${name}, ${before}, ${after})`,
  );
  return sql`(
    SELECT json_group_object(f.value ->> 0, json_array(f.value -> 1, f.value -> 2))
    FROM (SELECT json_array(${sql.join(triples, sql`, `)}) AS listed) CROSS JOIN json_each(listed) f
    WHERE f.value -> 1 IS NOT f.value -> 2)`;
}
