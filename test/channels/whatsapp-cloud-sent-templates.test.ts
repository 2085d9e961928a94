import { expect, it } from "vitest";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { cloudConnection as connection, sendOverCloud } from "../support/cloud-sends.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { directIo, playInEachTest } from "../support/providers/linked.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

it("A Cloud API template is sent with every part, and each of its files is uploaded once", async () => {
  const text = (name: string | null, value: string) => ({ name, text: value });
  const request = await sendOverCloud(cloud, {
    template: {
      name: "summer_sale",
      language: "en_US",
      header: [],
      headerPart: { type: "document", media_id: "med_2", filename: "Sale.pdf" },
      body: [text(null, "Ann"), text("code", "25OFF")],
      buttons: [
        { index: 0, kind: "url", text: "promo/1" },
        { index: 1, kind: "copy_code", text: "25OFF" },
        { index: 2, kind: "quick_reply", text: "stop" },
        { index: 3, kind: "flow", text: "token-1" },
      ],
      cards: [
        {
          index: 0,
          header: { type: "image", media_id: "med_1" },
          body: [text(null, "20")],
          buttons: [{ index: 0, kind: "quick_reply", text: "more-aloe" }],
        },
        { index: 1, header: { type: "image", media_id: "med_1" }, body: [], buttons: [] },
      ],
    },
  });
  const [file, picture] = [...cloud.files.uploads.keys()];
  const card = { type: "header", parameters: [{ type: "image", image: { id: picture } }] };
  expect(request.template.components).toEqual([
    { type: "header", parameters: [{ type: "document", document: { id: file, filename: "Sale.pdf" } }] },
    {
      type: "body",
      parameters: [
        { type: "text", text: "Ann" },
        { type: "text", parameter_name: "code", text: "25OFF" },
      ],
    },
    { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "promo/1" }] },
    {
      type: "button",
      sub_type: "copy_code",
      index: "1",
      parameters: [{ type: "coupon_code", coupon_code: "25OFF" }],
    },
    { type: "button", sub_type: "quick_reply", index: "2", parameters: [{ type: "payload", payload: "stop" }] },
    {
      type: "button",
      sub_type: "flow",
      index: "3",
      parameters: [{ type: "action", action: { flow_token: "token-1" } }],
    },
    {
      type: "carousel",
      cards: [
        {
          card_index: 0,
          components: [
            card,
            { type: "body", parameters: [{ type: "text", text: "20" }] },
            {
              type: "button",
              sub_type: "quick_reply",
              index: "0",
              parameters: [{ type: "payload", payload: "more-aloe" }],
            },
          ],
        },
        { card_index: 1, components: [card] },
      ],
    },
  ]);
  expect(cloud.files.uploads.size).toBe(2);
});

it("A template's header can be a location", async () => {
  const headerPart = { type: "location", latitude: 37.7, longitude: -122.4, name: "Pier" } as const;
  const template = { name: "pickup", language: "en", header: [], headerPart, body: [], buttons: [] };
  expect((await sendOverCloud(cloud, { template })).template.components).toEqual([
    {
      type: "header",
      parameters: [{ type: "location", location: { latitude: "37.7", longitude: "-122.4", name: "Pier" } }],
    },
  ]);
});

it("Only marketing templates are sent through Meta's path for marketing messages, and only if the connection's settings select it", async () => {
  const template = { name: "promo", language: "en", header: [], body: [], buttons: [] };
  const routed = { ...connection, config: { ...connection.config, marketing_route: "marketing_messages" } };
  const message = { id: "msg_1", to: "+16505551234", body: "Promo", attempt: 1 };
  const sendOver = (through: typeof connection, isMarketing: boolean) =>
    whatsappCloud.send(through, { ...message, template: { ...template, isMarketing } }, directIo());
  for (const through of [routed, connection]) {
    for (const isMarketing of [true, false]) {
      expect(await sendOver(through, isMarketing)).toMatchObject({ kind: "accepted" });
    }
  }
  expect(cloud.requests.map(({ path }) => path.split("/").at(-1))).toEqual([
    "marketing_messages",
    "messages",
    "messages",
    "messages",
  ]);
  expect(JSON.parse(cloud.requests[0]?.body ?? "")).toEqual(JSON.parse(cloud.requests[2]?.body ?? ""));
});
