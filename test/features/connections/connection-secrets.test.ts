import { describe, expect, it } from "vitest";
import { type Answer, World } from "../../support/world.ts";

const waha = { base_url: "https://waha.example.com", session: "default", api_key: "secret-key" };
const connection = (config: object) => ({ name: "WAHA", channel: "unofficial", provider: "waha", config });
const faultsOf = ({ body }: Answer): [string, string][] =>
  body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]);

describe("Connection secrets", () => {
  it("A connection rejects a secret with a line break, because headers cannot contain line breaks", async () => {
    const customer = await new World().customer();
    for (const broken of ["one\ntwo", "one\r\ntwo", "one\u0007two"]) {
      const refused = await customer.manage("POST", "/connections", connection({ ...waha, api_key: broken }));
      expect(refused.status).toBe(400);
      expect(faultsOf(refused)).toEqual([["config.api_key", "invalid_characters"]]);
    }
    const made = await customer.manage(
      "POST",
      "/connections",
      connection({ ...waha, api_key: "a-rather-long-secret-key-two\n" }),
    );
    expect(made.status).toBe(201);
    const { id } = made.body.connection;
    const changed = await customer.manage("PATCH", `/connections/${id}`, { config: { api_key: "a\nb" } });
    expect(faultsOf(changed)).toEqual([["config.api_key", "invalid_characters"]]);
    const kept = (await customer.manage("GET", `/connections/${id}`)).body.connection.config;
    expect(kept.api_key).toMatch(/two$/);
  });

  it("The cached secrets of a connection expire within an hour, so that old secrets do not stay if their deletion fails", async () => {
    const { world, connectionId } = await new World().customer();
    const { keys } = await world.env.CACHE.list({ prefix: `conn:${connectionId}` });
    expect(keys.map(({ expiration }) => (expiration ?? Infinity) <= Date.now() / 1000 + 3601)).toEqual([true]);
  });
});
