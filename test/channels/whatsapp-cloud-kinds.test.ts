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

/** The contract test of all providers does not cover these kinds. Each has the body in Meta's reference. */
const kinds: [OutboundContent, object][] = [
  [
    { type: "image", content: { media_id: "med_1", filename: "x.jpg" } },
    { type: "image", image: { id: ID } },
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
];

it.each(kinds)("A Cloud API message of %o is sent as in Meta's reference, even as a reply", async (content, body) => {
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

it.each(["😀", ""])(
  "A Cloud API reaction '%s' is sent with the id of its message, and not as a reply",
  async (emoji) => {
    const content = { type: "reaction", content: { message_id: "msg_0", emoji } } as const;
    expect(await send({ content, replyTo: "wamid.HBgL", to: "US.13491208655302741918" })).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      recipient: "US.13491208655302741918",
      type: "reaction",
      reaction: { message_id: "wamid.HBgL", emoji },
      biz_opaque_callback_data: "msg_1",
    });
  },
);

it("A Cloud API reaction to a message without a provider's id is rejected before any request to Meta", async () => {
  const content = { type: "reaction", content: { message_id: "msg_0", emoji: "😀" } } as const;
  const message = { id: "msg_1", to: "+16505551234", body: "[reaction] 😀", attempt: 1, content };
  expect(await whatsappCloud.send(connection, message, directIo())).toMatchObject({ kind: "refused" });
  expect(cloud.requests).toEqual([]);
});
