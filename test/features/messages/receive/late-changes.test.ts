import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { sampleAndRest } from "../../../support/long.ts";
import { contactsOf, deliver, identityNotice, messageFrom, outcomeOf } from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

let ids = 0;
const newId = () => `user.late${ids++}`;

function* ordersOf<T>(all: T[]): Generator<T[]> {
  if (all.length === 0) yield [];
  for (const [index, first] of all.entries()) {
    for (const rest of ordersOf(all.toSpliced(index, 1))) yield [first, ...rest];
  }
}

/** Returns the numbers of this list that have opted out. */
async function refusedAmong(customer: Customer, phones: string[]): Promise<string[]> {
  const outcomes = await Promise.all(phones.map(async (phone) => outcomeOf(await customer.send(phone))));
  return phones.filter((_, index) => outcomes[index] === "unsubscribed");
}

/** A person who has three numbers, one after the other, and opts out from the first number. */
async function mover({ isKnown = true } = {}) {
  const world = new World();
  const customer = await world.customer();
  const phones = [phoneEnding("1234"), phoneEnding("1234"), phoneEnding("1234")] as const;
  const [first, second, third] = phones;
  if (isKnown) await deliver(customer, [messageFrom({ phone: first, name: "Ann" }, "Hi")]);
  const start = Date.now();
  world.advance(60_000);
  const at = (seconds: number) => start + seconds * 1000;
  const events = {
    stop: messageFrom({ phone: first }, "STOP", at(10)),
    toSecond: identityNotice({ phone: first }, { phone: second }, at(20)),
    toThird: identityNotice({ phone: second }, { phone: third }, at(30)),
  };
  return { world, customer, phones, at, events };
}

const names = ["stop", "toSecond", "toThird"] as const;

const isSixth = (_: unknown, index: number) => index % 6 === 5;
const orders = sampleAndRest([...ordersOf([...names])], isSixth);

describe("Opt-outs before number changes", () => {
  describe.each(orders)("Orders ($which)", ({ some, options }) => {
    it.each(some)(
      "If events arrive in the order %s, %s, %s, an opt-out before two number changes applies to all three numbers, and the person has the last number",
      options,
      async (...order) => {
        const { customer, phones, events } = await mover();
        for (const name of order) await deliver(customer, [events[name]], 2);
        for (const name of order) await deliver(customer, [events[name]]);
        expect(await contactsOf(customer)).toMatchObject([{ name: "Ann", phone: phones[2], is_unsubscribed: true }]);
        expect(await refusedAmong(customer, [...phones])).toEqual(phones);
      },
    );

    it.each(some)(
      "If events arrive in the order %s, %s, %s, an opt-out before two number changes applies to all three numbers of a person without a contact",
      options,
      async (...order) => {
        const { customer, phones, events } = await mover({ isKnown: false });
        for (const name of order) await deliver(customer, [events[name]]);
        expect(await refusedAmong(customer, [...phones])).toEqual(phones);
      },
    );
  });

  const withStart = [...ordersOf([...names, "start"] as const)].filter((order) => order.indexOf("start") < 3);
  describe.each(sampleAndRest(withStart, isSixth))("Orders with START ($which)", ({ some, options }) => {
    it.each(some)(
      "If events arrive in the order %s, %s, %s, %s, an opt-out before two number changes does not undo a later START",
      options,
      async (...order) => {
        const { customer, phones, at, events } = await mover();
        const start = messageFrom({ phone: phones[2] }, "START", at(40));
        for (const name of order) await deliver(customer, [{ ...events, start }[name]]);
        customer.world.advance(2 * DAY_MS);
        expect(await refusedAmong(customer, [phones[2]])).toEqual([]);
        expect((await contactsOf(customer)).filter((contact) => contact.is_unsubscribed)).toEqual([]);
      },
    );
  });
});

describe("Released numbers", () => {
  it("If a number has a new owner, a late notice about its previous owner neither merges nor changes the new owner's contact", async () => {
    const { world, customer, phones, events } = await mover();
    const [, second, third] = phones;
    await deliver(customer, [events.stop, events.toThird]);
    world.advance(60 * DAY_MS);
    await deliver(customer, [messageFrom({ phone: second, name: "Bo" }, "START")]);
    await deliver(customer, [events.toSecond], 2);
    expect(await contactsOf(customer)).toMatchObject([
      { name: "Ann", phone: third, is_unsubscribed: true },
      { name: "Bo", phone: second, is_unsubscribed: false },
    ]);
    expect(await refusedAmong(customer, [...phones])).toEqual([phones[0], third]);
  });

  it("If the new owner of a number changes to another number, the previous owner is not affected", async () => {
    const { world, customer, phones, events } = await mover();
    const [, second, third] = phones;
    const fourth = phoneEnding("1234");
    await deliver(customer, [events.stop, events.toThird]);
    world.advance(60 * DAY_MS);
    await deliver(customer, [messageFrom({ phone: second, name: "Bo" }, "START")]);
    world.advance(DAY_MS);
    await deliver(customer, [identityNotice({ phone: second }, { phone: fourth })]);
    await deliver(customer, [events.toSecond]);
    expect(await contactsOf(customer)).toMatchObject([
      { name: "Ann", phone: third },
      { name: "Bo", phone: fourth },
    ]);
    expect(await refusedAmong(customer, [fourth])).toEqual([]);
  });

  it("An opt-out by the new owner of a number does not apply to the previous owner", async () => {
    const { world, customer, phones, events } = await mover({ isKnown: false });
    const [first, second] = phones;
    world.advance(60 * DAY_MS);
    await deliver(customer, [messageFrom({ phone: first, name: "Bo" }, "STOP")]);
    await onShard(
      customer,
      "UPDATE contacts SET created_at = ? WHERE workspace_id = ?",
      Date.now(),
      customer.workspaceId,
    );
    await deliver(customer, [{ ...events.toSecond, at: Date.now() - 6 * DAY_MS }]);
    expect(await refusedAmong(customer, [first, second])).toEqual([first]);
    expect(await contactsOf(customer)).toMatchObject([{ name: "Bo", phone: first }, { phone: second }]);
  });

  it("A person who already wrote from a newer number does not get an old number back when a late notice arrives", async () => {
    const { world, customer, phones, events } = await mover({ isKnown: false });
    const [first, second, third] = phones;
    const userId = newId();
    await deliver(customer, [messageFrom({ phone: first, userId }, "STOP")]);
    world.advance(60_000);
    await deliver(customer, [messageFrom({ phone: third, userId }, "It's me")]);
    await deliver(customer, [events.toSecond]);
    expect(await contactsOf(customer)).toMatchObject([{ phone: third, is_unsubscribed: true }]);
    world.advance(2 * DAY_MS);
    expect(await refusedAmong(customer, [second, third])).toEqual([second, third]);
  });
});

describe.each(orders)("Opt-outs by a replaced user id ($which)", ({ some, options }) => {
  it.each(some)(
    "If events arrive in the order %s, %s, %s, an opt-out by a user id that was replaced twice applies to the last id",
    options,
    async (...order) => {
      const world = new World();
      const customer = await world.customer();
      const [first, second, third] = [newId(), newId(), newId()];
      await deliver(customer, [messageFrom({ userId: first }, "Hi")]);
      const start = Date.now();
      world.advance(60_000);
      const events = {
        stop: messageFrom({ userId: first }, "STOP", start + 10_000),
        toSecond: identityNotice({ userId: first }, { userId: second }, start + 20_000),
        toThird: identityNotice({ userId: second }, { userId: third }, start + 30_000),
      };
      for (const name of order) await deliver(customer, [events[name]]);
      await deliver(customer, [
        messageFrom({ userId: third }, "Hello"),
        messageFrom({ userId: second }, "late", start),
      ]);
      expect(await contactsOf(customer)).toMatchObject([{ is_unsubscribed: true, external_ids: [{ id: third }] }]);
    },
  );
});
