import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { assignments, columns, insertSelect } from "./columns.ts";

export const isoTime = (ms: SQL): SQL => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;

/**
 * The longest list in UTF-16 units. Each unit takes up to three bytes, so such a list stays below D1's limit of
 * 2 MB per value.
 */
const MAX_LIST = 600_000;

/** Returns the rows as JSON lists, each short enough for one parameter of `json_each`. Most calls return one list. */
export function jsonLists(rows: readonly object[]): string[] {
  const lists: string[][] = [];
  let room = 0;
  for (const json of rows.map((row) => JSON.stringify(row))) {
    if (json.length > room) {
      lists.push([]);
      room = MAX_LIST;
    }
    lists.at(-1)?.push(json);
    room -= json.length + 1;
  }
  return lists.map((list) => `[${list.join(",")}]`);
}

type Columns<T extends SQLiteTable> = keyof T["_"]["columns"] & string;

/**
 * Updates existing rows with an upsert on `key`, because on D1 `UPDATE … FROM json_each` scans the whole table for
 * each row. `required` must contain all other NOT NULL columns: although no row is inserted, SQLite checks NOT NULL
 * before it finds the conflict.
 */
export function bulkUpdateFromJson<T extends SQLiteTable>(
  table: T,
  {
    key,
    required,
    set,
    from,
  }: { key: Columns<T>; required: Columns<T>[]; set: Partial<Record<Columns<T>, SQL>>; from: SQL },
): SQL {
  const stored = columns(table);
  const kept = Object.fromEntries([key, ...required].map((name) => [name, stored[name]]));
  const changes = assignments(table, set).map(({ name }) => sql`${name} = excluded.${name}`);
  const rest = sql`FROM ${from} ON CONFLICT (${stored[key]}) DO UPDATE SET ${sql.join(changes, sql`, `)}`;
  return insertSelect(table, { ...kept, ...set }, rest);
}

/**
 * Passes all values as one parameter. Check the query plan if the statement also compares another indexed
 * column: SQLite may use that column's index instead.
 */
export const isOneOf = (column: SQLiteColumn, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

export const ftsPhrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;
