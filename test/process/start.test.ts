import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  eventually,
  freePort,
  type Launch,
  launchService,
  makeStateDir,
  newStateDir,
  type OwnService,
  running,
  type Service,
  startService,
} from "./service.ts";

const shell = (command: string) => promisify(execFile)("sh", ["-c", command]);

const curlLineOf = (greeting: string) => /^ *(curl \S+\/api\/v1\/messages .*)$/m.exec(greeting)?.[1] ?? "";

const isDown = async (url: string) => {
  try {
    await fetch(`${url}/health`);
    return null;
  } catch {
    return true;
  }
};

describe("Two runs of npm start", () => {
  const states = [newStateDir(), newStateDir()] as const;
  const ends = states.map(({ remove }) => remove);
  const launch = (index: 0 | 1, options: Launch) =>
    launchService(states[index].dir, { ...options, whenStarted: (end) => ends.push(end) });
  let quiet: OwnService;
  let talkative: OwnService;
  beforeAll(async () => {
    quiet = await launch(0, {});
    talkative = await launch(1, { command: ["npm", "start"], env: { LOG: "requests" } });
  });
  afterAll(() => ends.toReversed().forEach((end) => end()));

  it("`npm start` prints its current step before it is ready", () => {
    const { greeting } = quiet;
    const steps = ["Starting Tidings …", "Preparing the database …", "Building and starting the Worker …"];
    const places = [...steps, "Preparing the demo workspace …", "Tidings is running at"].map((line) =>
      greeting.indexOf(line),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("`npm start` prints only its banner, and with LOG=requests also the requests", async () => {
    expect(quiet.greeting).not.toMatch(/wrangler|warning|GET |POST /i);
    expect(quiet.greeting.trimEnd()).toMatch(/LOG=requests npm start prints every request\.$/);

    const request = "POST /api/v1/contacts/batch 200";
    await eventually("The request's line", 10_000, () => talkative.printed().includes(request) || null);
    expect(talkative.printed()).not.toContain("not automatically triggered");
  });

  it("`npm start` prints a key and a curl line that sends a message", async () => {
    const { key } = await talkative.demo();
    expect(talkative.greeting).toContain(key);
    expect(talkative.greeting).toContain(`${talkative.url}/docs`);

    const { stdout } = await shell(`${curlLineOf(talkative.greeting)} -s`);
    const accepted = JSON.parse(stdout);
    expect(accepted).toMatchObject({ success: true, status: "queued" });

    await eventually("The echo", 20_000, async () => {
      const { messages } = await talkative.client(key).conversations.messages(accepted.conversation_id);
      return messages.some((message) => message.from_contact) || null;
    });
  });

  it("Two runs of `npm start` have separate data, and Ctrl-C stops one run completely while the other continues", async () => {
    const [ofOne, ofTwo] = [await talkative.demo(), await quiet.demo()];
    const statusOf = async (service: Service, key: string) =>
      (await service.request("GET", "/api/v1/conversations", key)).status;
    expect(await statusOf(talkative, ofOne.key)).toBe(200);
    expect(await statusOf(quiet, ofTwo.key)).toBe(200);
    expect(await statusOf(talkative, ofTwo.key)).toBe(401);

    const family = talkative.family();
    expect(family.length).toBeGreaterThan(3);
    await talkative.pressCtrlC();
    await eventually("The end of every process", 10_000, () => (running(family).length === 0 ? true : null));
    expect(await isDown(talkative.url)).toBe(true);
    expect(await statusOf(quiet, ofTwo.key)).toBe(200);
  });

  it("`npm start` prints no runtime error if a provider cannot be reached, and the response contains the reason", async () => {
    const { workspaceId } = await quiet.account(10, 10);
    const { connections } = (await quiet.operator()).manage;
    for (const base_url of ["http://waha.invalid:3000", `https://localhost:${quiet.port}`]) {
      const config = { base_url, session: "default", api_key: "key" };
      const body = { name: base_url, channel: "unofficial", provider: "waha", config } as const;
      const { connection } = await connections.create(workspaceId, body);
      await expect(connections.test(workspaceId, connection.id)).rejects.toThrow("could not be reached");
    }
    await quiet.pressCtrlC();
    expect(quiet.printed().slice(quiet.greeting.length)).not.toMatch(/stack:|ERROR|failed:/);
  });
});

describe("npm start", () => {
  it("Ctrl-C stops `npm start` without an error while it prepares the database", async () => {
    const stateDir = makeStateDir();
    const env = { ...process.env, STATE_DIR: stateDir, PORT: String(await freePort()), npm_lifecycle_event: "" };
    const start = spawn(process.execPath, ["scripts/start.js"], { env, stdio: "ignore", detached: true });
    const ended = once(start, "close");
    await eventually("The runtime of the migrations", 60_000, () => existsSync(join(stateDir, "v3", "d1")) || null);
    process.kill(-(start.pid ?? 0), "SIGINT");
    expect(await ended).toEqual([0, null]);
  });

  it("`npm start` keeps the key and data of the last run, even after a crash, and adds new templates of the sandbox", async () => {
    const stateDir = makeStateDir();
    const first = await startService(stateDir);
    const { key } = await first.demo();
    const tidings = first.client(key);
    const { message_id: id } = await tidings.messages.send({ to: "+14155552671", text: "Still there?" });
    const ofSandbox = async () => (await tidings.templates.list({ source: "external" })).templates;
    const [template] = await ofSandbox();
    await tidings.templates.delete(template?.id ?? "");
    first.crash();

    const second = await startService(stateDir, { port: first.port });
    expect((await ofSandbox()).map(({ name }) => name)).toContain(template?.name);
    expect(await second.demo()).toEqual(await first.demo());
    expect(second.greeting).toContain(key);
    expect(second.greeting).toContain("up to date");
    expect(await tidings.messages.get(id)).toMatchObject({ message: { id, body: "Still there?" } });
    expect(await second.pressCtrlC()).toBe(0);
  });
});
