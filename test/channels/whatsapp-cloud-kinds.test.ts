import { expect, it } from "vitest";
import type { OutboundMessage } from "../../src/channels/channel.ts";
import type { OutboundContent } from "../../src/channels/content.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { cloudConnection as connection, sendOverCloud } from "../support/cloud-sends.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { directIo, playInEachTest } from "../support/providers/linked.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const send = (message: Partial<OutboundMessage>) => sendOverCloud(cloud, message);

const ID = expect.stringMatching(/^\d+$/);

/** Each kind with its body, as Meta's reference has it. */
const kinds: [OutboundContent, object][] = [
  [
    { type: "text", content: { preview_url: true } },
    { type: "text", text: { preview_url: true, body: "A line" } },
  ],
  [
    { type: "image", content: { media_id: "med_1", caption: "The best succulent ever?" } },
    { type: "image", image: { id: ID, caption: "The best succulent ever?" } },
  ],
  [
    { type: "image", content: { media_id: "med_1", filename: "x.jpg" } },
    { type: "image", image: { id: ID } },
  ],
  [
    { type: "video", content: { media_id: "med_4", caption: "A succulent eclipse!" } },
    { type: "video", video: { id: ID, caption: "A succulent eclipse!" } },
  ],
  [
    { type: "audio", content: { media_id: "med_2" } },
    { type: "audio", audio: { id: ID } },
  ],
  [
    { type: "audio", content: { media_id: "med_2", voice: true } },
    { type: "audio", audio: { id: ID, voice: true } },
  ],
  [
    { type: "document", content: { media_id: "med_3", caption: "Your order", filename: "order_abc123.pdf" } },
    { type: "document", document: { id: ID, caption: "Your order", filename: "order_abc123.pdf" } },
  ],
  [
    { type: "sticker", content: { media_id: "med_5" } },
    { type: "sticker", sticker: { id: ID } },
  ],
  [
    {
      type: "location",
      content: {
        latitude: 37.44216251868683,
        longitude: -122.16153582049394,
        name: "Philz",
        address: "101 Forest Ave",
      },
    },
    {
      type: "location",
      location: {
        latitude: "37.44216251868683",
        longitude: "-122.16153582049394",
        name: "Philz",
        address: "101 Forest Ave",
      },
    },
  ],
  [
    { type: "location", content: { latitude: 0, longitude: 0.0000001 } },
    { type: "location", location: { latitude: "0", longitude: "0.0000001" } },
  ],
  [
    {
      type: "contacts",
      content: [
        {
          name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara", last_name: "Johnson" },
          phones: [{ phone: "+16505559999", type: "HOME" }, { phone: "+19175559999" }],
          emails: [{ email: "bjohnson@luckyshrub.com", type: "WORK" }],
          org: { company: "Lucky Shrub", title: "Lead Counsel" },
        },
        { name: { formatted_name: "Plain" }, phones: [] },
      ],
    },
    {
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara", last_name: "Johnson" },
          phones: [{ phone: "+16505559999", type: "HOME" }, { phone: "+19175559999" }],
          emails: [{ email: "bjohnson@luckyshrub.com", type: "WORK" }],
          org: { company: "Lucky Shrub", title: "Lead Counsel" },
        },
        { name: { formatted_name: "Plain", first_name: "Plain" } },
      ],
    },
  ],
  [
    {
      type: "interactive",
      content: {
        type: "buttons",
        body: "Hi Pablo!",
        header: "Workshop",
        footer: "Lucky Shrub",
        buttons: [
          { id: "change-button", title: "Change" },
          { id: "cancel-button", title: "Cancel" },
        ],
      },
    },
    {
      type: "interactive",
      interactive: {
        type: "button",
        header: { type: "text", text: "Workshop" },
        body: { text: "Hi Pablo!" },
        footer: { text: "Lucky Shrub" },
        action: {
          buttons: [
            { type: "reply", reply: { id: "change-button", title: "Change" } },
            { type: "reply", reply: { id: "cancel-button", title: "Cancel" } },
          ],
        },
      },
    },
  ],
  [
    {
      type: "interactive",
      content: {
        type: "list",
        body: "Which shipping option do you prefer?",
        button: "Shipping Options",
        sections: [
          {
            title: "I want it ASAP!",
            rows: [{ id: "express", title: "Priority Mail Express", description: "Next Day" }],
          },
          { title: "I can wait", rows: [{ id: "mail", title: "Priority Mail" }] },
        ],
      },
    },
    {
      type: "interactive",
      interactive: {
        type: "list",
        body: { text: "Which shipping option do you prefer?" },
        action: {
          button: "Shipping Options",
          sections: [
            {
              title: "I want it ASAP!",
              rows: [{ id: "express", title: "Priority Mail Express", description: "Next Day" }],
            },
            { title: "I can wait", rows: [{ id: "mail", title: "Priority Mail" }] },
          ],
        },
      },
    },
  ],
  [
    {
      type: "interactive",
      content: {
        type: "link",
        body: "Tap the button below.",
        title: "See Dates",
        url: "https://www.luckyshrub.com?id=1",
      },
    },
    {
      type: "interactive",
      interactive: {
        type: "cta_url",
        body: { text: "Tap the button below." },
        action: { name: "cta_url", parameters: { display_text: "See Dates", url: "https://www.luckyshrub.com?id=1" } },
      },
    },
  ],
  [
    { type: "interactive", content: { type: "location_request", body: "Let's start with your pickup." } },
    {
      type: "interactive",
      interactive: {
        type: "location_request_message",
        body: { text: "Let's start with your pickup." },
        action: { name: "send_location" },
      },
    },
  ],
];

it.each(kinds)("a message of %o is sent as Meta's reference has it, also as a reply", async (content, body) => {
  const around = {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: "+16505551234",
    biz_opaque_callback_data: "msg_1",
  };
  expect(await send({ content })).toEqual({ ...around, ...body });
  expect(await send({ content, replyTo: "wamid.HBgL" })).toEqual({
    ...around,
    context: { message_id: "wamid.HBgL" },
    ...body,
  });
});

it.each(["😀", ""])("a reaction of '%s' names the message, and is no reply", async (emoji) => {
  const content = { type: "reaction", content: { message_id: "msg_0", emoji } } as const;
  expect(await send({ content, replyTo: "wamid.HBgL", to: "US.13491208655302741918" })).toEqual({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    recipient: "US.13491208655302741918",
    type: "reaction",
    reaction: { message_id: "wamid.HBgL", emoji },
    biz_opaque_callback_data: "msg_1",
  });
});

it("a reaction to a message that the provider has no id of is refused, without a call", async () => {
  const content = { type: "reaction", content: { message_id: "msg_0", emoji: "😀" } } as const;
  const message = { id: "msg_1", to: "+16505551234", body: "[reaction] 😀", attempt: 1, content };
  expect(await whatsappCloud.send(connection, message, directIo())).toMatchObject({ kind: "refused" });
  expect(cloud.requests).toEqual([]);
});
