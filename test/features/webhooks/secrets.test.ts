import { beforeEach, expect, test } from "vitest";
import { hookUp, type Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import { onShard } from "../../support/storage.ts";
import type { Customer, World } from "../../support/world.ts";

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

const post = (path: string, body?: unknown, key = crypto.randomUUID()) =>
  customer.call("POST", path, body, { headers: { "Idempotency-Key": key } });

test("A webhook's secret is stored encrypted, and returned only when it is created or the request is repeated", async () => {
  const key = crypto.randomUUID();
  const body = { url: receiver.url, types: ["*"] };
  const [first, repeat] = [await post("/webhooks", body, key), await post("/webhooks", body, key)];
  expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
  expect(repeat.body).toEqual({ ...first.body, request_id: repeat.body.request_id });
  expect((await customer.call("GET", "/webhooks")).body.webhooks).toHaveLength(1);
  const stored = await onShard(customer, "SELECT result FROM idempotency");
  const rows = await onShard(customer, "SELECT secrets FROM webhooks");
  expect(JSON.stringify([stored, rows])).not.toContain(first.body.secret.slice("whsec_".length));
  expect(JSON.stringify((await customer.call("GET", `/webhooks/${first.body.webhook.id}`)).body)).not.toContain(
    "whsec",
  );
});

test("After a webhook secret is rotated, both secrets sign until the overlap ends", async () => {
  const { id, secret } = await hookUp(customer, receiver);
  const rotated = await post(`/webhooks/${id}/rotate-secret`, { overlap_seconds: 60 });
  expect(rotated.body.secret).not.toBe(secret);
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  world.advance(61_000);
  await tellOf(customer, ["ct_2"]);
  await world.settle();
  const [during, after] = receiver.received;
  if (during === undefined || after === undefined) throw new Error("Events are missing.");
  for (const each of [secret, rotated.body.secret]) receiver.verify(during, each);
  expect(during.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  receiver.verify(after, rotated.body.secret);
  expect(() => receiver.verify(after, secret)).toThrow("No matching signature");
  expect((await post(`/webhooks/${id}/rotate-secret`)).status).toBe(200);
  const last = (await post(`/webhooks/${id}/rotate-secret`, { overlap_seconds: 0 })).body.secret;
  await tellOf(customer, ["ct_3"]);
  await world.settle();
  const request = receiver.received[2];
  expect(request?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
  if (request !== undefined) receiver.verify(request, last);
});

test("A webhook works although its expired secret cannot be decrypted", async () => {
  const { id } = await hookUp(customer, receiver);
  const { secret } = (await post(`/webhooks/${id}/rotate-secret`, { overlap_seconds: 60 })).body;
  const rows = await onShard(
    customer,
    `UPDATE webhooks SET secrets = json_set(secrets, '$[1].sealed', 'x') WHERE id = '${id}' RETURNING id`,
  );
  expect(rows).toHaveLength(1);
  world.advance(61_000);
  await tellOf(customer, ["ct_1"]);
  await world.settle();
  const [request] = receiver.received;
  if (request === undefined) throw new Error("The event is missing.");
  receiver.verify(request, secret);
});
