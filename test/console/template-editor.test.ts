import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { faultOf } from "../support/campaign-pages.ts";
import { picture, video } from "../support/template-forms.ts";
import { textOf } from "../support/page-text.ts";
import { desk, templateIdOf } from "../support/template-editor.ts";

beforeEach(stopClock);

describe("WhatsApp template editor", () => {
  it("The template editor is available next to text templates, and requires an official connection", async () => {
    const { admin, at } = await desk();
    expect((await admin.get(`${at}/new`)).body).toContain(`href="${at}/new/whatsapp"`);
    const page = await admin.get(`${at}/new/whatsapp`);
    for (const name of ["connection_id", "name", "language", "category", "header.format", "body.text", "footer.text"])
      expect(page.body, name).toContain(`name="${name}"`);
    const local = await desk({ channel: "unofficial" });
    expect(textOf(await local.admin.get(`${local.at}/new/whatsapp`))).toContain("No official connection");
  });

  it("The template editor submits an image, a footer and all kinds of buttons, and shows the approval", async () => {
    const { customer, admin, at, submit, templates } = await desk();
    const { id: file } = await picture(customer);
    const sent = await submit({
      "header.format": "IMAGE",
      "header.media_id": file,
      "footer.text": "Reply STOP to opt out",
      "buttons.0.type": "QUICK_REPLY",
      "buttons.0.text": "More",
      "buttons.1.type": "URL",
      "buttons.1.text": "Shop now",
      "buttons.1.url": "https://shop.example/{{1}}",
      "buttons.1.example": "spring",
      "buttons.2.type": "PHONE_NUMBER",
      "buttons.2.text": "Call us",
      "buttons.2.phone_number": "+14155550100",
      "buttons.3.type": "COPY_CODE",
      "buttons.3.example": "SPRING",
    });
    expect(sent.status).toBe(303);
    const [template] = await templates();
    expect(template).toMatchObject({
      id: templateIdOf(sent),
      name: "spring_sale",
      language: "en_US",
      category: "MARKETING",
      status: "PENDING",
      missing: ["header.image"],
    });
    expect(template.components.map(({ type }: { type: string }) => type)).toEqual([
      "HEADER",
      "BODY",
      "FOOTER",
      "BUTTONS",
    ]);
    expect(template.components[3].buttons).toHaveLength(4);
    const page = await admin.get(`${at}/${template.id}`);
    expect(textOf(page)).toContain("spring_sale submitted. The provider reviews it now.");
    expect(textOf(page)).toContain(
      "You can't send it yet The provider is reviewing it. The status updates automatically.",
    );
    expect(textOf(page)).not.toMatch(/sync|Go to connections/);
    expect(textOf(page)).toContain("Requires a picture in its header");
    expect(page.body).toContain('id="template-facts" data-poll="5"');
    await customer.world.settle();
    const approved = await admin.get(`${at}/${template.id}`);
    expect(textOf(approved)).toContain("Approved");
    expect(approved.body).toContain('name="header.media_id"');
  });

  it("The template editor submits a carousel, a one-time password, a text header and a location header", async () => {
    const { customer, submit, templates } = await desk();
    const [first, second] = [await picture(customer, "a.png"), await picture(customer, "b.png")];
    const cards = [first, second].flatMap(({ id }, place) => [
      [`cards.${place}.header.media_id`, id],
      [`cards.${place}.body.text`, "Only {{1}} today."],
      [`cards.${place}.body.examples.1`, "5 €"],
      [`cards.${place}.buttons.0.text`, "Buy"],
      [`cards.${place}.buttons.0.url`, "https://shop.example/{{1}}"],
      [`cards.${place}.buttons.0.example`, "tea"],
    ]);
    const carousel = { layout: "carousel", card_format: "IMAGE", card_texts: "true", "card_buttons.0": "URL" };
    const code = {
      name: "login_code",
      category: "AUTHENTICATION",
      "body.add_security_recommendation": "true",
      "footer.code_expiration_minutes": "10",
      "otp.otp_type": "COPY_CODE",
    };
    const named = {
      name: "order_sent",
      category: "UTILITY",
      "header.format": "TEXT",
      "header.text": "Order {{order_id}}",
      "header.examples.order_id": "4711",
      "body.text": "It left, {{first_name}}, today.",
      "body.examples.first_name": "Ada",
    };
    for (const fields of [
      { ...carousel, ...Object.fromEntries(cards) },
      code,
      named,
      { name: "shop", "header.format": "LOCATION" },
    ]) {
      const sent = await submit(fields);
      expect(sent.status, textOf(sent)).toBe(303);
    }
    const byName = new Map((await templates()).map((each) => [each.name, each]));
    expect(byName.get("spring_sale").components[1].cards).toHaveLength(2);
    expect(byName.get("spring_sale").missing).toContain("cards.1.buttons.0");
    expect(byName.get("login_code")).toMatchObject({ category: "AUTHENTICATION", variables: ["1"] });
    expect(byName.get("order_sent").variables).toEqual(["first_name", "order_id"]);
    expect(byName.get("shop").missing).toEqual(["header.location"]);
  });

  it("The template editor shows each error next to its field and keeps the input", async () => {
    const { customer, submit, templates } = await desk();
    const film = await video(customer);
    const wrong = await submit({
      name: "Spring Sale",
      "header.format": "TEXT",
      "header.text": "x".repeat(61),
      "buttons.0.type": "URL",
      "buttons.0.text": "Shop now",
      "buttons.0.url": "shop",
    });
    expect(wrong.status).toBe(400);
    expect(faultOf(wrong, "name")).toContain("Must contain only lowercase a–z");
    expect(faultOf(wrong, "header-text")).toBe("Must have at most 60 characters.");
    expect(faultOf(wrong, "buttons-0-url")).toContain("Must be a web address");
    for (const kept of ["Spring Sale", "x".repeat(61), "Shop now", "shop", "Monday"])
      expect(wrong.body, kept).toContain(`value="${kept}"`);
    const blank = await submit({ "body.examples.2": "" });
    expect(faultOf(blank, "body-examples-2")).toBe("Must not be empty.");
    const without = await submit({ "header.format": "IMAGE", "header.media_id": "" });
    expect(without.body).toMatch(/id="file--header-media_id-fault"[^>]*>Choose a file\./);
    expect(without.body).toMatch(/id="file--header-media_id"[^>]*aria-invalid="true"/);
    const odd = await submit({ "header.format": "IMAGE", "header.media_id": film.id });
    expect(odd.body).toMatch(/id="file--header-media_id-fault"[^>]*>This file type isn&#39;t supported here/);
    const begins = await submit({ "body.text": "{{1}} is here" });
    expect(faultOf(begins, "body-text")).toContain("Must not begin or end with a variable");
    const code = await submit({
      category: "AUTHENTICATION",
      "otp.otp_type": "ONE_TAP",
      "otp.package_name": "com.example",
    });
    expect(faultOf(code, "otp-signature_hash")).toBe("This field is required.");
    expect(await templates()).toEqual([]);
  });

  it("If the editor form is sent twice, one template is created, and a name that already exists is rejected", async () => {
    const { submit, templates } = await desk();
    const token = { once: "form_01hzzzzzzzzzzzzzzzzzzzzzzz" };
    const answers = [await submit(token), await submit(token)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await templates()).toHaveLength(1);
    const taken = await submit({ "body.text": "Another text" });
    expect(taken.status).toBe(409);
    expect(faultOf(taken, "name")).toContain("already has a template with this name");
    expect(taken.body).toContain(">Another text</textarea>");
  });

  it("The template editor rejects another workspace's connection, agents, and forms without a token", async () => {
    const { customer, admin, at, submit } = await desk();
    const stranger = await customer.world.customer({ channel: "official" });
    expect((await submit({ connection_id: stranger.connectionId })).status).toBe(404);
    const agent = await desk({ role: "agent" });
    expect((await agent.admin.get(`${agent.at}/new/whatsapp`)).status).toBe(403);
    expect((await agent.submit()).status).toBe(403);
    const forged = new URLSearchParams({ csrf_token: "wrong", name: "x" });
    expect((await admin.request("POST", `${at}/new/whatsapp`, forged)).status).toBe(403);
  });
});

describe("Editor rows", () => {
  it("Buttons add, move and remove editor rows, and the rows keep their input", async () => {
    const { preview } = await desk();
    const rows = {
      "buttons.0.type": "QUICK_REPLY",
      "buttons.0.text": "More",
      "buttons.1.type": "URL",
      "buttons.1.text": "Shop",
    };
    const added = await preview({ ...rows, change: "add:buttons", new_button: "PHONE_NUMBER" });
    expect(added.body).toMatch(/name="buttons\.2\.text"[^>]*autofocus/);
    expect(added.body).toContain('name="buttons.2.phone_number"');
    expect(added.body).toContain("our sale begins on {{2}}.</textarea>");
    const moved = await preview({ ...rows, change: "up:buttons.1" });
    expect(moved.body).toMatch(/name="buttons\.0\.text"[^>]*value="Shop"/);
    expect(moved.body).toMatch(/name="buttons\.1\.text"[^>]*value="More"/);
    const removed = await preview({ ...rows, change: "remove:buttons.0" });
    expect(removed.body).toMatch(/name="buttons\.0\.text"[^>]*value="Shop"/);
    expect(removed.body).not.toContain('name="buttons.1.text"');
    const cards = await preview({ layout: "carousel", card_texts: "true", change: "add:cards" });
    expect(cards.body).toContain('name="cards.2.body.text"');
    expect(cards.body).toContain('type="hidden" name="header.format"');
  });

  it("After a button is pressed, the focus is on the moved row, or on the row after a removed row", async () => {
    const { preview } = await desk();
    const one = { "buttons.0.type": "QUICK_REPLY", "buttons.0.text": "More" };
    const three = { ...one, "buttons.1.type": "COPY_CODE", "buttons.1.example": "A", "buttons.2.type": "URL" };
    /** Presses a button, and returns the ids of the fields with `autofocus`. */
    const pressed = async (change: string, fields: Record<string, string>) => {
      const { body } = await preview({ ...fields, change });
      return Array.from(body.matchAll(/ id="([^"]*)"[^>]* autofocus/g), ([, id]) => id);
    };
    expect(await pressed("up:buttons.1", three)).toEqual(["field-buttons-0-example"]);
    expect(await pressed("remove:buttons.0", three)).toEqual(["field-buttons-0-example"]);
    expect(await pressed("remove:buttons.2", three)).toEqual(["field-buttons-1-example"]);
    expect(await pressed("remove:buttons.0", one)).toEqual(["field-new_button"]);
    const cards = { layout: "carousel", card_texts: "true", "cards.2.body.text": "Third" };
    expect(await pressed("up:cards.2", cards)).toEqual(["field-cards-1-body-text"]);
    expect(await pressed("remove:cards.2", cards)).toEqual(["field-cards-1-body-text"]);
    expect(await pressed("add:cards", { ...cards, "card_buttons.0": "URL" })).toEqual(["field-cards-3-body-text"]);
    expect(await pressed("add:cards", { layout: "carousel" })).toEqual(["file--cards-2-header-media_id"]);
  });

  it("The preview of the editor shows the template as a phone does, with the example values", async () => {
    const { customer, preview } = await desk();
    const { id } = await picture(customer);
    const page = await preview({ "header.format": "IMAGE", "header.media_id": id, "footer.text": "Our shop" });
    const bubble = /<div class="phone".*?<\/form>/s.exec(page.body)?.[0] ?? "";
    expect(bubble).toContain(`src="/console/media/${id}"`);
    expect(bubble).toContain('Hello <span class="filled">Ada</span>');
    expect(bubble).toContain("Our shop");
    const blank = await preview({ "body.text": "" });
    expect(textOf(blank)).toContain("Start writing to see the message here.");
    expect(blank.body).not.toContain('class="phone"');
    const code = await preview({ category: "AUTHENTICATION", "body.add_security_recommendation": "true" });
    expect(textOf(code)).toContain("For your security, do not share this code.");
    expect(code.body).toContain('type="hidden" name="body.text"');
  });
});
