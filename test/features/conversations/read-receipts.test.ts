import { describe, expect, it, vi } from "vitest";
import { messageFrom, newUserId, conversationsOf, deliver } from "../../support/provider-events.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest } from "../../support/providers/linked.ts";
import { WahaStandIn } from "../../support/providers/waha.ts";
import { reactionTo } from "../../support/stored-messages.ts";
import { type Customer, phoneEnding } from "../../support/world.ts";
import { skipWaits } from "../../support/waits.ts";

describe("a conversation that is marked read", () => {
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

  it("tells the provider by its newest message, once", async () => {
    const { customer, id, newest } = await written();
    expect((await read(customer, id)).body.conversation.unread_count).toBe(0);
    expect(cloud.read).toEqual([newest]);
    await read(customer, id, {});
    expect(cloud.read).toEqual([newest]);
  });

  it("tells nobody where that is not wanted, or where the request is a repeat", async () => {
    const { customer, phone, id } = await written();
    const ask = { headers: { "Idempotency-Key": "once" } };
    expect((await read(customer, id, { receipt: false }, ask)).body.conversation.unread_count).toBe(0);
    await deliver(customer, [received("Still there?", phone)]);
    expect((await read(customer, id, { receipt: false }, ask)).headers.get("Idempotent-Replayed")).toBe("true");
    expect(cloud.read).toEqual([]);
    expect((await read(customer, id, { receipt: "no" })).status).toBe(400);
  });

  it("names the newest message that is no reaction", async () => {
    const { customer, phone, id, newest } = await written();
    customer.world.advance(1000);
    await deliver(customer, [reactionTo({ phone }, [newest], "👍")]);
    await read(customer, id);
    expect(cloud.read).toEqual([newest]);
  });

  it("is read also where the provider cannot be told, which is tried again", async () => {
    const { customer, id } = await written();
    const { waited } = skipWaits();
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Network connection lost."));
    expect((await read(customer, id)).body.conversation.unread_count).toBe(0);
    expect(waited).toEqual([1000, 4000]);
  });

  it("of another workspace is not found", async () => {
    const { id } = await written();
    const other = await linkedCustomer(cloud);
    expect((await read(other, id)).status).toBe(404);
    expect(cloud.read).toEqual([]);
  });

  it("tells the provider also where a member opens it in the console", async () => {
    const { customer, id, newest } = await written();
    const agent = await customer.member("agent");
    await agent.get(`/console/${customer.workspaceId}/inbox/${id}`);
    expect(cloud.read).toEqual([newest]);
  });
});

describe("a conversation with a person without a number that is marked read", () => {
  let waha: WahaStandIn;
  playInEachTest(() => (waha = new WahaStandIn()));

  it("tells the provider by the user id", async () => {
    const customer = await linkedCustomer(waha);
    const userId = `${newUserId().replace("user.", "10000000")}@lid`;
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const [{ id }] = await conversationsOf(customer);
    await customer.call("POST", `/conversations/${id}/read`);
    expect(waha.seen).toMatchObject([{ chatId: userId }]);
  });
});
