import { is, SQL as DrizzleSQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Database } from "../shared/context.ts";

/** A statement without rows, or part of one. Services pass it on without knowing how it is built. */
export type SQL = DrizzleSQL;

/** A statement that gives rows. */
export interface Statement<Row> {
  readonly sql: SQL;
  /** Types the rows that the database gave; `isChecked` also compares them with the shape. */
  read(rows: unknown[], isChecked: boolean): Row[];
}

/** A query of Drizzle's builder, which knows the type of its rows itself. */
interface BuiltQuery {
  readonly _: { readonly result: unknown };
  prepare(): {
    getQuery(): { sql: string; params: unknown[] };
    mapResult(response: unknown, isFromBatch: boolean): unknown;
  };
}

/** Part of a batch: one statement, or a list whose rows are given as one list. Plain `SQL` gives no rows. */
export type Entry = SQL | Statement<unknown> | BuiltQuery | readonly (SQL | Statement<unknown>)[];

type RowsOf<E> =
  E extends Statement<infer Row>
    ? Row[]
    : E extends readonly Statement<infer Row>[]
      ? Row[]
      : E extends BuiltQuery
        ? E["_"]["result"]
        : undefined;

type RowsByName<Entries> = { [Name in keyof Entries]: RowsOf<Entries[Name]> };

/** Passes rows on as they are, in the type that their shape declares. */
const unchecked = z.any();

function isConverted(column: z.core.$ZodType): boolean {
  if (column instanceof z.ZodNullable || column instanceof z.ZodOptional) return isConverted(column.unwrap());
  return column instanceof z.ZodPipe;
}

/** Columns that are not given as they are stored, by shape: shapes are constants of their modules. */
const convertedColumns = new WeakMap<z.ZodObject, z.ZodObject | null>();

function conversionOf(shape: z.ZodObject): z.ZodObject | null {
  const known = convertedColumns.get(shape);
  if (known !== undefined) return known;
  const columns = Object.entries(shape.shape).filter(([, column]) => isConverted(column));
  const conversion = columns.length === 0 ? null : z.object(Object.fromEntries(columns));
  convertedColumns.set(shape, conversion);
  return conversion;
}

/**
 * Types the rows of a statement. `shape` names its columns, which need distinct names. Rows are compared with it in tests;
 * in production only columns of `fromJson` and `bool` are converted, since parsing all took 15 % of a list's CPU.
 */
export const statement = <S extends z.ZodObject>(shape: S, query: SQL): Statement<z.output<S>> => ({
  sql: query,
  read(rows, isChecked) {
    if (isChecked) return z.array(shape).parse(rows);
    const conversion = conversionOf(shape);
    if (conversion === null) return unchecked.parse(rows);
    return rows.map((row) => Object.assign({}, row, conversion.parse(row)));
  },
});

/** A column of 0 or 1; the row holds a boolean. */
export const bool = z.union([z.literal(0), z.literal(1)]).transform((number) => number === 1);

const dialect = new SQLiteAsyncDialect();

const isBuilt = (entry: SQL | Statement<unknown> | BuiltQuery): entry is BuiltQuery => Reflect.has(entry, "prepare");

type Reader = (result: D1Result) => unknown;

function prepare(db: Database, entry: SQL | Statement<unknown> | BuiltQuery): [D1PreparedStatement, Reader] {
  if (isBuilt(entry)) {
    const built = entry.prepare();
    const { sql, params } = built.getQuery();
    return [db.$client.prepare(sql).bind(...params), (result) => built.mapResult(result, true)];
  }
  const query = dialect.sqlToQuery(is(entry, DrizzleSQL) ? entry : entry.sql);
  const read: Reader = is(entry, DrizzleSQL) ? () => undefined : ({ results }) => entry.read(results, db.checksRows);
  return [db.$client.prepare(query.sql).bind(...query.params), read];
}

/**
 * Runs named statements as one transaction and one round trip; gives the rows of each by its name.
 * Drizzle's own batch loses the parameters of raw SQL.
 */
export const transact = async <const Entries extends Record<string, Entry>>(
  db: Database,
  entries: Entries,
): Promise<RowsByName<Entries>> => (await timedTransact(db, entries)).rows;

/** As `transact`; `sqlMs` is how long the database worked. */
export async function timedTransact<const Entries extends Record<string, Entry>>(
  db: Database,
  entries: Entries,
): Promise<{ rows: RowsByName<Entries>; sqlMs: number }> {
  const named = Object.entries<Entry>(entries).map(([name, entry]) => {
    const isList = Array.isArray(entry);
    return { name, isList, prepared: [entry].flat().map((each) => prepare(db, each)) };
  });
  const statements = named.flatMap(({ prepared }) => prepared.map(([each]) => each));
  const results = statements.length === 0 ? [] : await db.$client.batch(statements);
  let position = 0;
  const rows = named.map(({ name, isList, prepared }) => {
    const own = results.slice(position, (position += prepared.length));
    const read = own.map((result, index) => prepared[index]?.[1](result));
    return [name, isList ? read.flat() : read[0]];
  });
  return {
    rows: unchecked.parse(Object.fromEntries(rows)),
    sqlMs: results.reduce((sum, { meta }) => sum + meta.duration, 0),
  };
}

/** Runs one statement alone; gives its rows. */
export async function fetchRows<Row>(db: Database, { sql, read }: Statement<Row>): Promise<Row[]> {
  return read(await db.all(sql), db.checksRows);
}

/** Runs one statement alone; gives its only row, or undefined where there is none. */
export const fetchRow = async <Row>(db: Database, query: Statement<Row>): Promise<Row | undefined> =>
  (await fetchRows(db, query))[0];
