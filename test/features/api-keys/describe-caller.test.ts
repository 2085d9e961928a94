import { beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/shared/security/crypto.ts";
import { stopClock } from "../../support/clock.ts";
import { costOf } from "../../support/storage.ts";
import { refusal } from "../../support/templates.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const me = (customer: Customer): Promise<Answer> => customer.call("GET", "/me");

describe("GET /me", () => {
  it("GET /me returns workspace, connection, permissions and rate limit usage", async () => {
    const world = new World();
    const expires_at = "2030-01-01T00:00:00.000Z";
    // The customers are on different shards.
    for (const customer of [
      await world.customer({ plan: "scale", key: { expires_at } }),
      await world.customer({ plan: "scale", key: { expires_at } }),
    ]) {
      await me(customer);
      const answer = await me(customer);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        workspace: { id: customer.workspaceId, name: "Acme", plan: "scale" },
        connection: {
          id: customer.connectionId,
          name: "Sandbox",
          channel: "unofficial",
          provider: "sandbox",
          status: "active",
        },
        api_key: {
          id: customer.keyId,
          name: "Test",
          read_only: false,
          scopes: null,
          expires_at,
          rate_limit: { requests: 6000, window_seconds: 60 },
        },
        usage: { requests: { used: 2, remaining: 5998, reset_seconds: 60 } },
      });
      expect(answer.headers.get("X-RateLimit-Remaining")).toBe("5998");
      expect(costOf(answer)).toMatchObject({ trips: 1, rows_written: 0 });
    }
  });

  it("After a change to the key, the next GET /me returns the new values", async () => {
    const customer = await new World().customer();
    expect((await me(customer)).body.workspace).toMatchObject({ name: "Acme", plan: "growth" });
    await customer.manage("PATCH", "", { name: "Acme Ltd" });
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { name: "Main" });
    const rate_limit = { requests: 5, window_seconds: 10 };
    await customer.manage("PATCH", `/api-keys/${customer.keyId}`, { name: "Shop", read_only: true, rate_limit });
    const { workspace, connection, api_key } = (await me(customer)).body;
    expect([workspace.name, connection.name]).toEqual(["Acme Ltd", "Main"]);
    expect(api_key).toMatchObject({ name: "Shop", read_only: true, rate_limit });
    await customer.manage("PATCH", "", { plan: "scale" });
    expect((await me(customer)).body.workspace.plan).toBe("scale");
  });

  it("GET /me reads the names from D1 if an earlier version cached the key", async () => {
    const world = new World();
    const customer = await world.customer();
    const name = `key:${await sha256Hex(customer.key)}`;
    const { names, ...older } = (await world.env.CACHE.get<{ names?: object }>(name, "json")) ?? {};
    expect(names).toBeDefined();
    await world.env.CACHE.put(name, JSON.stringify(older));
    expect((await me(customer)).body).toMatchObject({ workspace: { name: "Acme" }, api_key: { name: "Test" } });
  });

  it("GET /me requires a plan with the API, and counts against the rate limit", async () => {
    const world = new World();
    const free = await world.customer({ plan: "free" });
    expect(await refusal(me(free))).toEqual([402, "plan_required", null]);
    const limited = await world.customer({ key: { rate_limit: { requests: 1, window_seconds: 60 } } });
    expect((await me(limited)).body.usage.requests).toEqual({ used: 1, remaining: 0, reset_seconds: 60 });
    expect(await refusal(me(limited))).toEqual([429, "rate_limited", null]);
  });
});
