import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { OutboundMessage } from "../../src/channels/channel.ts";
import { providersThatSend } from "../../src/channels/providers.ts";
import { waha } from "../../src/channels/waha/waha.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { sendMessageBody } from "../../src/features/messages/input/message-input.schemas.ts";
import { readMessageInput } from "../../src/features/messages/send/new-message.ts";
import { stopClock } from "../support/clock.ts";
import { contextOf } from "../support/context.ts";
import { MediaShelf } from "../support/media-shelf.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { directIo, playProvider, UPSTREAM } from "../support/providers/linked.ts";
import type { StandIn } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { wildText } from "../support/wild.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Texts of about this length, made of letters, emoji and other characters. */
const text = (max: number) =>
  fc.oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
    fc.constantFrom("a".repeat(max), "👋".repeat(max), "a".repeat(max + 1), ` ${"a".repeat(max)} `, "a\nb\tc", " ", ""),
    wildText,
  );
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const object = <T extends Record<string, fc.Arbitrary<unknown>>>(
  fields: T,
  requiredKeys: Extract<keyof T, string>[] = [],
) => fc.record(fields, { requiredKeys });

const number = (most: number) =>
  fc.oneof(fc.double({ min: -most, max: most, noNaN: true }), fc.constantFrom(0, 1e-7, -1e-12));
const id = fc.oneof(fc.constantFrom("a", "b"), text(200));
const address = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.constantFrom("https://x", "http://a.b/ü?q=1 2"));
const media = (kind: string) => ({ media_id: fc.constant(`med_${kind}`) });
const around = { body: text(1024), header: maybe(text(60)), footer: maybe(text(60)) };

const rows = fc.array(fc.record({ id, title: text(24), description: maybe(text(72)) }), { maxLength: 6 });
const interactive = fc.oneof(
  fc.record({
    type: fc.constant("buttons"),
    ...around,
    buttons: fc.array(fc.record({ id, title: fc.oneof(fc.constantFrom("Yes", "No"), text(20)) }), { maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant("list"),
    ...around,
    button: text(20),
    sections: fc.array(fc.record({ title: maybe(text(24)), rows }), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant("link"), ...around, title: text(20), url: address }),
  fc.record({ type: fc.constant("location_request"), body: text(1024) }),
);

const phone = fc.constantFrom("+14155550199", "14155550199", "+44 20 7946 0958", "112", "x");
const email = fc.oneof(fc.emailAddress(), fc.constantFrom("ü@example.com", "a@b", "a b@example.com"), text(254));
const type = maybe(fc.oneof(fc.constantFrom("CELL", "we;ird:"), text(20)));
const card = object(
  {
    name: object({ formatted_name: text(200), first_name: text(100), last_name: text(100) }, ["formatted_name"]),
    phones: fc.array(fc.record({ phone, type, wa_id: maybe(fc.constantFrom("14155550199", "+1")) }), {
      minLength: 1,
      maxLength: 3,
    }),
    emails: fc.array(fc.record({ email, type }), { maxLength: 2 }),
    org: object({ company: text(200), department: text(200), title: text(200) }),
    addresses: fc.array(
      object({
        street: text(200),
        zip: text(20),
        country: text(200),
        country_code: fc.constantFrom("US", "USA"),
        type,
      }),
      { maxLength: 2 },
    ),
    urls: fc.array(fc.record({ url: address, type }), { maxLength: 2 }),
    birthday: fc.constantFrom("1999-01-23", "1999-02-30", "23.1.1999"),
  },
  ["name", "phones"],
);

const content = fc.oneof(
  fc.record({ text: text(4096), preview_url: maybe(fc.boolean()) }),
  fc.record({ image: object({ ...media("image"), caption: text(1024) }, ["media_id"]) }),
  fc.record({ video: object({ ...media("video"), caption: text(1024) }, ["media_id"]) }),
  fc.record({ audio: object({ ...media("audio"), voice: fc.boolean() }, ["media_id"]) }),
  fc.record({ document: object({ ...media("document"), caption: text(1024), filename: text(240) }, ["media_id"]) }),
  fc.record({ sticker: fc.record(media("sticker")) }),
  fc.record({
    location: object({ latitude: number(90), longitude: number(180), name: text(200), address: text(500) }, [
      "latitude",
      "longitude",
    ]),
  }),
  fc.record({ contacts: fc.array(card, { minLength: 1, maxLength: 2 }) }),
  fc.record({ interactive }),
  fc.record({
    reaction: fc.record({
      message_id: id,
      emoji: fc.oneof(fc.string({ unit: "grapheme", maxLength: 2 }), fc.constantFrom("", "👩🏻‍❤️‍💋‍👨🏿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿")),
    }),
  }),
);

/** Stores a file of each kind. Only WAHA requests the file's URL. */
async function shelf(): Promise<MediaShelf> {
  const files = new MediaShelf();
  for (const [kind, mimeType] of [
    ["image", "image/jpeg"],
    ["video", "video/mp4"],
    ["audio", "audio/ogg"],
    ["document", "application/pdf"],
    ["sticker", "image/webp"],
  ] as const) {
    const file = await files.put(`med_${kind}`, { bytes: new Uint8Array(9).fill(1), mimeType });
    file.link = () => Promise.resolve("https://tidings.test/media/a.b.c");
  }
  return files;
}

const channels = [
  { channel: whatsappCloud, make: (): StandIn => new CloudStandIn() },
  { channel: waha, make: (): StandIn => new WahaStandIn() },
];

async function expectReferenceForm({ channel, make }: (typeof channels)[number], numRuns: number): Promise<void> {
  const customer = await new World().customer();
  const ctx = await contextOf(customer);
  const standIn = make();
  playProvider(standIn);
  const files = await shelf();
  const connection = { id: "conn_1", config: standIn.config(UPSTREAM) };
  let accepted = 0;
  const check = async (body: object) => {
    const { data } = sendMessageBody.safeParse({ to: "+14155550100", ...JSON.parse(JSON.stringify(body)) });
    if (data === undefined) return;
    const { text: line, content: sent } = readMessageInput(ctx, data);
    if (sent !== undefined && !providersThatSend(sent).includes(standIn.provider)) return;
    accepted++;
    standIn.faults.length = 0;
    const replyTo = sent?.type === "reaction" && { replyTo: "true_14155550100@c.us_AAAA" };
    const message: OutboundMessage = { id: "msg_1", to: "+14155550100", body: line, attempt: 1, ...replyTo };
    const outcome = await channel.send(
      connection,
      { ...message, ...(sent && { content: sent }) },
      { ...directIo(), media: files },
    );
    expect(outcome).toMatchObject({ kind: "accepted" });
    expect(standIn.faults).toEqual([]);
    standIn.requests.length = 0;
  };
  await fc.assert(fc.asyncProperty(content, check), { numRuns });
  // The API rejects all other messages.
  expect(accepted).toBeGreaterThan(numRuns / 5);
}

it.each(channels)(
  "Every message that the API accepts is sent as the provider's reference requires (provider %#)",
  (each) => expectReferenceForm(each, 150),
);

it.each(channels)(
  "Each of 1,500 messages that the API accepts is sent as the provider's reference requires (provider %#)",
  { tags: "long" },
  (each) => expectReferenceForm(each, 1500),
);
