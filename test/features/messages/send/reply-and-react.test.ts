import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const lastSent = (spy: { mock: { calls: Parameters<typeof sandbox.send>[] } }) => spy.mock.calls.at(-1)?.[1];

/** Receives a message from a person. Returns the message and its conversation. */
async function conversationWith(customer: Customer, phone: string) {
  await customer.receive(phone, "Hi");
  const { conversations } = (await customer.call("GET", "/conversations")).body;
  const [{ id }] = conversations;
  const [{ id: messageId }] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
  return { id: String(id), messageId: String(messageId) };
}

describe("Replies to messages", () => {
  it("A reply to an inbound message quotes it immediately, and a reply to our own message quotes it after that message is sent", async () => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const phone = phoneEnding("1234");
    const { id, messageId } = await conversationWith(customer, phone);
    world.advance(1);
    const path = `/conversations/${id}/messages`;
    const answer = (await customer.call("POST", path, { text: "Yes", reply_to: messageId })).body;
    const stored = await customer.message(messageId);
    expect(lastSent(spy)?.replyTo).toBe(stored.provider_message_id);
    expect(await customer.message(answer.message_id)).toMatchObject({ reply_to: messageId });
    world.advance(1);
    const body = { to: phone, text: "And", reply_to: answer.message_id };
    await customer.call("POST", "/messages", body);
    expect(lastSent(spy)?.replyTo).toBe(`sandbox-${answer.message_id}-1`);
    spy.mockRestore();
  });

  it("A reply that quotes an unsent message waits ten seconds for that message, and is then sent without the quote", async () => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const to = phoneEnding("1234");
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { message_id } = (await customer.call("POST", "/messages", { to, text: "Later", send_at: later })).body;
    const began = Date.now();
    world.advance(1);
    const reply = (await customer.call("POST", "/messages", { to, text: "Now", reply_to: message_id })).body;
    expect(spy).not.toHaveBeenCalled();
    await world.settle({ withinMs: 60_000 });
    expect(spy).toHaveBeenCalledTimes(1);
    expect(lastSent(spy)).toMatchObject({ id: reply.message_id, body: "Now", attempt: 1 });
    expect(lastSent(spy)?.replyTo).toBeUndefined();
    const { sent_at } = await customer.message(reply.message_id);
    expect(Date.parse(sent_at) - began).toBeGreaterThanOrEqual(10_000);
    expect(Date.parse(sent_at) - began).toBeLessThan(13_000);
    spy.mockRestore();
  });

  it("A reply to a message of a different conversation or workspace is rejected", async () => {
    const world = new World();
    const customer = await world.customer();
    const stranger = await world.customer();
    const { messageId } = await conversationWith(customer, phoneEnding("1234"));
    const reply = (who: Customer, to: string) =>
      refusal(who.call("POST", "/messages", { to, text: "x", reply_to: messageId }));
    expect(await reply(customer, phoneEnding("1234"))).toEqual([404, "not_found", null]);
    expect(await reply(stranger, phoneEnding("1234"))).toEqual([404, "not_found", null]);
    expect((await stranger.call("GET", "/contacts")).body.contacts).toEqual([]);
  });
});

describe("Our reactions", () => {
  it("Our reaction appears on its target message after the provider accepts it, and can be removed", async () => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const { id, messageId } = await conversationWith(customer, phoneEnding("1234"));
    const path = `/conversations/${id}/messages`;
    const react = async (emoji: string) => {
      world.advance(1);
      return (await customer.call("POST", path, { reaction: { message_id: messageId, emoji } })).body;
    };
    expect(await react("👍")).toMatchObject({ message_id: messageId, conversation_id: id, status: "queued" });
    const { provider_message_id } = await customer.message(messageId);
    expect(lastSent(spy)).toMatchObject({
      content: { type: "reaction", content: { emoji: "👍" } },
      replyTo: provider_message_id,
    });
    const reactions = [{ emoji: "👍", from_contact: false, at: new Date().toISOString() }];
    expect(await customer.message(messageId)).toMatchObject({ reactions });
    await world.settle();
    const { messages } = (await customer.call("GET", path)).body;
    expect(messages).toMatchObject([{ id: messageId, reactions }]);
    expect((await customer.call("GET", `/conversations/${id}`)).body.conversation.last_message).toBe("Hi");
    await react("❤️");
    await react("");
    expect(await customer.message(messageId)).toMatchObject({ reactions: [] });
    await world.settle({ copies: 2 });
    const { events } = (await customer.call("GET", "/events?types=message.*")).body;
    expect(
      events
        .map(({ type, object_id, changes }: { type: string; object_id: string; changes: object }) => [
          type,
          object_id,
          changes,
        ])
        .slice(1),
    ).toEqual([
      ["message.reaction", messageId, { own_reaction: [null, "👍"] }],
      ["message.reaction", messageId, { own_reaction: ["👍", "❤️"] }],
      ["message.reaction", messageId, { own_reaction: ["❤️", null] }],
    ]);
    const listed = (await customer.call("GET", `/messages?conversation_id=${id}`)).body.messages;
    expect(listed.map((message: { id: string }) => message.id)).toEqual([messageId]);
    spy.mockRestore();
  });

  it("Our reaction does not appear if the provider rejects it", async () => {
    const world = new World();
    const customer = await world.customer();
    const { messageId } = await conversationWith(customer, phoneEnding("1234"));
    const error = { code: "provider_rejected" as const, message: "No.", providerCode: null };
    const spy = vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "refused", error });
    const { conversation_id } = await customer.message(messageId);
    await customer.call("POST", `/conversations/${conversation_id}/messages`, {
      reaction: { message_id: messageId, emoji: "👍" },
    });
    await world.settle();
    expect(spy).toHaveBeenCalledTimes(1);
    expect(await customer.message(messageId)).toMatchObject({ reactions: [] });
    spy.mockRestore();
  });

  it("Our reaction is rejected if its target message was never sent, or if the reaction has a scheduled time", async () => {
    const customer = await new World().customer();
    const { messageId } = await conversationWith(customer, phoneEnding("0001"));
    const failed = (await customer.send(phoneEnding("0001"))).body.message_id;
    const to = (await customer.message(failed)).to;
    const later = new Date(Date.now() + 60_000).toISOString();
    const scheduled = (await customer.call("POST", "/messages", { to, text: "Later", send_at: later })).body.message_id;
    await customer.call("POST", `/messages/${scheduled}/cancel`);
    const react = (message_id: string, more = {}) =>
      refusal(customer.call("POST", "/messages", { to, reaction: { message_id, emoji: "👍" }, ...more }));
    expect(await react(failed)).toEqual([409, "invalid_state", { status: "failed" }]);
    expect(await react(scheduled)).toEqual([409, "invalid_state", { status: "cancelled" }]);
    expect(await react(messageId, { send_at: later })).toEqual([
      400,
      "validation_failed",
      [{ path: "send_at", code: "invalid_value", message: "This field cannot be combined with reaction." }],
    ]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("Our reaction is rejected for a message of a different conversation", async () => {
    const customer = await new World().customer();
    const { messageId } = await conversationWith(customer, phoneEnding("1234"));
    const body = { to: phoneEnding("1234"), reaction: { message_id: messageId, emoji: "👍" } };
    expect(await refusal(customer.call("POST", "/messages", body))).toEqual([404, "not_found", null]);
  });

  it("Our reaction opens a conversation if the target message has none", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const { message_id, conversation_id } = (await customer.send(to)).body;
    await world.settle();
    await onShard(
      customer,
      "DELETE FROM conversations WHERE id = ? AND workspace_id = ?",
      conversation_id,
      customer.workspaceId,
    );
    world.advance(1);
    const answer = await customer.call("POST", "/messages", { to, reaction: { message_id, emoji: "👍" } });
    expect(answer).toMatchObject({ status: 202, body: { message_id } });
    const { conversation } = (await customer.call("GET", `/conversations/${answer.body.conversation_id}`)).body;
    expect(conversation.last_message).toBe("Hello");
  });
});
