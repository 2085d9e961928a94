import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { eventMessageFor, inboundEvent } from "../../support/outage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

/** Adds an event that cannot be processed until its cause is fixed. */
async function bury(customer: Customer, event: object): Promise<object> {
  const payload = await eventMessageFor(customer, event);
  await customer.world.queues.binding("tidings-events-dead").send(payload);
  await customer.world.queues.deliverDue(customer.world.env);
  return payload;
}

const dead = async (customer: Customer, query = "") => (await customer.manage("GET", `/events/dead${query}`)).body;
const conversations = async (customer: Customer) => (await customer.call("GET", "/conversations")).body.conversations;

describe("Dead events", () => {
  it("Dead events are listed with reason and payload, newest first, in pages", async () => {
    const customer = await new World().customer();
    const payloads = [];
    for (const id of ["a", "b", "c"]) {
      payloads.push(await bury(customer, inboundEvent(id, null)));
      customer.world.advance(1);
    }
    const first = await dead(customer, "?limit=2");
    const rest = await dead(customer, `?limit=2&cursor=${first.next_cursor}`);
    const listed = [...first.events, ...rest.events];
    expect(listed.map(({ payload }) => payload)).toEqual(payloads.toReversed());
    expect(rest.next_cursor).toBeNull();
    expect(listed[0]).toMatchObject({
      queue: "events",
      reason: expect.any(String),
      connection_id: customer.connectionId,
      created_at: expect.any(String),
    });
  });

  it("Dead events are replayed once and removed from the list", async () => {
    const customer = await new World().customer();
    await bury(customer, inboundEvent("a", phoneEnding("1234")));
    const [event] = (await dead(customer)).events;
    const replay = () => customer.manage("POST", `/events/dead/${event.id}/replay`);
    expect(await replay()).toMatchObject({ status: 202, body: { event: { id: event.id } } });
    await customer.world.settle();
    expect(await conversations(customer)).toMatchObject([{ last_message: "a" }]);
    expect((await dead(customer)).events).toEqual([]);
    expect((await replay()).status).toBe(404);
  });

  it("Dead events are listed again if they fail again", async () => {
    const customer = await new World().customer();
    await bury(customer, inboundEvent("poison", null));
    const [{ id }] = (await dead(customer)).events;
    await customer.manage("POST", `/events/dead/${id}/replay`);
    expect((await dead(customer)).events).toEqual([]);
    await customer.world.settle({ withinMs: 20 * 60_000 });
    expect((await dead(customer)).events).toMatchObject([{ id }]);
  });

  it("Dead events stay in the list if the queue rejects them", async () => {
    const customer = await new World().customer();
    await bury(customer, inboundEvent("a", phoneEnding("1234")));
    const [{ id }] = (await dead(customer)).events;
    vi.spyOn(customer.world.env.EVENTS_QUEUE, "sendBatch").mockRejectedValueOnce(new Error("Queue is overloaded"));
    expect((await customer.manage("POST", `/events/dead/${id}/replay`)).status).toBe(503);
    expect((await dead(customer)).events).toMatchObject([{ id }]);
  });

  it("Dead events of another workspace are neither listed nor replayed", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    await bury(customer, inboundEvent("a", null));
    const [{ id }] = (await dead(customer)).events;
    expect((await dead(stranger)).events).toEqual([]);
    expect((await stranger.manage("POST", `/events/dead/${id}/replay`)).status).toBe(404);
  });
});
