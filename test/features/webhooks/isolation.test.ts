import { runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { hookUp, objectIdsOf, Receiver, startReceiving, tellOf } from "../../support/receiver.ts";
import type { Customer, World } from "../../support/world.ts";

let world: World;
let customer: Customer;
let receiver: Receiver;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
});

/** Destroys the object of a webhook, like a deployment. The object loses its memory. */
async function kill(webhookId: string): Promise<void> {
  const stub = bindings.WEBHOOK_SENDER.getByName(webhookId);
  await runInDurableObject(stub, (_, state) => state.abort("killed")).catch(() => undefined);
}

test("An endpoint that does not respond times out after 15 seconds, then receives one event at a time and delays no other endpoint", async () => {
  const slow = await world.customer();
  const hanging = new Receiver();
  const { id } = await hookUp(slow, hanging);
  await hookUp(customer, receiver);
  const open: number[] = [];
  hanging.answer = (_, signal) => {
    open.push(hanging.open);
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  const { setTimeout: wait } = globalThis;
  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => wait(run, ms === 15_000 && hanging.open > 0 ? 1 : ms));
  await tellOf(slow, ["ct_1", "ct_2", "ct_3", "ct_4", "ct_5", "ct_6", "ct_7"]);
  await tellOf(customer, ["ct_1", "ct_2"]);
  await world.settle({ withinMs: 0 });
  vi.unstubAllGlobals();
  expect(new Set(objectIdsOf(receiver.events))).toEqual(new Set(["ct_1", "ct_2"]));
  expect(open).toEqual([1, 2, 3, 4, 5, 1, 1]);
  const { deliveries } = (await slow.call("GET", `/webhooks/${id}/deliveries?state=pending`)).body;
  expect(deliveries).toHaveLength(7);
  expect(deliveries[0].attempts[0]).toMatchObject({ status: null, error: "No response within 15 seconds." });
});

test("A webhook retry that is due during a slow response is sent if it belongs to a different contact", async () => {
  await hookUp(customer, receiver);
  const slow = Promise.withResolvers<void>();
  receiver.answer = async ({ body }) => {
    if (body.object_id === "ct_slow") await slow.promise;
    else if (receiver.received.length === 2) return new Response("", { status: 500 });
    else slow.resolve();
    return new Response("");
  };
  const { setTimeout: wait } = globalThis;
  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => {
    const isRetry = ms > 4000 && ms < 6000;
    return wait(
      () => {
        if (isRetry) vi.setSystemTime(Date.now() + ms);
        run();
      },
      isRetry ? 1 : ms,
    );
  });
  await tellOf(customer, ["ct_slow", "ct_bad"]);
  await world.settle({ withinMs: 0 });
  vi.unstubAllGlobals();
  expect(objectIdsOf(receiver.events)).toEqual(["ct_slow", "ct_bad", "ct_bad"]);
});

async function expectNoneLost(count: number, crashes: number): Promise<void> {
  const { id } = await hookUp(customer, receiver);
  const contacts = Array.from({ length: count }, (_, index) => `ct_${index}`);
  let asked = 0;
  receiver.answer = async () => {
    if (++asked % (count / 4 - 1) === 0) await kill(id);
    return new Response("", { status: asked % 10 === 0 ? 500 : 200 });
  };
  await tellOf(customer, contacts);
  for (let times = 0; times < crashes; times++) {
    await world.settle({ withinMs: 600_000 }).catch(() => undefined);
    await world.cron();
  }
  receiver.answer = () => new Response("");
  await world.cron();
  await world.settle();
  expect(new Set(objectIdsOf(receiver.events))).toEqual(new Set(contacts));
  expect(receiver.received.length).toBeGreaterThan(contacts.length);
}

test("After a crash, webhook events whose success was not stored are sent again, and none of 24 is lost", () =>
  expectNoneLost(24, 3));

test(
  "After many crashes, webhook events whose success was not stored are sent again, and none of 120 is lost",
  { tags: "long" },
  () => expectNoneLost(120, 20),
);
