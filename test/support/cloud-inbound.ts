import { expect } from "vitest";

export const FILE_HASH = "SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=";
const HEX = Uint8Array.from(atob(FILE_HASH), (byte) => byte.charCodeAt(0)).toHex();
export const FILE_ID = "1908647269898587";
const media = (mimeType: string, more: object = {}) => ({
  id: FILE_ID,
  url: null,
  mimeType,
  filename: null,
  sha256: HEX,
  ...more,
});

export const inboundKinds: [string, object, object][] = [
  [
    "image",
    { image: { caption: "Taj Mahal", mime_type: "image/jpeg", sha256: FILE_HASH, id: FILE_ID } },
    { type: "image", content: { mime_type: "image/jpeg", caption: "Taj Mahal" }, media: media("image/jpeg") },
  ],
  [
    "image",
    {
      image: {
        mime_type: "image/jpeg",
        sha256: HEX.toUpperCase(),
        id: FILE_ID,
        url: "https://lookaside.fbsbx.com/a?mid=1",
      },
    },
    {
      type: "image",
      content: { mime_type: "image/jpeg" },
      media: media("image/jpeg", { url: "https://lookaside.fbsbx.com/a?mid=1" }),
    },
  ],
  [
    "video",
    { video: { mime_type: "video/mp4", sha256: FILE_HASH, id: FILE_ID } },
    { type: "video", content: { mime_type: "video/mp4" }, media: media("video/mp4") },
  ],
  [
    "audio",
    { audio: { mime_type: "audio/ogg; codecs=opus", sha256: FILE_HASH, id: FILE_ID, voice: true } },
    {
      type: "audio",
      content: { mime_type: "audio/ogg; codecs=opus", voice: true },
      media: media("audio/ogg; codecs=opus"),
    },
  ],
  [
    "document",
    { document: { caption: "May", filename: "invoice.pdf", mime_type: "application/pdf", sha256: "?", id: FILE_ID } },
    {
      type: "document",
      content: { mime_type: "application/pdf", caption: "May", filename: "invoice.pdf" },
      media: media("application/pdf", { filename: "invoice.pdf", sha256: null }),
    },
  ],
  [
    "sticker",
    { sticker: { mime_type: "image/webp", sha256: FILE_HASH, id: FILE_ID, animated: false } },
    { type: "sticker", content: { mime_type: "image/webp" }, media: media("image/webp") },
  ],
  [
    "location",
    {
      location: { address: "1071 5th Ave", latitude: 40.782910059774, longitude: -73.959075808525, name: "Guggenheim" },
    },
    {
      type: "location",
      content: { latitude: 40.782910059774, longitude: -73.959075808525, name: "Guggenheim", address: "1071 5th Ave" },
    },
  ],
  [
    "location",
    { location: { latitude: "0", longitude: "-1.5" } },
    { type: "location", content: { latitude: 0, longitude: -1.5 } },
  ],
  [
    "contacts",
    {
      contacts: [
        {
          name: { formatted_name: "Barbara Johnson", first_name: "Barbara", last_name: "Johnson", suffix: "Esq." },
          org: { company: "Social Tsunami" },
          phones: [{ phone: "+1 (415) 555-0829", wa_id: "14155550829", type: "MOBILE" }, { wa_id: "1415" }],
          emails: [{ email: "b@example.com", type: "WORK" }],
        },
        { phones: "none" },
        "not a card",
      ],
    },
    {
      type: "contacts",
      content: [
        {
          name: { formatted_name: "Barbara Johnson", first_name: "Barbara", last_name: "Johnson" },
          phones: [
            { phone: "+1 (415) 555-0829", type: "MOBILE", wa_id: "14155550829" },
            { phone: "1415", wa_id: "1415" },
          ],
          emails: [{ email: "b@example.com", type: "WORK" }],
          org: { company: "Social Tsunami" },
        },
        { name: { formatted_name: "" }, phones: [] },
      ],
    },
  ],
  [
    "reaction",
    { reaction: { message_id: "wamid.1", emoji: "👍" } },
    { type: "reaction", content: { emoji: "👍" }, replyTo: ["wamid.1"] },
  ],
  [
    "reaction",
    { reaction: { message_id: "wamid.1" } },
    { type: "reaction", content: { emoji: "" }, replyTo: ["wamid.1"] },
  ],
  [
    "button",
    { context: { from: "15550783881", id: "wamid.T" }, button: { payload: "stop-1", text: "Unsubscribe" } },
    { type: "button_reply", content: { id: "stop-1", title: "Unsubscribe" }, replyTo: ["wamid.T"] },
  ],
  [
    "interactive",
    { context: { id: "wamid.B" }, interactive: { type: "button_reply", button_reply: { id: "b1", title: "Cancel" } } },
    { type: "button_reply", content: { id: "b1", title: "Cancel" }, replyTo: ["wamid.B"] },
  ],
  [
    "interactive",
    { interactive: { type: "list_reply", list_reply: { id: "l1", title: "Express", description: "Next Day" } } },
    { type: "list_reply", content: { id: "l1", title: "Express", description: "Next Day" } },
  ],
  [
    "interactive",
    {
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: '{"flow_token":"t","n":1}' },
      },
    },
    { type: "form_reply", content: { name: "flow", body: "Sent", response: { flow_token: "t", n: 1 } } },
  ],
  [
    "interactive",
    { interactive: { type: "nfm_reply", nfm_reply: { name: "address_message", response_json: "{broken" } } },
    { type: "form_reply", content: { name: "address_message", response: "{broken" } },
  ],
  [
    "interactive",
    {
      interactive: {
        type: "call_permission_reply",
        call_permission_reply: { response: "accept", is_permanent: false },
      },
    },
    {
      type: "unsupported",
      content: { kind: "call_permission_reply", content: { response: "accept", is_permanent: false } },
    },
  ],
  [
    "order",
    {
      order: {
        catalog_id: "194836987003835",
        text: "Love these!",
        product_items: [
          { product_retailer_id: "di9ozbzfi4", quantity: 2, item_price: 30, currency: "USD" },
          { product_retailer_id: "nqryix03ez", quantity: "1", item_price: "25.50", currency: "USD" },
        ],
      },
    },
    {
      type: "order",
      content: {
        catalog_id: "194836987003835",
        text: "Love these!",
        products: [
          { product_id: "di9ozbzfi4", quantity: 2, price: 30, currency: "USD" },
          { product_id: "nqryix03ez", quantity: 1, price: 25.5, currency: "USD" },
        ],
      },
    },
  ],
  [
    "unsupported",
    {
      errors: [
        {
          code: 131051,
          title: "Message type unknown",
          error_data: { details: "Message type is currently not supported." },
        },
      ],
      unsupported: { type: "poll_creation" },
    },
    {
      type: "unsupported",
      content: {
        kind: "poll_creation",
        provider_code: "131051",
        title: "Message type unknown",
        reason: "Message type is currently not supported.",
        content: { type: "poll_creation" },
      },
    },
  ],
  [
    "image",
    { errors: [{ code: 131052, title: "Media download error" }] },
    {
      type: "unsupported",
      content: {
        kind: "image",
        provider_code: "131052",
        title: "Media download error",
        reason: "Media download error",
      },
    },
  ],
  ["request_welcome", {}, { type: "unsupported", content: { kind: "request_welcome" } }],
  [
    "hologram",
    { hologram: { depth: 3 } },
    { type: "unsupported", content: { kind: "hologram", content: { depth: 3 } } },
  ],
  [
    "location",
    { location: { latitude: "north" } },
    { type: "unsupported", content: { kind: "location", content: expect.anything() } },
  ],
];
