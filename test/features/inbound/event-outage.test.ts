import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { eventMessageFor, inboundEvent, objectsUnder, Outage } from "../../support/outage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

let logged: string[];

beforeEach(() => {
  stopClock();
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => void logged.push(String(line)));
});

const lastMessages = async (customer: Customer): Promise<string[]> =>
  (await customer.call("GET", "/conversations?limit=100")).body.conversations
    .map(({ last_message }: { last_message: string }) => last_message)
    .toSorted();

const dead = async (customer: Customer, query = "") => (await customer.manage("GET", `/events/dead${query}`)).body;

/** Accepts events of as many people. */
async function accept(customer: Customer, names: string[]): Promise<void> {
  for (const name of names) {
    await customer.world.env.EVENTS_QUEUE.send(
      await eventMessageFor(customer, inboundEvent(name, phoneEnding("1234"))),
    );
  }
}

describe("Accepted provider events", () => {
  it.each([
    ["two minutes", 2 * MINUTE],
    ["half an hour", 30 * MINUTE],
    ["a day and a half", 1.5 * DAY],
  ])(
    "Accepted provider events are applied automatically after storage was down for %s",
    { tags: "long" },
    async (_, downMs) => {
      const outage = new Outage();
      const customer = await outage.world().customer();
      const start = Date.now();
      outage.database = true;
      await accept(customer, ["a", "b", "c"]);
      await customer.world.settle({ withinMs: downMs });
      expect(outage.failures).toBeGreaterThan(3);
      expect(customer.world.queues.messages).toHaveLength(3);

      outage.database = false;
      customer.world.setTime(start + downMs);
      await customer.world.settle({ withinMs: 31 * MINUTE });
      expect(await lastMessages(customer)).toEqual(["a", "b", "c"]);
      expect((await dead(customer)).events).toEqual([]);
    },
  );

  it("Provider events that databases reject for days are stored in the bucket", { tags: "long" }, async () => {
    const outage = new Outage();
    const world = outage.world();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    outage.database = true;
    const start = Date.now();
    await accept(customer, ["a", "b", "c"]);
    await world.settle({ withinMs: 3 * DAY });
    expect(world.queues.messages).toEqual([]);
    expect(Date.now() - start).toBeGreaterThan(1.8 * DAY);
    expect(await objectsUnder(`dead/${customer.workspaceId}/`)).toHaveLength(3);

    outage.database = false;
    const { events } = await dead(customer);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({
      queue: "events",
      reason: expect.any(String),
      connection_id: customer.connectionId,
      created_at: expect.any(String),
    });
    expect((await dead(stranger)).events).toEqual([]);
    expect((await stranger.manage("POST", `/events/dead/${events[0].id}/replay`)).status).toBe(404);
    for (const { id } of events) expect((await customer.manage("POST", `/events/dead/${id}/replay`)).status).toBe(202);
    await world.settle();
    expect(await lastMessages(customer)).toEqual(["a", "b", "c"]);
    expect((await dead(customer)).events).toEqual([]);
    expect((await customer.manage("POST", `/events/dead/${events[0].id}/replay`)).status).toBe(404);
  });

  it("Provider events are retried for more days if the bucket fails too", { tags: "long" }, async () => {
    const outage = new Outage();
    const customer = await outage.world().customer();
    [outage.database, outage.bucket] = [true, true];
    await accept(customer, ["a", "b"]);
    await customer.world.settle({ withinMs: 3.5 * DAY });
    expect(customer.world.queues.messages.map(({ queue }) => queue)).toEqual([
      "tidings-events-dead",
      "tidings-events-dead",
    ]);
    outage.bucket = false;
    await customer.world.settle({ withinMs: 31 * MINUTE });
    expect(customer.world.queues.messages).toEqual([]);
    outage.database = false;
    const { events } = await dead(customer);
    expect(events.map(({ payload }: { payload: { event: { body: string } } }) => payload.event.body)).toHaveLength(2);
  });

  it("Accepted provider events are stored once in the bucket, however often the queue delivers them", async () => {
    const outage = new Outage();
    const customer = await outage.world().customer();
    const message = await eventMessageFor(customer, inboundEvent("a", phoneEnding("1234")));
    await customer.world.queues.binding("tidings-events-dead").send(message);
    outage.database = true;
    await customer.world.queues.deliverDue(customer.world.env, 3);
    expect(await objectsUnder(`dead/${customer.workspaceId}/`)).toHaveLength(1);
  });
});

describe("Dead event list", () => {
  it("The list of dead events combines database and bucket, newest first, with one cursor, even for events of the same millisecond", async () => {
    const outage = new Outage();
    const customer = await outage.world().customer();
    const names: string[] = [];
    for (const [index, inBucket] of [true, false, false, true, true, false, true].entries()) {
      for (const half of ["x", "y"]) {
        outage.database = inBucket !== (half === "y" && index % 3 === 0);
        const name = `${index}${half}`;
        const message = await eventMessageFor(customer, inboundEvent(name, null));
        await customer.world.queues.binding("tidings-events-dead").send(message);
        await customer.world.queues.deliverDue(customer.world.env);
        names.push(name);
      }
      customer.world.advance(1);
    }
    outage.database = false;
    for (const limit of [1, 3, 14]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: Awaited<ReturnType<typeof dead>> = await dead(
          customer,
          `?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        expect(page.events.length).toBeLessThanOrEqual(limit);
        for (const { payload } of page.events) seen.push(payload.event.body);
        cursor = page.next_cursor;
      }
      expect(seen.toSorted()).toEqual(names);
      expect(seen.map((name) => name[0])).toEqual(names.map((name) => name[0]).toReversed());
    }
  });

  it("The list of dead events returns 503 while the bucket does not respond", async () => {
    const outage = new Outage();
    const customer = await outage.world().customer();
    outage.bucket = true;
    const answer = await customer.manage("GET", "/events/dead");
    expect([answer.status, answer.body.error.code, answer.headers.get("Retry-After")]).toEqual([
      503,
      "unavailable",
      "5",
    ]);
  });

  it("The list of dead events finds nothing for an id that names another folder of the bucket", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const outage = new Outage();
    outage.database = true;
    const theirs = await eventMessageFor(stranger, inboundEvent("a", null));
    const failing = outage.world();
    await failing.queues.binding("tidings-events-dead").send(theirs);
    await failing.queues.deliverDue(failing.env);
    const [object] = await objectsUnder(`dead/${stranger.workspaceId}/`);
    const id = object?.key.split("/").at(-1) ?? "";
    for (const path of [id, encodeURIComponent(`../${stranger.workspaceId}/${id}`), `${id}0`, "dead"]) {
      expect((await customer.manage("POST", `/events/dead/${path}/replay`)).status, path).toBe(404);
    }
    expect((await stranger.manage("POST", `/events/dead/${id}/replay`)).status).toBe(202);
  });
});

describe("Unreadable queue messages", () => {
  it.each([
    ["of another shape", { hello: "world" }],
    ["not an object", "nonsense"],
    ["empty", null],
    ["for a missing shard", { v: 1, workspace: { id: "ws_x", number: 1, shard: 99 }, connectionId: "c", event: {} }],
  ])("A queue message that cannot be read is stored in the bucket and logged if it is %s", async (_, body) => {
    const world = new World();
    await world.env.EVENTS_QUEUE.send(body);
    const before = (await objectsUnder("poison/events/")).length;
    await world.settle({ withinMs: 3 * DAY });
    expect(world.queues.messages).toEqual([]);
    const kept = await objectsUnder("poison/events/");
    expect(kept).toHaveLength(before + 1);
    expect(kept.map(({ value }) => value)).toContainEqual({ queue: "events", receivedAt: expect.any(String), body });
    expect(logged.some((line) => line.includes("poison_message_stored") && line.includes("poison/events/"))).toBe(true);
  });

  it("A queue message that cannot be read is retried while the bucket fails", async () => {
    const outage = new Outage();
    const world = outage.world();
    outage.bucket = true;
    await world.queues.binding("tidings-events-dead").send({ lost: "?" });
    await world.settle({ withinMs: DAY });
    expect(world.queues.messages).toHaveLength(1);
    outage.bucket = false;
    await world.settle({ withinMs: DAY });
    expect(world.queues.messages).toEqual([]);
    const kept = await objectsUnder("poison/events/");
    expect(kept.map(({ value }) => value)).toContainEqual(expect.objectContaining({ body: { lost: "?" } }));
  });
});
