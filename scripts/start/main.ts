import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Demo, prepareDemo } from "./demo.ts";
import { ensureSecrets } from "./secrets.ts";
import { readSettings, StartError, waitForFreePort } from "./settings.ts";
import { startWorker } from "./worker.ts";
import { runNode } from "../wrangler.ts";

const MINUTE = 60_000;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
if (process.env.npm_lifecycle_event === "start") endWithNpm(process.ppid);

try {
  await run(stop.signal);
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof StartError ? `\n${error.message}` : error);
    process.exit(1);
  }
}
process.exit(0);

async function run(signal: AbortSignal): Promise<void> {
  const settings = readSettings(process.env);
  await waitForFreePort(settings.port, signal);
  const { ADMIN_TOKEN: adminToken } = await ensureSecrets(".dev.vars");

  console.log("Starting Tidings … The first start takes longest.");
  showStep("Preparing the database");
  await migrate(settings.stateDir, signal);

  showStep("Building and starting the Worker");
  const worker = await startWorker(settings);
  signal.addEventListener("abort", () => void worker.stop());
  try {
    await Promise.race([serve(), worker.ended]);
  } finally {
    await worker.stop();
  }

  async function serve(): Promise<void> {
    await worker.healthy(signal);
    showStep("Preparing the demo workspace");
    const demo = await prepareDemo({ url: worker.url, adminToken, stateDir: settings.stateDir });
    console.log(welcome(worker.url, demo));
    for (;;) {
      await callScheduled(worker.url);
      await sleep(MINUTE, undefined, { signal });
    }
  }
}

/**
 * Migrates in another process, because a migration starts the local runtime. In this process, the runtime would
 * intercept Ctrl-C.
 */
async function migrate(stateDir: string, signal: AbortSignal): Promise<void> {
  const script = fileURLToPath(new URL("../migrate.ts", import.meta.url));
  console.log(
    (await runNode([script], { name: "npm run db:migrate", env: { STATE_DIR: stateDir }, signal })).trimEnd(),
  );
}

function showStep(step: string): void {
  console.log(`  ${step} …`);
}

/**
 * Stops this process when npm has ended. npm usually forwards its signals, but it cannot do this if it is killed
 * with SIGKILL. So a timer checks whether npm is still the parent process.
 */
function endWithNpm(npm: number): void {
  setInterval(() => process.ppid === npm || stop.abort(), 500).unref();
}

/**
 * Calls the Worker's cron handler. `serve` does this every minute, because wrangler does not run cron triggers
 * locally. The first call also completes the work of an earlier process that was killed.
 */
async function callScheduled(url: string): Promise<void> {
  try {
    const path = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`;
    const response = await fetch(url + path, { signal: AbortSignal.timeout(MINUTE) });
    const answer = await response.text();
    if (!response.ok) console.warn(`The scheduled handler returned ${response.status}: ${answer}`);
  } catch (error) {
    if (!stop.signal.aborted) console.warn("Couldn't call the scheduled handler:", error);
  }
}

function welcome(url: string, demo: Demo): string {
  const authorization = `-H "Authorization: Bearer ${demo.key}"`;
  const message = JSON.stringify({ to: "+15550100006", text: "Hello from Tidings" });
  return `
Tidings is running at ${url}

  Console   ${url}/console
            sign in as ${demo.user.email} with the password ${demo.user.password}
  API key   ${demo.key}   (workspace "${demo.name}", unofficial sandbox connection)
  Docs      ${url}/docs
  Operator  /manage/v1 with the ADMIN_TOKEN in .dev.vars; workspace ${demo.workspaceId}

Send a message to a sandbox number that echoes it:

  curl ${url}/api/v1/messages ${authorization} -H "Content-Type: application/json" -d '${message}'

Then list the conversations:

  curl ${url}/api/v1/conversations ${authorization}

Ctrl-C stops Tidings. The data stays. LOG=requests npm start prints every request.
`;
}
