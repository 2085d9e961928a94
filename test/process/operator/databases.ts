import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CREATE_LEDGER, migrationStatements } from "../../../scripts/migrate.ts";

/** A database in memory as `npm run db:migrate -- --remote` makes it, without a run of wrangler. */
export function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const files = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  const migrations = files
    .toSorted()
    .flatMap((name) => migrationStatements(name, readFileSync(join("drizzle", name), "utf8")));
  database.exec(`BEGIN; ${[CREATE_LEDGER, ...migrations].join(";\n")}; COMMIT`);
  return database;
}

/** Runs `use` with the file of the only local database in `stateDir`. Wrangler would need more than a second for each query. */
export function inLocalDatabase<T>(stateDir: string, use: (database: DatabaseSync) => T): T {
  const files = globSync(join(stateDir, "v3/d1/miniflare-D1DatabaseObject/*.sqlite")).filter(
    (file) => !file.endsWith("metadata.sqlite"),
  );
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Error(`${stateDir} has ${files.length} databases.`);
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** The rows as plain objects, which `toEqual` accepts. */
export const rowsOf = (database: DatabaseSync, sql: string): Record<string, unknown>[] =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
