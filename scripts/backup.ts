// `npm run db:backup` writes every local database to `backup/<time>/<name>.sql`. With `-- --remote`, it writes the
// databases at Cloudflare instead. Lists and searches fail until the command ends, because it deletes the search
// indexes before an export and rebuilds them afterwards. Stop a local `npm start` first.
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
 * Throws if the database has no tables, for example because `STATE_DIR` is an empty folder. `d1 export` would write an
 * empty file and report no error.
 */
async function assertMigrated(name: string): Promise<void> {
  const tables = await queryD1(name, where, ["SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'"]);
  if (tables.length === 0) throw new StartError(`Database ${name} has no tables. Nothing was written.`);
}

/**
 * If the export fails, deletes the whole backup. If only the last rebuild of the search indexes fails, the files stay,
 * because they are complete.
 */
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
  // Reads the time after the export, because the file can contain rows that were written until the export ended. Uses
  // the clock of the database, because the times of messages also come from Cloudflare's clocks.
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
 * `d1 export` has no option `--persist-to`. It reads local databases only from `.wrangler/state` next to its
 * configuration file. So this function writes a configuration to a temporary folder, and links `.wrangler/state` there
 * to the real folder.
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
 * Yields the lines of an export, but moves the views before the triggers. D1 exports the views last, and the import
 * would fail at a trigger whose view does not exist yet.
 */
async function* withViewsFirst(file: string): AsyncGenerator<string> {
  const schema: { triggers: string[]; views: string[] } = { triggers: [], views: [] };
  let part: "rows" | "triggers" | "views" = "rows";
  let hasTables = false;
  // A line in a stored text cannot be mistaken for a statement, because the export escapes line breaks in texts.
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

/** Splits only at `\n`. `readline` also splits at U+2028 and U+2029, which stored texts can contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
