import { beforeEach, describe, expect, it, vi } from "vitest";
import { onShard } from "../support/storage.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

const contactsOf = (customer: Customer) =>
  onShard(customer, "SELECT id, phone FROM contacts WHERE workspace_id = ? ORDER BY seq", customer.workspaceId);

const conversationsOf = async (customer: Customer) => (await customer.call("GET", "/conversations")).body.conversations;

describe("one person with two spellings of a number", () => {
  it.each([
    ["Brazil", "+5511987654321", "+551187654321"],
    ["Mexico", "+525512345678", "+5215512345678"],
    ["Argentina", "+5491123456789", "+541123456789"],
  ])("is one contact and one conversation in %s", async (_, one, other) => {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const customer = await new World().customer();
      const { contact_id, conversation_id } = (await customer.send(first, "Hi")).body;
      await customer.receive(second, "Hello");
      customer.world.advance(1);
      expect((await customer.send(second, "How are you?")).body).toMatchObject({ contact_id, conversation_id });
      expect((await customer.outbox()).map(({ to }) => to)).toEqual([second, first]);
      expect(await contactsOf(customer)).toMatchObject([{ id: contact_id, phone: first }]);
      expect(await conversationsOf(customer)).toHaveLength(1);
      customer.world.advance(1);
      await customer.receive(second, "STOP");
      expect((await customer.send(first)).body.error.code).toBe("unsubscribed");
    }
  });

  it("are two people where the numbers are land lines", async () => {
    const customer = await new World().customer();
    await customer.receive("+551132345678", "Hi");
    await customer.receive("+5511932345678", "Hi");
    expect(await contactsOf(customer)).toHaveLength(2);
  });
});
