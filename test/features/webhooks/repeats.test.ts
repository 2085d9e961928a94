import { beforeEach, expect, test } from "vitest";
import { hookUp, objectIdsOf, type Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import type { Customer, World } from "../../support/world.ts";

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

const post = (path: string, body?: object, key = crypto.randomUUID()) =>
  customer.call("POST", path, body, { headers: { "Idempotency-Key": key } });

test("Concurrent tests with one Idempotency-Key call the endpoint once and return the same response", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("hm", { status: 418 });
  const key = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(`/webhooks/${id}/test`, undefined, key)));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body.attempt).toEqual(answers[0]?.body.attempt);
  }
  expect(receiver.received).toHaveLength(1);
  expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
  expect((await post(`/webhooks/${id}/test`)).status).toBe(200);
  expect(receiver.received).toHaveLength(2);
});

test("Concurrent replays and retries with one Idempotency-Key run once", async () => {
  const { id } = await hookUp(customer, receiver);
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 0 });
  expect(receiver.events).toHaveLength(1);
  const ask = (path: string, body?: object) =>
    Promise.all(Array.from({ length: 20 }, () => post(`/webhooks/${id}${path}`, body, path)));
  const replays = await ask("/replay", { only: "all", types: ["contact.updated"] });
  expect(new Set(replays.map(({ status, body }) => `${status} ${body.replay?.count}`)).size).toBe(1);
  expect(replays[0]?.status).toBe(202);
  await world.settle({ withinMs: 0 });
  expect(objectIdsOf(receiver.events)).toEqual(["ct_1", "ct_1"]);
  const { deliveries } = (await customer.call("GET", `/webhooks/${id}/deliveries`)).body;
  const retries = await ask(`/deliveries/${deliveries[0].id}/retry`);
  expect(retries.map(({ status }) => status)).toEqual(Array(20).fill(202));
  await world.settle({ withinMs: 0 });
  expect(objectIdsOf(receiver.events)).toEqual(["ct_1", "ct_1", "ct_1"]);
});

test("Ten concurrent changes to a webhook are all kept, and at most one returns 503", async () => {
  const { id } = await hookUp(customer, receiver);
  const descriptions = Array.from({ length: 10 }, (_, index) => `description ${index}`);
  const answers = await Promise.all(
    descriptions.map((description) => customer.call("PATCH", `/webhooks/${id}`, { description })),
  );
  const changed = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(changed.length).toBeGreaterThanOrEqual(9);
  const { body } = await customer.call("GET", "/events?types=webhook.updated");
  const changes: [string | null, string][] = body.events.map(
    (event: { changes: { description: [string | null, string] } }) => event.changes.description,
  );
  expect(changes).toHaveLength(changed.length);
  // Each change starts from the description of the previous change.
  for (const [index, [before]] of changes.entries()) expect(before).toBe(changes[index - 1]?.[1] ?? null);
});
