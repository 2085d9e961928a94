import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { conversationsOf, deliver, historyOf, messageFrom, ownMessageTo } from "../../../support/provider-events.ts";
import { parts, reactionEvents, reactionTo, storedOf, waitingIn } from "../../../support/stored-messages.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Reactions", () => {
  async function written() {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const message = messageFrom({ phone }, "Two, please");
    await deliver(customer, [message]);
    customer.world.advance(1000);
    return { customer, phone, key: message.providerMessageId };
  }

  it("A reaction appears on its target message and in the history, and does not count as unread", async () => {
    const { customer, phone, key } = await written();
    await deliver(customer, [reactionTo({ phone }, [key], "👍")], 2);
    const [target, row] = await storedOf(customer);
    expect(target).toMatchObject({ contact_reaction: "👍", own_reaction: null });
    expect(row).toMatchObject({ type: "reaction", content: { emoji: "👍" }, reply_to: target.id });
    const [conversation] = await conversationsOf(customer);
    expect(conversation).toMatchObject({ unread_count: 1, status: "open" });
    expect(await historyOf(customer, conversation.id)).toHaveLength(2);
    expect(await reactionEvents(customer)).toMatchObject([{ id: target.id, changes: { reaction: [null, "👍"] } }]);
    expect(await waitingIn(customer)).toEqual([]);
  });

  it("A reaction can be replaced and removed, and a late older reaction changes nothing", async () => {
    const { customer, phone, key } = await written();
    const at = Date.now();
    customer.world.advance(10_000);
    await deliver(customer, [
      reactionTo({ phone }, [key], "👍", at),
      reactionTo({ phone }, [key], "", at + 4000),
      reactionTo({ phone }, [key], "❤️", at + 2000),
    ]);
    const [target] = await storedOf(customer);
    expect(target).toMatchObject({ contact_reaction: "", contact_reaction_at: at + 4000 });
    expect((await reactionEvents(customer)).map(({ changes }) => changes)).toEqual([
      { reaction: [null, "👍"] },
      { reaction: ["👍", null] },
    ]);
  });

  it("A reaction that arrives before its target message waits, and appears when the message arrives", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const message = messageFrom({ phone }, "Two, please", Date.now() - 5000);
    await deliver(customer, [reactionTo({ phone }, [message.providerMessageId], "👍")]);
    expect(await storedOf(customer)).toMatchObject([{ type: "reaction", reply_to: null }]);
    await deliver(customer, [message], 2);
    const [target, row] = await storedOf(customer);
    expect(target).toMatchObject({ body: "Two, please", contact_reaction: "👍" });
    expect(row).toMatchObject({ type: "reaction", reply_to: target.id, reply_to_key: null });
    expect((await conversationsOf(customer))[0]).toMatchObject({ unread_count: 1 });
    expect(await waitingIn(customer)).toEqual([]);
  });

  it("A reaction to our own message is matched by the provider's id", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const sent = (await customer.send(phone, "At nine")).body.message_id;
    await customer.world.settle({ withinMs: 5000 });
    const { provider_message_id } = await customer.message(sent);
    await deliver(customer, [reactionTo({ phone }, [provider_message_id], "🎉")]);
    expect((await storedOf(customer))[0]).toMatchObject({ id: sent, contact_reaction: "🎉" });
  });

  it("A reaction opens the 24-hour window on an official connection", async () => {
    const customer = await new World().customer({ channel: "official" });
    const phone = phoneEnding("1234");
    expect((await customer.send(phone)).body.error.code).toBe("window_closed");
    await deliver(customer, [reactionTo({ phone }, ["unknown"], "👍")]);
    expect((await customer.send(phone)).status).toBe(202);
  });

  it("A reaction with the text STOP is not an opt-out", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    await deliver(customer, [{ ...reactionTo({ phone }, ["unknown"], "STOP"), body: "STOP" }]);
    expect((await customer.call("GET", "/contacts")).body.contacts).toMatchObject([{ is_unsubscribed: false }]);
  });

  it("A reaction from the workspace's phone appears only on its target message", async () => {
    const { customer, phone, key } = await written();
    const own = {
      ...ownMessageTo({ phone }, "[reaction] 👍"),
      parts: parts("reaction", { emoji: "👍" }, { replyTo: [key] }),
    };
    await deliver(customer, [own], 2);
    expect((await storedOf(customer))[0]).toMatchObject({ own_reaction: "👍", contact_reaction: null });
    expect((await conversationsOf(customer))[0]).toMatchObject({ last_message: "Two, please" });
    expect((await reactionEvents(customer)).map(({ changes }) => changes)).toEqual([{ own_reaction: [null, "👍"] }]);
  });

  it("A reaction to our own reaction is ignored", async () => {
    const { customer, phone, key } = await written();
    const reaction = parts("reaction", { emoji: "👍" }, { replyTo: [key] });
    const own = { ...ownMessageTo({ phone }, "[reaction] 👍"), parts: reaction };
    await deliver(customer, [own, reactionTo({ phone }, [own.providerMessageId], "🎉")]);
    expect((await storedOf(customer)).map(({ contact_reaction }) => contact_reaction)).toEqual([null, null, null]);
    expect(await reactionEvents(customer)).toHaveLength(1);
  });

  it("A reaction from a different person is ignored", async () => {
    const { customer, key } = await written();
    await deliver(customer, [reactionTo({ phone: phoneEnding("1234") }, [key], "👍")]);
    expect((await storedOf(customer))[0]).toMatchObject({ contact_reaction: null });
  });
});
