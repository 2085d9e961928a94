// Each kind of message that people send, in each provider's format, and how it is stored. Sources:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages and
// waha.devlike.pro/docs/how-to/receive-messages. WAHA's messages are those of its engine NOWEB.
import { expect } from "vitest";
import type { heads } from "../media.ts";

/**
 * Values that the test creates. `file` is the provider's id or address of the file, and `target` is the id of the
 * message that a reaction belongs to.
 */
export interface Arriving {
  file: string;
  target: string;
  providerTarget: string;
}

export interface ReceivedKind {
  kind: string;
  file?: keyof typeof heads;
  /** If the message has a file, the stored message also has a `media_id`. */
  stored: { type: string; content: unknown; body: string };
  sandbox(arriving: Arriving): object;
  cloud(arriving: Arriving): object;
  waha: ((arriving: Arriving) => object) | null;
}

const engine = (message: object) => ({ _data: { key: {}, message, pushName: "Ann" } });

const wahaFile = (url: string, mimetype: string, kind: string, more: { filename?: string; ptt?: boolean } = {}) => ({
  hasMedia: true,
  media: { url, mimetype, filename: more.filename ?? null },
  ...engine({ [kind]: { mimetype, ...(more.ptt && { ptt: true }) } }),
});

const ann = {
  name: { formatted_name: "Barbara Johnson", first_name: "Barbara", last_name: "Johnson" },
  phones: [{ phone: "+1 415 555 0829", type: "CELL", wa_id: "14155550829" }],
  emails: [{ email: "b@example.com", type: "WORK" }],
  org: { company: "Social Tsunami", department: "Legal", title: "Counsel" },
  addresses: [{ street: "1 Main St", city: "Menlo Park", state: "CA", zip: "94025", country: "USA", type: "WORK" }],
  urls: [{ url: "https://example.com/b", type: "WORK" }],
  birthday: "1999-01-23",
};

const vCard = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "N:Johnson;Barbara;;;",
  "FN:Barbara Johnson",
  "ORG:Social Tsunami;Legal",
  "TITLE:Counsel",
  "TEL;type=CELL;waid=14155550829:+1 415 555 0829",
  "EMAIL;type=WORK:b@example.com",
  "ADR;type=WORK:;;1 Main St;Menlo Park;CA;94025;USA",
  "URL;type=WORK:https://example.com/b",
  "BDAY:1999-01-23",
  "END:VCARD",
].join("\n");

const place = { latitude: 40.782910059774, longitude: -73.959075808525, name: "Guggenheim", address: "1071 5th Ave" };
const row = { id: "priority_express", title: "Priority Mail Express", description: "Next Day to 2 Days" };
const form = { name: "flow", body: "Sent", response: { flow_token: "t", size: "L" } };
const order = {
  catalog_id: "194836987003835",
  text: "Love these!",
  products: [{ product_id: "di9ozbzfi4", quantity: 2, price: 30, currency: "USD" }],
};

export const receivedKinds: readonly ReceivedKind[] = [
  {
    kind: "text",
    stored: { type: "text", content: "Grüße 👋", body: "Grüße 👋" },
    sandbox: () => ({ text: "Grüße 👋" }),
    cloud: () => ({ type: "text", text: { body: "Grüße 👋" } }),
    waha: () => ({ body: "Grüße 👋", ...engine({ conversation: "Grüße 👋" }) }),
  },
  {
    kind: "image",
    file: "image/jpeg",
    stored: { type: "image", content: { mime_type: "image/jpeg", caption: "Taj Mahal" }, body: "[image] Taj Mahal" },
    sandbox: ({ file }) => ({ image: { media_id: file, mime_type: "image/jpeg", caption: "Taj Mahal" } }),
    cloud: ({ file: id }) => ({ type: "image", image: { caption: "Taj Mahal", mime_type: "image/jpeg", id } }),
    waha: ({ file }) => ({ body: "Taj Mahal", ...wahaFile(file, "image/jpeg", "imageMessage") }),
  },
  {
    kind: "video",
    file: "video/mp4",
    stored: { type: "video", content: { mime_type: "video/mp4" }, body: "[video]" },
    sandbox: ({ file }) => ({ video: { media_id: file, mime_type: "video/mp4" } }),
    cloud: ({ file: id }) => ({ type: "video", video: { mime_type: "video/mp4", id } }),
    waha: ({ file }) => wahaFile(file, "video/mp4", "videoMessage"),
  },
  {
    kind: "a voice message",
    file: "audio/ogg",
    stored: {
      type: "audio",
      content: { mime_type: "audio/ogg; codecs=opus", voice: true },
      body: "[voice message]",
    },
    sandbox: ({ file }) => ({ audio: { media_id: file, mime_type: "audio/ogg; codecs=opus", voice: true } }),
    cloud: ({ file: id }) => ({ type: "audio", audio: { mime_type: "audio/ogg; codecs=opus", id, voice: true } }),
    waha: ({ file }) => wahaFile(file, "audio/ogg; codecs=opus", "audioMessage", { ptt: true }),
  },
  {
    kind: "document",
    file: "application/pdf",
    stored: {
      type: "document",
      content: { mime_type: "application/pdf", caption: "May", filename: "invoice.pdf" },
      body: "[document] invoice.pdf May",
    },
    sandbox: ({ file }) => ({
      document: { media_id: file, mime_type: "application/pdf", caption: "May", filename: "invoice.pdf" },
    }),
    cloud: ({ file: id }) => ({
      type: "document",
      document: { caption: "May", filename: "invoice.pdf", mime_type: "application/pdf", id },
    }),
    waha: ({ file }) => ({
      body: "May",
      ...wahaFile(file, "application/pdf", "documentMessage", { filename: "invoice.pdf" }),
    }),
  },
  {
    kind: "sticker",
    file: "image/webp",
    stored: { type: "sticker", content: { mime_type: "image/webp" }, body: "[sticker]" },
    sandbox: ({ file }) => ({ sticker: { media_id: file, mime_type: "image/webp" } }),
    cloud: ({ file: id }) => ({ type: "sticker", sticker: { mime_type: "image/webp", id, animated: false } }),
    waha: ({ file }) => wahaFile(file, "image/webp", "stickerMessage"),
  },
  {
    kind: "location",
    stored: {
      type: "location",
      content: place,
      body: "[location] Guggenheim, 1071 5th Ave, 40.782910059774, -73.959075808525",
    },
    sandbox: () => ({ location: place }),
    cloud: () => ({ type: "location", location: place }),
    waha: () => ({
      body: "/9j/4AAQ",
      location: {
        description: place.name,
        address: place.address,
        latitude: String(place.latitude),
        longitude: String(place.longitude),
      },
      ...engine({ locationMessage: {} }),
    }),
  },
  {
    kind: "contacts",
    stored: { type: "contacts", content: [ann], body: "[contact] Barbara Johnson +1 415 555 0829" },
    sandbox: () => ({ contacts: [ann] }),
    cloud: () => ({
      type: "contacts",
      contacts: [ann],
    }),
    waha: () => ({ vCards: [vCard], ...engine({ contactMessage: { displayName: "Barbara Johnson", vcard: vCard } }) }),
  },
  {
    kind: "button_reply",
    stored: { type: "button_reply", content: { id: "cancel", title: "Cancel" }, body: "Cancel" },
    sandbox: () => ({ button_reply: { id: "cancel", title: "Cancel" } }),
    cloud: () => ({
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: "cancel", title: "Cancel" } },
    }),
    waha: () =>
      engine({ buttonsResponseMessage: { selectedButtonId: "cancel", selectedDisplayText: "Cancel", type: 1 } }),
  },
  {
    kind: "button_reply of a template's button",
    stored: { type: "button_reply", content: { id: "stop-1", title: "Unsubscribe" }, body: "Unsubscribe" },
    sandbox: () => ({ button_reply: { id: "stop-1", title: "Unsubscribe" } }),
    cloud: () => ({ type: "button", button: { payload: "stop-1", text: "Unsubscribe" } }),
    waha: () => engine({ templateButtonReplyMessage: { selectedId: "stop-1", selectedDisplayText: "Unsubscribe" } }),
  },
  {
    kind: "list_reply",
    stored: { type: "list_reply", content: row, body: "Priority Mail Express" },
    sandbox: () => ({ list_reply: row }),
    cloud: () => ({ type: "interactive", interactive: { type: "list_reply", list_reply: row } }),
    waha: () =>
      engine({
        listResponseMessage: {
          title: row.title,
          description: row.description,
          singleSelectReply: { selectedRowId: row.id },
        },
      }),
  },
  {
    kind: "form_reply",
    stored: { type: "form_reply", content: form, body: '[flow] Sent {"flow_token":"t","size":"L"}' },
    sandbox: () => ({ form_reply: form }),
    cloud: () => ({
      type: "interactive",
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: JSON.stringify(form.response) },
      },
    }),
    waha: () =>
      engine({
        interactiveResponseMessage: {
          body: { text: "Sent" },
          nativeFlowResponseMessage: { name: "flow", paramsJson: JSON.stringify(form.response), version: 3 },
        },
      }),
  },
  {
    kind: "order",
    stored: { type: "order", content: order, body: "[order] 1 item Love these!" },
    sandbox: () => ({ order }),
    cloud: () => ({
      type: "order",
      order: {
        catalog_id: order.catalog_id,
        text: order.text,
        product_items: [{ product_retailer_id: "di9ozbzfi4", quantity: 2, item_price: 30, currency: "USD" }],
      },
    }),
    waha: null,
  },
  {
    kind: "reaction",
    stored: { type: "reaction", content: { emoji: "👍" }, body: "[reaction] 👍" },
    sandbox: ({ target: message_id }) => ({ reaction: { message_id, emoji: "👍" } }),
    cloud: ({ providerTarget: message_id }) => ({ type: "reaction", reaction: { message_id, emoji: "👍" } }),
    waha: ({ providerTarget: messageId }) => ({ reaction: { text: "👍", messageId } }),
  },
  {
    kind: "unsupported",
    stored: {
      type: "unsupported",
      content: expect.objectContaining({ kind: expect.stringMatching(/poll/) }),
      body: expect.stringMatching(/^\[.+\]/),
    },
    sandbox: () => ({ unsupported: { kind: "poll_creation" } }),
    cloud: () => ({
      type: "unsupported",
      errors: [{ code: 131051, title: "Message type unknown", error_data: { details: "Message type is unknown." } }],
      unsupported: { type: "poll_creation" },
    }),
    waha: () => engine({ pollCreationMessageV3: { name: "Lunch?", options: [{ optionName: "Pizza" }] } }),
  },
];
