import { describe, expect, it, vi } from "vitest";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { connectionOf, linkedCustomer, playInEachTest, report, transcript } from "../support/providers/linked.ts";
import { phoneEnding } from "../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const media = { id: "1003383421387256", mime_type: "image/jpeg", sha256: "Sf0=" };

/** Each kind of message in Meta's reference, and its readable line. */
const kinds: [string, object, string][] = [
  ["text", { text: { body: " Does it come in another colour?\n" } }, " Does it come in another colour?\n"],
  ["image", { image: { ...media, caption: "Taj Mahal" } }, "[image] Taj Mahal"],
  ["image", { image: media }, "[image]"],
  ["video", { video: { ...media, caption: "A clip" } }, "[video] A clip"],
  ["audio", { audio: { ...media, voice: true } }, "[voice message]"],
  ["audio", { audio: { ...media, voice: false } }, "[audio]"],
  ["document", { document: { ...media, filename: "invoice.pdf", caption: "May" } }, "[document] invoice.pdf May"],
  ["sticker", { sticker: { ...media, animated: false } }, "[sticker]"],
  [
    "location",
    { location: { latitude: 37.44, longitude: -122.16, name: "Phil's", address: "250 Ave" } },
    "[location] Phil's, 250 Ave, 37.44, -122.16",
  ],
  ["location", { location: { latitude: 0, longitude: 0 } }, "[location] 0, 0"],
  [
    "contacts",
    {
      contacts: [
        { name: { formatted_name: "Barbara", first_name: "B" }, phones: [{ phone: "+1 555", wa_id: "1555" }] },
      ],
    },
    "[contact] Barbara +1 555",
  ],
  ["reaction", { reaction: { message_id: "wamid.1", emoji: "👍" } }, "[reaction] 👍"],
  ["reaction", { reaction: { message_id: "wamid.1" } }, "[reaction removed]"],
  ["button", { button: { payload: "Unsubscribe", text: "Unsubscribe me" } }, "Unsubscribe me"],
  [
    "interactive",
    { interactive: { type: "button_reply", button_reply: { id: "b1", title: "Cancel it" } } },
    "Cancel it",
  ],
  [
    "interactive",
    { interactive: { type: "list_reply", list_reply: { id: "l1", title: "Express", description: "1–2 days" } } },
    "Express",
  ],
  [
    "interactive",
    { interactive: { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json: '{"a":1}' } } },
    '[flow] Sent {"a":1}',
  ],
  [
    "order",
    { order: { catalog_id: "1", text: "Please", product_items: [{ product_retailer_id: "a" }, {}] } },
    "[order] 2 items Please",
  ],
  [
    "unsupported",
    { errors: [{ code: 131051, title: "Message type unknown" }] },
    "[unsupported message] Message type unknown",
  ],
  ["request_welcome", {}, "[request_welcome]"],
  ["hologram", { hologram: { depth: 3 } }, "[hologram]"],
  ["image", { image: "not an object" }, "[image]"],
  ["text", {}, "[empty message]"],
];

describe("Inbound messages", () => {
  it.each(kinds)(
    "A Cloud API message of kind %s is stored with its content as a readable line: %o",
    async (type, content, body) => {
      const customer = await linkedCustomer(cloud);
      await report(customer, cloud.deliver(cloud.message(phoneEnding("1234"), { type, ...content })), 2);
      expect(await transcript(customer)).toMatchObject([
        {
          contact: { name: "Ann" },
          unread_count: type === "reaction" ? 0 : 1,
          messages: [{ body, from_contact: true }],
        },
      ]);
    },
  );

  it("A Cloud API message from a person without a number is stored under the user id, and replies go to the id", async () => {
    const customer = await linkedCustomer(cloud);
    const userId = "US.13491208655302741918";
    const write = (text: string) =>
      report(
        customer,
        cloud.deliver(
          cloud.messages({
            contacts: [{ profile: { name: "Zoë", username: "@zoe" }, user_id: userId }],
            messages: [
              {
                from_user_id: userId,
                id: `wamid.${text}`,
                timestamp: "1749416383",
                type: "text",
                text: { body: text },
              },
            ],
          }),
        ),
      );
    vi.setSystemTime(1_749_416_384_000);
    await write("Hi");
    await write("Again");
    const [conversation, ...others] = await transcript(customer);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ contact: { name: "Zoë", phone: null }, unread_count: 2 });
    const { contact } = (await customer.call("GET", `/contacts/${conversation.contact.id}`)).body;
    expect(contact.external_ids).toEqual([
      { provider: "whatsapp_cloud", id: userId, connection_id: customer.connectionId, username: "@zoe" },
    ]);
    await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hello Zoë" });
    expect(cloud.handed[0]?.request).toMatchObject({ recipient: userId, text: { body: "Hello Zoë" } });
    expect(cloud.handed[0]?.request).not.toHaveProperty("to");
  });

  it("A Cloud API message from a Brazilian number belongs to the contact whose number has the ninth digit", async () => {
    const customer = await linkedCustomer(cloud);
    await report(customer, cloud.inbound("+551187654321", "Oi"));
    await report(customer, cloud.inbound("+5511987654321", "Oi de novo"));
    expect(await transcript(customer)).toMatchObject([{ unread_count: 2 }]);
  });

  it("A Cloud API message is skipped if it is in a group or for a different number of the account", async () => {
    const customer = await linkedCustomer(cloud);
    const from = phoneEnding("1234").slice(1);
    const one = { from, id: "wamid.x", timestamp: "1749416383", type: "text", text: { body: "Hi" } };
    const foreign = { metadata: { phone_number_id: "999" }, messages: [one] };
    const group = { messages: [{ ...one, group_id: "120363" }] };
    const answer = await report(customer, cloud.deliver(cloud.messages(foreign), cloud.messages(group)));
    expect(answer.body).toEqual({ success: true, events: 0 });
    expect(await transcript(customer)).toEqual([]);
  });

  it("A Cloud API message is stored although other entries of the same webhook request are malformed or unknown", async () => {
    const customer = await linkedCustomer(cloud);
    const good = cloud.message(phoneEnding("1234"), { type: "text", text: { body: "Here I am" } });
    const bad = [
      null,
      { field: "messages" },
      { field: "messages", value: null },
      { field: "astrology", value: { sign: "lion" } },
      cloud.messages({ messages: [null, {}, { id: 5 }, "x"], statuses: "none", contacts: [null] }),
    ];
    const delivery = cloud.sign(JSON.stringify({ entry: [null, { changes: 5 }, { changes: [...bad, good] }] }));
    expect((await report(customer, delivery)).body.events).toBe(1);
    expect(await transcript(customer)).toMatchObject([{ last_message: "Here I am" }]);
  });
});

describe("Messages sent from the account's own app", () => {
  it("A message that the account's own app sent is stored once and does not change the conversation's unread count or status", async () => {
    const customer = await linkedCustomer(cloud);
    const to = phoneEnding("1234");
    const echo = { from: "15550783881", to: to.slice(1), id: "wamid.app", timestamp: "1749416383", type: "text" };
    const value = { message_echoes: [{ ...echo, text: { body: "From the phone" } }] };
    vi.setSystemTime(1_749_416_384_000);
    const change = { ...cloud.messages(value), field: "smb_message_echoes" };
    await report(customer, cloud.deliver(change), 2);
    expect(await transcript(customer)).toMatchObject([
      {
        contact: { phone: to },
        unread_count: 0,
        messages: [{ body: "From the phone", from_contact: false, delivery: "sent" }],
      },
    ]);
  });
});

describe("Notices about the account", () => {
  const update = (field: string, value: object) => cloud.deliver({ field, value });

  it("A notice about the Cloud API account appears on the connection, and can disable the connection or enable it again", async () => {
    const customer = await linkedCustomer(cloud);
    await report(
      customer,
      update("phone_number_quality_update", {
        display_phone_number: "1555",
        event: "FLAGGED",
        current_limit: "TIER_1K",
      }),
    );
    expect(await connectionOf(customer)).toMatchObject({
      status: "active",
      status_detail: "phone number quality update: FLAGGED, 1555, TIER_1K",
    });
    customer.world.advance(1000);
    const ban = { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: ["DISABLE"], waba_ban_date: "May 1" } };
    await report(customer, update("account_update", ban), 2);
    expect(await connectionOf(customer)).toMatchObject({
      status: "error",
      status_detail: "account update: DISABLED_UPDATE, DISABLE",
    });
    customer.world.advance(1000);
    await report(
      customer,
      update("account_update", { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "REINSTATE" } }),
    );
    expect(await connectionOf(customer)).toMatchObject({ status: "active" });
  });
});
