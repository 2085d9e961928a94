// Names of columns for raw statements.
import { getTableColumns, sql, type SQLWrapper } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { unchecked } from "./rows.ts";
import type { SQL } from "./statement.ts";

type NameIn<T extends SQLiteTable> = keyof T["_"]["columns"];

/** Columns that a fragment of a statement reads, under the alias that its caller gave the table. */
export type ColumnsOf<T extends SQLiteTable, Name extends NameIn<T> = NameIn<T>> = { readonly [N in Name]: SQLWrapper };

/**
 * The columns of a table under an alias: `c.phoneKey` renders as `c.phone_key`, without an alias as `phone_key`. Made once by each
 * module: rendering Drizzle's own columns takes ten times as long.
 */
export function columns<T extends SQLiteTable>(table: T, alias?: string): { readonly [Name in NameIn<T>]: SQL } {
  const prefix = alias === undefined ? "" : `${alias}.`;
  const names = Object.entries(getTableColumns(table)).map(([key, { name }]) => [key, sql.raw(prefix + name)]);
  return unchecked.parse(Object.fromEntries(names));
}

/**
 * Expressions as columns of a subquery under an alias: the list that selects them in the subquery, and their names around it.
 */
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
