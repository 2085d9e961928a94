import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { deliver, messageFrom, newUserId, ownMessageTo } from "../../../support/provider-events.ts";
import { file, filesOf, parts, storedOf, waitingIn } from "../../../support/stored-messages.ts";
import { type Answer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Inbound messages", () => {
  it("An inbound message keeps its type, content, referral and forwarded flag", async () => {
    const customer = await new World().customer();
    const order = { catalog_id: "c1", products: [{ product_id: "p1", quantity: 2, price: 9.5, currency: "EUR" }] };
    const referral = { source_type: "ad", source_id: "123", headline: "Buy" };
    await deliver(
      customer,
      [
        { ...messageFrom({ phone: phoneEnding("1234") }, "[order] 1 item"), parts: parts("order", order) },
        {
          ...messageFrom({ userId: newUserId() }, "Is this still there?"),
          parts: parts("text", null, { isForwarded: true, referral }),
        },
      ],
      2,
    );
    const [first, second] = await storedOf(customer);
    expect(first).toMatchObject({ type: "order", content: order, referral: null, is_forwarded: null });
    expect(second).toMatchObject({ type: null, content: null, is_forwarded: 1, body: "Is this still there?" });
    expect(JSON.parse(second.referral)).toEqual(referral);
  });

  it("The file of an inbound message is fetched once, even if the message is delivered more than once", async () => {
    const customer = await new World().customer();
    const image = {
      ...messageFrom({ phone: phoneEnding("1234") }, "[image] Look"),
      parts: parts("image", { caption: "Look", mime_type: "image/jpeg" }, { media: file() }),
    };
    await deliver(customer, [image], 2);
    const [message] = await storedOf(customer);
    const [media, ...others] = await filesOf(customer);
    expect(others).toEqual([]);
    expect(message.content).toEqual({ caption: "Look", mime_type: "image/jpeg", media_id: media?.["id"] });
    expect(media).toMatchObject({ status: "pending", mime_type: "image/jpeg", message_type: null });
    expect(JSON.parse(String(media?.["source"]))).toEqual({ connectionId: customer.connectionId, media: file() });
  });

  it("An inbound message of an unknown type is stored as received", async () => {
    const customer = await new World().customer();
    const content = { kind: "poll", reason: "Message type is currently not supported." };
    await deliver(customer, [
      { ...messageFrom({ phone: phoneEnding("1234") }, "[poll]"), parts: parts("unsupported", content) },
    ]);
    expect(await storedOf(customer)).toMatchObject([{ type: "unsupported", content }]);
    expect(await filesOf(customer)).toEqual([]);
  });

  it("A button with the title STOP opts the person out of all messages, and a template's stop button out of marketing only", async () => {
    const customer = await new World().customer();
    const [one, other] = [phoneEnding("1234"), phoneEnding("1234")];
    const pressed = (phone: string, title: string) => ({
      ...messageFrom({ phone }, title),
      parts: parts("button_reply", { id: "b1", title }),
    });
    await deliver(customer, [pressed(one, "STOP"), pressed(other, "Stop promotions")]);
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    expect(contacts.map((c: Answer["body"]) => [c.phone, c.is_unsubscribed, c.marketing_opt_out])).toEqual([
      [other, false, true],
      [one, true, false],
    ]);
  });
});

describe("Quotes", () => {
  it("A quote links to the quoted message, whether it was sent or received", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const received = messageFrom({ phone }, "When?");
    await deliver(customer, [received]);
    customer.world.advance(1000);
    const sent = (await customer.send(phone, "At nine")).body.message_id;
    await customer.world.settle({ withinMs: 5000 });
    const { provider_message_id } = await customer.message(sent);
    const answering = (keys: string[], text: string) => ({
      ...messageFrom({ phone }, text),
      parts: parts("text", null, { replyTo: keys }),
    });
    await deliver(customer, [answering([provider_message_id], "Thanks")]);
    customer.world.advance(1000);
    await deliver(customer, [answering(["x", received.providerMessageId], "Well?")]);
    const [asked, , thanks, well] = await storedOf(customer);
    expect([thanks.reply_to, thanks.reply_to_key]).toEqual([sent, null]);
    expect([well.reply_to, well.reply_to_key]).toEqual([asked.id, null]);
    expect(await waitingIn(customer)).toEqual([]);
  });

  it("If a quoted message arrives after its quote, the quote then links to the quoted message", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const quoted = messageFrom({ phone }, "When?", Date.now() - 5000);
    await deliver(
      customer,
      [
        {
          ...messageFrom({ phone }, "Well?"),
          parts: parts("text", null, { replyTo: ["other", quoted.providerMessageId] }),
        },
      ],
      2,
    );
    const [waiting] = await storedOf(customer);
    expect([waiting.reply_to, waiting.reply_to_key]).toEqual([null, "other"]);
    await deliver(customer, [quoted]);
    const [asked, well] = await storedOf(customer);
    expect([well.reply_to, well.reply_to_key]).toEqual([asked.id, null]);
  });

  it("A quote does not link to a message of a different person", async () => {
    const customer = await new World().customer();
    const other = messageFrom({ phone: phoneEnding("1234") }, "A secret");
    await deliver(customer, [other]);
    customer.world.advance(1000);
    await deliver(customer, [
      {
        ...messageFrom({ phone: phoneEnding("1234") }, "What?"),
        parts: parts("text", null, { replyTo: [other.providerMessageId] }),
      },
    ]);
    expect((await storedOf(customer)).at(-1)).toMatchObject({ reply_to: null, reply_to_key: other.providerMessageId });
    await customer.world.cron();
    expect((await storedOf(customer)).at(-1)).toMatchObject({ reply_to: null });
  });
});

describe("Files", () => {
  it("A file that the workspace sent from its phone is stored", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const own = {
      ...ownMessageTo({ phone }, "[image] Here"),
      parts: parts("image", { caption: "Here" }, { media: file({ id: null, url: "https://waha.example.com/f.jpg" }) }),
    };
    await deliver(customer, [own], 2);
    const [media, ...others] = await filesOf(customer);
    expect(others).toEqual([]);
    expect(await storedOf(customer)).toMatchObject([
      { type: "image", content: { caption: "Here", media_id: media?.["id"] } },
    ]);
  });

  it.each([
    ["with its kind", "[image] New caption"],
    ["without it", "New caption"],
  ])("An edited caption of a file is stored if the provider reports it %s", async (_, body) => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const image = {
      ...messageFrom({ phone }, "[image] Old caption"),
      parts: parts("image", { caption: "Old caption" }, { media: file() }),
    };
    const edit = {
      type: "revision",
      kind: "edit",
      revisionId: "r1",
      providerKeys: [image.providerMessageId],
      by: { phone, userId: null, name: null },
      body,
      at: Date.now() + 1000,
    };
    await deliver(customer, [image]);
    customer.world.advance(2000);
    await deliver(customer, [edit], 2);
    const [message] = await storedOf(customer);
    expect(message).toMatchObject({ body: "[image] New caption", content: { caption: "New caption" } });
    expect((await customer.message(message.id)).versions).toMatchObject([{ body: "[image] Old caption" }]);
  });
});
