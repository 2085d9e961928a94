import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChannelEvent } from "../../src/channels/channel.ts";
import { waha } from "../../src/channels/waha/waha.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { eventMessage } from "../../src/features/inbound/inbound.schemas.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { WahaStandIn } from "../support/providers/waha.ts";

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

/** Whatever came in, what comes out fits the queue and can be stored. */
function expectSound(events: ChannelEvent[]): void {
  for (const event of events) {
    const message = { v: 1, workspace: { id: "ws_1", number: 1, shard: 0 }, connectionId: "conn_1", event };
    const json = JSON.stringify(message);
    expect(json.length).toBeLessThan(128_000);
    expect(json).not.toContain("\\u0000");
    expect(json.isWellFormed() && !/\\ud[89a-f]/i.test(json)).toBe(true);
    expect(eventMessage.safeParse(message).error?.issues ?? []).toEqual([]);
  }
}

const anything = fc.jsonValue({ maxDepth: 4 });
/** What looking a name up in an object finds, though nobody put it there. */
const inherited = fc.constantFrom("constructor", "__proto__", "toString", "CONSTRUCTOR");
const wildText = fc.oneof(
  inherited,
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constant("\0"),
  fc.constant("\ud800x"),
);
const wild = fc.oneof(anything, wildText, fc.constant(null), fc.constant("x".repeat(200_000)));

const contact = fc.record({ wa_id: wild, user_id: wild, profile: wild }, { requiredKeys: [] });
const someMessage = fc.record(
  {
    id: fc.oneof(wild, fc.constant("wamid.1")),
    from: fc.oneof(wild, fc.constant("14155550100")),
    from_user_id: wild,
    timestamp: wild,
    type: fc.oneof(wild, fc.constantFrom("text", "image", "interactive", "contacts", "order", "location", "reaction")),
    text: fc.oneof(wild, fc.record({ body: wild })),
    image: wild,
    interactive: fc.oneof(wild, fc.record({ button_reply: wild, list_reply: wild })),
    contacts: fc.oneof(wild, fc.array(wild)),
    location: fc.oneof(wild, fc.record({ name: wild, latitude: wild })),
    errors: wild,
  },
  { requiredKeys: [] },
);
const someStatus = fc.record(
  {
    id: wild,
    status: fc.oneof(wild, fc.constantFrom("sent", "failed"), inherited),
    timestamp: wild,
    errors: fc.array(wild),
  },
  { requiredKeys: [] },
);
const value = fc.record(
  {
    metadata: fc.oneof(wild, fc.constant({})),
    contacts: fc.oneof(wild, fc.array(contact)),
    messages: fc.oneof(wild, fc.array(fc.oneof(wild, someMessage))),
    message_echoes: fc.oneof(wild, fc.array(someMessage)),
    statuses: fc.oneof(wild, fc.array(fc.oneof(wild, someStatus))),
    errors: wild,
    event: wild,
    message_template_id: wild,
    ban_info: wild,
  },
  { requiredKeys: [] },
);
const field = fc.constantFrom(
  "messages",
  "smb_message_echoes",
  "account_update",
  "message_template_status_update",
  "x",
);
const change = fc.oneof(wild, fc.record({ field: fc.oneof(field, wild), value: fc.oneof(value, wild) }));

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
    media: fc.oneof(wild, fc.record({ mimetype: wild, filename: wild })),
    location: wild,
    vCards: fc.oneof(wild, fc.array(wild)),
    reaction: wild,
    ack: fc.oneof(fc.integer({ min: -1, max: 5 }), inherited, wild),
    status: fc.oneof(fc.constantFrom("WORKING", "FAILED"), inherited, wild),
    _data: wild,
  },
  { requiredKeys: [] },
);
const wahaEvent = fc.record({
  event: fc.constantFrom("message", "message.any", "message.ack", "message.reaction", "session.status", "x"),
  timestamp: wild,
  session: fc.oneof(fc.constant("default"), wild),
  payload: fc.oneof(payload, wild),
});

describe("webhook parsers", () => {
  it("throw at nothing", () => {
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

  it("of WhatsApp lose no message to the company it comes in", () => {
    const good = cloud.message("+14155550177", { type: "text", text: { body: "Here I am" } });
    fc.assert(
      fc.property(fc.array(change), fc.array(change), fc.array(wild), (before, after, entries) => {
        const entry = [...entries, { id: "1", time: 1, changes: [...before, good, ...after] }, ...entries];
        const events = parse("whatsapp_cloud", JSON.stringify({ object: "whatsapp_business_account", entry }));
        expectSound(events);
        expect(events.filter((event) => event.type === "message" && event.body === "Here I am")).toHaveLength(1);
      }),
    );
  });

  it("of WAHA make sense of what there is, or nothing", () => {
    fc.assert(fc.property(wahaEvent, (event) => expectSound(parse("waha", JSON.stringify(event)))));
  });

  it("take truncated bodies for nothing", async () => {
    const { body } = await cloud.inbound("+14155550100", "Hi");
    for (let length = 0; length < body.length; length++) {
      expect(parse("whatsapp_cloud", body.slice(0, length))).toEqual([]);
    }
  });
});
