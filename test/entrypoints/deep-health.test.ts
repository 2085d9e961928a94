import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { Outage } from "../support/outage.ts";
import { override } from "../support/override.ts";
import { World } from "../support/world.ts";

let logged: string[];
let year = 2100;

const CACHED_MS = 5000;

beforeEach(() => {
  // Each test is in a later year, so that the cached result of the test before has expired.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(++year) });
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});

const check = (world: World) => world.request("GET", "/health?deep=1");

test("A deep health check of a working deployment returns 200", async () => {
  expect(await check(new World())).toMatchObject({ status: 200, body: { success: true, status: "ok", sending: "on" } });
});

test("A deep health check names the databases that do not respond, without their errors", async () => {
  const outage = new Outage();
  const world = outage.world();
  outage.database = true;
  const { status, body } = await check(world);
  expect([status, body.error]).toEqual([
    503,
    { code: "unavailable", message: "Not responding: control database, shard 0, shard 1.", details: null },
  ]);
  expect(logged.map((line) => JSON.parse(line))).toMatchObject(
    ["control database", "shard 0", "shard 1"].map((part) => ({
      event: "part_unreachable",
      part,
      error: { message: expect.stringContaining("D1") },
    })),
  );
  expect((await world.request("GET", "/health")).status).toBe(200);
});

test("A deep health check names the cache if it fails, and a bucket that takes too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.UTC(year) });
  const world = new World({
    CACHE: override(bindings.CACHE, { get: () => Promise.reject(new Error("KV GET failed: 500")) }),
    MEDIA: override(bindings.MEDIA, {
      head: () => {
        void vi.advanceTimersByTimeAsync(5000);
        return new Promise(() => {});
      },
    }),
  });
  const { status, body } = await check(world);
  vi.useRealTimers();
  expect([status, body.error.message]).toEqual([503, "Not responding: cache, bucket."]);
});

test("Deep health checks within five seconds return the first result without new reads", async () => {
  const head = vi.fn<R2Bucket["head"]>(() => Promise.resolve(null));
  const world = new World({ MEDIA: override(bindings.MEDIA, { head }) });
  await check(world);
  world.advance(CACHED_MS - 1);
  expect((await check(world)).status).toBe(200);
  expect(head).toHaveBeenCalledTimes(1);
  world.advance(1);
  await check(world);
  expect(head).toHaveBeenCalledTimes(2);
});

test("One network may make only a limited number of deep health checks", async () => {
  const limit = vi.fn<RateLimit["limit"]>(() => Promise.resolve({ success: false }));
  const world = new World({ LOOKUP_LIMITER: { limit } });
  const answer = await world.request("GET", "/health?deep=1", undefined, {
    headers: { "CF-Connecting-IP": "203.0.113.7" },
  });
  expect([answer.status, answer.body.error.code, answer.headers.get("Retry-After")]).toEqual([
    429,
    "rate_limited",
    "60",
  ]);
  expect(limit.mock.calls).toEqual([[{ key: "203.0.113.7" }]]);
  expect((await world.request("GET", "/health")).status).toBe(200);
});
