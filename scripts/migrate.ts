// `npm run db:migrate`: applies drizzle/ to every database of wrangler.toml, here or (`-- --remote`) at Cloudflare.
import { unstable_readConfig as readWranglerConfig } from "wrangler";
import { readSettings } from "./start/settings.ts";
import { runWrangler } from "./wrangler.ts";

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
  for (const binding of databaseBindings()) {
    const output = await runWrangler(["d1", "migrations", "apply", binding, ...where], signal);
    const applied = new Set(output.match(/[\w-]+\.sql/g)).size;
    console.log(`Database ${binding}: ${applied > 0 ? `${applied} migrations applied` : "up to date"}`);
  }
}

/** Every database of wrangler.toml. */
export function databaseBindings(): string[] {
  const databases: { binding: string }[] = readWranglerConfig({ config: "wrangler.toml" }).d1_databases;
  return databases.map(({ binding }) => binding);
}
