import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../support/clock.ts";
import { carousel, filled, headerOf, holding, lastSent, picture, promotion, video } from "../support/template-forms.ts";
import { at, written } from "../support/inbox.ts";
import { fileOf, heads, storeFile } from "../support/media.ts";
import { textOf } from "../support/page-text.ts";
import type { Answer } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

const faultIn = ({ body }: Answer, form: string, field: string) =>
  new RegExp(`id="${form}-${field}-fault"[^>]*>([^<]*)`).exec(body)?.[1];

async function inThread(components: Record<string, unknown>[]) {
  const { customer, template } = await holding(components);
  const id = await written(customer);
  const agent = await customer.member("agent");
  vi.spyOn(sandbox, "send");
  const form = (fields: Record<string, string>) => ({ template_id: template, ...fields });
  const send = (fields: Record<string, string>) => agent.post(at(customer, `/${id}/template`), form(fields));
  const preview = (fields: Record<string, string>) => agent.post(at(customer, `/${id}/template/preview`), form(fields));
  const page = () => agent.get(at(customer, `/${id}?compose=template&template=${template}`));
  return { customer, template, id, agent, send, preview, page };
}

describe("Templates with parts in the composer", () => {
  it("The composer has a field for the header, texts and buttons of a template, and sends their values", async () => {
    const { customer, page, send } = await inThread(promotion);
    const form = await page();
    expect(form.body).toContain('name="header.media_id"');
    expect(textOf(form)).toContain("Link ending of “Shop now”");
    expect(textOf(form)).toContain("Added to the end of https://shop.example/");
    expect(textOf(form)).toContain("Code copied by “Copy offer code”");
    expect(form.body).toContain('name="buttons.0"');
    expect(textOf(form)).toContain("Reply STOP to opt out");

    const { id } = await picture(customer);
    const sent = await send({ ...filled, "header.media_id": id, "buttons.0": "more-1" });
    expect(sent.status).toBe(303);
    expect(lastSent()).toMatchObject({
      headerPart: { type: "image", media_id: id },
      body: [{ name: null, text: "Bruno" }],
      buttons: [
        { index: 0, kind: "quick_reply", text: "more-1" },
        { index: 1, kind: "url", text: "spring" },
        { index: 2, kind: "copy_code", text: "SPRING10" },
      ],
    });
  });

  it("A template header offers stored files of a suitable type", async () => {
    const { customer, page, send } = await inThread([headerOf("DOCUMENT"), { type: "BODY", text: "The menu" }]);
    const menu = await storeFile(customer, fileOf(heads["application/pdf"]), "application/pdf", "?filename=menu.pdf");
    expect((await page()).body).toContain(`<option value="${menu.id}">menu.pdf (1 KB)`);
    expect((await send({ "header.stored": menu.id, "header.media_id": "" })).status).toBe(303);
    expect(lastSent()).toMatchObject({ headerPart: { type: "document", media_id: menu.id, filename: "menu.pdf" } });
    const pictures = await inThread(promotion);
    await video(pictures.customer);
    const door = await picture(pictures.customer);
    const { body } = await pictures.page();
    expect(body).toContain(`<option value="${door.id}" data-picture="">door.png`);
    expect(body).not.toContain("a.mp4");
    pictures.customer.world.advance(1000);
    const again = await picture(pictures.customer);
    const names = (await pictures.page()).body.matchAll(/<option value="med_[^>]*>([^<]*)/g);
    expect(new Set(Array.from(names, ([, name]) => name)).size).toBe(2);
    const chosen = await pictures.preview({ "header.stored": again.id });
    expect(chosen.body).toContain(`src="/console/media/${again.id}"`);
    const refused = await pictures.send({ "header.stored": again.id });
    expect(refused.body).toContain(`<option value="${again.id}" selected="" data-picture="">door.png`);
  });

  it("A template header accepts a location", async () => {
    const { send, page } = await inThread([headerOf("LOCATION"), { type: "BODY", text: "Come by" }]);
    expect((await page()).body).toContain('name="header.location.latitude"');
    const place = { "header.location.latitude": "52.52", "header.location.longitude": "13.405" };
    expect((await send({ ...place, "header.location.name": "Our shop" })).status).toBe(303);
    const header = { type: "location", latitude: 52.52, longitude: 13.405, name: "Our shop" };
    expect(lastSent()?.headerPart).toEqual(header);
    const wrong = await send({ "header.location.latitude": "north", "header.location.longitude": "13" });
    expect(wrong.status).toBe(400);
    expect(faultIn(wrong, "template", "header-location-latitude")).toBeTruthy();
    expect(wrong.body).toContain('value="north"');
    expect(faultIn(await send({}), "template", "header-location-latitude")).toContain("Enter the latitude");
  });

  it("Each card of a template accepts a file, texts and links", async () => {
    const { customer, page, send } = await inThread(carousel);
    expect(textOf(await page())).toContain("Card 2");
    const [first, second] = [await picture(customer, "a.png"), await picture(customer, "b.png")];
    const cards = {
      "variables.1": "Bruno",
      "cards.0.header.media_id": first.id,
      "cards.0.variables.1": "5 €",
      "cards.0.buttons.0": "tea",
      "cards.1.variables.1": "7 €",
      "cards.1.buttons.0": "coffee",
    };
    const refused = await send({ ...cards, "cards.1.header.media_id": "" });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatch(/id="file-template-cards-1-header-media_id-fault"[^>]*>Choose a file\./);
    expect(refused.body).toContain('value="coffee"');
    expect(refused.body).toContain(`src="/console/media/${first.id}"`);
    const blank = await send({ ...cards, "cards.1.header.media_id": second.id, "cards.1.variables.1": "" });
    expect(faultIn(blank, "template", "cards-1-variables-1")).toContain("Enter a value");
    expect((await send({ ...cards, "cards.1.header.media_id": second.id })).status).toBe(303);
    expect(lastSent()?.cards).toMatchObject([
      { index: 0, header: { media_id: first.id }, body: [{ text: "5 €" }], buttons: [{ index: 0, text: "tea" }] },
      { index: 1, header: { media_id: second.id }, body: [{ text: "7 €" }], buttons: [{ index: 0, text: "coffee" }] },
    ]);
  });

  it("A template shows the error for a file next to its field, and keeps the input", async () => {
    const { customer, send } = await inThread(promotion);
    const stranger = await customer.world.customer();
    const [theirs, film] = [await picture(stranger), await video(customer)];
    for (const [id, words] of [
      ["", "Choose a file."],
      [film.id, "This file type isn&#39;t supported here. Allowed: JPEG or PNG, up to 5 MB."],
      [theirs.id, "The file is no longer available. Choose it again."],
    ] as const) {
      const refused = await send({ ...filled, "header.media_id": id });
      expect(refused.status).toBe(400);
      expect(faultIn(refused, "file-template", "header-media_id")?.trim(), id).toBe(words);
      expect(refused.body).toContain('value="SPRING10"');
    }
    expect(await customer.outbox()).toEqual([]);
  });

  it("A template preview shows the input and the contact's values", async () => {
    const { customer, preview } = await inThread([
      headerOf("IMAGE"),
      { type: "BODY", text: "Hello {{1}}" },
      { type: "FOOTER", text: "Our shop" },
    ]);
    const { id } = await picture(customer);
    const page = await preview({ "variables.1": "Bru", "header.media_id": id });
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(/Hello Bru\s+Our shop/);
    expect(page.body).toContain(`<img src="/console/media/${id}"`);
    expect(textOf(await preview({}))).toContain("🖼 Image");
    expect((await preview({ template_id: "tpl_unknown" })).status).toBe(303);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A sent template shows the values of its header and cards, and the cards' files", async () => {
    const title = { type: "HEADER", format: "TEXT", text: "Order {{1}}" };
    const { customer, id, agent, send } = await inThread([title, ...carousel]);
    const door = await picture(customer);
    const sent = await send({
      "variables.1": "Bruno",
      "variables.2": "1042",
      ...Object.fromEntries(
        [0, 1].flatMap((card) => [
          [`cards.${card}.header.media_id`, door.id],
          [`cards.${card}.variables.1`, `$${card + 2}`],
          [`cards.${card}.buttons.0`, "apples"],
        ]),
      ),
    });
    expect(sent.status).toBe(303);
    const page = await agent.get(at(customer, `/${id}`));
    expect(textOf(page)).toContain("Order 1042");
    expect(textOf(page)).toContain("Now at $2.");
    expect(textOf(page)).toContain("Now at $3.");
    expect(page.body).toContain(`src="/console/media/${door.id}"`);
  });

  it("A template of another workspace is rejected, and so is a form without a token", async () => {
    const { customer, id, template, agent } = await inThread(promotion);
    const stranger = await (await customer.world.customer()).member("owner");
    const path = at(customer, `/${id}/template/preview`);
    expect((await stranger.post(path, { template_id: template })).status).toBe(403);
    const forged = new URLSearchParams({ csrf_token: "wrong", template_id: template });
    expect((await agent.request("POST", path, forged)).status).toBe(403);
    const other = await holding(promotion);
    const answer = await agent.post(path, { template_id: other.template });
    expect(answer.status).toBe(303);
    expect(textOf(await agent.get(answer.headers.get("Location") ?? ""))).toContain("No such template.");
  });

  it("The composer does not offer a template whose values it does not support", async () => {
    const { agent, customer, id } = await inThread([
      { type: "BODY", text: "Only today" },
      { type: "LIMITED_TIME_OFFER" },
    ]);
    const page = await agent.get(at(customer, `/${id}?compose=template`));
    expect(textOf(page)).toContain("No approved templates for this connection");
  });
});
