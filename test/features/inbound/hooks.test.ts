import { describe, expect, it, vi } from "vitest";
import { laggingCache, unreachableInboxes } from "../../support/bindings.ts";
import { CloudStandIn, escaped } from "../../support/providers/cloud.ts";
import {
  linkedCustomer,
  playInEachTest,
  playProvider,
  post,
  report,
  transcript,
} from "../../support/providers/linked.ts";
import { WahaStandIn } from "../../support/providers/waha.ts";
import { costOf, countingWorld, onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const verification = (customer: Customer, query: Record<string, string>) =>
  customer.world.request("GET", `/hooks/${customer.connectionId}?${new URLSearchParams(query).toString()}`);

const meant = {
  "hub.mode": "subscribe",
  "hub.challenge": "1158201444",
  "hub.verify_token": new CloudStandIn().settings.verify_token,
};

describe("Meta's verification", () => {
  it("Meta's verification request receives its challenge as the response", async () => {
    const customer = await linkedCustomer(cloud);
    const answer = await verification(customer, meant);
    expect(answer).toMatchObject({ status: 200, body: "1158201444" });
    expect(answer.headers.get("Content-Type")).toContain("text/plain");
    expect(costOf(answer)).toMatchObject({ trips: 0 });
  });

  it.each([
    ["another token", { "hub.verify_token": "guess" }],
    ["no token", { "hub.verify_token": "" }],
    ["another mode", { "hub.mode": "unsubscribe" }],
  ])("Meta's verification request with %s is rejected", async (_, change) => {
    const customer = await linkedCustomer(cloud);
    expect((await verification(customer, { ...meant, ...change })).status).toBe(401);
  });

  it("Meta's verification request is rejected on a WAHA connection", async () => {
    const customer = await linkedCustomer(new WahaStandIn());
    expect((await verification(customer, meant)).status).toBe(401);
  });
});

describe("Provider webhooks", () => {
  it("A provider's webhook is accepted without a D1 query and applied from the queue", async () => {
    const { world } = countingWorld();
    const customer = await linkedCustomer(cloud, world);
    const answer = await post(customer, await cloud.inbound(phoneEnding("1234"), "Hi"));
    expect(answer).toMatchObject({ status: 200, body: { success: true, events: 1 } });
    expect(costOf(answer)).toMatchObject({ trips: 0 });
    expect(costOf(answer, "kv")).toMatchObject({ reads: 1, writes: 0 });
    expect(await transcript(customer)).toEqual([]);
    await world.settle();
    expect(await transcript(customer)).toMatchObject([{ last_message: "Hi" }]);
  });

  it("A provider's webhook is verified against its raw bytes, even with escaped non-ASCII characters", async () => {
    const customer = await linkedCustomer(cloud);
    const delivery = await cloud.inbound(phoneEnding("1234"), "Grüße 👋 \u2028", "Žofie");
    expect(delivery.body).toContain("\\u00fc");
    expect((await report(customer, delivery)).status).toBe(200);
    expect(await transcript(customer)).toMatchObject([{ last_message: "Grüße 👋 \u2028", contact: { name: "Žofie" } }]);
    // The signature covers the bytes, so the same content in other bytes is rejected.
    const rewritten = { ...delivery, body: JSON.stringify(JSON.parse(delivery.body)) };
    expect((await post(customer, rewritten)).status).toBe(401);
    const plain = await cloud.sign(JSON.stringify(JSON.parse(delivery.body)));
    expect((await post(customer, plain)).status).toBe(200);
  });

  it.each([
    ["no signature", {}],
    ["an empty one", { "X-Hub-Signature-256": "" }],
    ["a wrong one", { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` }],
    ["one without its hash's name", { "X-Hub-Signature-256": "0".repeat(64) }],
    ["an old SHA-1 one", { "X-Hub-Signature": `sha1=${"0".repeat(40)}` }],
    ["WAHA's", { "X-Webhook-Hmac": "0".repeat(128) }],
  ])("A provider's webhook with %s is rejected and stores nothing", async (_, headers) => {
    const customer = await linkedCustomer(cloud);
    const { body } = await cloud.inbound(phoneEnding("1234"), "Hi");
    const answer = await post(customer, { body, headers });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
    expect(customer.world.queues.messages).toEqual([]);
  });

  it("A provider's webhook signed with another connection's secret is rejected", async () => {
    const world = new World();
    const customer = await linkedCustomer(cloud, world);
    const other = await linkedCustomer(cloud, world, { app_secret: "another one" });
    expect((await post(other, await cloud.inbound(phoneEnding("1234"), "Hi"))).status).toBe(401);
    expect((await post(customer, await cloud.inbound(phoneEnding("1234"), "Hi"))).status).toBe(200);
  });

  it("A provider's webhook to an unknown, deleted or sandbox connection is rejected", async () => {
    const customer = await linkedCustomer(cloud);
    const delivery = await cloud.inbound(phoneEnding("1234"), "Hi");
    const to = (id: string) =>
      customer.world.request("POST", `/hooks/${id}`, undefined, { raw: delivery.body, headers: delivery.headers });
    const sandbox = await customer.world.customer();
    expect([(await to("conn_unknown")).status, (await to(sandbox.connectionId)).status]).toEqual([401, 401]);
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect((await customer.manage("DELETE", `/connections/${customer.connectionId}`)).status).toBe(200);
    expect((await to(customer.connectionId)).status).toBe(401);
    customer.world.advance(61_000);
    expect((await to(customer.connectionId)).status).toBe(401);
  });

  it("A provider's webhook to a malformed connection id is rejected without a lookup", async () => {
    const { world } = countingWorld();
    for (const id of ["conn_unknown", "x".repeat(5000), `ct_${"0".repeat(26)}`]) {
      const answer = await world.request("POST", `/hooks/${id}`, {});
      expect(answer.status).toBe(401);
      expect(costOf(answer)).toMatchObject({ trips: 0 });
      expect(costOf(answer, "kv")).toMatchObject({ reads: 0 });
    }
  });

  it("A provider's webhook is accepted if KV has lost the connection", async () => {
    const customer = await linkedCustomer(cloud);
    await customer.world.env.CACHE.delete(`conn:${customer.connectionId}`);
    expect((await post(customer, await cloud.inbound(phoneEnding("1234"), "Hi"))).status).toBe(200);
    const again = await post(customer, await cloud.inbound(phoneEnding("1234"), "Hi"));
    expect(costOf(again)).toMatchObject({ trips: 0 });
  });

  it("A provider's webhook signed with a new secret is accepted even if KV has the old one, with at most one D1 query a minute", async () => {
    const { cache, hold } = laggingCache();
    const world = new World({ CACHE: cache });
    const customer = await linkedCustomer(cloud, world);
    hold();
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { config: { app_secret: "a new secret" } });
    cloud.settings.app_secret = "a new secret";
    world.advance(60_000);
    expect((await post(customer, await cloud.inbound(phoneEnding("1234"), "Hi"))).status).toBe(200);
    const forged = { body: "{}", headers: { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` } };
    const refused = await post(customer, forged);
    expect([refused.status, costOf(refused)["trips"]]).toEqual([401, 0]);
    world.advance(60_000);
    expect(costOf(await post(customer, forged))["trips"]).toBeGreaterThan(0);
  });

  it("A provider's webhook returns 503 if the queue rejects it, so that the provider retries", async () => {
    const customer = await linkedCustomer(cloud);
    const delivery = await cloud.inbound(phoneEnding("1234"), "Hi");
    vi.spyOn(customer.world.env.EVENTS_QUEUE, "sendBatch").mockRejectedValueOnce(new Error("Queue is overloaded"));
    const answer = await post(customer, delivery);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(answer.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect((await report(customer, delivery)).status).toBe(200);
    expect(await transcript(customer)).toMatchObject([{ unread_count: 1 }]);
  });

  it("A provider's webhook of up to 3 MB is split into queue messages and batches", { tags: "long" }, async () => {
    const customer = await linkedCustomer(cloud);
    const sent = vi.spyOn(customer.world.env.EVENTS_QUEUE, "sendBatch");
    const text = (length: number) => ({ type: "text", text: { body: "y".repeat(length) } });
    const big = Array.from({ length: 8 }, () => cloud.message(phoneEnding("1234"), text(300_000)));
    const many = Array.from({ length: 250 }, () => cloud.message(phoneEnding("1234"), text(10)));
    const answer = await post(customer, await cloud.deliver(...big, ...many));
    expect(answer.body).toEqual({ success: true, events: 258 });
    for (const [batch] of sent.mock.calls) {
      const bodies = Array.from(batch, ({ body }) => JSON.stringify(body).length);
      expect(bodies.length).toBeLessThanOrEqual(100);
      expect(Math.max(...bodies)).toBeLessThan(128_000);
      expect(bodies.reduce((sum, size) => sum + size, 0)).toBeLessThan(256_000);
    }
    const tooLarge = await post(customer, await cloud.sign(`"${"y".repeat(3_200_000)}"`));
    expect(tooLarge).toMatchObject({ status: 413, body: { error: { code: "payload_too_large" } } });
  });

  it.each(["", "{", "null", "[]", '"text"', '{"entry":', escaped({ object: "page", entry: [] })])(
    "A provider's webhook with a signature but no event is accepted: %s",
    async (body) => {
      const customer = await linkedCustomer(cloud);
      expect((await post(customer, await cloud.sign(body))).body).toEqual({ success: true, events: 0 });
    },
  );

  async function expectSettledTogether(count: number): Promise<void> {
    const { world, counted } = countingWorld();
    const server = new WahaStandIn();
    playProvider(server);
    // The queue delivers all statuses at once.
    Object.assign(world.env, { STATUS_INBOX: unreachableInboxes() });
    const customer = await linkedCustomer(server, world);
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1000 });
    for (let n = 0; n < count; n++) await customer.send(phoneEnding("1234"));
    const acknowledge = async () => {
      for (const message of server.handed) await post(customer, await server.status(message, "", "read"));
      const before = counted();
      await world.queues.deliverDue(world.env);
      const [statements, written] = ["statements", "rows_written"].map(
        (key) => (counted()[key] ?? 0) - (before[key] ?? 0),
      );
      return { statements, written };
    };
    expect(await acknowledge()).toEqual({ statements: 4, written: count + 1 });
    expect(await acknowledge()).toEqual({ statements: 4, written: 0 });
    const states = await onShard(
      customer,
      "SELECT DISTINCT state FROM messages WHERE connection_id = ?",
      customer.connectionId,
    );
    expect(states).toEqual([{ state: 6 }]);
  }

  it("A provider's webhook of ten statuses without our ids settles in four statements with one event row, and a repeat writes nothing", () =>
    expectSettledTogether(10));

  it(
    "A provider's webhook of a hundred statuses without our ids settles in four statements with one event row, and a repeat writes nothing",
    { tags: "long" },
    () => expectSettledTogether(100),
  );

  it("A provider's webhook with a method other than POST is rejected", async () => {
    const answer = await new World().request("PUT", "/hooks/conn_any", {});
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
  });
});
