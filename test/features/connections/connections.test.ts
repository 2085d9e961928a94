import { beforeEach, describe, expect, it } from "vitest";
import { createSecretBox } from "../../../src/shared/security/crypto.ts";
import { stopClock } from "../../support/clock.ts";
import { newEncryptionKey } from "../../support/encryption-keys.ts";
import { onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const codes = ({ body }: Answer) =>
  Object.fromEntries(body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]));

const cloud = {
  phone_number_id: "1055",
  business_account_id: "2066",
  access_token: "EAAG-access-token-4711",
  app_secret: "app-secret-0815",
};
const waha = { base_url: "https://waha.test", session: "main", api_key: "waha-api-key-1234" };

const create = (customer: Customer, body: object) => customer.manage("POST", "/connections", { name: "A", ...body });
const patch = (customer: Customer, id: string, change: object) =>
  customer.manage("PATCH", `/connections/${id}`, change);
const get = async (customer: Customer, id: string) =>
  (await customer.manage("GET", `/connections/${id}`)).body.connection;

describe("Connections", () => {
  it("A connection to the sandbox needs no settings and delivers immediately", async () => {
    const customer = await new World().customer();
    const answer = await create(customer, { name: " Box ", channel: "official", provider: "sandbox", config: {} });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      success: true,
      connection: {
        id: expect.stringMatching(/^conn_[0-9a-z]{26}$/),
        name: "Box",
        channel: "official",
        provider: "sandbox",
        status: "active",
        status_detail: null,
        is_default: true,
        messages_per_second: 80,
        messaging_limit: null,
        webhook_url: `http://tidings.test/hooks/${answer.body.connection.id}`,
        config: {},
        created_at: new Date().toISOString(),
      },
    });
    const test = await customer.manage("POST", `/connections/${answer.body.connection.id}/test`);
    expect(test.body).toEqual({ success: true, ok: true, detail: expect.any(String) });
  });

  it("A connection shows only the last four characters of its secrets, and its creation returns generated secrets in full", async () => {
    const customer = await new World().customer();
    const official = (await create(customer, { channel: "official", provider: "whatsapp_cloud", config: cloud })).body;
    expect(official.secrets).toEqual({ verify_token: expect.stringMatching(/^[0-9a-f]{48}$/) });
    expect(official.connection.config).toEqual({
      phone_number_id: "1055",
      business_account_id: "2066",
      access_token: "•••• 4711",
      app_secret: "•••• 0815",
      verify_token: `•••• ${official.secrets.verify_token.slice(-4)}`,
    });
    const unofficial = (await create(customer, { channel: "unofficial", provider: "waha", config: waha })).body;
    expect(unofficial.secrets).toEqual({ webhook_hmac_key: expect.stringMatching(/^[0-9a-f]{48}$/) });
    expect(unofficial.connection).toMatchObject({ messages_per_second: 1, config: { api_key: "•••• 1234" } });
    const own = { ...waha, webhook_hmac_key: "my own hmac key" };
    const given = (await create(customer, { channel: "unofficial", provider: "waha", config: own })).body;
    expect(given.secrets).toBeUndefined();
    const listed = await customer.manage("GET", "/connections");
    for (const secret of [cloud.access_token, cloud.app_secret, waha.api_key, own.webhook_hmac_key]) {
      expect(JSON.stringify([listed.body, official.connection, given])).not.toContain(secret);
    }
    expect(await get(customer, official.connection.id)).toEqual(official.connection);
  });

  it("A connection's encrypted secret can be decrypted only for its own setting, even after a rotation of the encryption key", async () => {
    const world = new World();
    const customer = await world.customer();
    const { id } = (await create(customer, { channel: "official", provider: "whatsapp_cloud", config: cloud })).body
      .connection;
    const [row] = await onShard(customer, "SELECT * FROM connections WHERE id = ?", id);
    for (const secret of [cloud.access_token, cloud.app_secret]) expect(JSON.stringify(row)).not.toContain(secret);
    const { sealed } = JSON.parse(String(row?.["secrets"])).access_token;
    const rotated = createSecretBox({ current: newEncryptionKey(), previous: world.env.ENCRYPTION_KEY });
    expect(await rotated.open(sealed, `${id}.access_token`)).toBe(cloud.access_token);
    await expect(rotated.open(sealed, `${id}.app_secret`)).rejects.toThrow();
    await expect(rotated.open(sealed, `conn_other.access_token`)).rejects.toThrow();
  });

  it("An invalid connection is rejected with all errors at once, including errors in the provider's settings", async () => {
    const customer = await new World().customer();
    expect(codes(await customer.manage("POST", "/connections", {}))).toEqual({
      name: "required",
      channel: "required",
      provider: "required",
      config: "required",
    });
    const wrong = await create(customer, {
      name: "",
      channel: "unofficial",
      provider: "whatsapp_cloud",
      config: { phone_number_id: 1055, app_secret: " ", access_token: "•••• 4711", session: "x", api_version: "19" },
      messages_per_second: 0,
      colour: "red",
    });
    expect(codes(wrong)).toEqual({
      name: "too_small",
      channel: "invalid_value",
      messages_per_second: "too_small",
      colour: "unknown_field",
      "config.phone_number_id": "invalid_type",
      "config.business_account_id": "required",
      "config.app_secret": "too_small",
      "config.access_token": "masked_secret",
      "config.api_version": "invalid_format",
      "config.session": "unknown_field",
    });
    expect(codes(await create(customer, { channel: "official", provider: "telegram", config: { a: 1 } }))).toEqual({
      provider: "invalid_value",
    });
    expect(codes(await create(customer, { channel: "official", provider: "waha", config: waha }))).toEqual({
      channel: "invalid_value",
    });
    const elsewhere = { ...waha, base_url: "ftp://waha.test" };
    expect(codes(await create(customer, { channel: "unofficial", provider: "waha", config: elsewhere }))).toEqual({
      "config.base_url": "invalid_format",
    });
    expect((await customer.manage("GET", "/connections")).body.connections).toHaveLength(1);
  });

  it("A change to a connection keeps settings that were not sent, even if two changes are concurrent", async () => {
    const customer = await new World().customer();
    const { id } = (await create(customer, { channel: "official", provider: "whatsapp_cloud", config: cloud })).body
      .connection;
    const answers = await Promise.all([
      patch(customer, id, { config: { access_token: "EAAG-renewed-9999" } }),
      patch(customer, id, { config: { app_secret: "app-secret-7777" } }),
      patch(customer, id, { config: { phone_number_id: "1056" } }),
      patch(customer, id, { config: { api_version: "v23.0" }, messages_per_second: 20 }),
      patch(customer, id, { name: "Renamed" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await get(customer, id)).toMatchObject({
      name: "Renamed",
      messages_per_second: 20,
      config: {
        phone_number_id: "1056",
        business_account_id: "2066",
        access_token: "•••• 9999",
        app_secret: "•••• 7777",
        api_version: "v23.0",
      },
    });
  });

  it("A connection rejects unknown settings and masked secrets", async () => {
    const customer = await new World().customer();
    const { id, config } = (await create(customer, { channel: "unofficial", provider: "waha", config: waha })).body
      .connection;
    expect(codes(await patch(customer, id, { config }))).toMatchObject({ "config.api_key": "masked_secret" });
    expect(codes(await patch(customer, id, { config: { access_token: "x", session: null } }))).toEqual({
      "config.access_token": "unknown_field",
      "config.session": "invalid_type",
    });
    expect(codes(await patch(customer, id, { provider: "sandbox", channel: "official" }))).toEqual({
      provider: "unknown_field",
      channel: "unknown_field",
    });
    expect((await get(customer, id)).config).toEqual(config);
  });

  it("The first connection of a channel is its default until a different connection is set", async () => {
    const customer = await new World().customer();
    const first = customer.connectionId;
    const sandbox = (body: object) => create(customer, { provider: "sandbox", config: {}, ...body });
    const second = (await sandbox({ channel: "unofficial" })).body.connection;
    const official = (await sandbox({ channel: "official" })).body.connection;
    expect([second.is_default, official.is_default]).toEqual([false, true]);
    const third = (await sandbox({ channel: "unofficial", is_default: true })).body.connection;
    const defaults = () => Promise.all([first, second.id, third.id, official.id].map((id) => get(customer, id)));
    expect((await defaults()).map((each) => each.is_default)).toEqual([false, false, true, true]);
    await patch(customer, second.id, { is_default: true });
    expect((await defaults()).map((each) => each.is_default)).toEqual([false, true, false, true]);
    const many = await Promise.all(
      ["A", "B", "C"].map((name) => sandbox({ name, channel: "official", is_default: true })),
    );
    expect(many.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { connections } = (await customer.manage("GET", "/connections")).body;
    const isDefault = (each: Answer["body"]) => each.is_default && each.channel === "official";
    expect(connections.filter(isDefault)).toHaveLength(1);
  });

  it("A connection cannot be deleted while an active key sends through it", async () => {
    const customer = await new World().customer();
    const at = `/connections/${customer.connectionId}`;
    const refused = await customer.manage("DELETE", at);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", details: { field: "connection_id", api_key_id: customer.keyId } } },
    });
    const soon = new Date(Date.now() + 1000).toISOString();
    const expiring = { name: "Soon", connection_id: customer.connectionId, expires_at: soon };
    await customer.manage("POST", "/api-keys", expiring);
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await customer.manage("DELETE", at)).status).toBe(409);
    customer.world.advance(1000);
    expect((await customer.manage("DELETE", at)).body.connection.id).toBe(customer.connectionId);
    for (const answer of [await customer.manage("GET", at), await customer.manage("DELETE", at)]) {
      expect(answer.status).toBe(404);
    }
    expect((await customer.manage("GET", "/connections")).body.connections).toEqual([]);
    expect(
      (await create(customer, { channel: "unofficial", provider: "sandbox", config: {} })).body.connection,
    ).toMatchObject({
      is_default: true,
    });
  });

  it("A connection is not found in another workspace", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
      ["POST", "/simulate", { from: "+14155550100", text: "Hi" }],
      ["GET", "/outbox", undefined],
    ] as const) {
      const theirs = await customer.manage(method, `/connections/${other.connectionId}${path}`, body);
      const unknown = await customer.manage(method, `/connections/conn_unknown${path}`, body);
      expect([theirs.status, theirs.body.error], `${method} ${path}`).toEqual([404, unknown.body.error]);
    }
    expect(await get(other, other.connectionId)).toMatchObject({ name: "Sandbox" });
  });

  it("Connections are listed newest first, page by page", async () => {
    const customer = await new World().customer();
    for (const name of ["B", "C"]) {
      customer.world.advance(1);
      await create(customer, { name, channel: "unofficial", provider: "sandbox", config: {} });
    }
    const first = (await customer.manage("GET", "/connections?limit=2")).body;
    const rest = (await customer.manage("GET", `/connections?limit=2&cursor=${first.next_cursor}`)).body;
    const names = [...first.connections, ...rest.connections].map(({ name }) => name);
    expect([names, rest.next_cursor]).toEqual([["C", "B", "Sandbox"], null]);
  });
});
