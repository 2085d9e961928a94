// `npm run db:migrate`: applies drizzle/ to every database of wrangler.toml, here or (`-- --remote`) at Cloudflare.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { unstable_readConfig as readWranglerConfig } from "wrangler";
import { readSettings } from "./start/settings.ts";
import { wrangler, wranglerEnv } from "./wrangler.ts";

if (import.meta.main) {
  const remote = process.argv.includes("--remote");
  await migrate(remote ? ["--remote"] : localDatabases(readSettings(process.env).stateDir));
}

/** Where `wrangler dev` keeps its databases. */
export function localDatabases(stateDir: string): string[] {
  return ["--local", "--persist-to", stateDir];
}

/** Brings every database up to date. */
export async function migrate(where: string[], signal?: AbortSignal): Promise<void> {
  const databases: { binding: string }[] = readWranglerConfig({ config: "wrangler.toml" }).d1_databases;
  for (const { binding } of databases) {
    const args = wrangler("d1", "migrations", "apply", binding, ...where);
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: wranglerEnv(), signal });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`Migrating ${binding} failed:\n${output}`);
    const applied = new Set(output.match(/[\w-]+\.sql/g));
    console.log(`${binding}: ${applied.size > 0 ? `applied ${[...applied].join(", ")}` : "up to date"}`);
  }
}
