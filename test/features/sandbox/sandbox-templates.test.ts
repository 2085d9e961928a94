import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { png, uploadFile } from "../../support/media.ts";
import { readEvents } from "../../support/read-log.ts";
import { findExternalTemplate, sendTemplate } from "../../support/templates.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

const world = new World();

beforeEach(stopClock);

const body = { type: "BODY", text: "Hello {{1}}!", example: { body_text: [["Ann"]] } };

const submit = async (customer: Customer, change: object = {}): Promise<Answer["body"]> => {
  const draft = { name: "spring_sale", language: "en_US", category: "MARKETING", components: [body] };
  const answer = await customer.call("POST", "/templates", {
    connection_id: customer.connectionId,
    ...draft,
    ...change,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.template;
};

const templateOf = async (customer: Customer, id: string) =>
  (await customer.call("GET", `/templates/${id}`)).body.template;

const sync = (customer: Customer) => customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);

describe("Submitted templates", () => {
  it("A template submitted to the sandbox is approved a few seconds later and can then be sent", async () => {
    const customer = await world.customer({ channel: "official" });
    const { id, status } = await submit(customer);
    expect(status).toBe("PENDING");
    const early = await sendTemplate(customer, id, { to: phoneEnding("1234"), variables: ["Ann"] });
    expect(early.body.error.code).toBe("template_not_approved");
    await world.settle({ withinMs: 5000 });
    expect((await templateOf(customer, id)).status).toBe("APPROVED");
    expect((await sendTemplate(customer, id, { to: phoneEnding("1234"), variables: ["Ann"] })).status).toBe(202);
    expect((await readEvents(customer, "template")).slice(-1)).toEqual([
      {
        actor: `provider:${customer.connectionId}`,
        type: "template.status_changed",
        id,
        changes: { status: ["PENDING", "APPROVED"] },
      },
    ]);
  });

  it("A template submitted to the sandbox is rejected with a reason if its name requests a rejection", async () => {
    const customer = await world.customer({ channel: "official" });
    const { id } = await submit(customer, { name: "please_reject_me" });
    await world.settle({ withinMs: 5000 });
    expect(await templateOf(customer, id)).toMatchObject({
      status: "REJECTED",
      rejection_reason: expect.stringContaining("reject"),
    });
  });

  it("A template submitted to the sandbox remains after a sync, and is reviewed again after a change", async () => {
    const customer = await world.customer({ channel: "official" });
    const { id } = await submit(customer);
    await world.settle({ withinMs: 5000 });
    expect((await sync(customer)).body).toMatchObject({ created: 0, updated: 0, removed: 0 });
    const components = [{ type: "BODY", text: "Goodbye!" }];
    const changed = await customer.call("PATCH", `/templates/${id}`, { components });
    expect(changed.body.template).toMatchObject({ id, body: "Goodbye!", status: "PENDING", variables: [] });
    await world.settle({ withinMs: 5000 });
    expect(await templateOf(customer, id)).toMatchObject({ body: "Goodbye!", status: "APPROVED" });
    expect((await customer.call("DELETE", `/templates/${id}`)).status).toBe(200);
    expect((await customer.call("GET", `/templates/${id}`)).status).toBe(404);
  });

  it("A template submitted to the sandbox can use a file of the workspace as the example of its header", async () => {
    const customer = await world.customer({ channel: "official" });
    const { id } = (await uploadFile(customer, png(), "image/png")).body.media;
    const header = { type: "HEADER", format: "IMAGE", example: { media_id: id } };
    expect(await submit(customer, { components: [header, body] })).toMatchObject({ missing: ["header.image"] });
  });

  it("A one-time password template submitted to the sandbox has the provider's text, with the code in body and button", async () => {
    const customer = await world.customer({ channel: "official" });
    const components = [
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ];
    const template = await submit(customer, { category: "AUTHENTICATION", components });
    const text = "{{1}} is your verification code. For your security, do not share this code.";
    expect(template).toMatchObject({ body: text, variables: ["1"] });
    await world.settle({ withinMs: 5000 });
    await sendTemplate(customer, template.id, { to: phoneEnding("1234"), variables: ["4711"] });
    const [sent] = await customer.outbox();
    expect(sent).toMatchObject({
      body: text.replace("{{1}}", "4711"),
      content: { name: template.name, language: "en_US", buttons: [{ index: 0, kind: "url", text: "4711" }] },
    });
  });
});

describe("Sandbox templates", () => {
  it("The sandbox's own templates include a rejected template with a reason", async () => {
    const customer = await world.customer({ channel: "official" });
    const { templates } = (await customer.call("GET", "/templates?status=REJECTED")).body;
    expect(templates).toMatchObject([{ name: "sandbox_blocked", rejection_reason: "PROMOTIONAL" }]);
  });

  it("The sandbox's own templates can be sent with an image, cards and a code", async () => {
    const customer = await world.customer({ channel: "official" });
    const { id: media_id } = (await uploadFile(customer, png(), "image/png")).body.media;
    const header = { media_id };
    const send = async (name: string, values: object) => {
      const answer = await sendTemplate(customer, await findExternalTemplate(customer, name), {
        to: phoneEnding("1234"),
        ...values,
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return customer.message(answer.body.message_id);
    };
    expect(await send("sandbox_photo", { variables: ["Ann", "spring"], header })).toMatchObject({
      body: "Hi Ann, our new collection is here.",
      delivery: "sent",
    });
    const [{ content }] = await customer.outbox();
    expect(content).toEqual({
      name: "sandbox_photo",
      language: "en_US",
      header: { type: "image", media_id },
      buttons: [{ index: 1, kind: "url", text: "spring" }],
    });
    expect((await customer.call("GET", "/messages?delivery=sent")).body.messages[0]).toMatchObject({ content });
    const card = (price: string) => ({ header, variables: [price], buttons: [{ index: 0, value: price }] });
    const cards = [card("2"), card("3")];
    expect(await send("sandbox_carousel", { variables: ["Ann"], cards })).toMatchObject({ delivery: "sent" });
    expect(await send("sandbox_login_code", { variables: ["4711"] })).toMatchObject({
      body: "*4711* is your verification code. For your security, do not share this code.",
    });
    await customer.call("DELETE", `/media/${media_id}`);
  });

  it("The sandbox's own templates are priced by category, including login codes", async () => {
    const customer = await world.customer({ channel: "official" });
    for (const [name, variables, category] of [
      ["sandbox_login_code", ["4711"], "authentication"],
      ["sandbox_order_update", ["1042", "Friday"], "utility"],
    ] as const) {
      const id = await findExternalTemplate(customer, name);
      const { message_id } = (await sendTemplate(customer, id, { to: phoneEnding("1234"), variables })).body;
      await world.settle();
      expect((await customer.message(message_id)).cost).toEqual({ billable: true, category, type: "regular" });
    }
  });
});
