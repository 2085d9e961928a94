import { beforeEach, describe, expect, it, vi } from "vitest";
import { playInEachTest, UPSTREAM } from "../support/providers/linked.ts";
import { json } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { type Answer, World } from "../support/world.ts";

let server: WahaStandIn;

playInEachTest(() => (server = new WahaStandIn()));

beforeEach(() => {
  vi.setSystemTime(Date.parse("2026-11-20T12:00:00Z"));
});

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  const at = `/console/${customer.workspaceId}/settings/connections`;
  const settings = Object.entries(server.config(UPSTREAM)).map(([name, value]) => [`config.${name}`, value] as const);
  const form = { name: "Shop phone", provider: "waha", channel: "unofficial", ...Object.fromEntries(settings) };
  const made = async (): Promise<Answer["body"]> =>
    (await customer.manage("GET", "/connections")).body.connections.find(
      ({ name }: { name: string }) => name === "Shop phone",
    );
  return { customer, admin, at, form, made };
}

describe("Connections created in the console", () => {
  it("A new connection is tested before it is active", async () => {
    const { admin, at, form, made } = await visit();
    const page = await admin.post(`${at}/new`, form);
    expect(page.body).toContain("Shop phone is almost ready");
    expect(await made()).toMatchObject({ status: "active", status_detail: null });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/sessions/default"]);
  });

  it("A new connection shows why its test failed, and becomes active after the settings are corrected", async () => {
    const { customer, admin, at, form, made } = await visit();
    server.gateway = () => json({ message: "Unauthorized" }, 401);
    const page = await admin.post(`${at}/new`, form);
    expect(page.body).toContain("Shop phone doesn&#39;t work yet");
    expect(page.body).toContain("test failed: Unauthorized");
    expect(page.body).toContain('id="webhook-url"');
    expect(page.body).not.toContain("One step left");
    const [told, corrected, tested] = ["Set up the webhook", "Fix the error above", "Test again"].map((step) =>
      page.body.indexOf(step),
    );
    expect([told, corrected, tested].toSorted((one, other) => one - other)).toEqual([told, corrected, tested]);
    expect(told).toBeGreaterThan(0);
    const { id, status, status_detail } = await made();
    expect([status, status_detail]).toEqual(["error", "Unauthorized"]);
    expect((await admin.get(`${at}/${id}`)).body).toMatch(/badge bad">Error/);

    await admin.post(`${at}/${id}/test`);
    expect((await admin.get(`${at}/${id}`)).body).toContain("The test failed: Unauthorized");
    server.gateway = null;
    await admin.post(`${at}/${id}/test`);
    expect((await admin.get(`${at}/${id}`)).body).toContain("The session default is working");
    expect(await made()).toMatchObject({ status: "active" });
    expect((await customer.manage("GET", `/connections/${id}`)).body.connection.status_detail).toBeNull();
  });

  it("A new connection is tested each minute while the provider does not respond", async () => {
    const { customer, admin, at, form, made } = await visit();
    server.gateway = () => "lost";
    await admin.post(`${at}/new`, form);
    expect(await made()).toMatchObject({ status: "error" });
    server.gateway = null;
    customer.world.advance(60_000);
    await customer.world.cron();
    expect(await made()).toMatchObject({ status: "active" });
  });
});

describe("Failed connection tests", () => {
  it("A failed connection test is visible in the console and the API until a test succeeds", async () => {
    const { customer, admin, at, form, made } = await visit();
    await admin.post(`${at}/new`, form);
    const { id } = await made();
    server.gateway = () => "lost";
    const failed = await customer.manage("POST", `/connections/${id}/test`);
    expect([failed.status, failed.body.error.code]).toEqual([502, "provider_error"]);
    expect(await made()).toMatchObject({ status: "error", status_detail: expect.stringContaining("not be reached") });
    server.gateway = null;
    expect((await customer.manage("POST", `/connections/${id}/test`)).status).toBe(200);
    expect(await made()).toMatchObject({ status: "active", status_detail: null });
  });
});

describe("Invalid settings", () => {
  const cases = [
    ["waha", "unofficial", "base_url", "my server", "Must be a web address, like https://waha.example.com."],
    [
      "waha",
      "unofficial",
      "base_url",
      "ftp://waha.example.com",
      "Must be a web address, like https://waha.example.com.",
    ],
    ["waha", "unofficial", "session", "x".repeat(55), "Must have at most 54 characters."],
    ["whatsapp_cloud", "official", "api_base", "graph", "Must be a web address, like https://graph.facebook.com."],
    ["whatsapp_cloud", "official", "api_version", "23", "Must be a version, like v25.0."],
  ] as const;

  it.each(cases)(
    "Invalid settings of %s are rejected in plain words: %s %s",
    async (provider, channel, name, value, said) => {
      const { customer, admin, at } = await visit();
      const form = { name: "Line", provider, channel, [`config.${name}`]: value };
      const page = await admin.post(`${at}/new`, form);
      expect(new RegExp(`id="field-config-${name}-fault">([^<]*)<`).exec(page.body)?.[1]).toBe(said);
      const sent = { name: "Line", provider, channel, config: { [name]: value } };
      const refused = await customer.manage("POST", "/connections", sent);
      expect(refused.body.error.details).toContainEqual(
        expect.objectContaining({ path: `config.${name}`, message: said }),
      );
    },
  );
});

describe("Invalid ids", () => {
  it("A phone number or a name is rejected where a provider's id is required, in the console and the API", async () => {
    const { customer, admin, at } = await visit();
    const cloud = {
      phone_number_id: "+1 415 555 0100",
      business_account_id: "my shop",
      access_token: "a",
      app_secret: "b",
    };
    const refused = await customer.manage("POST", "/connections", {
      name: "Cloud",
      channel: "official",
      provider: "whatsapp_cloud",
      config: cloud,
    });
    expect(refused.body.error.details.map(({ path, code }: Answer["body"]) => `${path} ${code}`)).toEqual([
      "config.phone_number_id invalid_format",
      "config.business_account_id invalid_format",
    ]);
    const page = await admin.post(`${at}/new`, {
      name: "Shop phone",
      provider: "waha",
      channel: "unofficial",
      "config.base_url": UPSTREAM,
      "config.session": "../sessions",
      "config.api_key": "key",
    });
    expect(page.body).toContain("Must be the name of the session in WAHA");
    expect((await customer.manage("GET", "/connections")).body.connections).toHaveLength(1);
  });
});
