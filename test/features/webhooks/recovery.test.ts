import { beforeEach, expect, test, vi } from "vitest";
import { hookUp, objectIdsOf, type Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import { onShard } from "../../support/storage.ts";
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

test("Enabling a webhook that is already active sends waiting deliveries immediately and keeps their number of tries", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("", { status: 500 });
  await tellOf(customer, ["ct_1", "ct_1", "ct_2"]);
  await world.settle({ withinMs: HOUR_MS });
  const pending = async () => (await customer.call("GET", `/webhooks/${id}/deliveries?state=pending`)).body.deliveries;
  const [, first] = await pending();
  expect(Date.parse(first.next_attempt_at)).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  const before = receiver.received.length;
  expect((await customer.call("POST", `/webhooks/${id}/enable`)).status).toBe(200);
  await world.settle({ withinMs: 0 });
  expect(new Set(receiver.received.slice(before).map(({ body }) => body.sequence)).size).toBe(3);
  const [, again] = await pending();
  expect(Date.parse(again.next_attempt_at)).toBeGreaterThan(Date.now() + HOUR_MS);
  receiver.answer = () => new Response("");
  await customer.call("POST", `/webhooks/${id}/enable`);
  await world.settle({ withinMs: 0 });
  expect(await pending()).toEqual([]);
  expect(objectIdsOf(receiver.events.slice(-3)).toSorted()).toEqual(["ct_1", "ct_1", "ct_2"]);
  expect((await webhookOf(id)).lag).toBe(0);
});

test("Webhook attempts that began before the endpoint failed do not delay its next test, and a success sends waiting deliveries", async () => {
  const { id } = await hookUp(customer, receiver);
  receiver.answer = () => new Response("", { status: 500 });
  await tellOf(
    customer,
    Array.from({ length: 40 }, (_, index) => `ct_${index}`),
  );
  await world.settle({ withinMs: 0 });
  expect((await webhookOf(id)).status).toBe("probing");
  const failed = receiver.received.length;
  expect(failed).toBeGreaterThan(20);
  const { deliveries } = (await customer.call("GET", `/webhooks/${id}/deliveries?state=pending`)).body;
  const retried = await customer.call("POST", `/webhooks/${id}/deliveries/${deliveries[0].id}/retry`);
  expect(Date.parse(retried.body.delivery.next_attempt_at)).toBeGreaterThan(Date.now());
  receiver.answer = () => new Response("");
  await world.settle({ withinMs: 6 * SECOND_MS });
  expect(await webhookOf(id)).toMatchObject({ status: "active", lag: 0 });
  expect(receiver.received).toHaveLength(failed + 40);
});

test.each([{ newEvents: 1 }, { newEvents: 60 }])(
  "After a database restore, a webhook receives every new event, even if it had read further than the restored log ($newEvents new events)",
  async ({ newEvents }) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    await hookUp(customer, receiver);
    await tellOf(customer, ["ct_kept"]);
    await world.settle({ withinMs: 0 });
    const rows = await onShard(customer, "SELECT * FROM event_chunks WHERE workspace_id = ?", customer.workspaceId);
    world.advance(SECOND_MS);
    const lost = Array.from({ length: 50 }, (_, index) => `ct_lost_${index}`);
    await tellOf(customer, lost);
    await world.settle({ withinMs: 0 });
    expect(objectIdsOf(receiver.events)).toEqual(["ct_kept", ...lost]);

    Object.assign(world.env, { SENDING: "off" });
    world.advance(HOUR_MS);
    await onShard(
      customer,
      "DELETE FROM event_chunks WHERE workspace_id = ? AND first > ?",
      customer.workspaceId,
      rows.at(-1)?.["first"],
    );
    const added = Array.from({ length: newEvents }, (_, index) => `ct_new_${index}`);
    await tellOf(customer, added);
    await world.settle({ withinMs: 0 });
    Object.assign(world.env, { SENDING: "on" });
    await tellOf(customer, ["ct_last"]);
    await world.settle({ withinMs: 120 * SECOND_MS });
    expect(objectIdsOf(receiver.events).slice(51)).toEqual([...added, "ct_last"]);
    expect(logged.mock.calls.flat().filter((line) => String(line).includes("webhook_log_restored"))).toHaveLength(1);
  },
);
