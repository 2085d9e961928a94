import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { lockableCustomer } from "../../../support/locked.ts";
import { steps } from "../../../support/storage.ts";
import { type Customer, phoneEnding } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const accepted = (providerMessageId: string): SendOutcome => ({ kind: "accepted", providerMessageId });

/** Records the body of each call. During the call for "one", queues "two" to the same person and calls `meanwhile`. */
function recordCalls(customer: Customer, to: string, meanwhile: () => void): string[] {
  const bodies: string[] = [];
  vi.spyOn(sandbox, "send").mockImplementation(async (_, { id, body }) => {
    bodies.push(body);
    if (body === "one") {
      await customer.send(to, "two");
      meanwhile();
    }
    return accepted(id);
  });
  return bodies;
}

describe("Lost claims", () => {
  it.each(["first", "next"])(
    "If the database's response to the claim of the %s message is lost, the same run finds the claim and sends the message once",
    async (which) => {
      const { customer, faults, world } = await lockableCustomer();
      const to = phoneEnding("1234");
      const bodies = recordCalls(customer, to, () => {
        if (which === "next") faults.next(steps.settle, "after");
      });
      if (which === "first") faults.next(steps.claim, "after");
      const { message_id, conversation_id } = (await customer.send(to, "one")).body;
      await world.settle();
      world.advance(121_000);
      await world.cron();
      await world.settle({ copies: 2 });
      expect(faults.spent).toBe(true);
      expect(bodies).toEqual(["one", "two"]);
      expect((await customer.message(message_id)).delivery).toBe("sent");
      const { messages } = (await customer.call("GET", `/conversations/${conversation_id}/messages`)).body;
      expect(messages.map(({ delivery }: { delivery: string }) => delivery)).toEqual(["sent", "sent"]);
    },
  );

  it("If a run has no time left to send a message whose claim it has just found, it releases the message, and the next run sends it", async () => {
    const { customer, faults, world } = await lockableCustomer();
    const to = phoneEnding("1234");
    const bodies = recordCalls(customer, to, () => {
      faults.next(steps.settle, "after");
      world.advance(14_800);
    });
    const { conversation_id } = (await customer.send(to, "one")).body;
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(bodies).toEqual(["one", "two"]);
    const { messages } = (await customer.call("GET", `/conversations/${conversation_id}/messages`)).body;
    expect(messages.map(({ delivery }: { delivery: string }) => delivery)).toEqual(["sent", "sent"]);
  });
});
