// Deletes and rebuilds the full-text indexes of contacts and messages, because `wrangler d1 export` rejects a
// database that has them.
import { readFileSync } from "node:fs";
import { addCleanup, removeCleanup } from "../interruptions.ts";
import { importStatements, queryD1 } from "../wrangler.ts";
import { commandPrefix } from "./config.ts";

interface SearchIndex {
  table: string;
  /** The migration that creates the index and its triggers. */
  migration: string;
  triggers: string[];
  /** The table to index. The rebuild reads its rows in the order of `key`. */
  rows: string;
  key: string;
  /** An SQL literal that is smaller than every key. */
  first: string;
  /** The column whose value is the row id in the index. */
  rowid: string;
  /** SQL that deletes the cron's job for this index, which is not needed after a full rebuild. */
  job: string;
}

const INDEXES: SearchIndex[] = [
  {
    table: "contact_search",
    migration: "0002_contact_search",
    triggers: ["contacts_search_insert", "contacts_search_update", "contacts_search_delete"],
    rows: "contacts",
    key: "seq",
    first: "-1",
    rowid: "seq",
    job: "DELETE FROM cleanups WHERE kind = 'index'",
  },
  {
    table: "message_search",
    migration: "0030_message_search",
    triggers: ["messages_search_insert", "messages_search_update", "messages_search_delete"],
    rows: "messages",
    key: "id",
    first: "''",
    rowid: "number",
    job: "DELETE FROM message_indexing",
  },
];

/** Rows per statement. With more, a statement could take longer than 30 seconds, after which D1 stops it. */
const CHUNK = 20_000;

/**
 * The name of an index during its rebuild. If the incomplete index already had its usual name, queries would silently
 * miss rows, and a bulk edit would skip contacts. While no table has the usual name, queries fail with a transient
 * error and can be repeated.
 */
const unfinished = (table: string): string => `${table}_unfinished`;

/** Runs if a signal or an error ends a command while the indexes are missing or incomplete. */
function printRepair(): void {
  const options = process.argv.includes("--remote") ? " -- --remote" : "";
  const command = `${commandPrefix()}npm run db:rebuild-search${options}`;
  console.error(`Lists and searches may fail until the search indexes are rebuilt. Run: ${command}`);
}

const DROP_ALL = INDEXES.flatMap(({ table, triggers }) => [
  ...dropTriggers(triggers),
  `DROP TABLE IF EXISTS ${table}`,
  `DROP TABLE IF EXISTS ${unfinished(table)}`,
]);

function dropTriggers(triggers: string[]): string[] {
  return triggers.map((name) => `DROP TRIGGER IF EXISTS ${name}`);
}

/** Deletes both indexes in one transaction. Until they are rebuilt, searches and lists of contacts fail. */
export async function dropSearchIndexes(database: string, where: string[]): Promise<void> {
  addCleanup(printRepair);
  await importStatements(database, where, DROP_ALL);
}

/**
 * Rebuilds both indexes. Lists and searches fail until their index is complete. Writes succeed in the meantime, and the
 * triggers add them to the new index.
 */
export async function rebuildSearchIndexes(database: string, where: string[]): Promise<void> {
  addCleanup(printRepair);
  try {
    // Creates the triggers before the rows are indexed. Otherwise, the index would miss writes during the rebuild.
    const create = INDEXES.flatMap((index) => [index.table, ...index.triggers].map(unfinishedStatement(index)));
    await importStatements(database, where, [...DROP_ALL, ...create]);
    const ends = await readEnds(database, where);
    for (const index of INDEXES) {
      const end = ends[index.table];
      if (typeof end === "string") await fill(index, end, database, where);
      await importStatements(database, where, finish(index));
    }
  } catch (error) {
    printRepair();
    throw error;
  } finally {
    removeCleanup(printRepair);
  }
}

/** The statement of the migration that creates a table or a trigger. */
function createStatement({ migration }: SearchIndex, name: string): string {
  const text = readFileSync(new URL(`../../drizzle/${migration}.sql`, import.meta.url), "utf8");
  const pattern = new RegExp(`^CREATE (VIRTUAL TABLE|TRIGGER) \`${name}\``, "m");
  const statement = text.split("--> statement-breakpoint").find((each) => pattern.test(each));
  if (statement === undefined) throw new Error(`${migration} does not create ${name}.`);
  return statement.slice(statement.search(pattern));
}

/** Returns the statement of the migration, but with the name of the unfinished table. */
const unfinishedStatement = (index: SearchIndex) => (name: string) =>
  createStatement(index, name).replaceAll(new RegExp(`\\b${index.table}\\b`, "g"), unfinished(index.table));

/**
 * Gives the index its usual name. Drops the triggers before the rename and creates them again, because the rename would
 * edit their text. It would then differ from the text in the migration.
 */
const finish = (index: SearchIndex): string[] => [
  ...dropTriggers(index.triggers),
  `ALTER TABLE ${unfinished(index.table)} RENAME TO ${index.table}`,
  ...index.triggers.map((name) => createStatement(index, name)),
  index.job,
];

/** The last key of each index's rows, as SQL, or null without rows. Triggers index all later rows. */
async function readEnds(database: string, where: string[]): Promise<Record<string, string | null>> {
  const ends = INDEXES.map(
    ({ table, rows, key }) => `(SELECT quote(${key}) FROM ${rows} ORDER BY ${key} DESC LIMIT 1) AS ${table}`,
  );
  const [read] = await queryD1<Record<string, string | null>>(database, where, [`SELECT ${ends.join(", ")}`]);
  return read ?? {};
}

/**
 * Indexes the rows that exist at the start, in chunks. Skips rows that were written during the rebuild, because the
 * triggers have already indexed them.
 */
async function fill(index: SearchIndex, end: string, database: string, where: string[]): Promise<void> {
  const { table, rows, key, first, rowid } = index;
  for (let done: string | null = first; done !== null && done !== end;) {
    const chunk: string = `SELECT max(${key}) AS top FROM (
      SELECT ${key} FROM ${rows} WHERE ${key} > ${done} AND ${key} <= ${end} ORDER BY ${key} LIMIT ${CHUNK})`;
    const [last]: { top: string | null }[] = await queryD1(database, where, [
      `INSERT INTO ${unfinished(table)} (rowid, t, f) SELECT min(${rowid}), t, f FROM ${table}_source AS source
        WHERE ${key} > ${done} AND ${key} <= (${chunk})
          AND NOT EXISTS (SELECT 1 FROM ${unfinished(table)} WHERE rowid = source.${rowid})
        GROUP BY ${rowid}`,
      `SELECT quote(top) AS top FROM (${chunk}) WHERE top IS NOT NULL`,
    ]);
    done = last?.top ?? null;
  }
}
