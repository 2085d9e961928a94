import { describe, expect, it } from "vitest";
import { textOf } from "../support/page-text.ts";
import { createTemplate, findExternalTemplate } from "../support/templates.ts";
import type { CustomerOptions } from "../support/seed.ts";
import { Customer, phoneEnding, World } from "../support/world.ts";

async function visit(options: CustomerOptions = {}) {
  const customer = await new World().customer(options);
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}/templates` };
}

describe("Template list", () => {
  it("The template list can be filtered by status and source", async () => {
    const { customer, admin, at } = await visit({ channel: "official" });
    await customer.call("POST", "/templates", { name: "of our own", body: "Hello" });
    const named = async (query: string) => {
      const { body } = await admin.get(at + query);
      return ["of our own", "sandbox_welcome", "sandbox_promo"].filter((name) => body.includes(`>${name}<`));
    };
    expect(await named("")).toEqual(["of our own", "sandbox_welcome", "sandbox_promo"]);
    expect(await named("?status=APPROVED&source=")).toEqual(["of our own", "sandbox_welcome"]);
    expect(await named("?source=external&status=PENDING")).toEqual(["sandbox_promo"]);
    expect((await admin.get(`${at}?source=local&status=REJECTED`)).body).toContain("No templates match");
    expect((await admin.get(`${at}?status=LOVELY`)).status).toBe(400);
  });

  it("The list and the page of templates show the connection of each template", async () => {
    const { customer, admin, at } = await visit({ channel: "official" });
    await customer.call("POST", "/templates", { name: "of our own", body: "Hello" });
    const [external] = (await customer.call("GET", "/templates?source=external&limit=1")).body.templates;
    const list = await admin.get(at);
    expect(textOf(list)).toMatch(/of our own Hello Approved – Any unofficial/);
    const row = list.body.split("<tr").find((each: string) => each.includes(`>${external.name}<`));
    expect(row).toContain("Sandbox");
    expect(textOf(await admin.get(`${at}/${external.id}`))).toMatch(/Connection Sandbox/);
  });

  it("The empty template list suggests the next step", async () => {
    const { admin, at } = await visit();
    const page = await admin.get(at);
    expect(page.body).toContain("No templates yet");
    expect(page.body).toContain(`${at}/new`);
  });
});

describe("Text templates", () => {
  it("A text template can be created, changed and deleted in the console", async () => {
    const { customer, admin, at } = await visit();
    const made = await admin.post(`${at}/new`, { name: "welcome", body: "Hi {{first_name|there}}!" });
    const [{ id }] = (await customer.call("GET", "/templates")).body.templates;
    expect(made.headers.get("Location")).toBe(`${at}/${id}`);
    expect((await admin.get(`${at}/${id}`)).body).toContain("Hi <mark>Alex</mark>!");
    await admin.post(`${at}/${id}/edit`, { name: "greeting", body: "Hello\r\n{{name}}" });
    expect((await customer.call("GET", `/templates/${id}`)).body.template).toMatchObject({
      name: "greeting",
      body: "Hello\n{{name}}",
    });
    await admin.post(`${at}/${id}/delete`);
    expect((await admin.get(at)).body).toContain("greeting deleted.");
    expect((await admin.get(`${at}/${id}`)).status).toBe(404);
  });

  it("A text template shows errors of name and text next to their fields", async () => {
    const { customer, admin, at } = await visit();
    await customer.call("POST", "/templates", { name: "welcome", body: "Hi" });
    const id = await createTemplate(customer, "Hi");
    for (const path of [`${at}/new`, `${at}/${id}/edit`]) {
      const taken = await admin.post(path, { name: "welcome", body: "Hi {{name}}" });
      expect(taken.status).toBe(409);
      expect(taken.body).toContain('id="field-name-fault">Another local template has this name.');
      expect(taken.body).toContain(">Hi {{name}}</textarea>");
      const open = await admin.post(path, { name: "open", body: "Hi {{name" });
      expect(open.status).toBe(400);
      expect(open.body).toMatch(/id="field-body-fault">.*is not closed by }}\./);
      expect((await admin.post(path, { name: "", body: "" })).body).toContain('id="field-name-fault"');
    }
  });

  it("A text template preview uses a sample contact and custom fields, and stores nothing", async () => {
    const { customer, admin, at } = await visit();
    const size = { field_key: "size", label: "Size", type: "select", options: ["S", "M"] };
    await customer.call("POST", "/custom-fields", size);
    const body = "Hi {{ name }}, {{size}}? {{nickname|friend}}, {{code}}";
    const preview = await admin.post(`${at}/new/preview`, { name: "", body });
    expect(preview.status).toBe(200);
    expect(preview.body).toContain(
      'Hi <mark>Alex Example</mark>, <mark>S</mark>? <mark>friend</mark>, <mark class="missing">{{code}}</mark>',
    );
    expect(preview.body).toContain("Contacts have no value for {{code}}");
    expect(preview.body).toContain(`>${body}</textarea>`);
    expect((await admin.post(`${at}/new/preview`, { name: "x", body: "{{" })).body).toContain("is not closed by }}");
    const id = await createTemplate(customer, "Before");
    expect((await admin.post(`${at}/${id}/edit/preview`, { name: "x", body: "After" })).body).toContain(
      '<p class="message-preview">After</p>',
    );
    expect((await customer.call("GET", "/templates")).body.templates).toMatchObject([{ body: "Before" }]);
  });

  it("A provider's template cannot be changed with the form for text templates", async () => {
    const { customer, admin, at } = await visit({ channel: "official" });
    const id = await findExternalTemplate(customer, "sandbox_welcome");
    expect((await admin.get(`${at}/${id}/edit`)).body).toContain(`action="${at}/${id}/revise"`);
    const refused = await admin.post(`${at}/${id}/edit`, { name: "mine", body: "Mine" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("The provider stores this template.");
  });
});

describe("Template tests", () => {
  it("A template test uses the chosen connection and the entered values", async () => {
    const { customer, admin, at } = await visit();
    const second = await customer.manage("POST", "/connections", {
      name: "Second",
      channel: "unofficial",
      provider: "sandbox",
      config: {},
    });
    const id = await createTemplate(customer, "Hi {{name}}, your code is {{code|none}}");
    const to = phoneEnding("0100");
    const fields = { connection_id: second.body.connection.id, to, "variables.name": "Alex", "variables.code": "" };
    expect((await admin.post(`${at}/${id}/send`, fields)).headers.get("Location")).toBe(`${at}/${id}`);
    expect((await admin.get(`${at}/${id}`)).body).toContain(`Test to ${to} is on its way.`);
    const { deliveries } = (await customer.manage("GET", `/connections/${second.body.connection.id}/outbox`)).body;
    expect(deliveries).toMatchObject([{ to, body: "Hi Alex, your code is none" }]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A template test shows each error next to its field", async () => {
    const { customer, admin, at } = await visit();
    const id = await createTemplate(customer, "Hi {{name}}, {{code}}");
    const send = (fields: Record<string, string>) =>
      admin.post(`${at}/${id}/send`, {
        connection_id: customer.connectionId,
        to: phoneEnding("0100"),
        "variables.name": "Alex",
        "variables.code": "",
        ...fields,
      });
    const blank = await send({});
    expect(blank.status).toBe(422);
    expect(blank.body).toContain('id="field-variables-code-fault">Enter a value for {{code}}.');
    expect(blank.body).toContain('value="Alex"');
    expect((await send({ to: "12" })).body).toContain(
      'id="field-to-fault">Must be a phone number in international format',
    );
    expect(await customer.outbox()).toEqual([]);
  });

  it("A template test rejects a connection of another workspace", async () => {
    const { customer, admin, at } = await visit();
    const stranger: Customer = await customer.world.customer();
    const id = await createTemplate(customer, "Hi");
    const fields = { connection_id: stranger.connectionId, to: phoneEnding("0100") };
    const refused = await admin.post(`${at}/${id}/send`, fields);
    expect(refused.status).toBe(409);
    expect(refused.body).toContain("The connection cannot send.");
    expect(await stranger.outbox()).toEqual([]);
  });

  it("A template test is offered only if a connection can send the template", async () => {
    const { customer, admin, at } = await visit({ channel: "official" });
    const own = await createTemplate(customer, "Hi");
    expect((await admin.get(`${at}/${own}`)).body).toContain("No connection for this template");
    const held = await findExternalTemplate(customer, "sandbox_order_update");
    expect((await admin.get(`${at}/${held}`)).body).toContain('name="variables.2"');
    const pending = await findExternalTemplate(customer, "sandbox_promo");
    expect((await admin.get(`${at}/${pending}`)).body).toContain("You can&#39;t send it yet");
  });
});
