import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { archive, faultyWorld, onShard, steps } from "../../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

const outcome = ({ status, body }: Answer) => (status === 202 ? "queued" : body.error.code);

const contactOf = async (customer: Customer, phone: string): Promise<Answer["body"]> => {
  const [row] = await onShard(
    customer,
    "SELECT id FROM contacts WHERE workspace_id = ? AND phone = ?",
    customer.workspaceId,
    phone,
  );
  return (await customer.call("GET", `/contacts/${row?.["id"]}`)).body.contact;
};

describe("Opted-out people", () => {
  it("A person who opted out receives no messages, and the error contains the contact", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "Stop!");
    const contact = await contactOf(customer, to);
    expect(contact.is_unsubscribed).toBe(true);
    const answer = await customer.send(to);
    expect([answer.status, answer.body.error.code]).toEqual([422, "unsubscribed"]);
    expect(answer.body.error.details).toEqual({ contact_id: contact.id });
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    const reply = await customer.call("POST", `/conversations/${conversations[0].id}/messages`, { text: "Hi" });
    expect([reply.status, reply.body.error.details]).toEqual([422, { contact_id: contact.id }]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A person who opted out receives replies for 24 hours after a new message", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "STOP");
    world.advance(1);
    await customer.receive(to, "Wait, is my order lost?");
    const wroteAt = Date.now();
    expect((await contactOf(customer, to)).is_unsubscribed).toBe(true);
    expect(outcome(await customer.send(to))).toBe("queued");
    world.setTime(wroteAt + DAY_MS - 1);
    expect(outcome(await customer.send(to))).toBe("queued");
    world.setTime(wroteAt + DAY_MS);
    expect(outcome(await customer.send(to))).toBe("unsubscribed");
  });

  it("A person who opted out receives no reply if the new message is also an opt-out word", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "STOP");
    world.advance(1000);
    await customer.receive(to, "hello?");
    world.advance(1000);
    await customer.receive(to, "unsubscribe");
    expect(outcome(await customer.send(to))).toBe("unsubscribed");
  });

  it("A message that the person sent before opting out does not allow a reply", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "hello");
    world.advance(1000);
    await customer.receive(to, "STOP");
    expect(outcome(await customer.send(to))).toBe("unsubscribed");
  });

  it("A person who opted out receives messages again after START or UNSTOP", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    for (const word of ["start", "UNSTOP."]) {
      await customer.receive(to, "STOP");
      world.advance(1000);
      await customer.receive(to, word);
      world.advance(2 * DAY_MS);
      expect((await contactOf(customer, to)).is_unsubscribed).toBe(false);
      expect(outcome(await customer.send(to))).toBe("queued");
    }
  });

  it("A person who sent START stays opted in if an earlier STOP is delivered again", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from: to, text: "STOP" });
    const [stop] = world.queues.messages;
    await world.queues.deliverDue(world.env);
    world.advance(1000);
    await customer.receive(to, "START");
    await world.env.EVENTS_QUEUE.sendBatch([{ body: stop?.body }]);
    await world.queues.deliverDue(world.env, 2);
    expect((await contactOf(customer, to)).is_unsubscribed).toBe(false);
  });

  it("A person who opts out does not receive messages that were accepted before and not sent yet", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    faults.next(steps.claim);
    const { message_id } = (await customer.send(to)).body;
    await customer.receive(to, "STOP");
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "unsubscribed", message: expect.any(String), provider_code: null },
    });
    expect(await customer.outbox()).toEqual([]);
  });

  it("An opt-out remains if the contact is archived, restored by a message, or addressed in a different spelling", async () => {
    const world = new World();
    const customer = await world.customer();
    await customer.receive("+551187654321", "SAIR");
    const contact = await contactOf(customer, "+551187654321");
    await archive(customer, contact.id);
    expect(outcome(await customer.send("+5511987654321"))).toBe("unsubscribed");
    world.advance(1000);
    await customer.receive("+5511987654321", "oi");
    const restored = (await customer.call("GET", `/contacts/${contact.id}`)).body.contact;
    expect(restored).toMatchObject({ is_archived: false, is_unsubscribed: true, phone: "+551187654321" });
  });

  it("A person who opted out in one workspace is not opted out in other workspaces", async () => {
    const world = new World();
    const [one, , other] = [await world.customer(), await world.customer(), await world.customer()];
    const to = phoneEnding("1234");
    await one.receive(to, "STOP");
    expect(outcome(await other.send(to))).toBe("queued");
  });
});

describe("Opt-outs", () => {
  it("An opt-out applies to the next contact with the same number", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "STOP");
    const former = await contactOf(customer, to);
    await onShard(customer, "UPDATE contacts SET phone = NULL, phone_key = NULL WHERE id = ?", former.id);
    expect(outcome(await customer.send(to))).toBe("unsubscribed");
    world.advance(1000);
    await customer.receive(to, "hello");
    const holder = await contactOf(customer, to);
    expect(holder.id).not.toBe(former.id);
    expect(holder.is_unsubscribed).toBe(true);
    const { contact } = (await customer.call("GET", `/contacts/${former.id}`)).body;
    expect(contact.is_unsubscribed).toBe(true);
  });

  it.each(["STOP", "unsubscribe", "Cancel.", "parar", "sair", "BAJA!", "alto", "arrêt", " stopp "])(
    "A message that contains only %s opts the person out",
    async (text) => {
      const customer = await new World().customer();
      const from = phoneEnding("1234");
      await customer.receive(from, text);
      expect((await contactOf(customer, from)).is_unsubscribed).toBe(true);
    },
  );

  it.each(["please stop", "STOP it", "non-stop", "cancellation"])(
    "The message %s does not opt the person out",
    async (text) => {
      const customer = await new World().customer();
      const from = phoneEnding("1234");
      await customer.receive(from, text);
      expect((await contactOf(customer, from)).is_unsubscribed).toBe(false);
    },
  );

  it("An opt-out can be set and removed through the API", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const { contact_id } = (await customer.send(to)).body;
    const set = (is_unsubscribed: boolean) => customer.call("PATCH", `/contacts/${contact_id}`, { is_unsubscribed });
    expect((await set(true)).body.contact.is_unsubscribed).toBe(true);
    expect(outcome(await customer.send(to))).toBe("unsubscribed");
    expect((await set(false)).body.contact.is_unsubscribed).toBe(false);
    expect(outcome(await customer.send(to))).toBe("queued");
  });
});

describe("24-hour window", () => {
  it("The 24-hour window of an official connection is closed for a person who has never written", async () => {
    const customer = await new World().customer({ channel: "official" });
    const answer = await customer.send(phoneEnding("1234"));
    expect([answer.status, answer.body.error.code]).toEqual([422, "window_closed"]);
    expect(answer.body.error.details).toEqual({ last_inbound_at: null, expired_at: null });
    expect(await onShard(customer, "SELECT id FROM contacts WHERE workspace_id = ?", customer.workspaceId)).toEqual([]);
  });

  it("The 24-hour window of an official connection is open for 24 hours after the person's last message", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    const wroteAt = Date.now();
    world.setTime(wroteAt + DAY_MS - 1);
    expect(outcome(await customer.send(to))).toBe("queued");
    world.setTime(wroteAt + DAY_MS);
    const late = await customer.send(to);
    expect(outcome(late)).toBe("window_closed");
    expect(late.body.error.details).toEqual({
      last_inbound_at: new Date(wroteAt).toISOString(),
      expired_at: new Date(wroteAt + DAY_MS).toISOString(),
    });
    await customer.receive(to, "Still there?");
    expect(outcome(await customer.send(to))).toBe("queued");
  });

  it("The 24-hour window of an official connection is checked again when the message is sent", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer({ channel: "official" });
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    world.advance(DAY_MS - 1000);
    faults.next(steps.claim);
    const { message_id } = (await customer.send(to)).body;
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await customer.message(message_id)).toMatchObject({ delivery: "failed", error: { code: "window_closed" } });
    expect(await customer.outbox()).toEqual([]);
  });

  it("An unofficial connection has no 24-hour window", async () => {
    const customer = await new World().customer({ channel: "unofficial" });
    expect(outcome(await customer.send(phoneEnding("1234")))).toBe("queued");
  });
});
