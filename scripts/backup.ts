// `npm run db:backup`: writes every local database to `backup/<time>/<name>.sql`, or with `-- --remote` every database
// at Cloudflare. Search is incomplete until the command ends. Stop a local `npm start` first.
import { createWriteStream, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { databases, whereIs } from "./deploy/config.ts";
import { dropSearchIndexes, rebuildSearchIndexes, printRepairWhenInterrupted } from "./deploy/search-indexes.ts";
import { withViewsFirst } from "./deploy/views-first.ts";
import { whenInterrupted } from "./interruptions.ts";
import { runWrangler } from "./wrangler.ts";

const folder = join("backup", new Date().toISOString().replaceAll(/[:.]/g, "-"));
await mkdir(folder, { recursive: true, mode: 0o700 });
for (const { database_name: name } of databases()) {
  const file = join(folder, `${name}.sql`);
  const exported = `${file}.exported`;
  whenInterrupted(() => rmSync(exported, { force: true }));
  const complete = printRepairWhenInterrupted(whereIs());
  try {
    await dropSearchIndexes(name, whereIs());
    // `d1 export` has no --persist-to, so it finds local databases only in the default STATE_DIR.
    const where = whereIs().slice(0, 1);
    await runWrangler(["d1", "export", name, ...where, "--output", exported, "--config", "wrangler.toml"]);
  } finally {
    await rebuildSearchIndexes(name, whereIs());
    complete();
  }
  await pipeline(Readable.from(withViewsFirst(exported)), createWriteStream(file, { mode: 0o600 }));
  await rm(exported);
  console.log(`Database ${name}: written to ${file}`);
}
