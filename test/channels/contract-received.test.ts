import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf } from "../support/inbox.ts";
import { sampleAndRest } from "../support/long.ts";
import { fileOf, heads, readFile, storeFile } from "../support/media.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { linkedCustomer, playProvider, report, UPSTREAM } from "../support/providers/linked.ts";
import { type Arriving, type ReceivedKind, receivedKinds } from "../support/providers/received-kinds.ts";
import { chatOf, WahaStandIn } from "../support/providers/waha.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

type FileType = keyof typeof heads;

/** A provider through which people write. */
interface Inlet {
  customer: Customer;
  /** Stores a file at the provider. Returns the file's name in messages. */
  hold(bytes: Uint8Array<ArrayBuffer>, type: FileType): Promise<string>;
  receive(from: string, kind: ReceivedKind, arriving: Arriving, copies: number): Promise<unknown>;
}

async function overSandbox(): Promise<Inlet> {
  const customer = await new World().customer();
  return {
    customer,
    hold: async (bytes, type) => (await storeFile(customer, bytes, type)).id,
    async receive(from, { sandbox }, arriving, copies) {
      await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, { from, ...sandbox(arriving) });
      await customer.world.queues.deliverDue(customer.world.env, copies);
    },
  };
}

async function overCloud(): Promise<Inlet> {
  const provider = new CloudStandIn();
  playProvider(provider);
  const customer = await linkedCustomer(provider);
  return {
    customer,
    hold: (bytes, type) => Promise.resolve(provider.files.receive(bytes, type)),
    receive: (from, { cloud }, arriving, copies) =>
      report(customer, provider.deliver(provider.message(from, cloud(arriving))), copies),
  };
}

async function overWaha(): Promise<Inlet> {
  const provider = new WahaStandIn();
  playProvider(provider);
  const customer = await linkedCustomer(provider);
  return {
    customer,
    hold(bytes, type) {
      provider.files.set("default/FILE", { bytes, mimeType: type });
      return Promise.resolve(`${UPSTREAM}/api/files/default/FILE`);
    },
    receive(from, { kind, waha }, arriving, copies) {
      const event = kind === "reaction" ? "message.reaction" : "message.any";
      return report(customer, provider.deliver(event, provider.message(chatOf(from), "", waha?.(arriving))), copies);
    },
  };
}

const inlets = [
  { name: "sandbox", open: overSandbox, kinds: receivedKinds },
  { name: "whatsapp_cloud", open: overCloud, kinds: receivedKinds },
  { name: "waha", open: overWaha, kinds: receivedKinds.filter(({ waha }) => waha !== null) },
];

/** Returns the only conversation with its messages, oldest first. */
async function thread(customer: Customer): Promise<{ id: string; messages: Answer["body"][] }> {
  const [{ id }, ...others] = (await customer.call("GET", "/conversations")).body.conversations;
  expect(others).toEqual([]);
  const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
  return { id, messages: messages.toReversed() };
}

const textKind = receivedKinds.filter(({ kind }) => kind === "text");

describe.each(inlets)("Received messages over $name", ({ open, kinds }) => {
  describe.each(sampleAndRest(kinds, (_, index) => index % 4 === 0))("Kinds ($which)", ({ some, options }) => {
    it.each(some)(
      "A received message of kind $kind is stored once with its file, in the same form for every provider",
      options,
      async (kind) => {
        const { customer, hold, receive } = await open();
        const { world } = customer;
        const from = phoneEnding("1234");
        const nothing = { file: "", target: "", providerTarget: "" };
        for (const text of textKind) await receive(from, text, nothing, 1);
        world.advance(1000);
        const first = await thread(customer);
        const { message_id: target } = (
          await customer.call("POST", `/conversations/${first.id}/messages`, { text: "Hi" })
        ).body;
        await world.settle({ withinMs: 10_000 });
        world.advance(1000);

        const { provider_message_id: providerTarget } = await customer.message(target);
        const bytes = fileOf(heads[kind.file ?? "image/png"], 300_000).fill(7, 100);
        const file = kind.file === undefined ? "" : await hold(bytes, kind.file);
        await receive(from, kind, { file, target, providerTarget }, 2);

        const { id, messages } = await thread(customer);
        expect(messages).toHaveLength(3);
        const { type, content, body } = messages[2];
        const media_id = content.media_id ?? "";
        const { stored } = kind;
        if (kind.file === undefined) {
          expect({ type, content, body }).toEqual(stored);
          if (type === "reaction") expect(messages[1].reactions).toMatchObject([{ emoji: "👍", from_contact: true }]);
          return;
        }
        expect({ type, content, body }).toEqual({ ...stored, content: { ...Object(stored.content), media_id } });
        const early = (await customer.call("GET", `/media/${media_id}`)).body.media;
        await world.settle();
        const media = (await customer.call("GET", `/media/${media_id}`)).body.media;
        expect([early.status, media.status, media.mime_type]).toEqual(["pending", "stored", kind.file]);
        expect((await readFile(customer, media_id)).bytes).toEqual(bytes);
        // One kind is enough for the console, which renders all kinds in the same way.
        if (kind.file !== "image/jpeg") return;
        const { agent, page } = await agentOf(customer, id);
        expect(page.body).toContain(`/console/media/${media_id}`);
        expect((await agent.bytes(`/console/media/${media_id}`)).bytes).toEqual(bytes);
      },
    );
  });
});
