import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addCleanup, inTemporaryFolder, removeCleanup } from "./interruptions.ts";
import { StartError } from "./start/settings.ts";

/** The main file of the package. `bin/wrangler.js` would start it as another process. */
const CLI = fileURLToPath(new URL("../node_modules/wrangler/wrangler-dist/cli.js", import.meta.url));

/** Returns arguments for Node. With Node's defaults, garbage collection takes a fifth of the CPU time of wrangler's start. */
export function wrangler(...args: string[]): string[] {
  return ["--no-warnings", "--min-semi-space-size=64", CLI, ...args];
}

/**
 * Returns the environment variables for wrangler. They prevent calls to external services and questions to the user.
 * They also switch off traces, because recording traces would double the CPU time.
 */
export function wranglerEnv(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
  };
}

/**
 * Runs wrangler without printing its output. If wrangler fails, throws an error that contains the output. Hides
 * CLOUDFLARE_ENV from wrangler, because our configuration is already that of one environment (see deploy/config.ts).
 * If wrangler starts our build, the build reads the environment from DEPLOYED_ENV instead.
 */
export async function runWrangler(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    return await runNode(wrangler(...args), {
      name: `wrangler ${args.slice(0, 3).join(" ")} …`,
      env: { ...env, CLOUDFLARE_ENV: undefined, DEPLOYED_ENV: process.env["CLOUDFLARE_ENV"] ?? "" },
    });
  } catch (error) {
    if (error instanceof Error && /Not logged in|set a CLOUDFLARE_API_TOKEN/.test(error.message))
      throw new StartError(NOT_SIGNED_IN);
    throw error;
  }
}

const NOT_SIGNED_IN =
  "Not signed in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID (docs/deploying.md, CI).";

/**
 * Runs `wrangler d1 execute` on a database, which is given by name or by binding. `where` is `--remote`, or
 * `--local` and its options.
 */
export const executeD1 = (database: string, where: readonly string[], ...args: string[]): Promise<string> =>
  runWrangler(["d1", "execute", database, ...where, "--config", "wrangler.toml", "--yes", "--json", ...args]);

/**
 * Imports statements as one file, which D1 runs in one transaction. If they were sent as a query instead, D1 would
 * split some triggers in the middle.
 */
export async function importStatements(
  database: string,
  where: readonly string[],
  statements: string[],
): Promise<void> {
  await inTemporaryFolder("import", async (folder) => {
    const file = join(folder, "statements.sql");
    await writeFile(
      file,
      statements.map((each) => `${each.trim().replace(/;$/, "")};\n`),
    );
    await executeD1(database, where, "--file", file);
  });
}

/** Runs statements and returns the rows of the last statement. */
export async function queryD1<Row = Record<string, unknown>>(
  database: string,
  where: readonly string[],
  statements: readonly string[],
): Promise<Row[]> {
  const results: { results: Row[] }[] = JSON.parse(
    await executeD1(database, where, "--command", statements.join(";\n")),
  );
  return results.at(-1)?.results ?? [];
}

/**
 * Runs a script and returns its output without printing it. If the script fails, throws an error that contains the
 * output. If this process receives a signal such as SIGINT, the script also ends. A caller that handles these signals
 * itself passes `signal`, and the script then ends only when `signal` is aborted.
 */
export async function runNode(
  args: string[],
  { name, env = {}, cwd, signal }: { name: string; env?: NodeJS.ProcessEnv; cwd?: string; signal?: AbortSignal },
): Promise<string> {
  const options = { env: { ...wranglerEnv(), ...env }, cwd, signal };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  if (signal === undefined) {
    const kill = () => child.kill();
    addCleanup(kill);
    child.once("close", () => removeCleanup(kill));
  }
  let printed = "";
  let warned = "";
  // Decodes the output as a stream, because a chunk can end in the middle of a character.
  child.stdout.setEncoding("utf8").on("data", (chunk) => (printed += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => (warned += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new StartError(`${name} failed:\n${printed}${warned}`);
  return printed;
}
