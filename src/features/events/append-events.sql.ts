// Every change is logged by the batch that makes it. A statement that appends comes before those that change what it
// tells of, and selects with their condition: a repeat that changes nothing then appends nothing.
import { sql } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { eventChunks, eventListeners } from "../../db/schema/index.ts";
import { type SQL, WAKE_COLUMN } from "../../db/statement.ts";
import type { Actor } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import type { EventType } from "./events.types.ts";
import { nextSequence } from "./log-bounds.sql.ts";

const chunk = columns(eventChunks, "event_chunks");
const l = columns(eventListeners, "l");

/** The listeners of a workspace in SQL, as a JSON list of `[kind, id]`. `Database.wake` gets them once the batch has committed. */
export const listenersOf = (workspaceId: SQL, now: number): SQL => sql`
  (SELECT json_group_array(json_array(${l.kind}, ${l.id})) FROM event_listeners l
    WHERE ${l.workspaceId} = ${workspaceId} AND ${l.until} > ${now})`;

/** Inserts the rows that `chunks` selects, and returns the listeners. */
const insertChunks = (chunks: SQL, now: number): SQL => sql`
  INSERT INTO event_chunks (workspace_id, first, count, at, actor_type, actor_id, body) ${chunks}
  RETURNING ${listenersOf(chunk.workspaceId, now)} AS ${sql.identifier(WAKE_COLUMN)}`;

/** The body of a chunk, from rows as `event` makes them. */
const chunkBody = sql`json_group_array(json_array(type, object_id, json(changes)))`;

/** The actor as events name it. */
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

/** A row of `appendEvents`. `changes` is a JSON object of field to `[before, after]`, or NULL. */
export const event = (type: EventType | SQL, objectId: SQL | string, changes: SQL = sql`NULL`): SQL =>
  sql`${type} AS type, ${objectId} AS object_id, ${changes} AS changes`;

/** Joins selects of events, at most five, since D1 takes no more terms; the log keeps their order. */
export const eventsOf = (parts: SQL[]): SQL => sql.join(parts, sql` UNION ALL `);

/**
 * Appends the events that `events` selects, each as `event` makes it, to the log of the workspace, as the context's actor's. Writes
 * one row, or none where there are no events. All of them have to fit into 1 MB.
 */
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

/** How long the events of one chunk may be together, in bytes; a longer event has a chunk of its own. */
const CHUNK_BYTES = 400_000;

/** As `appendEvents`, of any length together: where they are too long for one row, they fill several. */
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
 * As `appendEvents`, for many workspaces of a shard: the rows also have `workspace_id`, `actor_type` and `actor_id`. Writes one row
 * for each workspace and actor; each must fit into 1 MB.
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

/** An event for each row of `from` (`FROM … WHERE …`) of which a field differs. */
export const changeEvents = (
  type: EventType,
  { objectId, fields, from }: { objectId: SQL; fields: ChangedFields; from: SQL },
): SQL => sql`SELECT * FROM (SELECT ${event(type, objectId, changedFields(fields))} ${from}) WHERE changes <> '{}'`;

/** Fields that a new object has, by the columns of the same names. */
export const newFields = (names: readonly string[]): ChangedFields =>
  Object.fromEntries(names.map((name) => [name, [sql`NULL`, sql`${sql.identifier(name)}`]]));

/**
 * `{field: [before, after]}` as JSON, with the fields that differ only; the values are SQL, JSON ones made by `json()`. They are
 * listed in a select of their own, where a column `type` or `id` is not taken for the one of `json_each`.
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
