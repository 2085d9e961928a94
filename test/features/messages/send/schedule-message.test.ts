import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { refusal } from "../../../support/templates.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const schedule = async (customer: Customer, to: string, inMs: number, more: object = {}) => {
  const send_at = new Date(Date.now() + inMs).toISOString();
  const answer = await customer.call("POST", "/messages", { to, text: "Later", send_at, ...more });
  return { id: String(answer.body.message_id), send_at, answer };
};

describe("Scheduled messages", () => {
  it("A scheduled message blocks no other message and is sent within the scheduled second", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const { id, send_at, answer } = await schedule(customer, to, 90_000);
    expect(answer).toMatchObject({ status: 202, body: { status: "scheduled" } });
    expect(await customer.message(id)).toMatchObject({ delivery: "scheduled", send_at, sent_at: null });
    world.advance(1);
    await customer.send(to, "Now");
    expect(await customer.outbox()).toMatchObject([{ body: "Now" }]);
    await world.settle({ withinMs: 89_000 });
    expect(await customer.message(id)).toMatchObject({ delivery: "scheduled" });
    await world.settle();
    const message = await customer.message(id);
    expect(message).toMatchObject({ delivery: "read", send_at });
    expect(Date.parse(message.sent_at) - Date.parse(send_at)).toBeLessThan(1000);
    const { events } = (await customer.call("GET", "/events?types=message.*")).body;
    const own = events.filter(({ object_id }: { object_id: string }) => object_id === id);
    expect(own.map(({ type, changes }: { type: string; changes: object }) => [type, changes])).toEqual([
      ["message.queued", { delivery: [null, "scheduled"] }],
      ["message.queued", { delivery: ["scheduled", "queued"] }],
      ["message.sent", { delivery: ["queued", "sent"] }],
      ["message.delivered", { delivery: ["sent", "delivered"] }],
      ["message.read", { delivery: ["delivered", "read"] }],
    ]);
  });

  it("The cron sends a scheduled message once if its time is far away or was missed", async () => {
    const world = new World();
    const customer = await world.customer();
    const far = await schedule(customer, phoneEnding("1234"), 86_400_000);
    await world.settle();
    world.setTime(Date.parse(far.send_at) - 60_000);
    for (let run = 0; run < 2; run++) await world.cron();
    await world.settle({ copies: 2 });
    expect(Date.parse((await customer.message(far.id)).sent_at)).toBe(Date.parse(far.send_at));
    const missed = await schedule(customer, phoneEnding("1234"), 86_400_000);
    world.setTime(Date.parse(missed.send_at) + 600_000);
    await world.cron();
    await world.settle();
    expect(await customer.message(missed.id)).toMatchObject({ delivery: "read" });
    expect(await customer.outbox()).toHaveLength(2);
  });

  it("A scheduled message can be cancelled once before it is sent", async () => {
    const world = new World();
    const customer = await world.customer();
    const stranger = await world.customer();
    const { id } = await schedule(customer, phoneEnding("1234"), 60_000);
    const cancel = (who = customer, message = id, headers = {}) =>
      who.call("POST", `/messages/${message}/cancel`, undefined, { headers });
    expect(await refusal(cancel(stranger))).toEqual([404, "not_found", null]);
    const headers = { "Idempotency-Key": "k" };
    const answers = await Promise.all([cancel(customer, id, headers), cancel(customer, id, headers)]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { message: { id, delivery: "cancelled" } } });
    expect(await refusal(cancel())).toEqual([409, "invalid_state", { status: "cancelled" }]);
    expect((await cancel()).body.error.message).toBe("This message was already cancelled.");
    world.advance(120_000);
    await world.cron();
    await world.settle();
    expect(await customer.outbox()).toEqual([]);
    const { events } = (await customer.call("GET", "/events?types=message.failed")).body;
    expect(events).toMatchObject([{ object_id: id, changes: { delivery: ["scheduled", "cancelled"] } }]);
    const sent = (await customer.send(phoneEnding("1234"))).body.message_id;
    expect(await refusal(cancel(customer, sent))).toEqual([409, "invalid_state", { status: "sent" }]);
  });

  it("A scheduled message is not sent if the person has opted out or the window has closed", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const { id, answer } = await schedule(customer, to, 3_600_000);
    await customer.call("PATCH", `/contacts/${answer.body.contact_id}`, { is_unsubscribed: true });
    world.advance(3_600_000);
    await world.cron();
    await world.settle();
    expect(await customer.message(id)).toMatchObject({ delivery: "failed", error: { code: "unsubscribed" } });
    const official = await world.customer({ channel: "official" });
    const person = phoneEnding("1234");
    await official.receive(person, "Hi");
    const late = await schedule(official, person, 90_000_000);
    world.advance(90_000_000);
    await world.cron();
    await world.settle();
    expect(await official.message(late.id)).toMatchObject({ delivery: "failed", error: { code: "window_closed" } });
  });
});

describe("Metadata", () => {
  it("A message and its events contain the message's metadata", async () => {
    const customer = await new World().customer();
    const metadata = { order: "1042", note: "" };
    const { message_id } = (await customer.call("POST", "/messages", { to: phoneEnding("1234"), text: "Hi", metadata }))
      .body;
    expect(await customer.message(message_id)).toMatchObject({ metadata });
    const { events } = (await customer.call("GET", "/events?types=message.*")).body;
    expect(events[0].data.message.metadata).toEqual(metadata);
    const reserved = await customer.call("POST", "/messages", undefined, {
      raw: `{"to":"${phoneEnding("1234")}","text":"x","metadata":{"__proto__":"a"}}`,
      headers: { "Content-Type": "application/json" },
    });
    expect(reserved.status).toBe(400);
  });
});
