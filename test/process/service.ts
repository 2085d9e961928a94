import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { inject, onTestFinished } from "vitest";
import { z } from "zod";
import { Tidings } from "../../sdk/src/index.ts";

/** Repeats `ask` until it returns a value. Only process tests wait for real time. */
export async function eventually<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | null> | T | null,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} has not come about within ${withinMs / 1000} s.`);
    await sleep(100);
  }
}

export function newStateDir() {
  const dir = mkdtempSync(join(tmpdir(), "tidings-state-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** Creates a folder that is deleted at the end of the test. */
export function makeStateDir(): string {
  const { dir, remove } = newStateDir();
  onTestFinished(remove);
  return dir;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

interface Process {
  pid: number;
  parent: number;
  state: string;
}

function processes(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [pid, parent, state = ""] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state };
  });
}

function familyOf(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  return family;
}

/** The processes that still run. Excludes zombies. */
export const running = (pids: number[]): number[] =>
  processes()
    .filter(({ pid, state }) => pids.includes(pid) && !state.startsWith("Z"))
    .map(({ pid }) => pid);

/** Kills all processes at once with SIGKILL, as if the machine failed. */
function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has already ended.
    }
  }
}

const demo = z.object({
  workspaceId: z.string(),
  key: z.string(),
  user: z.object({ email: z.string(), password: z.string() }),
});

export interface Account {
  workspaceId: string;
  connectionId: string;
  key: string;
}

/** A running service, without its process. */
export type Service = ReturnType<typeof serviceAt>;

function serviceAt(url: string, stateDir: string) {
  const request = (method: string, path: string, token: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });

  const adminToken = async (): Promise<string> => parseEnv(await readFile(".dev.vars", "utf8"))["ADMIN_TOKEN"] ?? "";

  const operator = async () => new Tidings({ baseUrl: url, adminToken: await adminToken() });

  return {
    url,
    request,
    adminToken,
    operator,
    client: (apiKey: string) => new Tidings({ baseUrl: url, apiKey }),

    demo: async () => demo.parse(JSON.parse(await readFile(join(stateDir, "demo.json"), "utf8"))),

    /** Creates a workspace with a sandbox connection and a key with the given limit. */
    async account(requests: number, windowSeconds: number): Promise<Account> {
      const { workspaces, connections, apiKeys } = (await operator()).manage;
      const { workspace } = await workspaces.create({ name: "Acme", plan: "scale" });
      const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} } as const;
      const { connection } = await connections.create(workspace.id, sandbox);
      const rate_limit = { requests, window_seconds: windowSeconds };
      const { key } = await apiKeys.create(workspace.id, { name: "Test", connection_id: connection.id, rate_limit });
      return { workspaceId: workspace.id, connectionId: connection.id, key };
    },

    async cron(): Promise<void> {
      const response = await fetch(`${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent("* * * * *")}`);
      await response.arrayBuffer();
    },
  };
}

const place = z.object({ url: z.string(), stateDir: z.string() });

/** The service that all test files share. Each test creates its own workspace. */
export async function sharedService(): Promise<Service> {
  const answer = await fetch(inject("sharedServiceAt"));
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  const { url, stateDir } = place.parse(JSON.parse(said));
  return serviceAt(url, stateDir);
}

/** A service with its process. The test may kill the process. */
export type OwnService = Awaited<ReturnType<typeof launchService>>;

export interface Launch {
  port?: number;
  command?: string[];
  env?: Record<string, string>;
}

/** Like `launchService`, but stops the service after the test. */
export async function startService(stateDir: string, launch: Launch = {}): Promise<OwnService> {
  const ends: (() => void)[] = [];
  onTestFinished(() => ends.forEach((end) => end()));
  return launchService(stateDir, { ...launch, whenStarted: (end) => ends.push(end) });
}

/**
 * Starts `npm start` in its own process group, as a terminal does. Returns when the service is ready. `whenStarted`
 * receives a function that stops it.
 */
export async function launchService(
  stateDir: string,
  {
    port: wanted,
    command = [process.execPath, "scripts/start.js"],
    env = {},
    whenStarted,
  }: Launch & { whenStarted(end: () => void): void },
) {
  const port = wanted ?? (await freePort());
  const url = `http://localhost:${port}`;
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, LOG: "", ...env, PORT: String(port), STATE_DIR: stateDir, npm_lifecycle_event: "" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started.`);
  let greeting = "";
  child.stdout.on("data", (chunk) => (greeting += chunk));
  child.stderr.on("data", (chunk) => (greeting += chunk));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  whenStarted(() => {
    if (!hasEnded()) killAll(familyOf(pid));
  });
  await eventually("The start", 110_000, () => {
    if (hasEnded()) throw new Error(`npm start ended by itself:\n${greeting}`);
    return greeting.includes("Ctrl-C stops Tidings") || null;
  });

  return {
    ...serviceAt(url, stateDir),
    port,
    greeting,
    printed: () => greeting,
    family: () => familyOf(pid),
    /** Kills all processes, also workerd. */
    crash: () => killAll(familyOf(pid)),

    /** Sends SIGINT to all processes of the group, as Ctrl-C in a terminal does. Returns the exit code. */
    async pressCtrlC(): Promise<number | null> {
      process.kill(-pid, "SIGINT");
      await eventually("The end", 15_000, () => hasEnded() || null);
      return child.exitCode;
    },
  };
}
