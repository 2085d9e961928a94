import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { recipientsOf, startCampaign, started } from "../../../support/campaigns.ts";
import {
  contactsOf,
  conversationsOf,
  deliver,
  messageFrom,
  outcomeOf,
  statusOf,
} from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { phoneEnding, World } from "../../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

let ids = 0;
const newId = () => `user.o${ids++}`;

describe("Opt-outs", () => {
  it("An opt-out by an id applies to the person's number after the number becomes known", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    await deliver(customer, [messageFrom({ phone, userId }, "It's me")]);
    await deliver(customer, [messageFrom({ userId }, "STOP")]);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
    expect((await startCampaign(customer, { body: "Hello" })).body.error.code).toBe("no_recipients");
  });

  it("An opt-out with a number and an id applies to both, even if two contacts had them", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ phone }, "Hi"), messageFrom({ userId }, "Hi")]);
    const conversations = await conversationsOf(customer);
    await deliver(customer, [messageFrom({ phone, userId }, "STOP")], 2);
    expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
    for (const { id } of conversations) {
      const reply = await customer.call("POST", `/conversations/${id}/messages`, { text: "Hi" });
      expect(["unsubscribed", "not_found"]).toContain(outcomeOf(reply));
    }
    expect(await customer.outbox()).toEqual([]);
  });

  it.each(["by the id", "by the number"])(
    "An opt-out of either contact applies to the merged contact: %s",
    async (which) => {
      const customer = await new World().customer();
      const [phone, userId] = [phoneEnding("1234"), newId()];
      await deliver(customer, [
        messageFrom({ phone }, which === "by the number" ? "STOP" : "Hi"),
        messageFrom({ userId }, which === "by the id" ? "STOP" : "Hi"),
      ]);
      const { message_id } = (await customer.send(phoneEnding("0004"))).body;
      await onShard(
        customer,
        "UPDATE messages SET contact_seq = (SELECT seq FROM contacts WHERE phone = ?) WHERE id = ?",
        phone,
        message_id,
      );
      await deliver(customer, [statusOf(message_id, { userId })]);
      customer.world.advance(2 * DAY_MS);
      expect(outcomeOf(await customer.send(phone))).toBe("unsubscribed");
      expect((await contactsOf(customer)).find((contact) => contact.phone === phone).is_unsubscribed).toBe(true);
    },
  );

  it("An opt-out of a number applies to the contact that gets the number later, even after a change of number", async () => {
    const customer = await new World().customer();
    const [phone, other, userId] = [phoneEnding("1234"), phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ phone }, "STOP")]);
    await onShard(customer, "DELETE FROM contacts WHERE workspace_id = ?", customer.workspaceId);
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    customer.world.advance(1000);
    await deliver(customer, [messageFrom({ phone, userId }, "me")]);
    customer.world.advance(2 * DAY_MS);
    const [contact] = await contactsOf(customer);
    expect(contact.is_unsubscribed).toBe(true);
    await customer.call("PATCH", `/contacts/${contact.id}`, { phone: other });
    expect(outcomeOf(await customer.send(other))).toBe("unsubscribed");
    await customer.call("PATCH", `/contacts/${contact.id}`, { phone: null });
    const [conversation] = await conversationsOf(customer);
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" });
    expect(outcomeOf(reply)).toBe("unsubscribed");
  });

  it("Opting in applies to every number and id of the person", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ phone, userId }, "STOP")]);
    customer.world.advance(1000);
    await deliver(customer, [messageFrom({ userId }, "START")]);
    customer.world.advance(2 * DAY_MS);
    expect(outcomeOf(await customer.send(phone))).toBe("queued");
    expect(
      await onShard(customer, "SELECT key FROM suppressions WHERE workspace_id = ?", customer.workspaceId),
    ).toEqual([]);
    const [contact] = await contactsOf(customer);
    for (const is_unsubscribed of [true, false]) {
      await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed });
    }
    expect(
      await onShard(customer, "SELECT key FROM suppressions WHERE workspace_id = ?", customer.workspaceId),
    ).toEqual([]);
  });

  it("If a person opts out by user id, a running campaign to the person's number excludes the person", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1234"), newId()];
    await deliver(customer, [messageFrom({ phone }, "Hi"), messageFrom({ userId }, "STOP")]);
    const id = await started(customer, { body: "Hello" });
    await customer.call("POST", `/campaigns/${id}/pause`);
    await deliver(customer, [messageFrom({ phone, userId }, "hello again")]);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    expect(await customer.outbox()).toEqual([]);
    expect(await recipientsOf(customer, id)).toMatchObject([{ state: "skipped", reason: "unsubscribed" }]);
  });
});
