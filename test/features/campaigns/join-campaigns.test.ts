import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { campaign, differences, recipientsOf, started } from "../../support/campaigns.ts";
import { contactsOf, deliver, messageFrom, newUserId } from "../../support/provider-events.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Campaigns with merged contacts", () => {
  /** Starts a campaign with both contacts as recipients. It has not sent to either of them yet. */
  async function bothIn(customer: Customer) {
    const [one, other] = [phoneEnding("1234"), phoneEnding("1234")];
    const [a, b] = [newUserId(), newUserId()];
    await deliver(customer, [
      messageFrom({ phone: one, userId: a }, "Hi"),
      messageFrom({ phone: other, userId: b }, "Hi"),
    ]);
    const id = await started(customer, { body: "Hello" });
    return { one, other, a, b, id };
  }

  it("A campaign sends one message to two merged contacts and counts the other recipient as a duplicate", async () => {
    const customer = await new World().customer();
    const { one, b, id } = await bothIn(customer);
    await customer.call("POST", `/campaigns/${id}/pause`);
    await deliver(customer, [messageFrom({ phone: one, userId: b }, "I have changed")]);
    expect(await contactsOf(customer)).toHaveLength(1);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    await customer.world.cron();
    await customer.world.settle();
    expect(await customer.outbox()).toHaveLength(1);
    const recipients = await recipientsOf(customer, id);
    expect(recipients.map(({ state, reason }) => [state, reason])).toEqual([
      ["read", null],
      ["skipped", "duplicate"],
    ]);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed" });
    expect(await differences(customer, id)).toEqual({});
  });
});
