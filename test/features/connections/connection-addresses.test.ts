import { describe, expect, it, vi } from "vitest";
import { type Answer, World } from "../../support/world.ts";

const codes = ({ body }: Answer) =>
  Object.fromEntries(body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]));

const waha = { base_url: "http://127.0.0.1:3000", session: "main", api_key: "waha-api-key-1234" };
const cloud = { phone_number_id: "1", business_account_id: "2", access_token: "EAAG-4711", app_secret: "secret-0815" };
const unofficial = (config: object) => ({ name: "A", channel: "unofficial", provider: "waha", config });
const official = (config: object) => ({ name: "A", channel: "official", provider: "whatsapp_cloud", config });

describe("Connection addresses", () => {
  it("The address of a connection must be https and public, unless private addresses are allowed", async () => {
    const customer = await new World({ ALLOW_PRIVATE_UPSTREAMS: "false" }).customer();
    for (const address of ["http://waha.example.com", "https://127.0.0.1", "https://waha.internal"]) {
      expect(codes(await customer.manage("POST", "/connections", unofficial({ ...waha, base_url: address })))).toEqual({
        "config.base_url": "invalid_address",
      });
      expect(codes(await customer.manage("POST", "/connections", official({ ...cloud, api_base: address })))).toEqual({
        "config.api_base": "invalid_address",
      });
    }
    const bare = await customer.manage(
      "POST",
      "/connections",
      unofficial({ ...waha, base_url: "https://8.8.8.8:3000" }),
    );
    expect(bare.body.error.details[0].message).toBe(
      "Must have a host name. Cloudflare Workers cannot call IP addresses.",
    );
    const fine = { ...waha, base_url: "https://waha.example.com:3000/base" };
    const { id } = (await customer.manage("POST", "/connections", unofficial(fine))).body.connection;
    expect(
      codes(await customer.manage("PATCH", `/connections/${id}`, { config: { base_url: "https://10.1" } })),
    ).toEqual({
      "config.base_url": "invalid_address",
    });
    expect((await customer.manage("GET", `/connections/${id}`)).body.connection.config.base_url).toBe(fine.base_url);
  });

  it("The private address of a connection is not called after private addresses are forbidden", async () => {
    const allowing = await new World().customer();
    const { id } = (await allowing.manage("POST", "/connections", unofficial(waha))).body.connection;
    const fetching = vi.spyOn(globalThis, "fetch");
    const strict = new World({ ALLOW_PRIVATE_UPSTREAMS: "false" });
    const test = await strict.manage("POST", `/workspaces/${allowing.workspaceId}/connections/${id}/test`);
    expect(test).toMatchObject({ status: 502, body: { error: { code: "provider_error" } } });
    expect(fetching).not.toHaveBeenCalled();
    fetching.mockRestore();
  });
});
