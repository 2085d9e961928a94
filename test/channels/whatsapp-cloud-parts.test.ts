import { describe, expect, it } from "vitest";
import { contentShapes } from "../../src/channels/content.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { jsonBytes } from "../../src/shared/text/text.ts";
import { FILE_HASH, FILE_ID as id, inboundKinds } from "../support/cloud-inbound.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";

const cloud = new CloudStandIn();
const connection = { id: "conn_1", config: cloud.config("https://graph.test") };

const parse = (...changes: object[]) =>
  whatsappCloud.webhook?.parse(connection, JSON.stringify({ entry: [{ time: 1, changes }] }), 1_800_000_000_000) ?? [];

function partsOf(sent: object) {
  const [event, ...others] = parse(cloud.message("+16505551234", sent, "Sheena Nelson"));
  expect(others).toEqual([]);
  if (event?.type !== "message") throw new Error("This is no message.");
  return event.parts ?? null;
}

const plain = { media: null, replyTo: [], isForwarded: false, referral: null };

describe("Parts of Cloud API messages", () => {
  it.each(inboundKinds)("A Cloud API message of kind %s keeps its parts: %o", (type, sent, expected) => {
    const parts = partsOf({ type, ...sent });
    expect(parts).toEqual({ ...plain, ...expected });
    if (parts === null) return;
    const whole = parts.media === null ? parts.content : Object.assign({ media_id: "med_1" }, parts.content);
    expect(contentShapes[parts.type].parse(whole)).toEqual(whole);
  });

  it("A plain text from the Cloud API has no parts, unless it quotes, was forwarded or comes from an advertisement", () => {
    const text = { type: "text", text: { body: "Does it come in another colour?" } };
    expect(partsOf(text)).toBeNull();
    expect(partsOf({ ...text, context: {} })).toBeNull();
    const withContext = (context: object) => partsOf({ ...text, context });
    const parts = { ...plain, type: "text", content: null };
    expect(withContext({ from: "15550783881", id: "wamid.Q" })).toEqual({ ...parts, replyTo: ["wamid.Q"] });
    expect(withContext({ forwarded: true })).toEqual({ ...parts, isForwarded: true });
    expect(withContext({ frequently_forwarded: true })).toEqual({ ...parts, isForwarded: true });
    const referred_product = { catalog_id: "194836987003835", product_retailer_id: "di9ozbzfi4" };
    expect(withContext({ from: "15550783881", id: "wamid.Q", referred_product })).toEqual({
      ...parts,
      replyTo: ["wamid.Q"],
      referral: { catalog_id: "194836987003835", product_id: "di9ozbzfi4" },
    });
    const known = {
      source_url: "https://fb.me/3cr4Wqqkv",
      source_id: "120226305854810726",
      source_type: "ad",
      body: "Summer succulents are here!",
      headline: "Chat with us",
      media_type: "image",
      image_url: "https://scontent.xx.fbcdn.net/v/t45.1",
      thumbnail_url: "https://scontent.xx.fbcdn.net/v/t45.2",
    };
    const referral = {
      ...known,
      video_url: null,
      ctwa_clid: "Aff-n8ZTODiE79d22KtAwQ",
      welcome_message: { text: "Hi there!" },
    };
    expect(partsOf({ ...text, referral })).toEqual({
      ...parts,
      referral: { ...known, click_id: "Aff-n8ZTODiE79d22KtAwQ", welcome_message: "Hi there!" },
    });
  });

  it("A Cloud API message from the account's phone is stored with all its parts", () => {
    const echo = { from: "15550783881", to: "16505551234", id: "wamid.app", timestamp: "1739321024", type: "image" };
    const change = cloud.messages({
      message_echoes: [{ ...echo, image: { id, mime_type: "image/png", caption: "Look" } }],
    });
    expect(parse({ ...change, field: "smb_message_echoes" })).toMatchObject([
      { type: "own", body: "[image] Look", parts: { type: "image", content: { caption: "Look" }, media: { id } } },
    ]);
  });

  it("A Cloud API message with an edited caption is stored with its new parts", () => {
    const message = {
      context: { id: "M0" },
      type: "image",
      image: { caption: "Better", mime_type: "image/jpeg", sha256: FILE_HASH, id },
    };
    const edit = { original_message_id: "wamid.first", message };
    const taken = { original_message_id: "wamid.first" };
    expect(parse(cloud.message("+16505551234", { type: "edit", edit }))).toMatchObject([
      {
        type: "revision",
        kind: "edit",
        providerKeys: ["wamid.first"],
        body: "[image] Better",
        parts: { type: "image", content: { caption: "Better" }, media: { id } },
      },
    ]);
    const [revoked] = parse(cloud.message("+16505551234", { type: "revoke", revoke: taken }));
    expect(revoked).toMatchObject({ type: "revision", kind: "revoke", body: null });
    expect(revoked).not.toHaveProperty("parts");
  });

  it("A very large Cloud API message is truncated to fit into the queue", { tags: "long" }, () => {
    const long = "grüß \u0001".repeat(20_000);
    const product_items = Array.from({ length: 500 }, (_, at) => ({
      product_retailer_id: `p${at}${long}`,
      quantity: 1,
    }));
    const sent = {
      type: "order",
      order: { text: long, product_items },
      context: { id: "wamid.Q" },
      referral: { body: long },
    };
    const [event] = parse(cloud.message("+16505551234", sent));
    expect(jsonBytes(event)).toBeLessThan(100_000);
    expect(event).toMatchObject({
      parts: { type: "order", content: { text: expect.stringMatching(/^grüß/), products: expect.any(Array) } },
    });
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    expect(jsonBytes(parse(cloud.message("+16505551234", { type: "x", x: deep })))).toBeLessThan(2000);
  });
});
