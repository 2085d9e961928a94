import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { phoneKey } from "../../../../src/shared/text/phone.ts";
import { stopClock } from "../../../support/clock.ts";
import { PeopleModel } from "../../../support/people-model.ts";
import {
  contactsOf,
  conversationsOf,
  deliver,
  identityNotice,
  messageFrom,
  ownMessageTo,
  statusOf,
} from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { type Answer, type Customer, World } from "../../../support/world.ts";

const PHONES = ["+14155550101", "+2290195123456", "+5511987654321", "+14155550104"];
/** Returns a different spelling of the same number. */
const SPELLINGS = new Map([
  ["+551187654321", "+5511987654321"],
  ["+22995123456", "+2290195123456"],
]);
const IDS = ["user.a", "user.b", "user.c", "user.d"];

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const phone = fc.constantFrom(...PHONES, ...SPELLINGS.keys());
const id = fc.constantFrom(...IDS);
const names = fc
  .record({ phone: fc.option(phone), userId: fc.option(id) })
  .filter((each) => each.phone !== null || each.userId !== null);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("inbound" as const),
      names,
      word: fc.constantFrom("Hi", "STOP", "START"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("own" as const), names }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("answer" as const), phone, id: fc.option(id) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("status" as const), phone, id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("notice" as const), before: phone, now: phone }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("again" as const), which: fc.nat(1000) }) },
);

const keyOf = (spelling: string | null): string | null =>
  spelling === null ? null : (SPELLINGS.get(spelling) ?? spelling);

const words = { Hi: null, STOP: "stop", START: "start" } as const;

/** Applies the steps to a workspace and to the model. Returns the expected number of messages. */
async function play(
  customer: Customer,
  model: PeopleModel,
  steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
) {
  const { world } = customer;
  const delivered: object[] = [];
  let messages = 0;
  const hand = async (event: object) => {
    delivered.push(event);
    await deliver(customer, [event], 2);
  };
  const send = async (to: string, userIds: string[]): Promise<string | null> => {
    if (model.isOptedOut(keyOf(to) ?? "")) return null;
    const accepted = { kind: "accepted" as const, providerMessageId: "x", userIds };
    const sending = vi.spyOn(sandbox, "send").mockResolvedValue(accepted);
    const { message_id } = (await customer.send(to)).body;
    sending.mockRestore();
    messages++;
    return message_id;
  };
  for (const each of steps) {
    world.advance(60_000);
    switch (each.kind) {
      case "inbound":
        await hand(messageFrom(each.names, each.word));
        model.meet(keyOf(each.names.phone), each.names.userId, words[each.word]);
        messages++;
        break;
      case "own":
        await hand(ownMessageTo(each.names, "From the phone"));
        model.meet(keyOf(each.names.phone), each.names.userId);
        messages++;
        break;
      case "answer":
        if ((await send(each.phone, each.id === null ? [] : [each.id])) === null) break;
        model.learn(keyOf(each.phone) ?? "", each.id);
        await world.cron();
        break;
      case "status": {
        const messageId = await send(each.phone, []);
        if (messageId === null) break;
        await hand(statusOf(messageId, { userId: each.id }));
        model.learn(keyOf(each.phone) ?? "", each.id);
        break;
      }
      case "notice":
        if (keyOf(each.before) === keyOf(each.now)) break;
        await hand(identityNotice({ phone: each.before }, { phone: each.now }));
        model.move(keyOf(each.before) ?? "", keyOf(each.now) ?? "");
        break;
      case "again": {
        const event = delivered[each.which % Math.max(1, delivered.length)];
        // Statuses are not repeated, because a late status would describe people as they were earlier.
        if (event !== undefined && Reflect.get(event, "type") !== "status") await deliver(customer, [event]);
      }
    }
  }
  return messages;
}

const shown = (contact: Answer["body"]) => ({
  phone: contact.phone === null ? null : phoneKey(contact.phone),
  ids: contact.external_ids.map((each: Answer["body"]) => each.id).toSorted(),
  isOptedOut: contact.is_unsubscribed,
});

async function expectOnePerson(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const customer = await new World().customer({ key: { rate_limit: { requests: 10_000, window_seconds: 3600 } } });
      const model = new PeopleModel();
      const messages = await play(customer, model, steps);

      const contacts = (await contactsOf(customer)).map(shown);
      const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
      expect(contacts.toSorted(byText)).toEqual(model.shown());
      const held = contacts.map((contact) => contact.phone);
      const suppressed = await onShard(
        customer,
        "SELECT key FROM suppressions WHERE workspace_id = ? AND key GLOB '+*'",
        customer.workspaceId,
      );
      const withoutContact = suppressed.map(({ key }) => String(key)).filter((key) => !held.includes(key));
      expect(withoutContact.toSorted()).toEqual(model.withoutContact(PHONES));

      const conversations = await conversationsOf(customer);
      expect(new Set(conversations.map(({ contact }) => contact.id)).size).toBe(conversations.length);
      const histories = await Promise.all(
        conversations.map((each) => customer.call("GET", `/conversations/${each.id}/messages`)),
      );
      expect(histories.reduce((sum, { body }) => sum + body.messages.length, 0)).toBe(messages);
    }),
    { numRuns },
  );
}

it("A person has one contact, and an opt-out applies to every number and id, in any order of events", () =>
  expectOnePerson(4));

it(
  "A person has one contact, and an opt-out applies to every number and id, in each of 25 histories",
  { tags: "long" },
  () => expectOnePerson(25),
);
