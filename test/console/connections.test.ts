import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../../src/channels/channel.ts";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { orderUpdate, providerHolds } from "../support/provider.ts";
import type { CustomerOptions } from "../support/seed.ts";
import { type Answer, type Customer, World } from "../support/world.ts";

beforeEach(() => {
  // No test needs a response of a provider.
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Network connection lost."));
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function visit(options: CustomerOptions = {}) {
  const customer = await new World().customer(options);
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}/settings/connections` };
}

const all = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.manage("GET", "/connections")).body.connections;

const cloud = {
  name: "Support line",
  provider: "whatsapp_cloud",
  channel: "official",
  "config.phone_number_id": "1055",
  "config.business_account_id": "2066",
  "config.access_token": "EAAG-access-token-4711",
  "config.app_secret": "app-secret-0815",
};
const waha = {
  name: "Linked phone",
  provider: "waha",
  channel: "unofficial",
  "config.base_url": "https://waha.test",
  "config.session": "main",
  "config.api_key": "waha-api-key-1234",
};

describe("New connections", () => {
  it("A new WhatsApp connection shows its webhook URL, and shows its verify token once", async () => {
    const { customer, admin, at } = await visit();
    const made = await admin.post(`${at}/new`, { ...cloud, messages_per_second: "20" });
    expect(made.status).toBe(200);
    const connection = (await all(customer)).find(({ name }) => name === "Support line");
    expect(connection).toMatchObject({ provider: "whatsapp_cloud", messages_per_second: 20, is_default: true });
    expect(made.body).toContain(`/hooks/${connection.id}"`);
    const token = /id="secret-verify_token"[^>]* value="([0-9a-f]{48})"/.exec(made.body)?.[1] ?? "none";
    const challenge = `?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`;
    const answered = await customer.world.request("GET", `/hooks/${connection.id}${challenge}`);
    expect([answered.status, answered.body]).toEqual([200, "42"]);
    const page = await admin.get(`${at}/${connection.id}`);
    expect(page.body).toContain(`/hooks/${connection.id}"`);
    expect(page.body).not.toContain(token);
    expect(page.body).toContain(`•••• ${token.slice(-4)}`);
  });

  it("If the form for a connection is sent twice, it creates one connection and shows the verify token again", async () => {
    const { customer, admin, at } = await visit();
    const before = (await all(customer)).length;
    const form = { ...cloud, once: "form_01hzzzzzzzzzzzzzzzzzzzzzzz" };
    const answers = await Promise.all([1, 2].map(() => admin.post(`${at}/new`, form)));
    answers.push(await admin.post(`${at}/new`, form));
    const tokens = answers.map(({ body }) => /id="secret-verify_token"[^>]* value="([0-9a-f]{48})"/.exec(body)?.[1]);
    expect(tokens[0]).toBeDefined();
    expect(new Set(tokens).size).toBe(1);
    expect(await all(customer)).toHaveLength(before + 1);
    await admin.post(`${at}/new`, { ...form, name: "Another line" });
    expect(await all(customer)).toHaveLength(before + 2);
    const { id } = (await all(customer)).find(({ name }) => name === cloud.name);
    await customer.manage("PATCH", `/connections/${id}`, { config: { verify_token: "set-by-a-colleague" } });
    const later = await admin.post(`${at}/new`, form);
    expect(later.status).toBe(200);
    expect(later.body).not.toContain("set-by-a-colleague");
  });

  it("A new WAHA connection shows its HMAC key unless the user typed the key", async () => {
    const { admin, at } = await visit();
    expect((await admin.post(`${at}/new`, waha)).body).toContain('id="secret-webhook_hmac_key"');
    const own = await admin.post(`${at}/new`, { ...waha, "config.webhook_hmac_key": "one of my own" });
    expect(own.status).toBe(200);
    expect(own.body).toContain('id="webhook-url"');
    expect(own.body).not.toContain("one of my own");
  });

  it("A new sandbox connection has the chosen channel, and its page opens", async () => {
    const { customer, admin, at } = await visit();
    const made = await admin.post(`${at}/new`, { name: "Play", provider: "sandbox", channel: "official" });
    const play = (await all(customer)).find(({ name }) => name === "Play");
    expect(play.channel).toBe("official");
    expect(made.headers.get("Location")).toBe(`${at}/${play.id}`);
    expect((await admin.get(`${at}/${play.id}`)).body).toContain("Simulate an incoming message");
  });

  it("The connection form shows each error next to its field, keeps the input, and renders no secret", async () => {
    const { customer, admin, at } = await visit();
    const fields = {
      ...cloud,
      name: "",
      "config.phone_number_id": "",
      "config.api_version": "23",
      messages_per_second: "0",
    };
    const refused = await admin.post(`${at}/new`, fields);
    expect(refused.status).toBe(400);
    for (const field of ["name", "config-phone_number_id", "config-api_version", "messages_per_second"]) {
      expect(refused.body).toContain(`id="field-${field}-fault"`);
    }
    expect(refused.body).not.toContain('role="alert"');
    expect(refused.body).toContain('value="2066"');
    expect(refused.body).not.toContain(cloud["config.access_token"]);
    const bare = await admin.post(`${at}/new`, { ...waha, "config.base_url": "", "config.api_key": "" });
    expect(bare.body).toContain('id="field-config-base_url-fault"');
    expect(bare.body).toContain('id="field-config-api_key-fault"');
    expect((await admin.post(`${at}/new`, {})).body).toContain("Choose a service to send");
    expect(await all(customer)).toHaveLength(1);
  });

  it("The connection form marks the settings that a provider requires", async () => {
    const { admin, at } = await visit();
    const page = await admin.get(`${at}/new?provider=whatsapp_cloud`);
    expect(page.body).toMatch(/id="field-config-app_secret"[^>]* required/);
    expect(page.body).not.toMatch(/id="field-config-api_base"[^>]* required/);
    expect((await admin.get(`${at}/new?provider=pigeon`)).status).toBe(400);
  });
});

describe("Connection page", () => {
  it("A connection keeps its stored secret if the secret's field in the form is empty", async () => {
    const { customer, admin, at } = await visit();
    await admin.post(`${at}/new`, waha);
    const { id } = (await all(customer)).find(({ name }) => name === waha.name);
    const sent = { ...waha, name: "Shop phone", messages_per_second: "3", is_default: "true", "config.api_key": "" };
    const answer = await admin.post(`${at}/${id}`, { ...sent, "config.session": "other", provider: "", channel: "" });
    expect(answer.status).toBe(303);
    const { connection } = (await customer.manage("GET", `/connections/${id}`)).body;
    expect(connection).toMatchObject({ name: "Shop phone", messages_per_second: 3, is_default: true });
    expect(connection.config).toMatchObject({ session: "other", base_url: "https://waha.test", api_key: "•••• 1234" });
    await admin.post(`${at}/${id}`, { name: "Shop phone", messages_per_second: "3", "config.api_key": "another-9876" });
    expect((await customer.manage("GET", `/connections/${id}`)).body.connection.config.api_key).toBe("•••• 9876");

    const refused = await admin.post(`${at}/${id}`, {
      name: "",
      messages_per_second: "",
      "config.base_url": "nowhere",
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="edit-name-fault"');
    expect(refused.body).toContain('id="edit-messages_per_second-fault"');
    const address = await admin.post(`${at}/${id}`, {
      name: "A",
      messages_per_second: "1",
      "config.base_url": "nowhere",
    });
    expect(address.body).toContain('id="edit-config-base_url-fault"');
  });

  it("A connection test shows the provider's response, and renaming the connection keeps its status", async () => {
    const { customer, admin, at } = await visit();
    const here = `${at}/${customer.connectionId}`;
    await admin.post(`${here}/test`);
    expect((await admin.get(here)).body).toContain("The sandbox is always reachable.");

    const notice = { status: "error", detail: "The account is locked." } as const;
    vi.spyOn(sandbox, "test").mockRejectedValue(new ProviderError("Account locked.", "131031", notice));
    await admin.post(`${here}/test`, {}, { headers: { Referer: `http://tidings.test${here}` } });
    expect((await admin.get(here)).body).toContain("The test failed: Account locked.");
    await admin.post(here, { name: "Renamed", messages_per_second: "80" });
    const list = await admin.get(at);
    expect(list.body).toContain("Renamed");
    expect(list.body).toContain("The account is locked.");
  });

  it("A template sync shows how many templates it added and removed", async () => {
    const { customer, admin, at } = await visit({ channel: "official" });
    const here = `${at}/${customer.connectionId}`;
    providerHolds({ ...orderUpdate, status: "PENDING" }, { ...orderUpdate, name: "another" });
    await admin.post(`${here}/sync-templates`);
    expect((await admin.get(here)).body).toContain("Templates synced: 1 new, 1 changed, 6 removed.");
  });

  it("A simulated message arrives in the inbox, and the outbox lists sent messages", async () => {
    const { customer, admin, at } = await visit();
    const here = `${at}/${customer.connectionId}`;
    await admin.post(`${here}/simulate`, { from: "+1 415 555 0177", text: "Anybody there?", name: "Alex" });
    await customer.world.settle();
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    expect(conversations).toMatchObject([{ contact: { name: "Alex" }, last_message: "Anybody there?" }]);
    await customer.send("+14155550177", "Yes, somebody is.");
    expect((await admin.get(here)).body).toContain("Yes, somebody is.");

    const refused = await admin.post(`${here}/simulate`, { from: "", text: "Hi" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="simulate-from-fault"');
  });

  it("A connection can be deleted after its API keys are revoked", async () => {
    const { customer, admin, at } = await visit();
    const here = `${at}/${customer.connectionId}`;
    const press = () => admin.post(`${here}/delete`, {}, { headers: { Referer: `http://tidings.test${here}` } });
    expect((await press()).headers.get("Location")).toBe(here);
    expect((await admin.get(here)).body).toContain("API keys use this connection. Revoke these keys first.");
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await press()).headers.get("Location")).toBe(at);
    const list = await admin.get(at);
    expect(list.body).toContain("Sandbox deleted.");
    expect(list.body).toContain("No connections yet");
    expect((await admin.get(here)).status).toBe(404);
  });
});
