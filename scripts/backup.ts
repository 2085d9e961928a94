// `npm run db:backup`: writes every local database to `backup/<time>/<name>.sql`, or with `-- --remote` every database
// at Cloudflare. Search is incomplete until the command ends. Stop a local `npm start` first.
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { databases, whereIs } from "./deploy/config.ts";
import { dropSearchIndexes, rebuildSearchIndexes } from "./deploy/search-indexes.ts";
import { addCleanup } from "./interruptions.ts";
import { runWrangler } from "./wrangler.ts";

const folder = join("backup", new Date().toISOString().replaceAll(/[:.]/g, "-"));
await mkdir(folder, { recursive: true, mode: 0o700 });
addCleanup(() => rmSync(folder, { recursive: true, force: true }));
for (const { database_name: name } of databases()) {
  const file = join(folder, `${name}.sql`);
  const exported = `${file}.exported`;
  try {
    await dropSearchIndexes(name, whereIs());
    // `d1 export` has no `--persist-to`, so it finds local databases only in the default `STATE_DIR`.
    const where = whereIs().slice(0, 1);
    await runWrangler(["d1", "export", name, ...where, "--output", exported, "--config", "wrangler.toml"]);
  } finally {
    await rebuildSearchIndexes(name, whereIs());
  }
  await pipeline(Readable.from(withViewsFirst(exported)), createWriteStream(file, { mode: 0o600 }));
  await rm(exported);
  console.log(`Database ${name}: written to ${file}`);
}

/**
 * Yields the lines of an export, but views before triggers. A trigger on a view needs the view, and D1 exports views
 * last.
 */
async function* withViewsFirst(file: string): AsyncGenerator<string> {
  const schema: { triggers: string[]; views: string[] } = { triggers: [], views: [] };
  let part: "rows" | "triggers" | "views" = "rows";
  // Each row is one line, because the export escapes line breaks.
  for await (const line of linesOf(file)) {
    if (line.startsWith("CREATE TRIGGER")) part = "triggers";
    if (line.startsWith("CREATE VIEW")) part = "views";
    if (part === "rows") yield `${line}\n`;
    else schema[part].push(`${line}\n`);
  }
  yield* schema.views;
  yield* schema.triggers;
}

/** `readline` would also split texts at U+2028 and U+2029. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
