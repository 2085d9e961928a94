import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { sampleAndRest } from "../support/long.ts";
import { fileOf, heads, readBytes, storeFile } from "../support/media.ts";
import { type Named, type OutboundKind, outboundKinds } from "../support/providers/outbound-kinds.ts";
import { type ProviderBehavior, type Player, players } from "../support/providers/players.ts";
import { refusal } from "../support/templates.ts";
import type { Answer, Customer } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

interface Conversation {
  to: string;
  id: string;
  /** The person's message, which opens the window. */
  wrote: Answer["body"];
}

/** A new person who has written. Their next message gets this behavior of the provider. */
async function written(player: Player, customer: Customer, behavior: ProviderBehavior = "fine"): Promise<Conversation> {
  const to = player.number(behavior);
  await player.inbound(customer, to, "Hello?");
  const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
  const [wrote] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
  customer.world.advance(1000);
  return { to, id, wrote: await customer.message(wrote.id) };
}

const bytesOf = ({ type }: NonNullable<OutboundKind["file"]>) => fileOf(heads[type], 3000).fill(7, 100);

/** Stores the file of a kind, and returns the values that its message refers to. */
async function prepare(customer: Customer, { file }: OutboundKind, { wrote }: Conversation): Promise<Named> {
  const query = file?.name === undefined ? "" : `?filename=${file.name}`;
  const media = file && (await storeFile(customer, bytesOf(file), file.type, query));
  return {
    mediaId: media?.id ?? "",
    upload: "",
    link: "",
    target: wrote.id,
    providerTarget: wrote.provider_message_id,
  };
}

const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? "";

interface Sent {
  kind: OutboundKind;
  to: string;
  /** True if the message quotes the target. */
  isReply: boolean;
}

/** Returns the call and body in a provider's reference. `given` contains values that only the provider chooses. */
function referenceOf(player: Player, { kind, to, isReply }: Sent, named: Named, given: string) {
  const [[type, content] = ["", null]] = Object.entries(kind.asked(named));
  const facts = { ...named, upload: found(/"id":"(\d+)"/, given), link: found(/"url":"([^"]+)"/, given) };
  if (player.name === "sandbox") {
    const quoted = isReply || isReaction(kind) ? named.target : null;
    const handed = { type, content: type === "text" ? { preview_url: true } : content, body: kind.body };
    return { call: "hand", body: JSON.stringify({ ...handed, reply_to: quoted }) };
  }
  if (player.name === "whatsapp_cloud") {
    const whole = {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to,
      ...(isReply && { context: { message_id: named.providerTarget } }),
      ...kind.cloud(facts),
      biz_opaque_callback_data: found(/"biz_opaque_callback_data":"(msg_[^"]+)"/, given),
    };
    return { call: "POST /v25.0/106540352242922/messages", body: JSON.stringify(whole) };
  }
  const [call, own] = kind.waha?.(facts) ?? ["", {}];
  const chat = isReaction(kind) ? {} : { chatId: `${to.slice(1)}@c.us` };
  const quoted = isReply ? { reply_to: named.providerTarget } : {};
  return { call, body: JSON.stringify({ session: "default", ...chat, ...own, ...quoted }) };
}

const isReaction = ({ kind }: OutboundKind) => kind.includes("reaction");
/** A kind with a file, and a kind that refers to another message. contract.test.ts sends texts. */
const isTypical = ({ kind }: OutboundKind) => ["image", "reaction"].includes(kind);
const canSend = (player: Player, { waha }: OutboundKind) => player.name !== "waha" || waha !== null;

describe.each(players)("Message kinds over $name", (player) => {
  const kinds = outboundKinds.filter((kind) => canSend(player, kind));
  const others = outboundKinds.filter((kind) => !canSend(player, kind));

  async function expectAsReference(kind: OutboundKind): Promise<void> {
    const customer = await player.customer();
    const conversation = await written(player, customer);
    const { to, wrote } = conversation;
    const named = await prepare(customer, kind, conversation);
    const asked = kind.asked(named);
    for (const isReply of isReaction(kind) ? [false] : [false, true]) {
      const body = { to, ...asked, ...(isReply && { reply_to: wrote.id }) };
      const { message_id } = (await customer.call("POST", "/messages", body)).body;
      const given = await player.given(customer);
      expect(given).toEqual(referenceOf(player, { kind, to, isReply }, named, given.body));
      const link = found(/"url":"https:\/\/tidings\.test(\/media\/[^"]+)"/, given.body);
      if (kind.file !== undefined && player.name === "waha")
        expect((await readBytes(customer.world, link)).bytes).toEqual(bytesOf(kind.file));
      if (!isReaction(kind)) {
        const [[type, content] = []] = Object.entries(asked);
        const shown = { type, content, body: kind.body, reply_to: isReply ? wrote.id : null };
        expect(await customer.message(message_id)).toMatchObject({ ...shown, to, delivery: "sent" });
        if (player.name === "whatsapp_cloud")
          expect(given.body).toContain(`"biz_opaque_callback_data":"${message_id}"`);
      }
      customer.world.advance(1000);
    }
    expect(player.faults()).toEqual([]);
  }

  it.each(others)(
    "A message of kind $kind that the provider does not support is rejected before it is stored or sent",
    { tags: "long" },
    async (kind) => {
      const customer = await player.customer();
      const conversation = await written(player, customer);
      const body = { to: conversation.to, ...kind.asked(await prepare(customer, kind, conversation)) };
      const details = { type: "interactive", provider: player.name };
      expect(await refusal(customer.call("POST", "/messages", body))).toEqual([422, "unsupported_message", details]);
      const { messages } = (await customer.call("GET", `/conversations/${conversation.id}/messages`)).body;
      expect(messages).toHaveLength(1);
      expect(await player.calls(customer)).toBe(0);
    },
  );

  /**
   * Sends each kind to a new person, and then waits for hours. Returns each result, and how often the provider accepted
   * the message.
   */
  async function sendEach(behavior: ProviderBehavior, sentKinds: OutboundKind[]) {
    const customer = await player.customer();
    const { world } = customer;
    const sent: { kind: string; to: string; id: string; first: string }[] = [];
    for (const kind of sentKinds.filter((each) => !isReaction(each))) {
      const conversation = await written(player, customer, behavior);
      const { to } = conversation;
      const body = { to, ...kind.asked(await prepare(customer, kind, conversation)) };
      const { message_id: id } = (await customer.call("POST", "/messages", body)).body;
      sent.push({ kind: kind.kind, to, id, first: (await customer.message(id)).delivery });
      // The provider can request a pause, which would delay the next message.
      if (behavior === "busy") await world.settle({ withinMs: 60_000 });
    }
    const calls = await player.calls(customer);
    await world.settle({ withinMs: 60_000 });
    world.queues.messages.length = 0;
    world.advance(3_600_000);
    await world.cron();
    await world.settle();
    expect(player.faults()).toEqual([]);
    const ends = [];
    for (const { id, to, ...each } of sent) {
      const { delivery, error } = await customer.message(id);
      ends.push({ ...each, delivery, error, taken: await player.taken(customer, to) });
    }
    return { ends, calls, callsAgain: (await player.calls(customer)) - calls };
  }

  const played = (...behaviors: ProviderBehavior[]) =>
    player.behaviors.filter((behavior) => behaviors.includes(behavior));

  async function expectFailed(behavior: ProviderBehavior, sentKinds: OutboundKind[]): Promise<void> {
    for (const end of (await sendEach(behavior, sentKinds)).ends) {
      const error = { code: player.codes.permanent, message: expect.any(String), provider_code: expect.any(String) };
      expect(end).toMatchObject({ first: "failed", delivery: "failed", error, taken: 0 });
    }
  }

  async function expectSentAgain(behavior: ProviderBehavior, sentKinds: OutboundKind[]): Promise<void> {
    for (const end of (await sendEach(behavior, sentKinds)).ends) {
      expect(end).toMatchObject({ first: "queued", error: null, taken: 1 });
      expect(["sent", "delivered", "read"], end.kind).toContain(end.delivery);
    }
  }

  async function expectUnknown(behavior: ProviderBehavior, sentKinds: OutboundKind[]): Promise<void> {
    const wait = setTimeout;
    // A call without a response is aborted after 8 seconds.
    if (behavior === "silent")
      vi.stubGlobal("setTimeout", (run: () => void, ms: number) => wait(run, ms === 8000 ? 5 : ms));
    const { ends, calls, callsAgain } = await sendEach(behavior, sentKinds);
    // The sandbox still reports statuses of accepted messages.
    const delivery = player.name === "sandbox" ? "read" : "unknown";
    for (const end of ends) expect(end).toMatchObject({ first: "unknown", delivery, error: null });
    expect([calls, callsAgain]).toEqual([ends.length, 0]);
  }

  describe.each(sampleAndRest(kinds, isTypical))("Kinds ($which)", ({ some: sentKinds, options }) => {
    it.each(sentKinds)(
      "The request for a message of kind $kind matches the provider's reference, also if the message is a reply",
      options,
      (kind) => expectAsReference(kind),
    );

    it.each(played("permanent"))(
      "A message fails after a permanent rejection by the provider (%s)",
      options,
      (behavior) => expectFailed(behavior, sentKinds),
    );

    it.each(played("busy"))(
      "After a temporary rejection by the provider (%s), a message is sent again and accepted once",
      options,
      (behavior) => expectSentAgain(behavior, sentKinds),
    );

    it.each(played("lost", "broken", "garbled", "silent"))(
      "After an unclear response (%s), a message is `unknown` and never sent again",
      options,
      (behavior) => expectUnknown(behavior, sentKinds),
    );
  });
});
