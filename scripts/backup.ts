// `npm run db:backup`: writes every local database to `backup/<time>/<name>.sql`, or with `-- --remote` every database
// at Cloudflare. Lists and searches fail until the command ends. Stop a local `npm start` first.
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  commandPrefix,
  controlDatabase,
  databases,
  databasesAt,
  readDeployedConfig,
  whereIs,
} from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { dropSearchIndexes, rebuildSearchIndexes } from "./deploy/search-indexes.ts";
import { addCleanup, inTemporaryFolder } from "./interruptions.ts";
import { readSettings, StartError } from "./start/settings.ts";
import { queryD1, runWrangler } from "./wrangler.ts";

printFaults();
const where = whereIs();
const isRemote = where.includes("--remote");
console.log(`Backup of the ${databasesAt(where)}`);
for (const { database_name: name } of databases()) await assertMigrated(name);
const folder = join("backup", new Date().toISOString().replaceAll(/[:.]/g, "-"));
await mkdir(folder, { recursive: true, mode: 0o700 });
addCleanup(() => rmSync(folder, { recursive: true, force: true }));
let restore = "";
for (const { database_name: name } of databases()) await backUp(name);
console.log(
  `After an import of these files, run this command, also in ${join(folder, "restore.txt")}:\n\n  ${restore}\n`,
);

/**
 * Throws if the database has no tables. Otherwise, the export of an empty folder would be an empty file without
 * an error.
 */
async function assertMigrated(name: string): Promise<void> {
  const tables = await queryD1(name, where, ["SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'"]);
  if (tables.length === 0) throw new StartError(`Database ${name} has no tables. Nothing was written.`);
}

/** If only the last step fails, the files are complete and stay. */
async function backUp(name: string): Promise<void> {
  const file = join(folder, `${name}.sql`);
  try {
    await dropSearchIndexes(name, where);
    await writeBackup(name, file);
  } catch (error) {
    await rebuildSearchIndexes(name, where).catch(({ message }: Error) => console.error(message));
    await rm(folder, { recursive: true });
    throw error;
  }
  console.log(`Database ${name}: written to ${file}`);
  await rebuildSearchIndexes(name, where);
}

async function writeBackup(name: string, file: string): Promise<void> {
  const exported = `${file}.exported`;
  if (isRemote) await exportDatabase(name, exported, "--remote", "--config", "wrangler.toml");
  else await exportLocal(name, exported);
  await pipeline(Readable.from(withViewsFirst(exported)), createWriteStream(file, { mode: 0o600 }));
  await rm(exported);
  // The database's clock: messages have the times of Cloudflare's clocks. A file contains rows until the end of its export.
  const [clock] = await queryD1<{ time: string }>(controlDatabase(), where, [
    "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS time",
  ]);
  restore = `${commandPrefix()}npm run db:restored -- ${clock?.time}${isRemote ? " --remote" : ""}`;
  await writeFile(join(folder, "restore.txt"), `${restore}\n`);
}

async function exportDatabase(name: string, output: string, ...options: string[]): Promise<void> {
  await runWrangler(["d1", "export", name, ...options, "--output", output]);
}

/**
 * `d1 export` lacks `--persist-to` and finds local databases only next to its configuration, so this links both
 * into one folder.
 */
async function exportLocal(name: string, output: string): Promise<void> {
  await inTemporaryFolder("export", async (link) => {
    const { d1_databases } = readDeployedConfig();
    const config = join(link, "wrangler.json");
    await writeFile(config, JSON.stringify({ name: "export", compatibility_date: "2026-11-17", d1_databases }));
    await mkdir(join(link, ".wrangler"));
    await symlink(readSettings(process.env).stateDir, join(link, ".wrangler/state"));
    await exportDatabase(name, output, "--local", "--config", config);
  });
}

/**
 * Yields the lines of an export with views before triggers. D1 exports views last, but a trigger on a view
 * needs the view.
 */
async function* withViewsFirst(file: string): AsyncGenerator<string> {
  const schema: { triggers: string[]; views: string[] } = { triggers: [], views: [] };
  let part: "rows" | "triggers" | "views" = "rows";
  let hasTables = false;
  // Each row is one line, because the export escapes line breaks.
  for await (const line of linesOf(file)) {
    hasTables ||= line.startsWith("CREATE TABLE");
    if (line.startsWith("CREATE TRIGGER")) part = "triggers";
    if (line.startsWith("CREATE VIEW")) part = "views";
    if (part === "rows") yield `${line}\n`;
    else schema[part].push(`${line}\n`);
  }
  if (!hasTables) throw new StartError(`${file} contains no table. Run the command again.`);
  yield* schema.views;
  yield* schema.triggers;
}

/** Splits only at `\n`. `readline` would also split inside a text, at U+2028 and U+2029. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
