import { beforeEach, describe, expect, it } from "vitest";
import type { MessageAttempt } from "../../../src/features/messages/settle/settle-messages.ts";
import { stopClock } from "../../support/clock.ts";
import { expand, phones, sentAs, settleLease } from "../../support/recipients.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const error = { code: "provider_unreachable", message: "Busy.", providerCode: "2" } as const;
const retry: MessageAttempt["outcome"] = { kind: "retry", error };
const lost: MessageAttempt["outcome"] = { kind: "lost", error };
const plain = { kind: "accepted", providerMessageId: "p" } as const;

describe("Campaign messages in the list", () => {
  const conversations = async (customer: Customer) => (await customer.call("GET", "/conversations")).body.conversations;

  it("A campaign message becomes the last message of an existing conversation, and creates no new conversations", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    customer.world.advance(1000);
    const { recipients } = await expand(customer, [to, ...phones(2)]);
    await settleLease(customer, recipients, (recipient) => ({ outcome: plain, sent: sentAs(recipient, "Sale!") }));
    const listed = await conversations(customer);
    expect(listed).toMatchObject([{ last_message: "Sale!", status: "open", unread_count: 1 }]);
    expect(listed[0].last_message_at).toBe(new Date(Date.now()).toISOString());
  });

  it.each([
    ["might have been accepted", lost, "Sale!"],
    ["was rejected", { kind: "refused", error }, "Hi"],
    ["was skipped", { kind: "skipped", reason: "unsubscribed" }, "Hi"],
    ["waits", retry, "Hi"],
  ] as const)(
    "A campaign message becomes a conversation's last message only if it was or might have been sent (it %s)",
    async (_, outcome, last) => {
      const customer = await new World().customer();
      const to = phoneEnding("1234");
      await customer.receive(to, "Hi");
      customer.world.advance(1000);
      const { recipients } = await expand(customer, [to]);
      await settleLease(customer, recipients, (recipient) => ({ outcome, sent: sentAs(recipient, "Sale!") }));
      expect(await conversations(customer)).toMatchObject([{ last_message: last }]);
    },
  );

  it("A campaign message does not replace a newer last message in the list of conversations", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    customer.world.advance(1000);
    const { recipients } = await expand(customer, [to]);
    customer.world.advance(1000);
    await customer.send(to, "Newer");
    await settleLease(customer, recipients, (recipient) => ({ outcome: plain, sent: sentAs(recipient, "Sale!") }));
    expect(await conversations(customer)).toMatchObject([{ last_message: "Newer" }]);
  });
});
