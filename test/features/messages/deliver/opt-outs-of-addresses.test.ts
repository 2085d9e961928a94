import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { deliver, messageFrom, newUserId, outcomeOf } from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const newContact = async (customer: Customer, body: object): Promise<Answer["body"]> =>
  (await customer.call("POST", "/contacts", body)).body.contact;

const merge = (customer: Customer, kept: Answer["body"], removed: Answer["body"]): Promise<Answer> =>
  customer.call("POST", `/contacts/${kept.id}/merge`, { from: removed.id });

const SOON_MS = 5000;

async function schedule(customer: Customer, body: object): Promise<string> {
  const send_at = new Date(Date.now() + SOON_MS).toISOString();
  const answer = await customer.call("POST", "/messages", { ...body, send_at });
  expect(answer.status).toBe(202);
  return answer.body.message_id;
}

/** Expects a scheduled message to fail at its time, and a new message to the same address to be rejected immediately. */
async function expectUnsubscribed(customer: Customer, messageId: string): Promise<void> {
  customer.world.advance(SOON_MS);
  await customer.world.cron();
  await customer.world.settle();
  expect(await customer.outbox()).toEqual([]);
  expect(await customer.message(messageId)).toMatchObject({ delivery: "failed", error: { code: "unsubscribed" } });
}

describe("Opt-outs of queued messages", () => {
  it("A queued message to an opted-out number is not sent, even if its contact was merged into a contact with a different number", async () => {
    const customer = await new World().customer();
    const [one, other] = [phoneEnding("1001"), phoneEnding("1002")];
    const [kept, removed] = [await newContact(customer, { phone: one }), await newContact(customer, { phone: other })];
    const id = await schedule(customer, { to: other, text: "Later" });
    expect((await merge(customer, kept, removed)).status).toBe(200);
    await customer.receive(other, "STOP");
    expect(outcomeOf(await customer.send(other))).toBe("unsubscribed");
    await expectUnsubscribed(customer, id);
  });

  it.each(["+14155550173", "+5215512345678", "+5491123456789", "+551191234567"])(
    "A queued message to the opted-out number %s is not sent, even if its contact has a different number now",
    async (before) => {
      const customer = await new World().customer();
      const contact = await newContact(customer, { phone: before });
      const id = await schedule(customer, { to: before, text: "Later" });
      await customer.call("PATCH", `/contacts/${contact.id}`, { phone: phoneEnding("1003") });
      await customer.receive(before, "STOP");
      await expectUnsubscribed(customer, id);
    },
  );

  it("A queued message is sent if the number's new owner has not opted out", async () => {
    const customer = await new World().customer();
    const [before, now] = [phoneEnding("1001"), phoneEnding("1002")];
    const contact = await newContact(customer, { phone: before });
    const id = await schedule(customer, { to: before, text: "Later" });
    await customer.call("PATCH", `/contacts/${contact.id}`, { phone: now });
    await customer.receive(before, "Hello");
    customer.world.advance(SOON_MS);
    await customer.world.settle();
    expect(await customer.message(id)).toMatchObject({ delivery: "read" });
  });

  it("A queued message to an opted-out id is not sent, even if its contact no longer has this id", async () => {
    const customer = await new World().customer();
    const userId = newUserId();
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const id = await schedule(customer, { user_id: userId, text: "Later" });
    await onShard(customer, "DELETE FROM contact_identities WHERE external_id = ?", userId);
    await deliver(customer, [messageFrom({ userId }, "STOP")]);
    await expectUnsubscribed(customer, id);
  });
});
