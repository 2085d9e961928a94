// `npm run db:migrate`: applies drizzle/ to every database of wrangler.toml, here or (`-- --remote`) at Cloudflare.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { D1Database } from "@cloudflare/workers-types";
import { getPlatformProxy, unstable_readConfig as readWranglerConfig, unstable_splitSqlQuery } from "wrangler";
import { readSettings } from "./start/settings.ts";
import { runWrangler } from "./wrangler.ts";

const FOLDER = "drizzle";

if (import.meta.main) {
  if (process.argv.includes("--remote")) await migrateRemote();
  else await migrateLocal(readSettings(process.env).stateDir);
}

/** Where `wrangler dev` keeps its databases. */
export function localDatabases(stateDir: string): string[] {
  return ["--local", "--persist-to", stateDir];
}

/** Every database of wrangler.toml. */
export function databaseBindings(): string[] {
  const databases: { binding: string }[] = readConfig().d1_databases;
  return databases.map(({ binding }) => binding);
}

function readConfig() {
  return readWranglerConfig({ config: "wrangler.toml" });
}

async function migrateRemote(): Promise<void> {
  for (const binding of databaseBindings()) {
    const output = await runWrangler(["d1", "migrations", "apply", binding, "--remote", "--config", "wrangler.toml"]);
    report(binding, new Set(output.match(/[\w-]+\.sql/g)).size);
  }
}

/**
 * Brings every local database up to date, in one runtime: wrangler starts one for each migration, which took most of a first
 * start. Applied migrations are noted as wrangler notes them, so that either can go on where the other was.
 */
export async function migrateLocal(stateDir: string): Promise<void> {
  // Databases alone: the rest of the configuration needs the Worker to be there.
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
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const pending = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql") && !applied.has(name))
    .toSorted();
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
