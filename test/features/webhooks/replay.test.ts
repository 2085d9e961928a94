import { beforeEach, expect, test } from "vitest";
import { hookUp, objectIdsOf, type Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import type { Customer, World } from "../../support/world.ts";
import { soon } from "../../support/soon.ts";

const HOUR_MS = 3_600_000;

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

const post = (path: string, body?: unknown) => customer.call("POST", path, body);

test("A webhook replay sends failed deliveries or a range of events again", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = ({ body }) => new Response("", { status: body.object_id === "ct_bad" ? 500 : 200 });
  await tellOf(customer, ["ct_1", "ct_bad", "ct_2"]);
  await world.settle({ withinMs: 60 * HOUR_MS });
  expect(receiver.received).toHaveLength(11);
  receiver.answer = () => new Response("");
  expect(await post(`/webhooks/${id}/replay`, { only: "failed" })).toMatchObject({
    status: 202,
    body: { replay: { count: 1 } },
  });
  await world.settle();
  expect(objectIdsOf(receiver.events.slice(11))).toEqual(["ct_bad"]);
  expect(receiver.received[11]?.id).toBe(receiver.received.find(({ body }) => body.object_id === "ct_bad")?.id);
  const [, , last] = (await customer.call("GET", "/events")).body.events.filter(
    ({ object_id }: { object_id: string }) => object_id.startsWith("ct_"),
  );
  const all = await post(`/webhooks/${id}/replay`, { only: "all", before: last.id, types: ["contact.updated"] });
  expect(all.status).toBe(202);
  await world.settle();
  expect(objectIdsOf(receiver.events.slice(12))).toEqual(["ct_1", "ct_bad"]);
  expect((await customer.call("GET", `/webhooks/${id}`)).body.webhook.lag).toBe(0);
});

test("Webhook deliveries are listed newest first in pages, can be filtered by state and event, and can each be sent again", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = ({ body }) => new Response("said", { status: body.object_id === "ct_bad" ? 500 : 200 });
  for (const contact of ["ct_1", "ct_bad", "ct_2"]) {
    await tellOf(customer, [contact]);
    await world.settle({ withinMs: 0 });
  }
  const list = async (query: string) => (await customer.call("GET", `/webhooks/${id}/deliveries${query}`)).body;
  const all = await list("");
  expect(all.deliveries.map(({ state }: { state: string }) => state)).toEqual(["succeeded", "pending", "succeeded"]);
  const [pending] = (await list("?state=pending")).deliveries;
  expect(pending).toMatchObject({
    attempts: [{ status: 500, error: "The endpoint returned 500.", response: "said", duration_ms: expect.any(Number) }],
    next_attempt_at: expect.any(String),
  });
  expect((await list(`?event_id=${pending.event_ids[0]}`)).deliveries).toEqual([pending]);
  const first = await list("?limit=2");
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.deliveries, ...second.deliveries]).toEqual(all.deliveries);
  expect(second.next_cursor).toBeNull();
  receiver.answer = () => new Response("");
  expect(await post(`/webhooks/${id}/deliveries/${pending.id}/retry`)).toMatchObject({
    status: 202,
    body: { delivery: { id: pending.id, state: "pending" } },
  });
  const succeeded = all.deliveries[2].id;
  expect((await post(`/webhooks/${id}/deliveries/${succeeded}/retry`)).status).toBe(202);
  await world.settle({ withinMs: 0 });
  expect(new Set(objectIdsOf(receiver.events.slice(3)))).toEqual(new Set(["ct_1", "ct_bad"]));
  expect((await list("?state=pending")).deliveries).toEqual([]);
  expect((await post(`/webhooks/${id}/deliveries/dlv_gone/retry`)).status).toBe(404);
});

test("A webhook's position in the event log stays before an event until the event is delivered", async () => {
  const { id } = await hookUp(customer, receiver);
  const webhook = async () => (await customer.call("GET", `/webhooks/${id}`)).body.webhook;
  const before = (await webhook()).sequence;
  receiver.answer = () => new Response("", { status: 500 });
  await tellOf(customer, ["ct_bad"]);
  await world.settle({ withinMs: 0 });
  const [pending] = (await customer.call("GET", `/webhooks/${id}/deliveries`)).body.deliveries;
  await post(`/webhooks/${id}/deliveries/${pending.id}/retry`);
  await world.settle({ withinMs: 0 });
  expect(receiver.received).toHaveLength(2);
  expect(await webhook()).toMatchObject({ sequence: before, lag: 1 });
  receiver.answer = () => new Response("");
  await world.settle();
  expect(await webhook()).toMatchObject({ lag: 0 });
});

test("The cron wakes a webhook that missed an event", async () => {
  const { id } = await hookUp(customer, receiver);
  await tellOf(customer, ["ct_1"], { isWakeLost: true });
  await world.settle();
  expect(receiver.received).toEqual([]);
  await world.cron();
  await world.settle();
  expect(objectIdsOf(receiver.events)).toEqual(["ct_1"]);
  expect((await customer.call("GET", `/webhooks/${id}`)).body.webhook.lag).toBe(0);
});

test("A repeated replay or retry with one Idempotency-Key runs once", async () => {
  const { id } = await hookUp(customer, receiver, { types: ["contact.restored"] });
  await tellOf(customer, ["ct_1"], { type: "contact.restored" });
  await soon(async () => {
    await world.settle();
    expect(receiver.events).toHaveLength(1);
  });
  const once = { headers: { "Idempotency-Key": "again" } };
  const replay = () => customer.call("POST", `/webhooks/${id}/replay`, { only: "all" }, once);
  const [first, second] = [await replay(), await replay()];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  await soon(async () => {
    await world.settle();
    expect(receiver.events).toHaveLength(2);
  });
  const { deliveries } = (await customer.call("GET", `/webhooks/${id}/deliveries`)).body;
  const retry = () =>
    customer.call("POST", `/webhooks/${id}/deliveries/${deliveries[0].id}/retry`, undefined, {
      headers: { "Idempotency-Key": "retry" },
    });
  expect((await retry()).status).toBe(202);
  expect((await retry()).headers.get("Idempotent-Replayed")).toBe("true");
  await soon(async () => {
    await world.settle();
    expect(receiver.events).toHaveLength(3);
  });
});
