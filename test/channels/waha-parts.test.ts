import { describe, expect, it } from "vitest";
import { chat, gows, noweb, parse, plain, read, server, webjs } from "../support/providers/waha-events.ts";

describe("Parts of WAHA messages", () => {
  it("A plain text from WAHA has no parts, whatever data the engine adds", async () => {
    for (const data of [
      {},
      webjs({ type: "chat" }),
      noweb({ messageContextInfo: { x: 1 }, conversation: "Hi" }),
      gows({ extendedTextMessage: { text: "Hi", contextInfo: {} } }),
    ]) {
      expect(await read({ body: "Hi", ...data })).toEqual({ body: "Hi" });
    }
  });

  it("An image from WAHA keeps its caption and the address of its file", async () => {
    const media = { url: "http://localhost:3000/api/files/default/ID.jpg", mimetype: "image/jpeg", filename: null };
    expect(await read({ hasMedia: true, media, body: "Look" })).toEqual({
      body: "[image] Look",
      parts: {
        ...plain,
        type: "image",
        content: { mime_type: "image/jpeg", caption: "Look" },
        media: { id: `false_${chat}_ID`, url: media.url, mimeType: "image/jpeg", filename: null, sha256: null },
      },
    });
  });

  it.each([
    ["WEBJS", webjs({ type: "ptt" })],
    ["NOWEB", noweb({ audioMessage: { ptt: true, seconds: 3 } })],
    ["GOWS", gows({ audioMessage: { PTT: true } })],
  ])("A voice note from the WAHA engine %s is stored as a voice note", async (_, data) => {
    const media = { url: "http://localhost:3000/api/files/ID.oga", mimetype: "audio/ogg; codecs=opus" };
    expect(await read({ hasMedia: true, media, ...data })).toMatchObject({
      body: "[voice message]",
      parts: { type: "audio", content: { mime_type: "audio/ogg; codecs=opus", voice: true } },
    });
  });

  it.each([
    ["a sticker", "sticker", { mimetype: "image/webp" }, "[sticker]"],
    ["a video", "video", { mimetype: "video/mp4" }, "[video]"],
    ["music", "audio", { mimetype: "audio/mpeg" }, "[audio]"],
    ["a file", "document", { mimetype: "application/pdf", filename: "a.pdf" }, "[document] a.pdf"],
    ["a file of no type", "document", {}, "[document]"],
  ])("The type of %s from WAHA is recognized by its media type", async (_, type, media, body) => {
    const found = await read({ hasMedia: true, media: { url: null, ...media } });
    expect(found).toMatchObject({ body, parts: { type, media: { id: `false_${chat}_ID`, url: null } } });
  });

  it("An image or document that WAHA has not fetched is recognized by the engine's message type, also if it disappears or is view-once", async () => {
    const image = { imageMessage: { mimetype: "image/jpeg", caption: "Psst" } };
    for (const data of [
      webjs({ type: "image" }),
      noweb(image),
      noweb({ ephemeralMessage: { message: { viewOnceMessageV2: { message: image } } } }),
      noweb({ documentWithCaptionMessage: { message: { documentMessage: {} } } }),
    ]) {
      const { parts } = await read({ hasMedia: false, media: null, ...data });
      expect(["image", "document"]).toContain(parts?.type);
      expect(parts?.media?.id).toBe(`false_${chat}_ID`);
    }
  });

  it("A location from WAHA is stored with its coordinates, or as unsupported if it has none", async () => {
    const location = { description: "Home", address: "1 High St", latitude: "37.4", longitude: "-122" };
    expect(await read({ location, body: "/9j/4AAQ" })).toEqual({
      body: "[location] Home, 1 High St, 37.4, -122",
      parts: {
        ...plain,
        type: "location",
        content: { latitude: 37.4, longitude: -122, name: "Home", address: "1 High St" },
      },
    });
    expect(await read({ location: { description: "Home", latitude: "?", longitude: null } })).toMatchObject({
      parts: { type: "unsupported", content: { kind: "location", content: { name: "Home" } } },
    });
  });

  it("Contact cards from WAHA are stored in every notation", async () => {
    const jane = [
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:Doe;Jane;;;",
      "FN:Jane\\, Doe",
      "ORG:Doe\\; Sons;Sales",
      "TITLE:Boss",
      "item1.TEL;type=CELL;type=VOICE;waid=15550100199:+1 555 010",
      " 0199",
      "TEL;HOME:112",
      "EMAIL;type=INTERNET,WORK:jane@example.com",
      "ADR;type=HOME:;;1 Main St;Menlo Park;CA;94025;USA",
      "URL:https://example.com/jane",
      "BDAY:1999-01-23",
      "END:VCARD",
    ].join("\r\n");
    expect(
      await read({ vCards: [jane, { vcard: "BEGIN:VCARD\nTEL;waid=4930:\nTEL:tel:+49 30\nEND:VCARD" }, 7] }),
    ).toEqual({
      body: "[contact] Jane, Doe +1 555 0100199 112\n[contact] +49 30",
      parts: {
        ...plain,
        type: "contacts",
        content: [
          {
            name: { formatted_name: "Jane, Doe", first_name: "Jane", last_name: "Doe" },
            phones: [
              { phone: "+1 555 0100199", type: "CELL", wa_id: "15550100199" },
              { phone: "112", type: "HOME" },
            ],
            emails: [{ email: "jane@example.com", type: "INTERNET" }],
            org: { company: "Doe; Sons", department: "Sales", title: "Boss" },
            addresses: [
              { street: "1 Main St", city: "Menlo Park", state: "CA", zip: "94025", country: "USA", type: "HOME" },
            ],
            urls: [{ url: "https://example.com/jane" }],
            birthday: "1999-01-23",
          },
          { name: { formatted_name: "" }, phones: [{ phone: "+49 30" }] },
        ],
      },
    });
  });

  it.each([
    ["WEBJS", { body: "Yes", ...webjs({ type: "buttons_response", selectedButtonId: "b1" }) }],
    ["NOWEB", noweb({ buttonsResponseMessage: { selectedButtonId: "b1", selectedDisplayText: "Yes" } })],
    ["GOWS", gows({ templateButtonReplyMessage: { selectedID: "b1", selectedDisplayText: "Yes" } })],
  ])("A chosen button from the WAHA engine %s is stored", async (_, data) => {
    expect(await read(data)).toEqual({
      body: "Yes",
      parts: { ...plain, type: "button_reply", content: { id: "b1", title: "Yes" } },
    });
  });

  it.each([
    [
      "WEBJS",
      webjs({
        type: "list_response",
        listResponse: { title: "Tea", description: "Hot", singleSelectReply: { selectedRowId: "r1" } },
      }),
    ],
    [
      "NOWEB",
      noweb({ listResponseMessage: { title: "Tea", description: "Hot", singleSelectReply: { selectedRowId: "r1" } } }),
    ],
    [
      "GOWS",
      gows({ listResponseMessage: { title: "Tea", description: "Hot", singleSelectReply: { selectedRowID: "r1" } } }),
    ],
  ])("A chosen list row from the WAHA engine %s is stored", async (_, data) => {
    expect(await read(data)).toEqual({
      body: "Tea",
      parts: { ...plain, type: "list_reply", content: { id: "r1", title: "Tea", description: "Hot" } },
    });
  });

  it("A filled-in form that arrives through WAHA is stored", async () => {
    const reply = { body: { text: "Sent" }, nativeFlowResponseMessage: { name: "flow", paramsJson: '{"size":"L"}' } };
    expect(await read(noweb({ interactiveResponseMessage: reply }))).toEqual({
      body: '[flow] Sent {"size":"L"}',
      parts: { ...plain, type: "form_reply", content: { name: "flow", body: "Sent", response: { size: "L" } } },
    });
  });

  it.each([
    [
      "WEBJS",
      {
        body: "Lunch?",
        ...webjs({ type: "poll_creation", pollName: "Lunch?", pollOptions: [{ name: "Pizza" }, { name: "Soup" }] }),
      },
      "poll_creation",
    ],
    [
      "NOWEB",
      noweb({ pollCreationMessageV3: { name: "Lunch?", options: [{ optionName: "Pizza" }, { optionName: "Soup" }] } }),
      "pollCreationMessageV3",
    ],
  ])("A poll from the WAHA engine %s is stored with its options", async (_, data, kind) => {
    expect(await read(data)).toEqual({
      body: "[poll creation] Lunch? Pizza, Soup",
      parts: {
        ...plain,
        type: "unsupported",
        content: { kind, content: { name: "Lunch?", options: ["Pizza", "Soup"] } },
      },
    });
  });

  it("An order from WAHA is stored as unsupported, with its totals and the reason", async () => {
    const order = {
      orderId: "123",
      itemCount: 2,
      message: "Please",
      totalAmount1000: "9900",
      totalCurrencyCode: "EUR",
    };
    expect(await read(noweb({ orderMessage: order }))).toMatchObject({
      body: "[order]",
      parts: { type: "unsupported", content: { kind: "orderMessage", reason: expect.any(String), content: order } },
    });
  });

  it("Any other kind of WAHA message is stored as unsupported, with shortened content", async () => {
    const { body, parts } = await read(
      noweb({ eventMessage: { name: "Party", note: "x".repeat(100_000), deep: [[[1]]] } }),
    );
    expect(body).toBe("[event] Party");
    expect(parts).toMatchObject({ type: "unsupported", content: { kind: "eventMessage", content: { name: "Party" } } });
    expect(JSON.stringify(parts).length).toBeLessThan(9000);
  });

  it("A system message of WhatsApp is skipped", async () => {
    for (const data of [webjs({ type: "e2e_notification" }), noweb({ protocolMessage: { type: 3 } })])
      expect(await parse("message", server.message(chat, "", data))).toEqual([]);
  });
});
