import { describe, expect, it } from "vitest";
import { type OutboundMessage, type MediaFile, MediaUnavailable } from "../../src/channels/channel.ts";
import type { OutboundContent } from "../../src/channels/content.ts";
import { waha } from "../../src/channels/waha/waha.ts";
import { directIo, playInEachTest, UPSTREAM } from "../support/providers/linked.ts";
import { json, type Reply } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";

let server: WahaStandIn;

playInEachTest(() => (server = new WahaStandIn()));

const LINK = "https://tidings.example.com/media/med_1?signature=abc";

const fileOf = (id: string, mimeType: string, filename: string | null): MediaFile => ({
  id,
  mimeType,
  bytes: 5,
  sha256: "00",
  filename,
  read: () => Promise.reject(new Error("WAHA fetches the file by its link.")),
  link: () =>
    id === "med_private" ? Promise.reject(new MediaUnavailable("There is no public address.")) : Promise.resolve(LINK),
});

const files = new Map(
  [
    fileOf("med_jpg", "image/jpeg", "cat.jpg"),
    fileOf("med_webp", "image/webp", null),
    fileOf("med_private", "image/png", null),
  ].map((file) => [file.id, file]),
);

async function send(content: OutboundContent | undefined, more: Partial<OutboundMessage> = {}) {
  const io = {
    ...directIo(),
    media: {
      ...directIo().media,
      open: (id: string) => {
        const file = files.get(id);
        return file ? Promise.resolve(file) : Promise.reject(new MediaUnavailable("The file is gone."));
      },
    },
  };
  const message = { id: "msg_1", to: "+14155550100", body: "[line]", attempt: 1, ...(content && { content }), ...more };
  return waha.send({ id: "conn_1", config: server.config(UPSTREAM) }, message, io);
}

const common = { session: "default", chatId: "14155550100@c.us" };
const fileIn = (mimetype: string, filename?: string) => ({ mimetype, url: LINK, ...(filename && { filename }) });

const card = {
  name: { formatted_name: "Dr. Jane; Doe, Jr.", first_name: "Jane", last_name: "Doe" },
  phones: [
    { phone: "+1 (555) 010-0199", type: "CELL" },
    { phone: "112", type: "we;ird:" },
  ],
  emails: [{ email: "jane@example.com", type: "WORK" }],
  org: { company: "Doe, Inc.", title: "Line\none" },
};

/** The contract test of all providers does not cover these kinds. */
const kinds: [string, OutboundContent, string, object][] = [
  [
    "no link preview",
    { type: "text", content: { preview_url: false } },
    "sendText",
    { text: "[line]", linkPreview: false },
  ],
  [
    "an image with a caption",
    { type: "image", content: { media_id: "med_jpg", caption: "Look 👋" } },
    "sendImage",
    { file: fileIn("image/jpeg", "cat.jpg"), caption: "Look 👋" },
  ],
  [
    "a bare location",
    { type: "location", content: { latitude: 0, longitude: 0 } },
    "sendLocation",
    { latitude: 0, longitude: 0, title: "" },
  ],
  [
    "contact cards",
    { type: "contacts", content: [card, { name: { formatted_name: "Ann" }, phones: [] }] },
    "sendContactVcard",
    {
      contacts: [
        {
          vcard: [
            "BEGIN:VCARD",
            "VERSION:3.0",
            "N:Doe;Jane;;;",
            "FN:Dr. Jane\\; Doe\\, Jr.",
            "ORG:Doe\\, Inc.;",
            "TITLE:Line\\none",
            "TEL;type=CELL;waid=15550100199:+1 (555) 010-0199",
            "TEL;type=WEIRD:112",
            "EMAIL;type=WORK:jane@example.com",
            "END:VCARD",
          ].join("\n"),
        },
        { vcard: "BEGIN:VCARD\nVERSION:3.0\nN:;Ann;;;\nFN:Ann\nEND:VCARD" },
      ],
    },
  ],
];

describe("Messages through WAHA", () => {
  it.each(kinds)(
    "The request for a WAHA message of kind %s matches WAHA's reference, also if the message is a reply",
    async (_, content, path, body) => {
      const accepted = { kind: "accepted", providerMessageId: expect.stringMatching(/^true_14155550100@c\.us_/) };
      expect(await send(content)).toMatchObject(accepted);
      expect(server.requests.at(-1)).toMatchObject({ method: "POST", path: `/api/${path}` });
      expect(server.handed.at(-1)?.request).toEqual({ ...common, ...body });
      const replyTo = "false_14155550100@c.us_AAAA";
      expect(await send(content, { replyTo })).toMatchObject(accepted);
      expect(server.handed.at(-1)?.request).toEqual({ ...common, ...body, reply_to: replyTo });
    },
  );

  it("A WAHA message with only a text is sent as text, without a setting for link previews", async () => {
    await send(undefined, { body: "Hi" });
    expect(server.handed).toMatchObject([{ request: { ...common, text: "Hi" } }]);
    expect(Object.keys(server.handed[0]?.request)).toEqual(["session", "chatId", "text"]);
  });

  it("A WAHA message to a person without a number goes to the chat of the hidden id", async () => {
    await send({ type: "image", content: { media_id: "med_jpg" } }, { to: "123456789012345@lid" });
    expect(server.handed[0]?.request.chatId).toBe("123456789012345@lid");
  });

  it.each(["buttons", "location_request"] as const)(
    "An interactive message (%s) to a WAHA connection is rejected and never sent",
    async (type) => {
      const content = { type, body: "Which?", buttons: [{ id: "1", title: "This" }] };
      expect(await send({ type: "interactive", content })).toMatchObject({
        kind: "refused",
        error: { code: "unsupported_message" },
      });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    ["gone", "med_gone"],
    ["unreachable for WAHA", "med_private"],
  ])("A WAHA message whose file is %s is rejected and never sent", async (_, media_id) => {
    expect(await send({ type: "image", content: { media_id } })).toMatchObject({
      kind: "refused",
      error: { code: "media_invalid" },
    });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, number, object, string]>([
    ["of another engine", 501, { message: "The method is not implemented by 'NOWEB' engine." }, "unsupported_message"],
    ["of another edition", 422, { message: "The feature is available only in Plus version." }, "unsupported_message"],
    ["of a later version", 404, { message: "Cannot POST /api/sendSticker", error: "Not Found" }, "unsupported_message"],
    ["too large for the server", 413, { message: "request entity too large" }, "media_invalid"],
  ])("A WAHA message of a kind %s is rejected permanently", async (_, status, answer, code) => {
    server.next(() => json({ statusCode: status, ...answer }, status));
    expect(await send({ type: "sticker", content: { media_id: "med_webp" } })).toMatchObject({
      kind: "refused",
      error: { code, providerCode: String(status) },
    });
  });

  it("If WAHA fails while it sends a file, the message has the outcome `lost`, because the file may have been sent", async () => {
    server.next(server.failures.broken);
    expect(await send({ type: "image", content: { media_id: "med_jpg" } })).toMatchObject({ kind: "lost" });
  });
});

describe("Reactions through WAHA", () => {
  const content = (emoji: string): OutboundContent => ({ type: "reaction", content: { message_id: "msg_9", emoji } });
  const replyTo = "false_14155550100@c.us_AAAA";

  it("A reaction through WAHA names the message, and an empty reaction removes it", async () => {
    for (const emoji of ["👍", ""]) {
      expect(await send(content(emoji), { replyTo })).toMatchObject({ kind: "accepted" });
      expect(server.requests.at(-1)).toMatchObject({ method: "PUT", path: "/api/reaction" });
      expect(server.handed.at(-1)?.request).toEqual({ session: "default", messageId: replyTo, reaction: emoji });
    }
    expect(server.reactions).toEqual(new Map([[replyTo, ""]]));
  });

  it.each<[string, () => Reply, object]>([
    ["WEBJS", () => new Response(null, { status: 200 }), { providerMessageId: "reaction_msg_1" }],
    ["WPP", () => json({ sendMsgResult: "OK" }), { providerMessageId: "reaction_msg_1" }],
    [
      "NOWEB",
      () => json({ key: { remoteJid: "1@s.whatsapp.net", fromMe: true, id: "3EB0R" }, message: {} }),
      { providerMessageId: "true_1@c.us_3EB0R", providerKey: "true_3EB0R" },
    ],
  ])("A reaction through WAHA is accepted, whatever the engine %s returns", async (_, reply, ids) => {
    server.reactionReply = reply;
    expect(await send(content("👍"), { replyTo })).toEqual({ kind: "accepted", ...ids });
  });

  it("A reaction to a message without WhatsApp's id is rejected and never sent to WAHA", async () => {
    expect(await send(content("👍"))).toMatchObject({ kind: "refused" });
    expect(server.requests).toEqual([]);
  });

  it("A reaction through WAHA has the outcome `lost` if WAHA fails, and `refused` if WAHA rejects it", async () => {
    server.next(server.failures.broken, server.failures.expired);
    expect(await send(content("👍"), { replyTo })).toMatchObject({ kind: "lost" });
    expect(await send(content("👍"), { replyTo })).toMatchObject({ kind: "refused" });
  });
});
