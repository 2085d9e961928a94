// `npm run db:search -- drop|rebuild`: the search index of every database, locally or (`--remote`) at Cloudflare. Without it,
// contacts can be written but not listed or searched; during a rebuild, lists are incomplete.
import { readFileSync } from "node:fs";
import { databases } from "./deploy/config.ts";
import { localDatabases } from "./migrate.ts";
import { readSettings } from "./start/settings.ts";
import { queryD1 } from "./wrangler.ts";

/** Contacts per statement, because D1 allows 30 seconds for each. */
const CHUNK = 20_000;
const TRIGGERS = ["contacts_search_insert", "contacts_search_update", "contacts_search_delete"];

const verb = process.argv[2];
if (verb !== "drop" && verb !== "rebuild") {
  console.error("npm run db:search -- drop | rebuild [--remote]");
  process.exit(2);
}
const where = process.argv.includes("--remote") ? ["--remote"] : localDatabases(readSettings(process.env).stateDir);
for (const { database_name: database } of databases()) {
  await queryD1(database, where, drop());
  if (verb === "rebuild") await fill(database);
  console.log(`${database}: ${verb === "drop" ? "search index deleted" : "search index rebuilt"}`);
}

function drop(): string[] {
  return [...TRIGGERS.map((name) => `DROP TRIGGER IF EXISTS ${name}`), "DROP TABLE IF EXISTS contact_search"];
}

/** The migration's statements that create the index. */
function create(): string[] {
  const migration = readFileSync(new URL("../drizzle/0002_contact_search.sql", import.meta.url), "utf8");
  const made = (name: string) => new RegExp(`^CREATE (VIRTUAL TABLE|TRIGGER) \`${name}\``, "m");
  const statements = migration.split("--> statement-breakpoint");
  return ["contact_search", ...TRIGGERS].map((name) => {
    const statement = statements.find((each) => made(name).test(each));
    if (statement === undefined) throw new Error(`The migration does not create ${name}.`);
    return statement
      .slice(statement.search(made(name)))
      .trim()
      .replace(/;$/, "");
  });
}

/**
 * Creates the triggers first, so that no concurrent write is missed. Keeps rows that they have indexed, and clears the cron's
 * indexing job from a migration.
 */
async function fill(database: string): Promise<void> {
  await queryD1(database, where, create());
  let done = -1;
  for (;;) {
    const chunk = `SELECT max(seq) AS top FROM (SELECT seq FROM contacts WHERE seq > ${done} ORDER BY seq LIMIT ${CHUNK})`;
    const rows = await queryD1(database, where, [
      `INSERT INTO contact_search (rowid, t, f) SELECT seq, t, f FROM contact_search_source AS source
        WHERE seq > ${done} AND seq <= (${chunk}) AND NOT EXISTS (SELECT 1 FROM contact_search WHERE rowid = source.seq)`,
      chunk,
    ]);
    const top = rows.at(-1)?.["top"];
    if (typeof top !== "number") break;
    done = top;
  }
  await queryD1(database, where, ["DELETE FROM cleanups WHERE kind = 'index'"]);
}
