import { is, SQL } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../shared/context.ts";
import { fromJson } from "../shared/text/json.ts";
import { wakeableKinds } from "../shared/wakeable-object.ts";
import { type BuiltQuery, isBuilt, renderBuilt, renderSql } from "./drizzle-internals.ts";
import { rethrowRevisionFailure } from "./guards.ts";
import { readRows } from "./rows.ts";

export interface Statement<Row> {
  readonly sql: SQL;
  readonly columns: readonly string[];
  read(rows: unknown[], isChecked: boolean): Row[];
}

export type Query<Row> = Statement<Row> | BuiltQuery<Row[]>;

/** One entry of a batch. If it is a list of statements, their rows are joined to one list. Plain `SQL` returns no rows. */
export type Entry = SQL | Statement<unknown> | BuiltQuery | readonly (SQL | Statement<unknown> | BuiltQuery)[];

type RowsOf<E> =
  E extends Statement<infer Row>
    ? Row[]
    : E extends readonly Query<infer Row>[]
      ? Row[]
      : E extends BuiltQuery
        ? E["_"]["result"]
        : undefined;

export type RowsByName<Entries> = { [Name in keyof Entries]: RowsOf<Entries[Name]> };

export const statement = <S extends z.ZodObject>(shape: S, query: SQL): Statement<z.output<S>> => ({
  sql: query,
  columns: Object.keys(shape.shape),
  read: (rows, isChecked) => readRows(shape, rows, isChecked),
});

type Reader = (results: unknown[]) => unknown;

function prepare(db: Database, entry: SQL | Statement<unknown> | BuiltQuery): [D1PreparedStatement, Reader] {
  if (isBuilt(entry)) {
    const { sql, params, read } = renderBuilt(entry);
    return [db.$client.prepare(sql).bind(...params), read];
  }
  const query = renderSql(is(entry, SQL) ? entry : entry.sql);
  const read: Reader = is(entry, SQL) ? () => undefined : (results) => entry.read(results, db.checksRows);
  return [db.$client.prepare(query.sql).bind(...query.params), read];
}

/**
 * A statement that adds events returns this column, which names the Durable Objects to notify after the commit, as
 * JSON `[kind, name][]`.
 */
export const WAKE_COLUMN = "wake";

const wakeRow = z.object({ [WAKE_COLUMN]: fromJson(z.array(z.tuple([z.enum(wakeableKinds), z.string()]))) });

function wakeListeners(db: Database, results: D1Result[]): void {
  const isWakeRow = (row: unknown) => typeof row === "object" && row !== null && Object.hasOwn(row, WAKE_COLUMN);
  const rows = results.flatMap(({ results: each }) => (isWakeRow(each?.[0]) ? each : []));
  const named = readRows(wakeRow, rows, db.checksRows).flatMap((row) => row[WAKE_COLUMN]);
  const listeners = new Map(named.map((listener) => [listener.join(" "), listener]));
  if (listeners.size > 0) db.wake([...listeners.values()]);
}

/**
 * Runs all entries as one transaction in one round trip. Does not use Drizzle's own batch, which loses the
 * parameters of raw SQL.
 */
export const transact = async <const Entries extends Record<string, Entry>>(
  db: Database,
  entries: Entries,
): Promise<RowsByName<Entries>> => (await meteredTransact(db, entries)).rows;

/** Same as `transact`. `bytes` is the size of the database. */
export async function meteredTransact<const Entries extends Record<string, Entry>>(
  db: Database,
  entries: Entries,
): Promise<{ rows: RowsByName<Entries>; rowsRead: number; bytes: number }> {
  const named = Object.entries<Entry>(entries).map(([name, entry]) => {
    const isList = Array.isArray(entry);
    return { name, isList, prepared: [entry].flat().map((each) => prepare(db, each)) };
  });
  const statements = named.flatMap(({ prepared }) => prepared.map(([each]) => each));
  const results = statements.length === 0 ? [] : await db.runBatch(statements).catch(rethrowRevisionFailure);
  wakeListeners(db, results);
  let position = 0;
  const rows = named.map(({ name, isList, prepared }) => {
    const own = results.slice(position, (position += prepared.length));
    const read = own.map((result, index) => prepared[index]?.[1](result.results));
    return [name, isList ? read.flat() : read[0]];
  });
  return {
    // Safe: the object has the same keys as `entries`.
    rows: Object.fromEntries(rows) as RowsByName<Entries>,
    rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
    bytes: results.at(-1)?.meta.size_after ?? 0,
  };
}

/** Use this instead of awaiting a Drizzle builder, so that the query can share a round trip with other queries. */
export async function fetchRows<Row>(db: Database, query: Query<Row>): Promise<Row[]> {
  const [prepared, read] = prepare(db, query);
  // Safe: the query types its rows.
  return read(await db.runOne(prepared)) as Row[];
}

export const fetchRow = async <Row>(db: Database, query: Query<Row>): Promise<Row | undefined> =>
  (await fetchRows(db, query))[0];
