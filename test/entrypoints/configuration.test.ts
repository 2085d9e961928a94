import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import worker from "../../src/index.ts";
import { noteDelays } from "../support/queues.ts";
import { World } from "../support/world.ts";

let logged: string[];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});

const weak = ["", "change-me", btoa("this is my secret encryption key"), btoa("\0".repeat(32)), "QUJD"];

describe.each(weak)("ENCRYPTION_KEY %j", (ENCRYPTION_KEY) => {
  it("A Worker with an invalid ENCRYPTION_KEY serves nothing and logs the reason", async () => {
    const good = await new World().customer();
    const world = new World({ ENCRYPTION_KEY });
    const config = { base_url: "https://waha.test", session: "main", api_key: "k", webhook_hmac_key: "h" };
    const connection = { name: "W", channel: "unofficial", provider: "waha", config };
    for (const [method, path, token, body] of [
      ["POST", `/manage/v1/workspaces/${good.workspaceId}/connections`, world.env.ADMIN_TOKEN, connection],
      ["GET", "/api/v1/contacts", good.key, undefined],
      ["GET", "/console/sign-in", null, undefined],
      ["POST", `/hooks/${good.connectionId}`, null, {}],
      ["GET", "/health", null, undefined],
    ] as const) {
      logged = [];
      const answer = await world.request(method, path, body, { token });
      expect([answer.status, answer.body.error?.code, answer.headers.get("Retry-After")], path).toEqual([
        503,
        "unavailable",
        "60",
      ]);
      expect(JSON.stringify(answer.body)).not.toContain("ENCRYPTION_KEY");
      const [line = ""] = logged;
      expect(JSON.parse(line)).toMatchObject({
        level: "error",
        event: "not_configured",
        reason: expect.stringMatching(/^ENCRYPTION_KEY .*openssl rand -base64 32$/),
      });
      if (ENCRYPTION_KEY !== "") expect(line).not.toContain(ENCRYPTION_KEY);
    }
    expect((await good.manage("GET", "/connections")).body.connections).toHaveLength(1);
  });

  it("A Worker with an invalid ENCRYPTION_KEY runs no queue or cron job, and queued messages remain", async () => {
    const { env } = new World({ ENCRYPTION_KEY });
    const message = { id: "m0", timestamp: new Date(), attempts: 7, body: { v: 1 } };
    const batch = createMessageBatch("tidings-events", [message]);
    const delays = noteDelays(batch);
    const ctx = createExecutionContext();
    await worker.queue(batch, env, ctx);
    const { explicitAcks, retryMessages } = await getQueueResult(batch, ctx);
    expect([explicitAcks, retryMessages.map(({ msgId }) => msgId), delays.get("m0")]).toEqual([[], ["m0"], 128]);
    await new World({ ENCRYPTION_KEY }).cron();
    expect(logged.filter((line) => line.includes("not_configured"))).toHaveLength(2);
  });
});

it("If DB_SHARD_2 is bound but DB_SHARD_1 is not, a Worker serves nothing, runs no cron, and logs the missing binding", async () => {
  const world = new World();
  const DB_SHARD_1: unknown = Reflect.get(world.env, "DB_SHARD_1");
  Reflect.deleteProperty(world.env, "DB_SHARD_1");
  Object.assign(world.env, { DB_SHARD_2: DB_SHARD_1 });
  expect((await world.request("GET", "/health")).status).toBe(503);
  await world.cron();
  expect(logged.map((line) => JSON.parse(line))).toEqual(
    Array.from({ length: 2 }, () => ({
      level: "error",
      event: "not_configured",
      reason: "DB_SHARD_1 is missing, but DB_SHARD_2 is bound.",
    })),
  );
  Object.assign(world.env, { DB_SHARD_1 });
  expect((await world.request("GET", "/health")).status).toBe(200);
});
