import { describe, expect, it, vi } from "vitest";
import { messageFrom, newUserId, conversationsOf, deliver } from "../../support/provider-events.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest } from "../../support/providers/linked.ts";
import { WahaStandIn } from "../../support/providers/waha.ts";
import { reactionTo } from "../../support/stored-messages.ts";
import { type Customer, phoneEnding } from "../../support/world.ts";
import { skipWaits } from "../../support/waits.ts";

describe("Read receipts", () => {
  let cloud: CloudStandIn;
  playInEachTest(() => (cloud = new CloudStandIn()));

  const received = (text: string, phone: string, at = Date.now()) => messageFrom({ phone }, text, at);

  async function written() {
    const customer = await linkedCustomer(cloud);
    const phone = phoneEnding("1234");
    await deliver(customer, [received("Hi", phone)]);
    customer.world.advance(1000);
    const second = received("Anyone?", phone);
    await deliver(customer, [second]);
    const [conversation] = await conversationsOf(customer);
    return { customer, phone, id: String(conversation.id), newest: second.providerMessageId };
  }

  const read = (customer: Customer, id: string, body?: object, ask = {}) =>
    customer.call("POST", `/conversations/${id}/read`, body, ask);

  it("Marking a conversation as read sends the provider one receipt for the newest message", async () => {
    const { customer, id, newest } = await written();
    expect((await read(customer, id)).body.conversation.unread_count).toBe(0);
    expect(cloud.read).toEqual([newest]);
    await read(customer, id, {});
    expect(cloud.read).toEqual([newest]);
  });

  it("Marking a conversation as read sends no receipt if none is requested or the request is a repeat", async () => {
    const { customer, phone, id } = await written();
    const ask = { headers: { "Idempotency-Key": "once" } };
    expect((await read(customer, id, { receipt: false }, ask)).body.conversation.unread_count).toBe(0);
    await deliver(customer, [received("Still there?", phone)]);
    expect((await read(customer, id, { receipt: false }, ask)).headers.get("Idempotent-Replayed")).toBe("true");
    expect(cloud.read).toEqual([]);
    expect((await read(customer, id, { receipt: "no" })).status).toBe(400);
  });

  it("Marking a conversation as read sends a receipt for its newest message that is not a reaction", async () => {
    const { customer, phone, id, newest } = await written();
    customer.world.advance(1000);
    await deliver(customer, [reactionTo({ phone }, [newest], "👍")]);
    await read(customer, id);
    expect(cloud.read).toEqual([newest]);
  });

  it("A conversation is marked as read even if its receipt fails, and the receipt is retried", async () => {
    const { customer, id } = await written();
    const { waited } = skipWaits();
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Network connection lost."));
    expect((await read(customer, id)).body.conversation.unread_count).toBe(0);
    expect(waited).toEqual([1000, 4000]);
  });

  it("A conversation of another workspace cannot be marked as read", async () => {
    const { id } = await written();
    const other = await linkedCustomer(cloud);
    expect((await read(other, id)).status).toBe(404);
    expect(cloud.read).toEqual([]);
  });

  it("Opening a conversation in the console also sends a read receipt", async () => {
    const { customer, id, newest } = await written();
    const agent = await customer.member("agent");
    await agent.get(`/console/${customer.workspaceId}/inbox/${id}`);
    expect(cloud.read).toEqual([newest]);
  });
});

describe("People without a number", () => {
  let waha: WahaStandIn;
  playInEachTest(() => (waha = new WahaStandIn()));

  it("A read receipt for a person without a number is sent by user id", async () => {
    const customer = await linkedCustomer(waha);
    const userId = `${newUserId().replace("user.", "10000000")}@lid`;
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const [{ id }] = await conversationsOf(customer);
    await customer.call("POST", `/conversations/${id}/read`);
    expect(waha.seen).toMatchObject([{ chatId: userId }]);
  });
});
