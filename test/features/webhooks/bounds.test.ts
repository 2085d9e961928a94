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

const post = (path: string, body?: unknown) => customer.call("POST", path, body);
const makeContact = async (name: string): Promise<string> =>
  (await post("/contacts", { phone: `+1415555${Math.floor(1000 + Math.random() * 9000)}`, name })).body.contact.id;
const rename = (id: string, name: string) => onShard(customer, "UPDATE contacts SET name = ? WHERE id = ?", name, id);
const sequencesOf = (body: { events: { sequence: number }[] }) => body.events.map(({ sequence }) => sequence);

test("A webhook batch stays below one megabyte and skips no event, even if its contacts grow between attempts", async () => {
  const batch = { max_events: 100, max_wait_seconds: 0 };
  await hookUp(customer, receiver, { types: ["contact.updated"], batch });
  const id = await makeContact("Small");
  receiver.answer = () => new Response("", { status: receiver.received.length === 1 ? 500 : 200 });
  await tellOf(customer, Array(5).fill(id));
  await world.settle({ withinMs: 0 });
  expect(receiver.received.map(({ body }) => body.events.length)).toEqual([5]);
  await rename(id, "😀".repeat(100_000));
  await tellOf(customer, Array(3).fill(id));
  await world.settle();
  expect(receiver.received.map(({ body }) => body.events.length)).toEqual([5, 2, 2, 1, 1, 1, 1]);
  const later = receiver.received.slice(1);
  for (const { text } of later) expect(new TextEncoder().encode(text).length).toBeLessThan(1_001_000);
  const [first = 0] = sequencesOf(receiver.received[0]?.body);
  expect(later.flatMap(({ body }) => sequencesOf(body))).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((each) => first + each));
  expect(new Set(receiver.received.map((each) => each.id)).size).toBe(7);
});

test("A webhook delivery contains the contact's values at the time of the send, even if the event has waited", async () => {
  await hookUp(customer, receiver, { types: ["contact.updated"], batch: { max_events: 2, max_wait_seconds: 60 } });
  const id = await makeContact("Before");
  await tellOf(customer, [id]);
  await world.settle({ withinMs: 0 });
  expect(receiver.received).toEqual([]);
  await rename(id, "After");
  await world.settle();
  expect(receiver.events.map(({ data }) => data.contact.name)).toEqual(["After"]);
});

test("A webhook replay of different events has a new delivery id, and a replay of the same events has the same id", async () => {
  const settings = { types: ["contact.updated", "contact.erased"], batch: { max_events: 100, max_wait_seconds: 0 } };
  const { id } = await hookUp(customer, receiver, settings);
  await tellOf(customer, ["ct_1", "ct_2"]);
  await world.settle();
  await tellOf(customer, ["ct_3"], { type: "contact.erased" });
  await world.settle();
  const replay = async (body: object) => {
    expect((await post(`/webhooks/${id}/replay`, { only: "all", ...body })).status).toBe(202);
    await world.settle();
    return receiver.received.at(-1);
  };
  const [all, again] = [await replay({}), await replay({})];
  expect(all?.body.events).toHaveLength(3);
  expect(again?.id).toBe(all?.id);
  const updates = await replay({ types: ["contact.updated"] });
  expect(updates?.body.events).toHaveLength(2);
  expect(updates?.id).toBe(receiver.received[0]?.id);
  expect(updates?.id).not.toBe(all?.id);
});

test("The bounds of a webhook replay must be ids of events that exist or that were deleted", async () => {
  const { id } = await hookUp(customer, receiver);
  await tellOf(customer, ["ct_1"]);
  await tellOf(customer, ["ct_2"]);
  const { events } = (await customer.call("GET", "/events")).body;
  const [first, newest] = [events[0], events.at(-1)];
  const ask = (range: object) => post(`/webhooks/${id}/replay`, { only: "all", ...range });
  const forged = [newest.id.replace(/.{5}$/, "zzzzz"), `evt_0000000000${newest.id.slice(14)}`];
  for (const event of forged) {
    expect((await ask({ after: event })).status).toBe(404);
    expect((await ask({ before: event })).status).toBe(404);
  }
  expect((await ask({ after: first.id, before: newest.id })).status).toBe(202);
  await onShard(customer, "DELETE FROM event_chunks WHERE first < ?", newest.sequence);
  expect((await ask({ after: first.id })).body.replay).toEqual({ count: 1 });
});

test("A webhook cannot have the service's own address, in any spelling", async () => {
  const { id } = await hookUp(customer, receiver);
  const ask = (url: string) => customer.call("PATCH", `/webhooks/${id}`, { url });
  const own = ["https://tidings.test./", "https://TIDINGS.test:443/hook", "https://tidings.test"];
  for (const url of own)
    expect((await ask(url)).body.error.details).toMatchObject([
      { code: "invalid_address", message: "Must not be an address of this service." },
    ]);
});

test("Rotating a webhook secret never removes a secret that still signs, and a sixth secret is rejected", async () => {
  const { id, secret } = await hookUp(customer, receiver);
  const rotate = (overlap_seconds: number) => post(`/webhooks/${id}/rotate-secret`, { overlap_seconds });
  for (let times = 0; times < 4; times++) expect((await rotate(60)).status).toBe(200);
  expect(await rotate(60)).toMatchObject({ status: 409, body: { error: { code: "invalid_state" } } });
  await tellOf(customer, ["ct_1"]);
  await world.settle({ withinMs: 0 });
  const [request] = receiver.received;
  expect(request?.headers["webhook-signature"]?.split(" ")).toHaveLength(5);
  if (request !== undefined) receiver.verify(request, secret);
  world.advance(61_000);
  expect((await rotate(60)).status).toBe(200);
  expect((await post("/webhooks/wh_00000000000000000000000000/rotate-secret", {})).status).toBe(404);
});
