// Copies the control tables from DB to CONTROL. Runs when a deployment binds CONTROL for the first time.
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as control from "../../src/db/schema/control.ts";
import { eventOutbox } from "../../src/db/schema/events.ts";
import { importStatements, queryD1 } from "../wrangler.ts";
import { databases } from "./config.ts";

const TABLES = [...Object.values(control), eventOutbox].filter((each) => is(each, SQLiteTable));

/** Rows per query. Wrangler holds the result of a query in memory. */
const PAGE = 5000;

/**
 * The previous version can still give numbers to new workspaces while this command runs. A shard must not receive a
 * number twice.
 */
const SPARE_NUMBERS = 1000;

/**
 * Does nothing if CONTROL is not bound or already has workspaces. One transaction writes all rows, so a failed run can
 * be repeated.
 */
export async function moveControlTables(where: string[]): Promise<void> {
  const names = new Map(databases().map(({ binding, database_name }) => [binding, database_name]));
  const [from, to] = [names.get("DB"), names.get("CONTROL")];
  if (from === undefined || to === undefined) return;
  const countWorkspaces = ["SELECT count(*) AS count FROM workspaces"];
  const [[old], [moved]] = await Promise.all([
    queryD1<{ count: number }>(from, where, countWorkspaces),
    queryD1<{ count: number }>(to, where, countWorkspaces),
  ]);
  if (!old?.count || moved?.count) return;
  const statements: string[] = [];
  for (const table of TABLES) statements.push(...(await readInserts(from, where, table)));
  statements.push(`UPDATE sqlite_sequence SET seq = seq + ${SPARE_NUMBERS} WHERE name = 'workspaces'`);
  await importStatements(to, where, statements);
  console.log(`Database ${to}: control tables copied from ${from}. Both keep the rows.`);
}

/** Returns one INSERT per row, in the order of the primary key. SQLite writes the values as SQL. */
async function readInserts(database: string, where: string[], table: SQLiteTable): Promise<string[]> {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = listOf(primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary));
  const insert = `'INSERT INTO "${name}" (${listOf(columns).names}) VALUES (' || ${listOf(columns).values} || ')'`;
  const inserts: string[] = [];
  let rest = "";
  for (;;) {
    const page = await queryD1<{ key: string; statement: string }>(database, where, [
      `SELECT ${key.values} AS key, ${insert} AS statement FROM "${name}" ${rest} ORDER BY ${key.names} LIMIT ${PAGE}`,
    ]);
    inserts.push(...page.map(({ statement }) => statement));
    if (page.length < PAGE) return inserts;
    rest = `WHERE (${key.names}) > (${page.at(-1)?.key})`;
  }
}

/** SQL for the names of the columns, and SQL for a text that contains their values. */
function listOf(columns: readonly { name: string }[]): { names: string; values: string } {
  const names = columns.map(({ name }) => `"${name}"`);
  return { names: names.join(", "), values: names.map((name) => `quote(${name})`).join(" || ', ' || ") };
}
