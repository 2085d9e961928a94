// `npm run db:migrate` applies the migrations in drizzle/ to every local database. With `-- --remote`, it applies them
// to the databases at Cloudflare. CLOUDFLARE_ENV selects the environment of these databases.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { getPlatformProxy, unstable_readConfig as readWranglerConfig, unstable_splitSqlQuery } from "wrangler";
import { databases, whereIs } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { readSettings } from "./start/settings.ts";
import { importStatements, queryD1 } from "./wrangler.ts";

const FOLDER = "drizzle";
export const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;
const SELECT_APPLIED = "SELECT name FROM d1_migrations";
const QUOTED_OR_COMMENT = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

if (import.meta.main) {
  printFaults();
  if (whereIs().includes("--remote")) await migrateRemote();
  else await migrateLocal(readSettings(process.env).stateDir);
}

function readConfig() {
  return readWranglerConfig({ config: "wrangler.toml" });
}

export async function migrateRemote(): Promise<void> {
  await Promise.all(
    databases().map(async ({ database_name: name }) => report(name, await migrateByFile(name, ["--remote"]))),
  );
}

/**
 * Imports all pending migrations in one transaction, so a failed run changes nothing and can be repeated. This does
 * not use `wrangler d1 migrations apply --remote`, because that command fails if a migration has certain triggers or
 * quotes in comments (workers-sdk #4713, #10998, #15314).
 */
export async function migrateByFile(database: string, where: string[], folder = FOLDER): Promise<number> {
  const pending = pendingMigrations(folder, await queryD1(database, where, [CREATE_LEDGER, SELECT_APPLIED]));
  if (pending.length === 0) return 0;
  const statements = pending.flatMap((name) => migrationStatements(name, readFileSync(join(folder, name), "utf8")));
  await importStatements(database, where, statements);
  return pending.length;
}

/** The statements of a migration, without comments. The last statement marks the migration as applied. */
export function migrationStatements(name: string, text: string): string[] {
  const statements = unstable_splitSqlQuery(withoutComments(text).trim());
  return [
    ...statements.map((each) => each.replace(/\s*;?\s*$/, "")),
    `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
  ];
}

function withoutComments(sql: string): string {
  return sql.replace(QUOTED_OR_COMMENT, (part) => (part.startsWith("--") || part.startsWith("/*") ? "" : part));
}

function pendingMigrations(folder: string, ledger: { name: string }[]): string[] {
  const applied = new Set(ledger.map(({ name }) => name));
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql") && !applied.has(name))
    .toSorted();
}

/**
 * Migrates all local databases in one workerd process. `wrangler d1 migrations apply` would be slower, because it
 * starts a process for each migration. Both store the applied migrations in the table `d1_migrations`, so wrangler
 * does not apply them again.
 */
export async function migrateLocal(stateDir: string): Promise<void> {
  // The temporary configuration contains only the databases, because other settings require the built Worker.
  const { name, compatibility_date, d1_databases } = readConfig();
  const configPath = join(stateDir, "databases.json");
  await mkdir(stateDir, { recursive: true });
  await writeFile(configPath, JSON.stringify({ name, compatibility_date, d1_databases }));
  const { env, dispose } = await getPlatformProxy<Record<string, D1Database>>({
    configPath,
    envFiles: [],
    persist: { path: join(stateDir, "v3") },
  });
  try {
    for (const [binding, database] of Object.entries(env)) report(binding, await applyMigrations(database));
  } finally {
    await dispose();
  }
}

async function applyMigrations(database: D1Database): Promise<number> {
  await database.prepare(CREATE_LEDGER).run();
  const { results } = await database.prepare(SELECT_APPLIED).all<{ name: string }>();
  const pending = pendingMigrations(FOLDER, results);
  for (const name of pending) {
    const statements = unstable_splitSqlQuery(readFileSync(join(FOLDER, name), "utf8"));
    await database.batch([
      ...statements.map((statement) => database.prepare(statement)),
      database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
    ]);
  }
  return pending.length;
}

function report(binding: string, applied: number): void {
  console.log(`Database ${binding}: ${applied > 0 ? `${applied} migrations applied` : "up to date"}`);
}
