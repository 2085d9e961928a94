import { beforeEach, expect, test } from "vitest";
import { hookUp, objectIdsOf, type Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import type { Customer, World } from "../../support/world.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

const webhookOf = async (id: string) => (await customer.call("GET", `/webhooks/${id}`)).body.webhook;

test("A webhook event reaches its endpoint once, with a signature that the Standard Webhooks library verifies", async () => {
  const { id, secret } = await hookUp(customer, receiver);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received;
  if (request === undefined) throw new Error("Nothing came.");
  expect(receiver.verify(request, secret)).toMatchObject({
    type: "contact.updated",
    object_id: "ct_1",
    data: { contact: null },
  });
  expect(request.id).toBe(request.body.id);
  expect(request.headers).toMatchObject({
    "user-agent": "Tidings-Webhooks/1",
    "content-type": "application/json",
    "webhook-timestamp": String(Math.floor(request.at / SECOND_MS)),
  });
  expect(await webhookOf(id)).toMatchObject({ status: "active", lag: 0, last_failure_at: null });
  expect((await webhookOf(id)).sequence).toBe(request.body.sequence);
});

test("A failing webhook event is retried on schedule with the same id and a new signature, and is abandoned after the last retry", async () => {
  const { id, secret } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("no", { status: 500 });
  const start = Date.now();
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 60 * HOUR_MS });
  expect(receiver.received).toHaveLength(9);
  const pauses = receiver.received.map(({ at }, index) => at - (receiver.received[index - 1]?.at ?? start));
  const schedule = [0, 5, 30, 300, 1800, 7200, 18_000, 36_000, 86_400].map((seconds) => seconds * SECOND_MS);
  for (const [index, pause] of schedule.entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(pause * 0.9);
    expect(pauses[index]).toBeLessThanOrEqual(pause * 1.1 + 1);
  }
  expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
  expect(new Set(receiver.received.map((each) => each.headers["webhook-signature"])).size).toBe(9);
  for (const request of receiver.received.slice(-1)) receiver.verify(request, secret);
  const { deliveries } = (await customer.call("GET", `/webhooks/${id}/deliveries?state=failed`)).body;
  expect(deliveries).toMatchObject([{ event_ids: [receiver.received[0]?.id], state: "failed", next_attempt_at: null }]);
  expect(deliveries[0].attempts).toHaveLength(9);
  expect(deliveries[0].attempts[0]).toMatchObject({ status: 500, error: "The endpoint returned 500.", response: "no" });
  expect(await webhookOf(id)).toMatchObject({ status: "active", lag: 0 });
});

test("A failed webhook event delays only later events of the same contact, for at most five minutes", async () => {
  await hookUp(customer, receiver);
  receiver.answer = ({ body }) => new Response("", { status: body.object_id === "ct_bad" ? 500 : 200 });
  await tellOf(customer, ["ct_bad", "ct_good", "ct_bad", "ct_good"]);
  await world.settle({ withinMs: 0 });
  expect(objectIdsOf(receiver.events)).toEqual(["ct_bad", "ct_good", "ct_good"]);
  const [first] = receiver.events;
  const later = () => receiver.received.filter(({ body }) => body.sequence === first.sequence + 2);
  const start = Date.now();
  await world.settle({ withinMs: 299 * SECOND_MS });
  expect(later()).toEqual([]);
  await world.settle({ withinMs: start + 301 * SECOND_MS - Date.now() });
  expect(later()).toHaveLength(1);
});

async function expectInOrder(count: number): Promise<void> {
  await hookUp(customer, receiver);
  let random = 7;
  const arrived: { contact: string; sequence: number }[] = [];
  receiver.answer = ({ body }) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    // The third retry would wait five minutes.
    const isFailing = random % 3 === 0 && receiver.received.filter(({ id }) => id === body.id).length <= 2;
    if (isFailing) return new Response("", { status: 500 });
    arrived.push({ contact: body.object_id, sequence: body.sequence });
    return new Response("");
  };
  const contacts = Array.from({ length: count }, (_, index) => `ct_${(index * 7) % 20}`);
  for (let batch = 0; batch < count; batch += 30) await tellOf(customer, contacts.slice(batch, batch + 30));
  await world.settle({ withinMs: HOUR_MS });
  expect(arrived.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(
    Array.from(
      { length: count },
      (_, index) => arrived.reduce((min, each) => Math.min(min, each.sequence), Infinity) + index,
    ),
  );
  for (const own of Map.groupBy(arrived, ({ contact }) => contact).values()) {
    const sequences = own.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
  expect(receiver.mostOpen).toBeLessThanOrEqual(5);
}

test("The events of each contact arrive in order at a webhook despite repeated failures (60 events)", () =>
  expectInOrder(60));

test(
  "The events of each contact arrive in order at a webhook despite repeated failures (300 events)",
  { tags: "long" },
  () => expectInOrder(300),
);

test(
  "An endpoint that is down for hours is tested regularly and receives every event after it recovers",
  { tags: "long" },
  async () => {
    const { id } = await hookUp(customer, receiver);
    receiver.answer = () => {
      throw new TypeError("connection refused");
    };
    const contacts = Array.from({ length: 250 }, (_, index) => `ct_${index}`);
    await tellOf(customer, contacts.slice(0, 125));
    await world.settle({ withinMs: 3 * HOUR_MS });
    await tellOf(customer, contacts.slice(125));
    await world.settle({ withinMs: 3 * HOUR_MS });
    expect(await webhookOf(id)).toMatchObject({ status: "probing", status_reason: expect.any(String) });
    expect(receiver.received.length).toBeLessThan(60);
    const failed = receiver.received.length;
    receiver.answer = () => new Response("");
    await world.settle({ withinMs: HOUR_MS });
    expect(await webhookOf(id)).toMatchObject({ status: "active", status_reason: null, lag: 0 });
    expect(new Set(objectIdsOf(receiver.received.slice(failed).flatMap(({ body }) => body)))).toEqual(
      new Set(contacts),
    );
  },
);

test(
  "An endpoint that is down for five days is disabled, and continues after the last event when it is enabled",
  { tags: "long" },
  async () => {
    const { id } = await hookUp(customer, receiver, { types: ["contact.*", "webhook.disabled"] });
    receiver.answer = () => new Response("", { status: 500 });
    await tellOf(
      customer,
      Array.from({ length: 4 }, (_, index) => `ct_${index}`),
    );
    await world.settle({ withinMs: 140 * HOUR_MS });
    expect(await webhookOf(id)).toMatchObject({ status: "disabled", status_reason: expect.stringContaining("5 days") });
    const before = receiver.received.length;
    await tellOf(customer, ["ct_late"]);
    await world.settle({ withinMs: 60 * HOUR_MS });
    expect(receiver.received).toHaveLength(before);
    receiver.answer = () => new Response("");
    expect((await customer.call("POST", `/webhooks/${id}/enable`)).body).toMatchObject({
      webhook: { status: "active", status_reason: null },
      skipped: 0,
    });
    await world.settle();
    const types = receiver.received.slice(before).map(({ body }) => body.type);
    expect(types.filter((type) => type === "contact.updated")).toHaveLength(5);
    expect(types).toContain("webhook.disabled");
  },
);

test("An endpoint that returns 410 is disabled immediately", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("", { status: 410 });
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  await tellOf(customer, ["ct_2"]);
  await world.settle();
  expect(receiver.received).toHaveLength(1);
  expect(await webhookOf(id)).toMatchObject({ status: "disabled", status_reason: "The endpoint returned 410 Gone." });
});

test("An endpoint that requests a pause receives nothing during the pause, for at most an hour", async () => {
  await hookUp(customer, receiver);
  receiver.answer = () => new Response("", { status: 429, headers: { "Retry-After": "600" } });
  const start = Date.now();
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 0 });
  receiver.answer = () => new Response("");
  await tellOf(customer, ["ct_2"]);
  await world.settle({ withinMs: 599 * SECOND_MS });
  expect(receiver.received).toHaveLength(1);
  await world.settle({ withinMs: 601 * SECOND_MS });
  expect(receiver.received).toHaveLength(3);
  expect(receiver.received[1]?.at).toBeGreaterThanOrEqual(start + 600 * SECOND_MS);
});

test("Large responses, redirects and connections that close early do not affect webhook deliveries", async () => {
  const { id } = await hookUp(customer, receiver);
  const chunk = new Uint8Array(65_536).fill(120);
  let pulled = 0;
  const large = () =>
    new ReadableStream({
      pull(controller) {
        pulled++;
        if (pulled > 160) controller.close();
        else controller.enqueue(chunk);
      },
    });
  const early = () =>
    new ReadableStream({ pull: (controller) => controller.error(new TypeError("connection closed")) });
  const answers = [
    () => new Response(large()),
    () => new Response(early()),
    () => new Response(null, { status: 302, headers: { Location: "http://169.254.169.254/" } }),
    () => new Response(""),
  ];
  receiver.answer = () => answers.shift()?.() ?? new Response("");
  for (const contact of ["ct_1", "ct_2", "ct_3"]) {
    await tellOf(customer, [contact]);
    await world.settle({ withinMs: 0 });
  }
  expect(receiver.received).toHaveLength(3);
  expect(pulled).toBeLessThan(10);
  const { deliveries } = (await customer.call("GET", `/webhooks/${id}/deliveries`)).body;
  expect(deliveries.map((each: { state: string }) => each.state)).toEqual(["pending", "succeeded", "succeeded"]);
  expect(deliveries[0].attempts[0]).toMatchObject({ status: 302, error: "Redirects are not followed." });
  expect(deliveries[2].attempts[0].response).toHaveLength(4096);
  await world.settle();
  expect(receiver.received).toHaveLength(4);
});

test("A webhook batch contains events that occur together, keeps its id in retries, and waits at most the configured time", async () => {
  const { secret } = await hookUp(customer, receiver, { batch: { max_events: 50, max_wait_seconds: 10 } });
  await tellOf(
    customer,
    Array.from({ length: 120 }, (_, index) => `ct_${index}`),
  );
  receiver.answer = () => new Response("", { status: receiver.received.length === 1 ? 503 : 200 });
  const start = Date.now();
  await world.settle({ withinMs: 0 });
  expect(receiver.received.map(({ body }) => body.events.length)).toEqual([50, 50]);
  await world.settle();
  const sizes = receiver.received.map(({ body }) => body.events.length);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([20, 50, 50, 50]);
  const [first] = receiver.received;
  const repeats = receiver.received.filter(({ id }) => id === first?.id);
  expect(repeats).toHaveLength(2);
  expect(repeats[1]?.body).toEqual(first?.body);
  if (first !== undefined) expect(first.id).toMatch(/^dlv_/);
  for (const request of receiver.received) expect(request.at - start).toBeLessThanOrEqual(11 * SECOND_MS);
  for (const request of receiver.received.slice(-1)) receiver.verify(request, secret);
});
