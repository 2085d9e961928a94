// Column names for raw statements.
import { getTableColumns, getTableName, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { unchecked } from "./rows.ts";
import type { SQL } from "./statement.ts";

type NameIn<T extends SQLiteTable> = keyof T["_"]["columns"];

/** Columns that an SQL fragment reads, under its caller's table alias. */
export type ColumnsOf<T extends SQLiteTable, Name extends NameIn<T> = NameIn<T>> = { readonly [N in Name]: SQLWrapper };

/**
 * The columns of a table: `c.phoneKey` renders as `c.phone_key`, without an alias as `phone_key`. Modules create them once, because
 * rendering Drizzle's columns takes ten times as long.
 */
export function columns<T extends SQLiteTable>(table: T, alias?: string): { readonly [Name in NameIn<T>]: SQL } {
  const prefix = alias === undefined ? "" : `${alias}.`;
  const names = Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, sql.raw(prefix + name)]);
  return unchecked.parse(Object.fromEntries(names));
}

type Values<T extends SQLiteTable> = { readonly [Name in NameIn<T>]?: unknown };

/** The columns with a value. */
export function assignments(table: SQLiteTable, values: object): { name: SQL; value: unknown }[] {
  const stored = getTableColumns(table);
  return Object.entries(values).flatMap(([key, value]) => {
    const name = stored[key]?.name;
    return name === undefined || value === undefined ? [] : [{ name: sql.raw(name), value }];
  });
}

/** `INSERT … SELECT` of these values, which may be SQL. `rest` follows them: FROM, WHERE, ON CONFLICT. */
export function insertSelect<T extends SQLiteTable>(table: T, values: Values<T>, rest: SQL): SQL {
  const assigned = assignments(table, values);
  const names = sql.join(
    assigned.map(({ name }) => name),
    sql`, `,
  );
  const selected = sql.join(
    assigned.map(({ value }) => sql`${value}`),
    sql`, `,
  );
  return sql`INSERT INTO ${sql.raw(getTableName(table))} (${names}) SELECT ${selected} ${rest}`;
}

/** `UPDATE … SET` of these values, which may be SQL. `rest` begins with WHERE, and `alias` names the updated row in it. */
export function updateSet<T extends SQLiteTable>(table: T, values: Values<T>, rest: SQL, alias?: string): SQL {
  const changes = assignments(table, values).map(({ name, value }) => sql`${name} = ${value}`);
  const row = sql.raw(alias === undefined ? getTableName(table) : `${getTableName(table)} AS ${alias}`);
  return sql`UPDATE ${row} SET ${sql.join(changes, sql`, `)} ${rest}`;
}

/** Expressions as columns of a subquery: the list for its SELECT, and their names under `alias` for the outer statement. */
export function subqueryColumns<C extends object>(alias: string, expressions: C): { list: SQL; names: C } {
  const entries = Object.entries(expressions);
  return {
    list: sql.join(
      entries.map(([name, expression]) => sql`${expression} AS ${sql.raw(name)}`),
      sql`, `,
    ),
    names: unchecked.parse(Object.fromEntries(entries.map(([name]) => [name, sql.raw(`${alias}.${name}`)]))),
  };
}
