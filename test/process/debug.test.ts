import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ensureSecrets } from "../../scripts/start/secrets.ts";
import { eventually, freePort, makeStateDir } from "./service.ts";

/** This command is in CONTRIBUTING.md. */
const COMMAND = "npm run dev -- --inspector-port 9229";

const targets = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);
const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
});
const parsed = z.object({ scriptId: z.string(), url: z.string(), sourceMapURL: z.string() });
const source = z.object({ scriptSource: z.string() });

/** Starts the command with free ports. Returns the ports when the Worker responds. */
async function startDebugging(command: string) {
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const [program = "", ...args] = command.replace("9229", String(inspectorPort)).split(" ");
  const own = ["--port", String(port), "--persist-to", makeStateDir()];
  const child = spawn(program, [...args, ...own], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  child.stderr.on("data", (chunk) => (printed += chunk));
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await eventually("The end", 10_000, () => child.exitCode !== null || child.signalCode !== null || null);
  });
  await eventually("The start", 110_000, () => {
    if (child.exitCode !== null) throw new Error(`It ended by itself:\n${printed}`);
    return printed.includes("Ready on") || null;
  });
  return { url: `http://localhost:${port}`, inspector: `http://localhost:${inspectorPort}` };
}

/** Connects to the debugger. `onEvent` receives messages that are not responses. */
async function attach(url: string, onEvent: (method: string, params: unknown) => void) {
  const socket = new WebSocket(url, { headers: { Origin: "http://localhost" } });
  const answers = new Map<number, (result: unknown) => void>();
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  onTestFinished(() => socket.close());
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result } = message.parse(JSON.parse(String(data)));
    if (id !== undefined) answers.get(id)?.(result);
    else if (method !== undefined) onEvent(method, params);
  });
  return (method: string, params: object = {}): Promise<unknown> => {
    const id = answers.size + 1;
    const answer = new Promise((resolve) => answers.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    return answer;
  };
}

/** The position of a text in a script. The debugger counts lines and columns from 0. */
function placeOf(text: string, script: string) {
  const before = script.slice(0, script.indexOf(text)).split("\n");
  return { lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 };
}

it("A debugger can attach to the Worker, show its TypeScript, and stop at breakpoints", async () => {
  expect(readFileSync("CONTRIBUTING.md", "utf8")).toContain(COMMAND);
  await ensureSecrets(".dev.vars");
  const { url, inspector } = await startDebugging(COMMAND);

  const [{ webSocketDebuggerUrl }] = targets.parse(await (await fetch(`${inspector}/json`)).json());
  const scripts: z.infer<typeof parsed>[] = [];
  let stops = 0;
  const ask = await attach(webSocketDebuggerUrl, (method, params) => {
    if (method === "Debugger.scriptParsed") scripts.push(parsed.parse(params));
    if (method !== "Debugger.paused") return;
    stops++;
    void ask("Debugger.resume");
  });
  await ask("Debugger.enable");
  const script = await eventually(
    "The Worker's script",
    10_000,
    () => scripts.find(({ url: from }) => /\/dev-[^/]*\/index\.js$/.test(from)) ?? null,
  );
  const map = readFileSync(new URL(script.sourceMapURL, script.url), "utf8");
  expect(map).toContain("src/entrypoints/http.ts");

  const { scriptSource } = source.parse(await ask("Debugger.getScriptSource", { scriptId: script.scriptId }));
  const location = { scriptId: script.scriptId, ...placeOf('query("deep")', scriptSource) };
  await ask("Debugger.setBreakpoint", { location });
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect(stops).toBe(1);
});
