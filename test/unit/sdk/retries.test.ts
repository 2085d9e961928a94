import { beforeEach, describe, expect, it } from "vitest";
import { createError } from "../../../sdk/src/errors.ts";
import { delayBeforeRetry } from "../../../sdk/src/retries.ts";
import { failureOf, hastenTime, refusal, startApi } from "./api.ts";

const done = { json: { success: true } };
const now = { "Retry-After": "0" };

describe("Client retries", () => {
  beforeEach(hastenTime);

  it("All retries of a write have the same idempotency key, and the client's next call has another key", async () => {
    const { requests, tidings } = await startApi([refusal(500, "internal_error"), refusal(503, "unavailable"), done]);
    await tidings.messages.send({ to: "+15550100101", text: "Hi" });
    await tidings.messages.send({ to: "+15550100101", text: "Hi" });
    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(requests.map(({ body }) => body)).toEqual(Array(4).fill('{"to":"+15550100101","text":"Hi"}'));
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("The client retries after a proxy's error page and after an incomplete response", async () => {
    const { requests, tidings } = await startApi([
      (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway</h1>"),
      (response) => response.writeHead(200, { "Content-Type": "application/json" }).end('{"success":true,"cont'),
      done,
    ]);
    await tidings.contacts.upsert({ phone: "+15550100101" });
    expect(requests).toHaveLength(3);
  });

  it("The client retries if the connection breaks, before or during the response", async () => {
    const { requests, tidings } = await startApi([
      (response) => response.destroy(),
      (response) => {
        response.writeHead(200, { "Content-Length": "1000" });
        response.write('{"success":');
        setImmediate(() => response.destroy());
      },
      done,
    ]);
    await tidings.contacts.get("ct_1");
    expect(requests).toHaveLength(3);
  });

  it("The client retries a management call only if the response requests a retry", async () => {
    const { requests, tidings } = await startApi([
      refusal(429, "rate_limited", now),
      done,
      refusal(500, "internal_error"),
    ]);
    await tidings.manage.workspaces.create({ name: "Acme" });
    expect(requests).toHaveLength(2);
    const error = await failureOf(tidings.manage.workspaces.create({ name: "Acme" }));
    expect(error).toMatchObject({ code: "internal_error", status: 500 });
    expect(requests).toHaveLength(3);
  });

  it("The client retries maxRetries times, and then throws the last error", async () => {
    const { requests, tidings } = await startApi([refusal(503, "unavailable", now)], { maxRetries: 1 });
    expect(await failureOf(tidings.contacts.get("ct_1"))).toMatchObject({ code: "unavailable", retryAfter: 0 });
    expect(requests).toHaveLength(2);
  });
});

describe("Calls without retries", () => {
  it.each([
    ["what was refused", refusal(404, "not_found")],
    ["an answer that asks for more than a minute", refusal(429, "rate_limited", { "Retry-After": "86400" })],
    ["an answer that asks for a day that never comes", refusal(503, "unavailable", { "Retry-After": "9".repeat(400) })],
    ["what a provider refused", refusal(502, "provider_error")],
    ["what was redirected", { status: 302, headers: { Location: "https://elsewhere.example" }, json: {} }],
    ["what a proxy forbids", { status: 403, json: "forbidden" }],
  ])("The client does not retry %s", async (_, answer) => {
    const { requests, tidings } = await startApi([answer]);
    await failureOf(tidings.contacts.upsert({ phone: "+15550100101" }));
    expect(requests).toHaveLength(1);
  });
});

describe("Retry delays", () => {
  const delay = (attempt: number, random: number, retryAfter: number | null = null) =>
    delayBeforeRetry(createError("unavailable", "", null, { status: 503, retryAfter }), {
      attempt,
      isRepeatable: true,
      random,
    });

  it("The client's retry delay doubles from half a second to eight seconds, and is up to half shorter at random", () => {
    expect([0, 1, 2, 3, 4, 5, 60].map((attempt) => delay(attempt, 1))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    expect([0, 1, 60].map((attempt) => delay(attempt, 0))).toEqual([250, 500, 4000]);
  });

  it("The client's retry delay is Retry-After plus a random time, so that clients do not all retry together", () => {
    expect(delay(0, 0.5, 30)).toBe(30_375);
    expect(delay(0, 0.5, 61)).toBeNull();
  });
});
