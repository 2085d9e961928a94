import { describe, expect, it } from "vitest";
import { gatherRequest } from "../../src/features/request-log/report-requests.ts";
import { loggedPath, loggedQuery } from "../../src/features/request-log/request-log.paths.ts";
import {
  type FinishedRequest,
  RecentRequests,
  REQUESTS_KEPT,
} from "../../src/features/request-log/request-log.recent.ts";
import { type KeyDay, UsageOfDay } from "../../src/features/request-log/request-log.usage.ts";

const finished = (change: Partial<FinishedRequest> = {}): FinishedRequest => ({
  at: 0,
  keyId: "key_1",
  method: "GET",
  route: "/api/v1/contacts/:id",
  path: "/api/v1/contacts/…",
  query: [],
  status: 200,
  errorCode: null,
  durationMs: 3,
  requestId: "r",
  ...change,
});

const numbers = (log: RecentRequests, filter = {}, limit = 10, before?: number) =>
  log.list(filter, limit, before).map(({ number }) => number);

describe("Last requests", () => {
  it("The request log has at most a thousand requests, numbered in order, newest first", () => {
    const log = new RecentRequests();
    log.add(Array.from({ length: REQUESTS_KEPT }, () => finished()));
    log.add([finished({ status: 404 }), finished()]);
    expect(log.all.length).toBe(REQUESTS_KEPT);
    expect(numbers(log, {}, 2)).toEqual([1002, 1001, 1000]);
    expect(numbers(log, {}, 2, 5)).toEqual([4, 3]);
    expect(log.find(2)).toBeNull();
    expect(log.find(1001)?.status).toBe(404);
  });

  it("After a restart, the request log numbers new requests after the stored ones", () => {
    const log = new RecentRequests();
    log.add([finished(), finished()]);
    const restored = new RecentRequests([...log.all]);
    restored.add([finished()]);
    expect(numbers(restored)).toEqual([3, 2, 1]);
  });

  it("The request log combines rate_limited requests of the same minute, key and endpoint into one entry, which counts them", () => {
    const log = new RecentRequests();
    const limited = (change = {}) => finished({ status: 429, errorCode: "rate_limited", ...change });
    log.add([finished(), limited(), limited({ keyId: "key_2" }), limited({ route: null }), limited({ at: 60_000 })]);
    for (let count = 0; count < 2 * REQUESTS_KEPT; count++) log.add([limited()]);
    log.add([limited({ repeats: 9 }), finished()]);
    expect(log.list({}, 10).map(({ number, repeats = 0 }) => [number, repeats])).toEqual([
      [6, 0],
      [5, 0],
      [4, 0],
      [3, 0],
      [2, 2 * REQUESTS_KEPT + 10],
      [1, 0],
    ]);
  });

  it("The request log can be filtered by key, status, class of statuses, and part of the path or route", () => {
    const log = new RecentRequests();
    log.add([
      finished(),
      finished({ keyId: "key_2", status: 429 }),
      finished({ status: 404, route: null, path: "/api/v1/message" }),
    ]);
    expect(numbers(log, { keyId: "key_2" })).toEqual([2]);
    expect(numbers(log, { status: "4xx" })).toEqual([3, 2]);
    expect(numbers(log, { status: "404" })).toEqual([3]);
    expect(numbers(log, { path: "/message" })).toEqual([3]);
    expect(numbers(log, { path: ":id", status: "2xx" })).toEqual([1]);
  });
});

describe("Logged paths", () => {
  const id = "ct_01kb9r5d8g2f4s6j9a1z3w7xke";

  it("The path in the request log keeps words of the route and ids, and hides parts that could identify a person", () => {
    const route = "/api/v1/contacts/:id/restore";
    expect(loggedPath(`/api/v1/contacts/${id}/restore`, route)).toBe(`/api/v1/contacts/${id}/restore`);
    expect(loggedPath("/api/v1/contacts/ada@example.com/restore", route)).toBe("/api/v1/contacts/…/restore");
    expect(loggedPath("/api/v1/contacts/restore/restore", route)).toBe("/api/v1/contacts/…/restore");
  });

  it("The path in the request log keeps the first word of an unknown path, because the word can be a typing error", () => {
    expect(loggedPath("/api/v1/message", null)).toBe("/api/v1/message");
    expect(loggedPath(`/api/v1/message/${id}/ada`, null)).toBe(`/api/v1/message/${id}/…`);
    expect(loggedPath("/api/v1/+14155550100", null)).toBe("/api/v1/…");
    expect(loggedPath(`/api/v1/${"a".repeat(500)}`, null)).toBe("/api/v1/…");
  });

  it("The path in the request log has the names of query parameters, but not their values", () => {
    expect(loggedQuery(new URLSearchParams("search=Ada&limit=5&limit=6&+4915=1"))).toEqual(["search", "limit"]);
  });
});

it("After a restart, the usage of a day continues from the stored counts", () => {
  const morning = new UsageOfDay("2026-11-23");
  morning.add({ keyId: "key_1", status: 200 });
  morning.add({ keyId: "key_1", status: 429 });
  const noon = new UsageOfDay("2026-11-23", morning.all);
  noon.add({ keyId: "key_2", status: 429, repeats: 4 });
  expect(noon.all).toEqual([
    { day: "2026-11-23", keyId: "key_1", requests: 2, errors: 1 },
    { day: "2026-11-23", keyId: "key_2", requests: 5, errors: 5 },
  ]);
});

/** An isolate. The test controls its Durable Objects, its clock and its work after responses. */
function isolate() {
  const reports: FinishedRequest[][] = [];
  const beyond: KeyDay[][] = [];
  const waiting: (() => void)[] = [];
  const clock = { now: 0 };
  const base: Parameters<typeof gatherRequest>[0] = {
    now: () => clock.now,
    wait: () => new Promise((go) => waiting.push(go)),
    waitUntil: () => {},
    requestLogDelayMs: 1000,
    report: async (_, requests, counts) => {
      reports.push([...requests]);
      beyond.push(counts);
    },
  };
  const goOn = async () => {
    for (const go of waiting.splice(0)) go();
    await new Promise((done) => setTimeout(done));
  };
  return { base, clock, reports, beyond, waiting, goOn };
}

describe("Isolates", () => {
  it("An isolate reports the requests of a second together, but separately for each workspace", async () => {
    const { base, reports, goOn } = isolate();
    for (let count = 0; count < 1500; count++) gatherRequest(base, "ws_1", finished());
    gatherRequest(base, "ws_2", finished());
    expect(reports).toEqual([]);
    await goOn();
    expect(reports.map(({ length }) => length)).toEqual([REQUESTS_KEPT, 1]);
    gatherRequest(base, "ws_1", finished());
    await goOn();
    expect(reports.map(({ length }) => length)).toEqual([REQUESTS_KEPT, 1, 1]);
  });

  it("An isolate reports equal rate_limited responses as one response with a count", async () => {
    const { base, reports, goOn } = isolate();
    const limited = finished({ status: 429, errorCode: "rate_limited" });
    for (let count = 0; count < 1500; count++) gatherRequest(base, "ws_4", { ...limited });
    gatherRequest(base, "ws_4", finished());
    await goOn();
    expect(reports).toEqual([[{ ...limited, repeats: 1499 }, finished()]]);
  });

  it("If there are too many requests for a report, an isolate still counts the others for the usage of their keys", async () => {
    const { base, beyond, reports, goOn } = isolate();
    for (let count = 0; count < REQUESTS_KEPT; count++) gatherRequest(base, "ws_5", finished());
    gatherRequest(base, "ws_5", finished({ keyId: "key_2" }));
    gatherRequest(base, "ws_5", finished({ keyId: "key_2", status: 404 }));
    gatherRequest(base, "ws_6", finished());
    await goOn();
    expect(reports.map(({ length }) => length)).toEqual([REQUESTS_KEPT, 1]);
    expect(beyond).toEqual([[{ day: "1970-01-01", keyId: "key_2", requests: 2, errors: 1 }], []]);
    gatherRequest(base, "ws_5", finished());
    await goOn();
    expect(beyond[2]).toEqual([]);
  });

  it("If a report is interrupted, an isolate adds its requests to the next report", async () => {
    const { base, clock, reports, waiting, goOn } = isolate();
    gatherRequest(base, "ws_3", finished({ requestId: "cut off" }));
    waiting.length = 0;
    clock.now += 60_000;
    gatherRequest(base, "ws_3", finished({ requestId: "next" }));
    await goOn();
    expect(reports.map((report) => report.map(({ requestId }) => requestId))).toEqual([["cut off", "next"]]);
  });
});
