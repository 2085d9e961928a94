import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../../src/channels/channel.ts";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { recipientsOf, started } from "../../../support/campaigns.ts";
import { deliver } from "../../../support/provider-events.ts";
import { expand, phones, rowOf, sentAs, settleLease } from "../../../support/recipients.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const SAME = "wamid.same";

const status = (word: string, messageId: string | null = null) => ({
  type: "status",
  messageId,
  providerMessageId: SAME,
  providerKey: SAME,
  status: word,
  at: Date.now(),
  error: null,
});

const answer: SendOutcome = { kind: "accepted", providerMessageId: SAME, providerKey: SAME };

describe("Repeated provider's ids", () => {
  it.each([true, false])(
    "If the provider assigns one id to several messages, each message is settled by its own response; sent in sequence: %s",
    async (inTurn) => {
      const world = new World();
      const customer = await world.customer();
      const send = vi.spyOn(sandbox, "send").mockResolvedValue(answer);
      const to = [phoneEnding("1234"), phoneEnding("1234"), phoneEnding("1234")];
      const ids: string[] = [];
      if (inTurn) for (const phone of to) ids.push((await customer.send(phone)).body.message_id);
      else ids.push(...(await Promise.all(to.map(async (phone) => (await customer.send(phone)).body.message_id))));
      world.advance(300_000);
      await world.cron();
      await world.settle({ copies: 2 });
      expect(send).toHaveBeenCalledTimes(3);
      for (const id of ids) {
        expect(await customer.message(id)).toMatchObject({ delivery: "sent", provider_message_id: SAME });
      }
      expect(await customer.outbox("?limit=100")).toHaveLength(0);
    },
  );

  it("If two messages have the same provider id, a status applies to the first message, unless the status contains Tidings' own message id", async () => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockResolvedValue(answer);
    const first = (await customer.send(phoneEnding("1234"))).body.message_id;
    const second = (await customer.send(phoneEnding("1234"))).body.message_id;
    await deliver(customer, [status("delivered")], 2);
    const deliveries = async () => [
      (await customer.message(first)).delivery,
      (await customer.message(second)).delivery,
    ];
    expect(await deliveries()).toEqual(["delivered", "sent"]);
    await deliver(customer, [status("read", second)], 2);
    expect(await deliveries()).toEqual(["delivered", "read"]);
  });

  it("If two messages have the same provider id, a status that arrives before the settlement applies only to the first message", async () => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockImplementationOnce(async () => {
      await deliver(customer, [status("delivered")]);
      return answer;
    });
    const first = (await customer.send(phoneEnding("1234"))).body.message_id;
    vi.spyOn(sandbox, "send").mockResolvedValue(answer);
    const second = (await customer.send(phoneEnding("1234"))).body.message_id;
    expect((await customer.message(first)).delivery).toBe("delivered");
    expect((await customer.message(second)).delivery).toBe("sent");
  });

  it("A campaign completes even if the provider assigns one id to different messages", async () => {
    const customer = await new World().customer();
    for (let count = 0; count < 3; count++) await customer.call("POST", "/contacts", { phone: phoneEnding("1234") });
    const send = vi.spyOn(sandbox, "send").mockResolvedValue(answer);
    const id = await started(customer, { body: "Hello" });
    await customer.world.settle({ copies: 2 });
    expect(send).toHaveBeenCalledTimes(3);
    expect((await recipientsOf(customer, id)).map((each) => each.state)).toEqual(["sent", "sent", "sent"]);
    const { campaign } = (await customer.call("GET", `/campaigns/${id}`)).body;
    expect(campaign).toMatchObject({ status: "completed" });
  });
});

describe("Messages with a provider's id", () => {
  it("If a message is settled a second time with a different text, it keeps its provider id", async () => {
    const customer = await new World().customer();
    const { recipients } = await expand(customer, phones(2));
    for (const body of ["Hello", "Hello again"]) {
      await settleLease(customer, recipients, (recipient) => ({
        outcome: { ...answer, providerKey: recipient.id },
        sent: sentAs(recipient, body),
      }));
    }
    for (const { id } of recipients) {
      expect(await rowOf(customer, id)).toMatchObject({ provider_key: id, body: "Hello again", attempts: 1 });
    }
  });
});
