import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { MessageContent } from "../../src/console/pages/messages/message-content.tsx";
import type { FileInfo } from "../../src/console/pages/messages/message-files.tsx";
import { webAddress } from "../../src/console/kit/safe-link.tsx";
import { formatBytes, formatMoney } from "../../src/console/kit/format.ts";

const file = (mime_type: string, more: Partial<FileInfo> = {}): FileInfo => ({
  id: "med_1",
  mime_type,
  bytes: 1_234_567,
  filename: "report.pdf",
  status: "stored",
  ...more,
});

interface Beside {
  shown?: FileInfo;
  body?: string;
  components?: unknown[] | undefined;
  fromContact?: boolean;
}

const show = async (
  type: string,
  content: unknown,
  { shown = file("image/jpeg"), body = "A line", components = [], fromContact = true }: Beside = {},
): Promise<string> => {
  const files = new Map([[shown.id, shown]]);
  return (
    await html`${MessageContent({ message: { type, content, body, components, fromContact }, files })}`
  ).toString();
};

const plain = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const HOSTILE = `"><script>alert(1)</script>`;

describe("Message contents", () => {
  it.each([
    ["image", "image/jpeg", '<img src="/console/media/med_1" alt="At the door" loading="lazy"'],
    ["sticker", "image/webp", '<img class="sticker" src="/console/media/med_1"'],
    ["video", "video/mp4", '<video class="player" src="/console/media/med_1" controls'],
    ["audio", "audio/ogg", '<audio class="player" src="/console/media/med_1" controls'],
    ["document", "application/pdf", 'download="report.pdf"'],
  ])("A message shows a stored %s, or offers it as a download, with its caption", async (type, mime, wanted) => {
    const markup = await show(type, { media_id: "med_1", caption: "At the door" }, { shown: file(mime) });
    expect(markup).toContain(wanted);
    expect(plain(markup)).toContain("At the door");
  });

  it("A message offers its file only as a download if browsers cannot render the file's type", async () => {
    for (const [type, mime] of [
      ["image", "image/tiff"],
      ["video", "video/quicktime"],
      ["audio", "text/html"],
    ] as const) {
      const markup = await show(type, { media_id: "med_1" }, { shown: file(mime) });
      expect(markup).toContain("download=");
      expect(markup).not.toMatch(/<(img|video|audio)/);
    }
  });

  it("A message explains why our own file could not be fetched, and does not blame the provider for the failure", async () => {
    const shown = file("image/jpeg", { status: "failed", reason: "The address returned 404." });
    const words = "Image couldn&#39;t be loaded. The address returned 404.";
    expect(plain(await show("image", { media_id: "med_1" }, { shown, fromContact: false }))).toBe(words);
    const content = { header: { type: "image", media_id: "med_1" } };
    expect(plain(await show("template", content, { shown, body: "Hello", fromContact: false }))).toBe(`${words} Hello`);
  });

  it.each([
    ["pending", "Image is loading"],
    ["failed", "Image couldn&#39;t be loaded from the provider."],
    ["expired", "Image has expired."],
  ] as const)("A message shows that its file is %s", async (status, words) => {
    expect(plain(await show("image", { media_id: "med_1" }, { shown: file("image/jpeg", { status }) }))).toContain(
      words,
    );
    expect(plain(await show("image", { media_id: "med_other" }))).toContain("Image has expired.");
  });

  it("A message links a location to a map, and the phone numbers of a contact card to calls", async () => {
    const place = { latitude: 52.52, longitude: 13.405, name: "Office", address: "Street 1" };
    expect(await show("location", place)).toContain(
      "https://www.openstreetmap.org/?mlat=52.52&amp;mlon=13.405#map=16/52.52/13.405",
    );
    expect(plain(await show("location", place))).toContain("Office Street 1 52.52000, 13.40500");
    const card = {
      name: { formatted_name: "Ada Okafor" },
      phones: [{ phone: "+1 415 555-0100", type: "WORK" }],
      emails: [{ email: "ada@example.com?bcc=x@example.com" }],
      org: { company: "Acme", title: "Chief" },
    };
    const markup = await show("contacts", [card]);
    expect(markup).toContain('href="tel:+14155550100"');
    expect(markup).toContain('href="mailto:ada%40example.com%3Fbcc%3Dx%40example.com"');
    expect(plain(markup)).toContain("Chief, Acme");
  });

  it("A message shows its buttons and list options as the recipient sees them", async () => {
    const buttons = [
      { id: "a", title: "Yes" },
      { id: "b", title: "No" },
    ];
    expect(
      plain(
        await show("interactive", { type: "buttons", body: "Sure?", header: "One thing", footer: "Thanks", buttons }),
      ),
    ).toBe("One thing Sure? Thanks Yes No");
    const sections = [{ title: "Small", rows: [{ id: "1", title: "Tea", description: "Hot" }] }];
    expect(plain(await show("interactive", { type: "list", body: "Drinks", button: "Choose", sections }))).toBe(
      "Drinks ☰ Choose Small Tea Hot",
    );
    const link = { type: "link", body: "Look", title: "Open", url: "https://example.com/" };
    expect(await show("interactive", link)).toContain('href="https://example.com/"');
    expect(await show("interactive", { ...link, url: "javascript:alert(1)" })).not.toContain("javascript:");
    expect(plain(await show("interactive", { type: "location_request", body: "Where?" }))).toBe(
      "Where? 📍 Send location",
    );
  });

  it("A message shows chosen options, filled-in forms and ordered products", async () => {
    expect(plain(await show("button_reply", { id: "a", title: "Yes" }))).toBe("Pressed a button Yes");
    expect(plain(await show("list_reply", { id: "1", title: "Tea", description: "Hot" }))).toBe(
      "Chose from a list Tea Hot",
    );
    const form = { name: "booking", response: { seats: 2, days: ["Mo", "Tu"], flow_token: "secret" } };
    expect(plain(await show("form_reply", form))).toBe("Filled in a form: booking Seats 2 Days Mo, Tu");
    const products = [
      { product_id: "tea-1", quantity: 3, price: 2.5, currency: "EUR" },
      { product_id: "cup-2", quantity: 1, price: 10, currency: "EUR" },
    ];
    expect(plain(await show("order", { text: "Soon please", products }))).toBe(
      "🛒 Order of 2 products Soon please Product Quantity Price tea-1 3 €2.50 cup-2 1 €10.00 Total €17.50",
    );
    expect(plain(await show("order", { products: [{ product_id: "x", quantity: 1 }] }))).not.toContain("Total");
    expect(plain(await show("unsupported", { kind: "poll_update", reason: "not passed on" }))).toContain(
      "(poll update)",
    );
  });

  it("A template message shows its header, footer, buttons and cards", async () => {
    const components = [
      { type: "HEADER", format: "IMAGE" },
      { type: "BODY", text: "Hi {{1}}" },
      { type: "FOOTER", text: "Acme" },
      {
        type: "BUTTONS",
        buttons: [{ type: "URL", text: "Track", url: "https://example.com/{{1}}" }, { type: "COPY_CODE" }],
      },
      {
        type: "CAROUSEL",
        cards: [
          {
            components: [
              { type: "HEADER", format: "IMAGE" },
              { type: "BODY", text: "Tea" },
            ],
          },
        ],
      },
    ];
    const header = { type: "image", media_id: "med_1" };
    const content = { name: "x", language: "en", header, cards: [{ index: 0, header, body: [], buttons: [] }] };
    const markup = await show("template", content, { body: "Hi Ada", components });
    expect(markup.match(/<img /g)).toHaveLength(2);
    expect(plain(markup)).toBe("Hi Ada Acme ↗ Track ⧉ Copy offer code Tea");
    // If the template was deleted, the sent text still appears.
    expect(plain(await show("template", content, { body: "Hi Ada" }))).toBe("Hi Ada");
    expect(plain(await show("template", null, { body: "Hi Ada", components: undefined }))).toBe("Hi Ada");
  });

  it("A message with content of an unknown shape shows its text on one line", async () => {
    for (const [type, content] of [
      ["location", { latitude: "north" }],
      ["order", null],
      ["hologram", { a: 1 }],
      ["text", "A line"],
    ] as const)
      expect(plain(await show(type, content))).toBe("A line");
  });

  it("A message escapes names, captions and texts, and links only to web addresses", async () => {
    const everything = [
      await show("image", { media_id: "med_1", caption: HOSTILE }),
      await show("document", { media_id: "med_1", filename: HOSTILE }, { shown: file("application/pdf") }),
      await show("location", { latitude: 1, longitude: 2, name: HOSTILE, address: HOSTILE }),
      await show("contacts", [{ name: { formatted_name: HOSTILE }, phones: [{ phone: HOSTILE }] }]),
      await show("form_reply", { name: HOSTILE, response: { [HOSTILE]: HOSTILE } }),
      await show("order", {
        text: HOSTILE,
        products: [{ product_id: HOSTILE, quantity: 1, price: 1, currency: HOSTILE }],
      }),
      await show("unsupported", { kind: HOSTILE, reason: HOSTILE }),
      await show("text", HOSTILE, { body: HOSTILE }),
    ];
    for (const markup of everything) {
      expect(markup).not.toContain("<script");
      expect(markup).toContain("&lt;script&gt;");
    }
    const text = await show("text", "", { body: "See https://example.com/a?b=1. Not javascript:alert(1)" });
    expect(text).toContain('href="https://example.com/a?b=1"');
    expect(text).not.toContain('href="javascript');
    expect(["javascript:alert(1)", "data:text/html,x", "//x", "ftp://x", " "].map(webAddress)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });

  it("A name in a message cannot reverse the direction of the text that surrounds it", async () => {
    const markup = await show(
      "document",
      { media_id: "med_1", filename: "invoice\u202Efdp.exe" },
      { shown: file("application/pdf") },
    );
    expect(markup).toContain('download="invoicefdp.exe"');
  });
});

describe("Amounts", () => {
  it("Sizes of files and amounts of money are rounded and shown with their unit", () => {
    expect([999, 1000, 812_345, 999_499, 1_234_567, 45_000_000].map(formatBytes)).toEqual([
      "999 bytes",
      "1 KB",
      "812 KB",
      "999 KB",
      "1.2 MB",
      "45 MB",
    ]);
    expect([formatMoney(12.5, "EUR"), formatMoney(3, "XQ"), formatMoney(3, undefined)]).toEqual([
      "€12.50",
      "3.00 XQ",
      "3.00",
    ]);
  });
});
