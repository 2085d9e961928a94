// Raw SQL, because SQLite reads the events from JSON and joins the record that each event is about.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { bool } from "../../db/rows.ts";
import { eventChunks } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { contactLayout } from "../contacts/contacts.schemas.ts";
import { contactLayoutJson } from "../contacts/contacts.sql.ts";
import { newestSequence, nextSequence, oldestSequence } from "../events/event-log.sql.ts";
import { objectAsJson } from "./event-objects.ts";

const c = columns(eventChunks, "c");
const o = columns(eventChunks, "o");

/** The maximum size of a page. It is small because an isolate can hold the pages of many requests in memory at once. */
const MAX_PAGE_BYTES = 4_000_000;

export type ReadFrom = number | "newest";

/**
 * Selects a column of the chunk that contains the event. This is the last chunk whose `first` is not greater than the
 * event's sequence number.
 */
export const chunkColumn = (ctx: Ctx, name: "first" | "at", sequence: SQL): SQL => sql`(
  SELECT ${o[name]} FROM event_chunks o WHERE ${o.workspaceId} = ${ctx.workspace.id} AND ${o.first} <= ${sequence} ORDER BY ${o.first} DESC LIMIT 1)`;

const boundColumns = ({ workspace }: Ctx): SQL =>
  sql`${oldestSequence(sql`${workspace.id}`)} AS oldest, ${newestSequence(sql`${workspace.id}`)} AS newest`;

const spanCte = (ctx: Ctx, from: ReadFrom, most: number): SQL => sql`
  ends AS MATERIALIZED (SELECT ${boundColumns(ctx)}),
  span AS MATERIALIZED (
    SELECT oldest, newest, start, min(newest, start + ${most}) AS reached
    FROM (SELECT oldest, newest, ${from === "newest" ? sql`newest` : sql`max(${from}, oldest - 1)`} AS start FROM ends))`;

const spanRow = z.object({
  oldest: z.number(),
  oldestAt: z.number(),
  newest: z.number(),
  reached: z.number(),
  reachedAt: z.number(),
  fromAt: z.number(),
  layout: fromJson(contactLayout),
});

export type EventSpan = z.infer<typeof spanRow>;

export function selectEventSpan(ctx: Ctx, from: ReadFrom, most: number) {
  const at = (sequence: SQL) => sql`coalesce(${chunkColumn(ctx, "at", sequence)}, 0)`;
  return statement(
    spanRow,
    sql`
      WITH ${spanCte(ctx, from, most)}
      SELECT oldest, ${at(sql`oldest`)} AS oldestAt, newest, reached, ${at(sql`reached`)} AS reachedAt, ${from === "newest" ? sql`0` : at(sql`${from}`)} AS fromAt,
        ${contactLayoutJson(ctx)} AS layout
      FROM span`,
  );
}

const logRow = z.object({ oldest: z.number(), newest: z.number(), layout: fromJson(contactLayout) });

export const selectLog = (ctx: Ctx) =>
  statement(logRow, sql`SELECT ${boundColumns(ctx)}, ${contactLayoutJson(ctx)} AS layout`);

const eventRow = z.object({
  sequence: z.number(),
  at: z.number(),
  actor_type: z.enum(["api_key", "member", "operator", "provider", "system"]),
  actor_id: z.string().nullable(),
  type: z.string(),
  object_id: z.string(),
  changes: fromJson(z.record(z.string(), z.tuple([z.unknown(), z.unknown()]))).nullable(),
  object: z.string().nullable(),
  /** False if the event does not fit in the page's maximum size. Its changes and object are then null. */
  fits: bool,
});

export type EventRow = z.infer<typeof eventRow>;

const bytesOf = (text: SQL): SQL => sql`coalesce(octet_length(${text}), 0)`;

/**
 * How a page is kept within `MAX_PAGE_BYTES`. With `shares`, each event may have at most `MAX_PAGE_BYTES / limit`
 * bytes. With `sum`, the sizes of all events are added up, which costs two more row reads per event.
 */
export type PageBound = "shares" | "sum";

/** With `sum`, the first event always fits, so that a client can read past an event that alone exceeds the maximum. */
function selectPage(ctx: Ctx, bound: PageBound, limit: number, ctes: SQL) {
  const bytes = sql`(${bytesOf(sql`changes`)} + ${bytesOf(sql`object`)})`;
  const upToRow = sql`OVER (ROWS UNBOUNDED PRECEDING)`;
  const fits =
    bound === "shares"
      ? sql`${bytes} <= ${Math.floor(MAX_PAGE_BYTES / Math.max(1, limit))}`
      : sql`(sum(${bytes}) ${upToRow} <= ${MAX_PAGE_BYTES} OR row_number() ${upToRow} = 1)`;
  // Without `OFFSET 0`, SQLite would merge the subqueries into one query and read each object more than once.
  return statement(
    eventRow,
    sql`
      WITH ${ctes}, complete AS (SELECT page.*, ${objectAsJson(ctx)} AS object FROM page LIMIT ${limit} OFFSET 0),
      measured AS (SELECT *, ${fits} AS fits FROM complete LIMIT ${limit} OFFSET 0)
      SELECT sequence, at, actor_type, actor_id, type, object_id, iif(fits, changes, NULL) AS changes,
        iif(fits, object, NULL) AS object, fits
      FROM measured`,
  );
}

export const pageColumns = (sequence: SQL, entry: SQL): SQL => sql`
  ${sequence} AS sequence, ${c.at} AS at, ${c.actorType} AS actor_type, ${c.actorId} AS actor_id,
  ${entry} ->> 0 AS type, ${entry} ->> 1 AS object_id, nullif(${entry} -> 2, 'null') AS changes`;

const isOfTypes = (types: readonly string[] | null): SQL =>
  types === null ? sql`TRUE` : sql`e.value ->> 0 IN (SELECT value FROM json_each(${JSON.stringify(types)}))`;

export function selectEvents(
  ctx: Ctx,
  { from, most, types, limit }: { from: ReadFrom; most: number; types: readonly string[] | null; limit: number },
  bound: PageBound,
) {
  // `start` and `reached` are subqueries and not a join, because SQLite then reads the chunks in the order of their
  // keys and stops at the limit. Within a chunk, `json_each` returns the events in order.
  const start = sql`(SELECT start FROM span)`;
  const reached = sql`(SELECT reached FROM span)`;
  return selectPage(
    ctx,
    bound,
    limit,
    sql`
      ${spanCte(ctx, from, most)},
      page AS (
        SELECT ${pageColumns(sql`${c.first} + e.key`, sql`e.value`)}
        FROM event_chunks c CROSS JOIN json_each(${c.body}) e
        WHERE ${c.workspaceId} = ${ctx.workspace.id} AND ${c.first} <= ${reached}
          AND ${c.first} >= coalesce(${chunkColumn(ctx, "first", sql`${start} + 1`)}, 0)
          AND ${c.first} + e.key > ${start} AND ${c.first} + e.key <= ${reached} AND ${isOfTypes(types)}
        ORDER BY ${c.first} LIMIT ${limit})`,
  );
}

export const selectEventsAt = (ctx: Ctx, sequences: readonly number[], bound: PageBound) =>
  selectPage(
    ctx,
    bound,
    sequences.length,
    sql`
      page AS (
        SELECT ${pageColumns(sql`w.value`, sql`(${c.body} -> (w.value - ${c.first}))`)}
        FROM json_each(${JSON.stringify(sequences)}) w
        CROSS JOIN event_chunks c ON ${c.workspaceId} = ${ctx.workspace.id}
          AND ${c.first} = ${chunkColumn(ctx, "first", sql`w.value`)} AND w.value < ${c.first} + ${c.count})`,
  );

export const selectEventsBefore = (
  ctx: Ctx,
  { before, most, types, limit }: { before: number; most: number; types: readonly string[] | null; limit: number },
  bound: PageBound,
) =>
  selectPage(
    ctx,
    bound,
    limit,
    sql`
      bounds AS MATERIALIZED (
        SELECT min(${before}, ${nextSequence(sql`${ctx.workspace.id}`)}) AS before),
      page AS (
        SELECT ${pageColumns(sql`${c.first} + e.key`, sql`e.value`)}
        FROM event_chunks c CROSS JOIN json_each(${c.body}) e
        WHERE ${c.workspaceId} = ${ctx.workspace.id} AND ${c.first} < (SELECT before FROM bounds)
          AND ${c.first} >= coalesce(${chunkColumn(ctx, "first", sql`(SELECT before - ${most} FROM bounds)`)}, 0)
          AND ${c.first} + e.key < (SELECT before FROM bounds)
          AND ${c.first} + e.key >= (SELECT before - ${most} FROM bounds) AND ${isOfTypes(types)}
        ORDER BY ${c.first} DESC, e.key DESC LIMIT ${limit})`,
  );

const sequenceRow = z.object({ sequence: z.number() });

/**
 * Finds the first event at or after this time by bisection, because the log is ordered by time. If there is no such
 * event, selects the number that the next event will get.
 */
export function selectSequenceAtTime(ctx: Ctx, at: number) {
  const middle = sql`(low + high) / 2`;
  const isBefore = sql`${chunkColumn(ctx, "at", middle)} < ${at}`;
  return statement(
    sequenceRow,
    sql`
      WITH RECURSIVE halves (low, high) AS (
        SELECT ${oldestSequence(sql`${ctx.workspace.id}`)}, ${nextSequence(sql`${ctx.workspace.id}`)}
        UNION ALL
        SELECT iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) FROM halves WHERE low < high)
      SELECT max(low) AS sequence FROM halves`,
  );
}
