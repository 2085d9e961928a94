import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import {
  contactsOf,
  conversationsOf,
  deliver,
  messageFrom,
  newUserId,
  outcomeOf,
} from "../../../support/provider-events.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

type Channel = "official" | "unofficial";

/** Merges the contact of a person who just wrote into a contact who never wrote. */
async function merged(channel: Channel, from: { phone: string } | { userId: string }, kept: object) {
  const customer = await new World().customer({ channel });
  const phone = phoneEnding("1001");
  const { contact } = (await customer.call("POST", "/contacts", { phone, ...kept })).body;
  customer.world.advance(1000);
  await deliver(customer, [messageFrom(from, "Hello")]);
  const other = (await contactsOf(customer)).find(({ id }) => id !== contact.id);
  const { body } = await customer.call("POST", `/contacts/${contact.id}/merge`, { from: other.id });
  const [conversation] = await conversationsOf(customer);
  return { customer, phone, contact: body.contact, conversation };
}

/** Sends a text to the number, to the contact and in the conversation, and returns the results. */
async function textsTo({ customer, phone, contact, conversation }: Awaited<ReturnType<typeof merged>>) {
  const answers: Answer[] = [
    await customer.send(phone),
    await customer.call("POST", "/messages", { contact_id: contact.id, text: "Hi" }),
    await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" }),
  ];
  await customer.world.settle();
  return answers;
}

const sentTo = async (customer: Customer): Promise<string[]> => (await customer.outbox()).map(({ to }) => to);

describe("Texts after a merge", () => {
  it("After a merge, a text to an opted-out number is rejected, even if the person has written from a different number since", async () => {
    const all = await merged("unofficial", { phone: phoneEnding("1002") }, { is_unsubscribed: true });
    expect(all.contact.is_unsubscribed).toBe(true);
    expect((await textsTo(all)).map(outcomeOf)).toEqual(["unsubscribed", "unsubscribed", "unsubscribed"]);
    expect(await all.customer.outbox()).toEqual([]);
  });

  it("After a merge, the 24-hour window is closed for a number from which the person never wrote", async () => {
    const all = await merged("official", { phone: phoneEnding("1002") }, {});
    for (const answer of await textsTo(all)) {
      expect([outcomeOf(answer), answer.body.error.details]).toEqual([
        "window_closed",
        { last_inbound_at: null, expired_at: null },
      ]);
    }
    expect(await all.customer.outbox()).toEqual([]);
  });

  it.each(["earlier", "later"])(
    "After a merge that keeps the %s contact, a text is sent only to the number from which the person last wrote",
    async (kept) => {
      const customer = await new World().customer({ channel: "official" });
      const [first, last] = [phoneEnding("1001"), phoneEnding("1002")];
      await customer.receive(first, "Hello");
      customer.world.advance(3_600_000);
      await customer.receive(last, "Hello again");
      const byPhone = new Map((await contactsOf(customer)).map(({ phone, id }) => [phone, id]));
      const [stays, goes] = kept === "earlier" ? [first, last] : [last, first];
      await customer.call("POST", `/contacts/${byPhone.get(stays)}/merge`, { from: byPhone.get(goes) });
      expect(outcomeOf(await customer.send(first))).toBe("window_closed");
      const [conversation] = await conversationsOf(customer);
      const answer = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" });
      await customer.world.settle();
      expect(outcomeOf(answer)).toBe(kept === "earlier" ? "window_closed" : "queued");
      expect(await sentTo(customer)).toEqual(kept === "earlier" ? [] : [last]);
      await customer.receive(stays, "And again");
      expect(outcomeOf(await customer.send(stays))).toBe("queued");
    },
  );

  it("After a merge, a text is sent only to the id from which the person last wrote", async () => {
    const customer = await new World().customer({ channel: "official" });
    const [first, last] = [newUserId(), newUserId()];
    await deliver(customer, [messageFrom({ userId: first }, "Hello")]);
    customer.world.advance(2 * 86_400_000);
    await deliver(customer, [messageFrom({ userId: last }, "Hello again")]);
    const [kept, removed] = (await contactsOf(customer)).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    await customer.call("POST", `/contacts/${kept.id}/merge`, { from: removed.id });
    const byId = (user_id: string) => customer.call("POST", "/messages", { user_id, text: "Hi" });
    const [conversation] = await conversationsOf(customer);
    const answers = [
      await byId(first),
      await byId(last),
      await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" }),
    ];
    await customer.world.settle();
    expect(answers.map(outcomeOf)).toEqual(["window_closed", "queued", "queued"]);
    expect(await sentTo(customer)).toEqual([last, last]);
  });

  it("After a merge, a text to an opted-out number is rejected if the person last wrote from a different number", async () => {
    const customer = await new World().customer();
    const [first, last] = [phoneEnding("1001"), phoneEnding("1002")];
    const { contact } = (await customer.call("POST", "/contacts", { phone: first, is_unsubscribed: true })).body;
    customer.world.advance(1000);
    await customer.receive(first, "A question");
    expect(outcomeOf(await customer.send(first))).toBe("queued");
    customer.world.advance(1000);
    await customer.receive(last, "Hello");
    const other = (await contactsOf(customer)).find(({ id }) => id !== contact.id);
    await customer.call("POST", `/contacts/${contact.id}/merge`, { from: other.id });
    expect(outcomeOf(await customer.send(first))).toBe("unsubscribed");
    expect(outcomeOf(await customer.call("POST", "/messages", { contact_id: contact.id, text: "Hi" }))).toBe(
      "unsubscribed",
    );
  });

  it("A text that was scheduled to an opted-out number before a merge is not sent, even if the person wrote from the other number", async () => {
    const customer = await new World().customer();
    const [phone, other] = [phoneEnding("1001"), phoneEnding("1002")];
    const { contact } = (await customer.call("POST", "/contacts", { phone })).body;
    const send_at = new Date(Date.now() + 5000).toISOString();
    const { message_id } = (await customer.call("POST", "/messages", { to: phone, text: "Later", send_at })).body;
    await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true });
    customer.world.advance(1000);
    await customer.receive(other, "Hello");
    const removed = (await contactsOf(customer)).find(({ id }) => id !== contact.id);
    await customer.call("POST", `/contacts/${contact.id}/merge`, { from: removed.id });
    customer.world.advance(5000);
    await customer.world.cron();
    await customer.world.settle();
    expect(await customer.message(message_id)).toMatchObject({ delivery: "failed", error: { code: "unsubscribed" } });
    expect(await customer.outbox()).toEqual([]);
  });

  it("After a merge, a text is sent to the id from which the person wrote after the opt-out, but not to the opted-out number", async () => {
    const userId = newUserId();
    const all = await merged("unofficial", { userId }, { is_unsubscribed: true });
    expect((await textsTo(all)).map(outcomeOf)).toEqual(["unsubscribed", "queued", "queued"]);
    expect(await sentTo(all.customer)).toEqual([userId, userId]);
  });
});

describe("Windows", () => {
  it.each(["both", "the id"])(
    "If a person with a number and an id wrote from %s, the 24-hour window is open for both",
    async (which) => {
      const customer = await new World().customer({ channel: "official" });
      const [phone, userId] = [phoneEnding("1001"), newUserId()];
      await deliver(customer, [messageFrom({ phone, userId }, "Hi")]);
      customer.world.advance(2 * 86_400_000);
      await deliver(customer, [messageFrom(which === "both" ? { phone, userId } : { userId }, "Hello again")]);
      expect(outcomeOf(await customer.send(phone))).toBe("queued");
      const byId = await customer.call("POST", "/messages", { user_id: userId, text: "Hi" });
      expect(outcomeOf(byId)).toBe("queued");
    },
  );

  it.each([
    ["+551187654321", "+5511987654321"],
    ["+5215512345678", "+525512345678"],
  ])(
    "If a person has a number and an id, the 24-hour window is open for each spelling of the number: %s, %s",
    async (wroteFrom, to) => {
      const customer = await new World().customer({ channel: "official" });
      await deliver(customer, [messageFrom({ phone: wroteFrom }, "Hi")]);
      expect([outcomeOf(await customer.send(to)), outcomeOf(await customer.send(wroteFrom))]).toEqual([
        "queued",
        "queued",
      ]);
    },
  );
});
