import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ChannelEvent } from "../../src/channels/channel-events.ts";
import { contentShapes, type InboundParts } from "../../src/channels/content.ts";
import { waha } from "../../src/channels/waha/waha.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { eventMessage } from "../../src/features/inbound/inbound.schemas.ts";
import { jsonBytes } from "../../src/shared/text/text.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { anything, inherited, wild, wildText } from "../support/wild.ts";
import { wildCloudValue } from "../support/wild-cloud.ts";

const NOW = 1_800_000_000_000;
const cloud = new CloudStandIn();
const server = new WahaStandIn();

const parsers = {
  whatsapp_cloud: { webhook: whatsappCloud.webhook, config: cloud.config("https://graph.test") },
  waha: { webhook: waha.webhook, config: server.config("https://waha.test") },
};

function parse(provider: keyof typeof parsers, body: string): ChannelEvent[] {
  const { webhook, config } = parsers[provider];
  if (webhook === undefined) throw new Error("This channel has no webhook.");
  return webhook.parse({ id: "conn_1", config }, body, NOW);
}

/** Checks that the content of parts matches their type. The id of a file is set later. */
function expectOfItsType({ type, content, media }: InboundParts): void {
  const whole = media === null ? content : { media_id: "med_1", ...z.record(z.string(), z.unknown()).parse(content) };
  expect(contentShapes[type].safeParse(type === "text" ? {} : whole).error?.issues ?? []).toEqual([]);
}

/** Checks that the events fit the queue and can be stored. */
function expectSound(events: ChannelEvent[]): void {
  for (const event of events) {
    const message = { v: 1, workspace: { id: "ws_1", number: 1, shard: 0 }, connectionId: "conn_1", event };
    const json = JSON.stringify(message);
    expect(jsonBytes(message)).toBeLessThan(112_000);
    expect(json).not.toContain("\\u0000");
    expect(json.isWellFormed() && !/\\ud[89a-f]/i.test(json)).toBe(true);
    expect(eventMessage.safeParse(message).error?.issues ?? []).toEqual([]);
    const parts = event.type === "message" || event.type === "own" || event.type === "revision" ? event.parts : null;
    if (parts) expectOfItsType(parts);
  }
}

const field = fc.constantFrom(
  "messages",
  "smb_message_echoes",
  "account_update",
  "message_template_status_update",
  "message_template_quality_update",
  "template_category_update",
  "x",
);
const change = fc.oneof(wild, fc.record({ field: fc.oneof(field, wild), value: fc.oneof(wildCloudValue, wild) }));

const wildCard = fc
  .array(fc.tuple(fc.constantFrom("FN", "N", "TEL", "EMAIL;type", "ORG", "item1.TEL;waid="), wildText), {
    maxLength: 50,
  })
  .map((lines) => lines.map(([name, text]) => `${name}:${text}`).join("\n"));
const engineKind = fc.constantFrom(
  "conversation",
  "imageMessage",
  "listResponseMessage",
  "buttonsResponseMessage",
  "interactiveResponseMessage",
  "pollCreationMessageV3",
  "orderMessage",
  "ephemeralMessage",
  "list_response",
  "ptt",
  "constructor",
);
const engineContent = fc.record(
  {
    message: wild,
    contextInfo: fc.oneof(wild, fc.record({ stanzaId: wild, isForwarded: wild })),
    singleSelectReply: fc.oneof(wild, fc.record({ selectedRowId: wild })),
    nativeFlowResponseMessage: fc.oneof(wild, fc.record({ name: wild, paramsJson: wild })),
    title: wild,
    description: wild,
    selectedButtonId: wild,
    name: wild,
    options: fc.oneof(wild, fc.array(fc.record({ optionName: wild }))),
  },
  { requiredKeys: [] },
);
const payload = fc.record(
  {
    id: fc.oneof(wild, fc.constantFrom("true_14155550100@c.us_A", "false_1@g.us_B_2@c.us", "false_99999@lid_C")),
    from: fc.oneof(wild, fc.constantFrom("14155550100@c.us", "status@broadcast")),
    to: wild,
    fromMe: fc.oneof(fc.boolean(), wild),
    timestamp: wild,
    body: wild,
    source: wild,
    hasMedia: wild,
    media: fc.oneof(wild, fc.record({ mimetype: wild, filename: wild, url: wild })),
    location: fc.oneof(wild, fc.record({ latitude: wild, longitude: wild, description: wild })),
    vCards: fc.oneof(wild, fc.array(fc.oneof(wild, wildCard))),
    reaction: fc.oneof(wild, fc.record({ text: wild, messageId: wild })),
    replyTo: fc.oneof(wild, fc.record({ id: wild })),
    editedMessageId: wild,
    vote: fc.oneof(wild, fc.record({ id: fc.constant("false_99999@lid_V"), selectedOptions: fc.array(wildText) })),
    poll: fc.oneof(wild, fc.record({ id: wild })),
    ack: fc.oneof(fc.integer({ min: -1, max: 5 }), inherited, wild),
    status: fc.oneof(fc.constantFrom("WORKING", "FAILED"), inherited, wild),
    _data: fc.oneof(
      wild,
      fc.record({ message: fc.dictionary(engineKind, fc.oneof(wild, engineContent)) }),
      fc.record({ Message: fc.dictionary(engineKind, fc.oneof(wild, engineContent)) }),
      fc.record({ type: fc.oneof(wild, engineKind), listResponse: fc.oneof(wild, engineContent), pollName: wild }),
    ),
  },
  { requiredKeys: [] },
);
const wahaEvent = fc.record({
  event: fc.constantFrom(
    "message",
    "message.any",
    "message.ack",
    "message.reaction",
    "message.edited",
    "message.revoked",
    "poll.vote",
    "session.status",
    "x",
  ),
  timestamp: wild,
  session: fc.oneof(fc.constant("default"), wild),
  payload: fc.oneof(payload, wild),
});

describe("Webhook parsers", () => {
  it("Webhook parsers never throw", () => {
    for (const provider of ["whatsapp_cloud", "waha"] as const) {
      fc.assert(
        fc.property(
          fc.oneof(
            anything.map((body) => JSON.stringify(body)),
            fc.string(),
          ),
          (body) => expectSound(parse(provider, body)),
        ),
      );
    }
  });

  async function expectNoneLost(numRuns: number): Promise<void> {
    const good = cloud.message("+14155550177", { type: "text", text: { body: "Here I am" } });
    fc.assert(
      fc.property(fc.array(change), fc.array(change), fc.array(wild), (before, after, entries) => {
        const entry = [...entries, { id: "1", time: 1, changes: [...before, good, ...after] }, ...entries];
        const events = parse("whatsapp_cloud", JSON.stringify({ object: "whatsapp_business_account", entry }));
        expectSound(events);
        expect(events.filter((event) => event.type === "message" && event.body === "Here I am")).toHaveLength(1);
      }),
      { numRuns },
    );
  }

  it("The WhatsApp webhook parser keeps each valid message between malformed messages", () => expectNoneLost(4));

  it(
    "The WhatsApp webhook parser keeps each valid message between malformed messages, in a hundred bodies",
    { tags: "long" },
    () => expectNoneLost(100),
  );

  async function expectSoundEvents(numRuns: number): Promise<void> {
    fc.assert(
      fc.property(wahaEvent, (event) => expectSound(parse("waha", JSON.stringify(event)))),
      { numRuns },
    );
  }

  it("The WAHA webhook parser returns only valid events", () => expectSoundEvents(15));

  it("The WAHA webhook parser returns only valid events, for a hundred bodies", { tags: "long" }, () =>
    expectSoundEvents(100),
  );

  it("Webhook parsers ignore truncated bodies", async () => {
    const { body } = await cloud.inbound("+14155550100", "Hi");
    for (let length = 0; length < body.length; length++) {
      expect(parse("whatsapp_cloud", body.slice(0, length))).toEqual([]);
    }
  });
});
