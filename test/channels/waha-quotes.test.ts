import { describe, expect, it } from "vitest";
import { chat, gows, noweb, NOW, parse, plain, read, server, webjs } from "../support/providers/waha-events.ts";

describe("Quoted messages", () => {
  const keys = [`true_BBB`, `false_${chat}_BBB`];
  it.each([
    ["replyTo with its id", { replyTo: { id: "BBB", participant: chat, body: "?" } }, keys],
    ["replyTo as text", { replyTo: `false_${chat}_BBB` }, [`false_${chat}_BBB`]],
    ["replyTo to one of ours", { replyTo: { id: `true_${chat}_BBB` } }, ["true_BBB"]],
    ["the engine's data", noweb({ extendedTextMessage: { text: "Yes", contextInfo: { stanzaId: "BBB" } } }), keys],
    ["the data of GOWS", gows({ extendedTextMessage: { text: "Yes", contextInfo: { stanzaID: "BBB" } } }), keys],
  ])("The message that a WAHA reply quotes is found in %s", async (_, more, replyTo) => {
    expect(await read({ body: "Yes", ...more })).toEqual({
      body: "Yes",
      parts: { ...plain, type: "text", content: null, replyTo },
    });
  });

  it("A WAHA reply finds the quoted message by the chat's number and by its hidden id", async () => {
    const key = { remoteJidAlt: "999888777666@lid" };
    const { parts } = await read({ body: "Yes", replyTo: { id: "BBB" }, _data: { key } });
    expect(parts?.replyTo).toEqual([...keys, "false_999888777666@lid_BBB"]);
  });
});

describe("Forwarded messages", () => {
  it.each([
    ["WEBJS", webjs({ type: "chat", isForwarded: true })],
    ["NOWEB", noweb({ extendedTextMessage: { text: "Hi", contextInfo: { isForwarded: true } } })],
  ])("The forwarded flag of a message from the WAHA engine %s is stored", async (_, data) => {
    expect(await read({ body: "Hi", ...data })).toMatchObject({
      body: "Hi",
      parts: { type: "text", isForwarded: true },
    });
  });
});

describe("Reactions", () => {
  const react = (text: string, messageId: string) => ({ body: null, reaction: { text, messageId } });

  it("A reaction received over WAHA names its target message", async () => {
    expect(await read(react("🙏", `true_${chat}_OURS`), "message.reaction")).toEqual({
      body: "[reaction] 🙏",
      parts: { ...plain, type: "reaction", content: { emoji: "🙏" }, replyTo: ["true_OURS"] },
    });
    expect(await read(react("", `false_${chat}_THEIRS`), "message.reaction")).toMatchObject({
      body: "[reaction removed]",
      parts: { content: { emoji: "" }, replyTo: [`false_${chat}_THEIRS`] },
    });
  });

  it("A reaction that the account itself sends over WAHA is stored as outbound", async () => {
    const payload = server.message(chat, "", {
      id: `true_${chat}_R`,
      fromMe: true,
      ...react("👍", `false_${chat}_THEIRS`),
    });
    expect(await parse("message.reaction", payload)).toMatchObject([
      { type: "own", providerKey: "true_R", parts: { type: "reaction", content: { emoji: "👍" } } },
    ]);
  });
});

it("A poll vote received over WAHA names the poll and the chosen options", async () => {
  const vote = {
    id: `false_${chat}_V`,
    from: chat,
    fromMe: false,
    selectedOptions: ["Pizza"],
    timestamp: NOW / 1000 - 60,
  };
  const poll = { id: `true_${chat}_P`, from: "me", fromMe: true };
  expect(await parse("poll.vote", { vote, poll })).toMatchObject([
    {
      type: "message",
      from: { phone: "+14155550177" },
      body: "[poll vote] Pizza",
      parts: {
        type: "unsupported",
        content: { kind: "poll_vote", content: { options: ["Pizza"] } },
        replyTo: ["true_P"],
      },
      at: NOW - 60_000,
    },
  ]);
  expect(await parse("poll.vote", { vote: { ...vote, fromMe: true }, poll })).toEqual([]);
});

it("A file that the account's phone sends through WAHA is stored with its caption", async () => {
  const media = { url: "http://localhost:3000/api/files/ID.jpg", mimetype: "image/jpeg" };
  const more = { id: `true_${chat}_ID`, fromMe: true, hasMedia: true, media, source: "app" };
  expect(await parse("message.any", server.message(chat, "Look", more))).toMatchObject([
    {
      type: "own",
      body: "[image] Look",
      parts: { type: "image", content: { caption: "Look" }, media: { url: media.url } },
    },
  ]);
});

it("A caption received over WAHA can be changed and removed", async () => {
  const edit = (body: string | null, hasMedia: boolean) =>
    parse("message.edited", server.message(chat, "", { body, hasMedia, editedMessageId: "ID" }));
  expect(await edit("Better", true)).toMatchObject([{ kind: "edit", body: "Better" }]);
  expect(await edit(null, true)).toMatchObject([{ kind: "edit", body: "" }]);
  expect(await edit(null, false)).toMatchObject([{ kind: "edit", body: "[empty message]" }]);
});
