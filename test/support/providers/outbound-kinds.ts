// Each kind of message that clients send, and the request that each provider's reference requires. Sources:
// developers.facebook.com/documentation/business-messaging/whatsapp/messages and
// waha.devlike.pro/docs/how-to/send-messages
import type { heads } from "../media.ts";

export interface Named {
  /** The file's id in Tidings, its id at Meta, and its address for WAHA. */
  mediaId: string;
  upload: string;
  link: string;
  /** The message to react to: its id in Tidings, and the provider's id. */
  target: string;
  providerTarget: string;
}

export interface OutboundKind {
  kind: string;
  file?: { type: keyof typeof heads; name?: string };
  /** The body of `POST /api/v1/messages`, without the addressee. */
  asked(named: Named): Record<string, unknown>;
  /** The message's text, or a text that describes it. */
  body: string;
  /** The part of Meta's request that is different for each kind of message. */
  cloud(named: Named): object;
  /** The call to WAHA, and the fields of its body that depend on the kind. Null if WAHA does not support the kind. */
  waha: ((named: Named) => [call: string, body: object]) | null;
}

const place = { latitude: 37.44216251868683, longitude: -122.16153582049394, name: "Philz", address: "101 Forest Ave" };

const barbara = {
  name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara", last_name: "Johnson" },
  phones: [{ phone: "+16505559999", type: "HOME", wa_id: "16505559999" }],
  emails: [{ email: "bjohnson@luckyshrub.com", type: "WORK" }],
  org: { company: "Lucky Shrub", department: "Legal", title: "Lead Counsel" },
  addresses: [
    {
      street: "1 Lucky Shrub Way",
      city: "Menlo Park",
      state: "CA",
      zip: "94025",
      country: "United States",
      country_code: "US",
      type: "WORK",
    },
  ],
  urls: [{ url: "https://www.luckyshrub.com", type: "WORK" }],
  birthday: "1999-01-23",
};

const vcard = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "N:Johnson;Barbara;;;",
  "FN:Barbara J. Johnson",
  "ORG:Lucky Shrub;Legal",
  "TITLE:Lead Counsel",
  "TEL;type=HOME;waid=16505559999:+16505559999",
  "EMAIL;type=WORK:bjohnson@luckyshrub.com",
  "ADR;type=WORK:;;1 Lucky Shrub Way;Menlo Park;CA;94025;United States",
  "URL;type=WORK:https://www.luckyshrub.com",
  "BDAY:1999-01-23",
  "END:VCARD",
].join("\n");

const reply = (id: string, title: string) => ({ type: "reply", reply: { id, title } });
const workshop = [
  { id: "change-button", title: "Change" },
  { id: "cancel-button", title: "Cancel" },
];
const around = { header: "Workshop", footer: "Lucky Shrub" };
const aroundAtMeta = { header: { type: "text", text: "Workshop" }, footer: { text: "Lucky Shrub" } };

const sections = [
  {
    title: "I want it ASAP!",
    rows: [{ id: "express", title: "Priority Mail Express", description: "Next Day" }],
  },
  { title: "I can wait", rows: [{ id: "mail", title: "Priority Mail" }] },
];

const interactive = (type: string, body: string, more: object) => ({
  kind: `interactive ${type}`,
  asked: () => ({ interactive: { type, body, ...more } }),
  body,
  waha: null,
});

const withReaction = (emoji: string, body: string): OutboundKind => ({
  kind: emoji === "" ? "a reaction taken back" : "reaction",
  asked: ({ target: message_id }) => ({ reaction: { message_id, emoji } }),
  body,
  cloud: ({ providerTarget: message_id }) => ({ type: "reaction", reaction: { message_id, emoji } }),
  waha: ({ providerTarget: messageId }) => ["PUT /api/reaction", { messageId, reaction: emoji }],
});

export const outboundKinds: readonly OutboundKind[] = [
  {
    kind: "text",
    asked: () => ({ text: "As requested: https://www.luckyshrub.com/ 🌵", preview_url: true }),
    body: "As requested: https://www.luckyshrub.com/ 🌵",
    cloud: () => ({ type: "text", text: { preview_url: true, body: "As requested: https://www.luckyshrub.com/ 🌵" } }),
    waha: () => ["POST /api/sendText", { text: "As requested: https://www.luckyshrub.com/ 🌵", linkPreview: true }],
  },
  {
    kind: "image",
    file: { type: "image/jpeg", name: "aloe.jpg" },
    asked: ({ mediaId: media_id }) => ({ image: { media_id, caption: "The best succulent ever?" } }),
    body: "[image] The best succulent ever?",
    cloud: ({ upload: id }) => ({ type: "image", image: { id, caption: "The best succulent ever?" } }),
    waha: ({ link: url }) => [
      "POST /api/sendImage",
      { file: { mimetype: "image/jpeg", url, filename: "aloe.jpg" }, caption: "The best succulent ever?" },
    ],
  },
  {
    kind: "video",
    file: { type: "video/mp4" },
    asked: ({ mediaId: media_id }) => ({ video: { media_id, caption: "A succulent eclipse!" } }),
    body: "[video] A succulent eclipse!",
    cloud: ({ upload: id }) => ({ type: "video", video: { id, caption: "A succulent eclipse!" } }),
    waha: ({ link: url }) => [
      "POST /api/sendVideo",
      { file: { mimetype: "video/mp4", url }, caption: "A succulent eclipse!", convert: false },
    ],
  },
  {
    kind: "audio",
    file: { type: "audio/mpeg" },
    asked: ({ mediaId: media_id }) => ({ audio: { media_id } }),
    body: "[audio]",
    cloud: ({ upload: id }) => ({ type: "audio", audio: { id } }),
    waha: ({ link: url }) => ["POST /api/sendVoice", { file: { mimetype: "audio/mpeg", url }, convert: true }],
  },
  {
    kind: "audio as a voice message",
    file: { type: "audio/ogg" },
    asked: ({ mediaId: media_id }) => ({ audio: { media_id, voice: true } }),
    body: "[voice message]",
    cloud: ({ upload: id }) => ({ type: "audio", audio: { id, voice: true } }),
    waha: ({ link: url }) => ["POST /api/sendVoice", { file: { mimetype: "audio/ogg", url }, convert: false }],
  },
  {
    kind: "document",
    file: { type: "application/pdf", name: "stored.pdf" },
    asked: ({ mediaId: media_id }) => ({
      document: { media_id, caption: "Lucky Shrub Invoice", filename: "lucky-shrub-invoice.pdf" },
    }),
    body: "[document] lucky-shrub-invoice.pdf Lucky Shrub Invoice",
    cloud: ({ upload: id }) => ({
      type: "document",
      document: { id, caption: "Lucky Shrub Invoice", filename: "lucky-shrub-invoice.pdf" },
    }),
    waha: ({ link: url }) => [
      "POST /api/sendFile",
      {
        file: { mimetype: "application/pdf", url, filename: "lucky-shrub-invoice.pdf" },
        caption: "Lucky Shrub Invoice",
      },
    ],
  },
  {
    kind: "sticker",
    file: { type: "image/webp" },
    asked: ({ mediaId: media_id }) => ({ sticker: { media_id } }),
    body: "[sticker]",
    cloud: ({ upload: id }) => ({ type: "sticker", sticker: { id } }),
    waha: ({ link: url }) => ["POST /api/sendSticker", { file: { mimetype: "image/webp", url } }],
  },
  {
    kind: "location",
    asked: () => ({ location: place }),
    body: "[location] Philz, 101 Forest Ave",
    cloud: () => ({
      type: "location",
      location: { ...place, latitude: "37.44216251868683", longitude: "-122.16153582049394" },
    }),
    waha: () => [
      "POST /api/sendLocation",
      { latitude: place.latitude, longitude: place.longitude, title: "Philz, 101 Forest Ave" },
    ],
  },
  {
    kind: "contacts",
    asked: () => ({ contacts: [barbara] }),
    body: "[contacts] Barbara J. Johnson",
    cloud: () => ({ type: "contacts", contacts: [barbara] }),
    waha: () => ["POST /api/sendContactVcard", { contacts: [{ vcard }] }],
  },
  {
    ...interactive("buttons", "Hi Pablo!", { ...around, buttons: workshop }),
    cloud: () => ({
      type: "interactive",
      interactive: {
        type: "button",
        header: aroundAtMeta.header,
        body: { text: "Hi Pablo!" },
        footer: aroundAtMeta.footer,
        action: { buttons: workshop.map(({ id, title }) => reply(id, title)) },
      },
    }),
  },
  {
    ...interactive("list", "Which shipping option do you prefer?", { button: "Shipping Options", sections }),
    cloud: () => ({
      type: "interactive",
      interactive: {
        type: "list",
        body: { text: "Which shipping option do you prefer?" },
        action: { button: "Shipping Options", sections },
      },
    }),
  },
  {
    ...interactive("link", "Tap the button below.", { title: "See Dates", url: "https://www.luckyshrub.com?id=1" }),
    cloud: () => ({
      type: "interactive",
      interactive: {
        type: "cta_url",
        body: { text: "Tap the button below." },
        action: { name: "cta_url", parameters: { display_text: "See Dates", url: "https://www.luckyshrub.com?id=1" } },
      },
    }),
  },
  {
    ...interactive("location_request", "Let's start with your pickup.", {}),
    cloud: () => ({
      type: "interactive",
      interactive: {
        type: "location_request_message",
        body: { text: "Let's start with your pickup." },
        action: { name: "send_location" },
      },
    }),
  },
  withReaction("👍", "[reaction] 👍"),
  withReaction("", "[reaction removed]"),
];
