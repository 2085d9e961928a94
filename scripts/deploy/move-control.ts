// Copies the control tables from DB to CONTROL. Needed once: when a deployment binds CONTROL for the first
// time.
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as control from "../../src/db/schema/control.ts";
import { eventOutbox } from "../../src/db/schema/events.ts";
import { StartError } from "../start/settings.ts";
import { importStatements, queryD1, runWrangler } from "../wrangler.ts";
import { BUILT_CONFIG, CONFIG_FILE, databases, readDeployedConfig } from "./config.ts";

const TABLES = [...Object.values(control), eventOutbox].filter((each) => is(each, SQLiteTable));

/** Rows per query, because wrangler holds the whole result of a query in memory. */
const PAGE = 5000;

/**
 * How many workspace numbers CONTROL skips after the copy. Until the upload, the previous version can create workspaces
 * in DB. Without the gap, CONTROL would assign their numbers again, but a number must never be used twice in a shard.
 */
const SPARE_NUMBERS = 1000;

/**
 * Throws if the account has a control database but wrangler.toml does not bind it. The deployment would then use the
 * rows in DB, which are outdated since they were copied to the control database.
 */
export function assertControlIsBound(existing: readonly { name: string }[]): void {
  const name = `${readDeployedConfig().name}-control`;
  if (databases().some(({ binding }) => binding === "CONTROL") || !existing.some((each) => each.name === name)) return;
  throw new StartError(
    `Database ${name} exists, but ${CONFIG_FILE} does not bind it as CONTROL. Bind it, because DB has only old copies of workspaces and keys. If no deployment has used ${name}, delete it.`,
  );
}

/**
 * Copies all rows in one transaction. Does nothing if CONTROL is not bound, or if it is already in use. If an earlier
 * run copied the rows but its upload failed, replaces that copy, because the running version has continued to write to
 * DB.
 */
export async function moveControlTables(where: string[]): Promise<void> {
  const names = new Map(databases().map(({ binding, database_name }) => [binding, database_name]));
  const [from, to] = [names.get("DB"), names.get("CONTROL")];
  if (from === undefined || to === undefined) return;
  const summary = ["SELECT count(*) AS count, max(number) AS newest FROM workspaces"];
  const [[old], [moved]] = await Promise.all([
    queryD1<{ count: number; newest: number }>(from, where, summary),
    queryD1<{ count: number; newest: number }>(to, where, summary),
  ]);
  if (!old?.count) return;
  if (moved?.count) {
    if (await isControlInUse(to)) return;
    if (moved.newest > old.newest)
      throw new StartError(
        `Database ${to} has newer workspaces than ${from}, but no version uses it. If it has no data that you need, delete it and repeat the command.`,
      );
  }
  const statements = TABLES.toReversed().map((table) => `DELETE FROM "${getTableConfig(table).name}"`);
  for (const table of await tablesWithRows(from, where)) statements.push(...(await readInserts(from, where, table)));
  statements.push(`UPDATE sqlite_sequence SET seq = seq + ${SPARE_NUMBERS} WHERE name = 'workspaces'`);
  await importStatements(to, where, statements);
  console.log(`Database ${to}: control tables copied from ${from}. Both keep the rows.`);
}

/**
 * Returns true if the running version binds CONTROL. Also returns true if there is no Worker yet, because the rows in
 * CONTROL were then restored from a backup. Throws if only an earlier version bound CONTROL: that version wrote to
 * CONTROL and the running version writes to DB, so a copy would delete changes.
 */
async function isControlInUse(name: string): Promise<boolean> {
  const deployments = await listDeployments();
  if (deployments === null) return true;
  const [current, ...earlier] = deployments;
  if (current !== undefined && (await bindsControl(current))) return true;
  for (const each of earlier) {
    if (!(await bindsControl(each))) continue;
    throw new StartError(
      `The running version does not use database ${name}, but an earlier one did. Deploy that version again: npx wrangler rollback <version>. Then repeat the command.`,
    );
  }
  return false;
}

interface Deployment {
  versions: { version_id: string }[];
}

interface Version {
  resources: { bindings: { name: string }[] };
}

const readJson = async (...args: string[]) =>
  JSON.parse(await runWrangler([...args, "--json", "--config", BUILT_CONFIG]));

/** Returns the ten latest deployments, newest first, or null if there is no Worker. */
async function listDeployments(): Promise<Deployment[] | null> {
  try {
    const deployments: Deployment[] = await readJson("deployments", "list");
    return deployments.toReversed();
  } catch (error) {
    if (error instanceof Error && error.message.includes("[code: 10007]")) return null;
    throw error;
  }
}

async function bindsControl({ versions }: Deployment): Promise<boolean> {
  for (const { version_id } of versions) {
    const version: Version = await readJson("versions", "view", version_id);
    if (version.resources.bindings.some((binding) => binding.name === "CONTROL")) return true;
  }
  return false;
}

/** Most tables are empty. One query finds them, because each run of wrangler takes more than a second. */
async function tablesWithRows(database: string, where: string[]): Promise<SQLiteTable[]> {
  const names = TABLES.map((table) => getTableConfig(table).name);
  const isFilled = names.map((name) => `EXISTS (SELECT 1 FROM "${name}") AS "${name}"`);
  const [filled] = await queryD1<Record<string, number>>(database, where, [`SELECT ${isFilled.join(", ")}`]);
  return TABLES.filter((table) => filled?.[getTableConfig(table).name] === 1);
}

/**
 * Returns the rows of a table as INSERT statements, in the order of the primary key. SQLite itself quotes the
 * values.
 */
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

/**
 * Returns two SQL fragments. `names` lists the columns. `values` is an expression that joins their quoted values to one
 * text, for example to `1, 'Ann'`.
 */
function listOf(columns: readonly { name: string }[]): { names: string; values: string } {
  const names = columns.map(({ name }) => `"${name}"`);
  return { names: names.join(", "), values: names.map((name) => `quote(${name})`).join(" || ', ' || ") };
}
