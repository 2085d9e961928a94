import { beforeEach, expect, test } from "vitest";
import { hookUp, objectIdsOf, Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const HOUR_MS = 3_600_000;

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

const post = (path: string, body?: unknown, key = crypto.randomUUID()) =>
  customer.call("POST", path, body, { headers: { "Idempotency-Key": key } });
const create = (settings: object = {}) => post("/webhooks", { url: receiver.url, types: ["*"], ...settings });
const loggedTypes = async () => (await customer.call("GET", "/events")).body.events;

test("A webhook is created, read, changed and deleted, and each change is logged", async () => {
  const settings = { description: "Orders", types: ["message.*", "contact.created"], campaigns: "exclude" };
  const batch = { max_events: 10, max_wait_seconds: 5 };
  const made = await create({ ...settings, connection_ids: [customer.connectionId], batch });
  expect(made.status).toBe(201);
  const { webhook } = made.body;
  expect(webhook).toMatchObject({
    ...settings,
    id: expect.stringMatching(/^wh_/),
    url: receiver.url,
    connection_ids: [customer.connectionId],
    batch,
    status: "active",
    status_reason: null,
    lag: 0,
    last_success_at: null,
  });
  const path = `/webhooks/${webhook.id}`;
  expect((await customer.call("GET", path)).body.webhook).toEqual(webhook);
  expect((await customer.call("GET", "/webhooks")).body).toMatchObject({ webhooks: [webhook], next_cursor: null });
  const changed = (await customer.call("PATCH", path, { description: null, batch: null, types: ["*"] })).body.webhook;
  expect(changed).toMatchObject({ description: null, batch: null, types: ["*"], campaigns: "exclude" });
  await customer.call("PATCH", path, { types: ["*"] });
  expect((await customer.call("DELETE", path)).body.webhook).toMatchObject({ id: webhook.id, types: ["*"] });
  expect(await customer.call("GET", path)).toMatchObject({
    status: 404,
    body: { error: { message: "No such webhook." } },
  });
  expect((await customer.call("DELETE", path)).status).toBe(404);
  const events = (await loggedTypes()).filter(({ object_id }: { object_id: string }) => object_id === webhook.id);
  expect(events).toMatchObject([
    {
      type: "webhook.created",
      actor: { type: "api_key", id: customer.keyId },
      data: { webhook: null },
      changes: {
        url: [null, receiver.url],
        campaigns: [null, "exclude"],
        batch: [null, batch],
        status: [null, "active"],
      },
    },
    {
      type: "webhook.updated",
      changes: { description: ["Orders", null], batch: [batch, null], types: [settings.types, ["*"]] },
    },
    { type: "webhook.deleted", changes: null },
  ]);
  expect(JSON.stringify(events)).not.toContain("whsec");
});

test("A paused webhook receives nothing, and continues after its last event when it is enabled", async () => {
  const { id, secret: _ } = await hookUp(customer, receiver);
  expect((await post(`/webhooks/${id}/pause`)).body).toMatchObject({ webhook: { status: "paused" }, skipped: 0 });
  await tellOf(customer, ["ct_1", "ct_2"]);
  await world.cron();
  await world.settle();
  expect(receiver.received).toEqual([]);
  expect((await customer.call("GET", `/webhooks/${id}`)).body.webhook.lag).toBeGreaterThanOrEqual(2);
  expect((await post(`/webhooks/${id}/enable`)).body).toMatchObject({ webhook: { status: "active" }, skipped: 0 });
  await world.settle();
  expect(objectIdsOf(receiver.events)).toEqual(["ct_1", "ct_2"]);
});

test("Enabling a webhook returns the number of events that were deleted during the pause", async () => {
  const { id } = await hookUp(customer, receiver);
  await post(`/webhooks/${id}/pause`);
  const before = (await loggedTypes()).length;
  await tellOf(customer, ["ct_1", "ct_2", "ct_3"]);
  await tellOf(customer, ["ct_4"]);
  await onShard(
    customer,
    "DELETE FROM event_chunks WHERE workspace_id = ? AND first <= ?",
    customer.workspaceId,
    before + 1,
  );
  const { webhook, skipped } = (await post(`/webhooks/${id}/enable`)).body;
  expect(skipped).toBe(before + 3 - webhook.sequence);
  await world.settle();
  expect(objectIdsOf(receiver.events)).toEqual(["ct_4"]);
});

test("A deleted webhook receives nothing, and its object stores nothing", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("", { status: 500 });
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 0 });
  await customer.call("DELETE", `/webhooks/${id}`);
  await tellOf(customer, ["ct_2"]);
  await world.settle({ withinMs: HOUR_MS });
  expect(receiver.received).toHaveLength(1);
  expect(await world.alarms.nextDueAt()).toBeNull();
});

test("A test event is sent immediately, even to a paused webhook, and the endpoint's response is returned", async () => {
  const { id, secret } = await hookUp(customer, receiver);
  await post(`/webhooks/${id}/pause`);
  receiver.answer = () => new Response("hm", { status: 418 });
  const key = crypto.randomUUID();
  const answers = [
    await post(`/webhooks/${id}/test`, undefined, key),
    await post(`/webhooks/${id}/test`, undefined, key),
  ];
  for (const { body } of answers)
    expect(body.attempt).toMatchObject({ status: 418, error: "The endpoint returned 418.", response: "hm" });
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  if (request === undefined) throw new Error("Nothing came.");
  expect(receiver.verify(request, secret)).toMatchObject({ type: "webhook.test", data: { webhook: { id } } });
});

test("A webhook accepts only https addresses of other hosts, and a read-only key cannot change webhooks", async () => {
  const own = await customer.call("POST", "/webhooks", { url: "https://tidings.test/hook", types: ["*"] });
  expect(own).toMatchObject({ status: 400, body: { error: { details: [{ path: "url", code: "invalid_address" }] } } });
  const open = new World({ ALLOW_PRIVATE_UPSTREAMS: "false" });
  const strict = await open.customer();
  for (const url of ["http://hooks.example.org/a", "https://127.0.0.1/a", "https://localhost/a", "https://10.0.0.1/a"])
    expect(await strict.call("POST", "/webhooks", { url, types: ["*"] }), url).toMatchObject({
      status: 400,
      body: { error: { code: "validation_failed", details: [{ path: "url" }] } },
    });
  for (const body of [
    { types: [] },
    { types: ["message.gone"] },
    { types: ["*"], batch: { max_events: 101, max_wait_seconds: 1 } },
  ])
    expect((await create(body)).status).toBe(400);
  const { id } = (await create()).body.webhook;
  const patched = await strict.call("PATCH", `/webhooks/${id}`, { url: "https://127.0.0.1/" });
  expect(patched.status).toBe(404);
  const reader = await customer.manage("POST", "/api-keys", {
    name: "Reader",
    connection_id: customer.connectionId,
    read_only: true,
  });
  const token = reader.body.key;
  for (const [method, path] of [
    ["POST", "/webhooks"],
    ["PATCH", `/webhooks/${id}`],
    ["DELETE", `/webhooks/${id}`],
    ["POST", `/webhooks/${id}/pause`],
  ] as const)
    expect((await customer.call(method, path, method === "POST" ? undefined : {}, { token })).status).toBe(403);
  expect((await customer.call("GET", `/webhooks/${id}`, undefined, { token })).status).toBe(200);
});

test("A workspace can have at most ten webhooks, even after concurrent requests", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  expect((await customer.call("GET", "/webhooks")).body.webhooks).toHaveLength(10);
});

test("A webhook starts after the event in `start_after`", async () => {
  await tellOf(customer, ["ct_1", "ct_2", "ct_3"]);
  const events = await loggedTypes();
  const second = events.find(({ object_id }: { object_id: string }) => object_id === "ct_2");
  await hookUp(customer, receiver, { start_after: second.id });
  await world.settle();
  expect(objectIdsOf(receiver.events)).toEqual(["ct_3"]);
  const foreign = await new World().customer();
  expect((await create({ start_after: second.id.replace(/.{16}$/, "zzzzzz0000000001") })).status).toBe(404);
  expect(
    (await foreign.call("POST", "/webhooks", { url: receiver.url, types: ["*"], start_after: second.id })).status,
  ).toBe(404);
});

test("Webhook filters exclude messages of other connections and messages without a campaign, but no other events", async () => {
  const other = { name: "Other", channel: "unofficial", provider: "sandbox", config: {} };
  const { id: otherId } = (await customer.manage("POST", "/connections", other)).body.connection;
  const message = (await customer.send("+14155550111")).body.message_id;
  const [mine, others, ofCampaigns] = [receiver, new Receiver(), new Receiver()];
  await hookUp(customer, mine, { types: ["*"], connection_ids: [customer.connectionId] });
  await hookUp(customer, others, { types: ["*"], connection_ids: [otherId] });
  await hookUp(customer, ofCampaigns, { types: ["*"], campaigns: "only" });
  await tellOf(customer, [message], { type: "message.sent" });
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  const told = [mine, others, ofCampaigns].map(({ events }) => [
    ...new Set(events.map(({ object_id }) => object_id).filter((id: string) => [message, "ct_1"].includes(id))),
  ]);
  expect(told).toEqual([[message, "ct_1"], ["ct_1"], ["ct_1"]]);
});

test("A webhook is rejected if `start_after` is not an event or a filter contains a connection of another workspace", async () => {
  const foreign = await new World().customer();
  const unknown = { connection_ids: [customer.connectionId, foreign.connectionId] };
  expect((await create(unknown)).status).toBe(404);
  const { id } = await hookUp(customer, receiver);
  expect((await customer.call("PATCH", `/webhooks/${id}`, unknown)).status).toBe(404);
  const [event] = (await customer.call("GET", "/events")).body.events;
  expect((await create({ start_after: event.id })).status).toBe(201);
  expect((await create({ start_after: event.id.replace(/.$/, "z") })).status).toBe(404);
});

test("A webhook request with invalid fields returns their errors, or 404 if the webhook belongs to another workspace", async () => {
  const { id } = await hookUp(customer, receiver);
  const stranger = await new World().customer();
  const calls = [
    ["PATCH", "", { url: "no address" }],
    ["PATCH", "", { url: "https://127.0.0.1/" }],
    ["DELETE", "", { force: true }],
    ["POST", "/rotate-secret", { overlap_seconds: -1 }],
    ["POST", "/test", { times: 2 }],
    ["POST", "/pause", { days: 1 }],
    ["POST", "/enable", { days: 1 }],
    ["POST", "/replay", {}],
    ["POST", "/deliveries/dlv_any/retry", { times: 2 }],
  ] as const;
  for (const [method, path, body] of calls) {
    const found = await stranger.call(method, `/webhooks/${id}${path}`, body);
    expect(found, `${method} ${path}`).toMatchObject({ status: 404, body: { error: { message: "No such webhook." } } });
    if (path !== "" || "force" in body || body.url === "no address")
      expect((await customer.call(method, `/webhooks/${id}${path}`, body)).body.error.code).toBe("validation_failed");
  }
  const text = { headers: { "Content-Type": "application/json" } };
  for (const [who, status] of [
    [stranger, 404],
    [customer, 400],
  ] as const) {
    expect((await who.call("PATCH", `/webhooks/${id}`, undefined, text)).status).toBe(status);
    expect((await who.call("PATCH", `/webhooks/${id}?dry=1`, { url: 1 })).status).toBe(400);
  }
});
