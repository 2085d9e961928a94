// Deletes and rebuilds the full-text indexes of contacts and messages, because `wrangler d1 export` rejects a
// database that has them.
import { readFileSync } from "node:fs";
import { addCleanup, removeCleanup } from "../interruptions.ts";
import { importStatements, queryD1 } from "../wrangler.ts";
import { environment } from "./config.ts";

interface SearchIndex {
  table: string;
  /** The migration that creates the index and its triggers. */
  migration: string;
  triggers: string[];
  /** The rows to index, in the order of `key`. */
  rows: string;
  key: string;
  /** SQL for the smallest key in the table. */
  first: string;
  /** SQL for the index's row id. */
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
 * Prints how to repair the indexes. Runs if a signal ends the command after the indexes were deleted and before
 * they are rebuilt.
 */
function printRepair(): void {
  const variable = environment() === null ? "" : `CLOUDFLARE_ENV=${environment()} `;
  const command = `${variable}npm run db:rebuild-search${process.argv.includes("--remote") ? " -- --remote" : ""}`;
  console.error(`The search indexes are incomplete, and lists of contacts fail. Run: ${command}`);
}

/** Deletes both indexes in one transaction. Until they are rebuilt, searches and lists of contacts fail. */
export async function dropSearchIndexes(database: string, where: string[]): Promise<void> {
  addCleanup(printRepair);
  await importStatements(
    database,
    where,
    INDEXES.flatMap(({ table, triggers }) => [
      ...triggers.map((name) => `DROP TRIGGER IF EXISTS ${name}`),
      `DROP TABLE IF EXISTS ${table}`,
    ]),
  );
}

/**
 * Rebuilds both indexes. Meanwhile, lists and searches only find rows that are already indexed; new writes are
 * indexed at once.
 */
export async function rebuildSearchIndexes(database: string, where: string[]): Promise<void> {
  await dropSearchIndexes(database, where);
  // Creates the triggers before the rows are indexed, so that the triggers index every write in between.
  await importStatements(database, where, INDEXES.flatMap(createStatements));
  for (const index of INDEXES) await fill(index, database, where);
  removeCleanup(printRepair);
}

function createStatements({ table, migration, triggers }: SearchIndex): string[] {
  const text = readFileSync(new URL(`../../drizzle/${migration}.sql`, import.meta.url), "utf8");
  const statements = text.split("--> statement-breakpoint");
  return [table, ...triggers].map((name) => {
    const pattern = new RegExp(`^CREATE (VIRTUAL TABLE|TRIGGER) \`${name}\``, "m");
    const statement = statements.find((each) => pattern.test(each));
    if (statement === undefined) throw new Error(`${migration} does not create ${name}.`);
    return statement.slice(statement.search(pattern));
  });
}

/**
 * Indexes the rows that exist now, in chunks. Skips rows that the triggers have already indexed. The triggers
 * also index all later rows.
 */
async function fill({ table, rows, key, first, rowid, job }: SearchIndex, database: string, where: string[]) {
  const readTop = async (statements: string[]) =>
    (await queryD1<{ top: string | null }>(database, where, statements))[0]?.top ?? null;
  const end = await readTop([`SELECT quote(max(${key})) AS top FROM ${rows}`]);
  for (let done: string | null = first; done !== null && done !== end;) {
    const chunk = `SELECT max(${key}) AS top FROM (
      SELECT ${key} FROM ${rows} WHERE ${key} > ${done} AND ${key} <= ${end} ORDER BY ${key} LIMIT ${CHUNK})`;
    done = await readTop([
      `INSERT INTO ${table} (rowid, t, f) SELECT min(${rowid}), t, f FROM ${table}_source AS source
        WHERE ${key} > ${done} AND ${key} <= (${chunk}) AND NOT EXISTS (SELECT 1 FROM ${table} WHERE rowid = source.${rowid})
        GROUP BY ${rowid}`,
      `SELECT quote(top) AS top FROM (${chunk}) WHERE top IS NOT NULL`,
    ]);
  }
  await queryD1(database, where, [job]);
}
