import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createNoiseFilter } from "./runtime-noise.ts";
import { StartError, type Settings } from "./settings.ts";
import { wrangler, wranglerEnv } from "../wrangler.ts";

export interface RunningWorker {
  url: string;
  /** Resolves when GET /health returns 200. */
  healthy(signal: AbortSignal): Promise<void>;
  /** Rejects when the Worker's process ends. */
  ended: Promise<never>;
  /** Stops wrangler and the Worker. Resolves when their processes have ended. */
  stop(): Promise<void>;
}

/**
 * Starts `wrangler dev`, which starts three processes. If this process were killed, they would keep running. So
 * `leash.ts` runs them in one process group, and kills the group when this process ends.
 */
export async function startWorker(
  { port, stateDir, logRequests }: Settings,
  /** The path of another Worker to run. By default, wrangler runs the one in wrangler.toml. */
  script?: string,
): Promise<RunningWorker> {
  const dev = wrangler(
    "dev",
    ...(script === undefined ? [] : [script]),
    "--config",
    "wrangler.toml",
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
  );
  const url = `http://localhost:${port}`;
  const settings = {
    EXPOSE_COST: "true",
    ALLOW_CHOSEN_IDS: "true",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    FAST_PASSWORDS: process.env.FAST_PASSWORDS ?? "false", // The browser tests create about 80 members.
    PUBLIC_URL: url,
  };
  const vars = Object.entries(settings).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  // `--test-scheduled` and the log level "error" both hide wrangler's warning that cron does not run locally. The
  // warning does not apply here, because `main.ts` calls the cron handler.
  const printed = logRequests ? ["--log-level", "info", "--test-scheduled"] : ["--log-level", "error"];
  const options = ["--persist-to", stateDir, ...vars, ...printed];
  const env = { ...wranglerEnv(), WRANGLER_REGISTRY_PATH: join(stateDir, "registry") }; // simultaneous runs must not share a registry
  const leash = spawn(
    process.execPath,
    [fileURLToPath(new URL("leash.ts", import.meta.url)), ...dev, ...options, "--show-interactive-dev-session=false"],
    { stdio: ["pipe", "inherit", "pipe"], env, detached: true },
  );
  const exit = once(leash, "close"); // `close` comes after the end of all output
  const noise = createNoiseFilter((line) => process.stderr.write(`${line}\n`));
  createInterface({ input: leash.stderr }).on("line", noise.write).on("close", noise.end);
  await once(leash, "spawn");

  const ended = exit.then((): never => {
    throw new StartError("The Worker has stopped. See the messages above.");
  });
  ended.catch(() => {});

  return {
    url,
    ended,
    async healthy(signal) {
      const deadline = Date.now() + 60_000;
      while (!(await answers(`${url}/health`))) {
        if (Date.now() > deadline) throw new StartError(`${url}/health has not responded for a minute.`);
        await sleep(100, undefined, { signal });
      }
    },
    async stop() {
      leash.stdin.end();
      await exit;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
