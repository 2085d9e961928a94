import { request } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Tidings } from "../../sdk/src/index.ts";
import { MAX_WAITING } from "../../src/features/event-feed/event-feed.waiting.ts";
import { type Deployed, startDeployed } from "../bench/deployed.ts";
import type { Uncaught } from "../bench/inspector.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { type Exchange, exchange } from "./leaving-callers.ts";
import { eventually, newStateDir } from "./service.ts";

/** Runs without wrangler's proxy, because the proxy hides disconnected callers from the Worker. */
let deployed: Deployed;
let key: string;
let otherKey: string;
let hookPath: string;
const provider = new CloudStandIn();
const printed: string[] = [];
const uncaught: Uncaught[] = [];
const state = newStateDir();

beforeAll(async () => {
  deployed = await startDeployed(state.dir, {
    script: "test/support/reporting-worker.ts",
    onPrinted: (text) => printed.push(text),
  });
  await deployed.watchUncaught((each) => uncaught.push(each));
  const { product, adminToken } = deployed;
  const { workspaces, connections, apiKeys } = new Tidings({ baseUrl: product.origin, adminToken }).manage;
  const { workspace } = await workspaces.create({ name: "Acme", plan: "scale" });
  const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} } as const;
  const { connection } = await connections.create(workspace.id, sandbox);
  const cloud = await connections.create(workspace.id, provider.connection("http://127.0.0.1:9"));
  hookPath = new URL(cloud.connection.webhook_url).pathname;
  const rate_limit = { requests: 10_000, window_seconds: 20 };
  const newKey = async () => apiKeys.create(workspace.id, { name: "Test", connection_id: connection.id, rate_limit });
  ({ key } = await newKey());
  ({ key: otherKey } = await newKey());
});

afterAll(async () => {
  await deployed.stop();
  state.remove();
});

beforeEach(() => {
  printed.length = 0;
  uncaught.length = 0;
});

/** Requests events. The test waits for the response, or resets the connection. */
function waitForEvent(seconds: number): { status: Promise<number | null>; leave(): void } {
  const asked = request(new URL(`/api/v1/events?wait=${seconds}&after=now&types=tag.*`, deployed.product), {
    agent: false,
    headers: authorized(),
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  asked.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)));
  asked.on("error", () => resolve(null));
  asked.end();
  return { status: promise, leave: () => asked.socket?.resetAndDestroy() };
}

const authorized = () => ({ Authorization: `Bearer ${key}` });
const json = () => ({ ...authorized(), "Content-Type": "application/json" });

type Kind = (
  index: number,
) => Promise<Exchange & { expected: number | null }> | (Exchange & { expected: number | null });

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(5000)]);
const form = { "Content-Type": "application/x-www-form-urlencoded" };

const send = (index: number) => ({
  path: "/api/v1/messages",
  headers: json(),
  body: JSON.stringify({ to: `+1415${2_000_008 + index * 10}`, text: "Hello" }),
});
const hook = async (index: number) => ({
  path: hookPath,
  ...(await provider.inbound(`+1415${3_000_008 + index * 10}`, "Hello")),
});
const upload = () => ({ path: "/api/v1/media", headers: { ...authorized(), "Content-Type": "image/png" }, body: PNG });
const isChunked = true;

const kinds: Kind[] = [
  (index) => ({ ...send(index), ending: "whole", expected: 202 }),
  (index) => ({ ...send(index), ending: "whole", isChunked, expected: 202 }),
  (index) => ({ ...send(index), ending: "reset before the answer", expected: null }),
  (index) => ({ ...send(index), body: '{"to":', ending: "whole", expected: 400 }),
  (index) => ({ ...send(index), ending: "cut off", expected: 400 }),
  (index) => ({ ...send(index), ending: "cut off", isChunked, expected: 400 }),
  (index) => ({ ...send(index), ending: "reset in the body", expected: null }),
  (index) => ({ ...send(index), ending: "reset in the body", isChunked, expected: null }),
  (index) => ({ ...send(index), headers: {}, ending: "reset in the body", expected: null }),
  async (index) => ({ ...(await hook(index)), ending: "whole", expected: 200 }),
  async (index) => ({ ...(await hook(index)), ending: "cut off", expected: 400 }),
  async (index) => ({ ...(await hook(index)), ending: "reset in the body", expected: null }),
  () => ({ ...upload(), ending: "whole", expected: 201 }),
  () => ({ ...upload(), ending: "cut off", expected: 422 }),
  () => ({ ...upload(), ending: "reset in the body", isChunked, expected: null }),
  () => ({ path: "/mcp", headers: json(), body: '{"jsonrpc":', ending: "cut off", expected: 400 }),
  () => ({ path: "/console/sign-in", headers: form, body: "email=ada", ending: "cut off", expected: 400 }),
  () => ({ path: "/console/sign-in", headers: form, body: "email=ada", ending: "reset in the body", expected: null }),
  () => ({ method: "GET", path: "/openapi.json", ending: "reset in the answer", expected: null }),
  () => ({
    method: "GET",
    path: "/api/v1/events?wait=20&after=now&types=tag.*",
    headers: authorized(),
    ending: "reset before the answer",
    expected: null,
  }),
];

const ROUNDS = 15;
const AT_A_TIME = 30;

/**
 * The runtime reports responses that it could not write to a reset connection. No code throws these errors, so they
 * have no stack and cannot be caught.
 */
const isOfRuntime = ({ text, stackTrace }: Uncaught) =>
  text === "Uncaught Error: Network connection lost." && stackTrace === undefined;

/** The output also contains errors of the runtime and unhandled rejections. */
function expectNoStrayErrors(): void {
  expect(printed).toEqual([]);
  expect(uncaught.filter((each) => !isOfRuntime(each))).toEqual([]);
}

it("A caller that disconnects at any moment causes no uncaught error, and does not disturb another request", async () => {
  const left = Array.from({ length: ROUNDS * kinds.length }, (_, index) => index);
  const wrong: string[] = [];
  const work = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      const kind = kinds[index % kinds.length];
      if (kind === undefined) throw new Error("There is no such kind.");
      const { expected, ...asks } = await kind(index);
      const status = await exchange(deployed.product, asks, 2 * Math.floor(index / kinds.length));
      if (status !== expected) wrong.push(`${asks.path} ${asks.ending}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  expect(wrong).toEqual([]);
  // When these requests have returned, the earlier requests have ended.
  for (let index = 0; index < 20; index++)
    expect(await exchange(deployed.product, { ...send(1000 + index), ending: "whole" }, 0)).toBe(202);
  expectNoStrayErrors();
});

/** Messages to 100 new people. */
const batch = (tag: number, sender = key) => ({
  path: "/api/v1/messages/batch",
  headers: { ...json(), Authorization: `Bearer ${sender}` },
  body: JSON.stringify({
    messages: Array.from({ length: 100 }, (_, n) => ({ to: `+1646${2_000_000 + tag * 100 + n}`, text: "Hello" })),
  }),
});

it("If the callers of 20 batches disconnect while the batches wait or run, another key's batch does not wait for them", async () => {
  const whole = { ending: "whole" } as const;
  const timed = async (tag: number) => {
    const startedAt = performance.now();
    expect(await exchange(deployed.product, { ...batch(tag, otherKey), ...whole }, 0)).toBe(200);
    return performance.now() - startedAt;
  };
  const alone = Math.max(await timed(0), await timed(1));
  const afterwards: number[] = [];
  for (let tag = 100; tag < 400; tag += 100) {
    const left = Array.from({ length: 20 }, (_, n) =>
      exchange(deployed.product, { ...batch(tag + n), ending: "reset before the answer" }, 60),
    );
    await Promise.all(left);
    afterwards.push(await timed(tag + 20));
  }
  // A turn of a lost request lasts for at least 1.5 seconds. A busy machine can delay one of the three batches as much.
  expect(Math.min(...afterwards)).toBeLessThan(alone + 1000);
  expect(await exchange(deployed.product, { ...batch(2), ...whole }, 0)).toBe(200);
  expectNoStrayErrors();
});

it("If the caller of a long poll disconnects, another long poll can start before the first wait ends", async () => {
  const polls: ReturnType<typeof waitForEvent>[] = [];
  let isFull = false;
  // A rejected poll proves that the other polls are waiting.
  await eventually("A refusal", 10_000, () => {
    if (isFull) return true;
    const poll = waitForEvent(20);
    polls.push(poll);
    void poll.status.then((status) => (isFull ||= status === 429));
    return null;
  });
  for (const { leave } of polls) leave();
  await eventually("All places", 5000, async () => {
    const statuses = await Promise.all(Array.from({ length: MAX_WAITING }, () => waitForEvent(1).status));
    return statuses.every((status) => status === 200) || null;
  });
  expectNoStrayErrors();
});
