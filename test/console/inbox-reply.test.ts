import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, disconnect, listed, written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { createTemplate } from "../support/templates.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

describe("Replies", () => {
  it("After a reply is sent, the member returns to the thread, and the list keeps its filters", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const answer = await agent.post(at(customer, `/${id}?search=bruno`), { text: "It is on its way.\nSoon." });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, at(customer, `/${id}?search=bruno`)]);
    expect((await customer.outbox()).map(({ body }) => body)).toEqual(["It is on its way.\nSoon."]);
  });

  it("A rejected reply shows the error next to the field and keeps the text", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const long = "x".repeat(4097);
    const answer = await agent.post(at(customer, `/${id}`), { text: long });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('aria-invalid="true"');
    expect(textOf(answer)).toContain("Must have at most 4096 characters.");
    expect(answer.body).toContain(long);
    expect((await agent.post(at(customer, `/${id}`), { text: "" })).status).toBe(400);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A reply without a CSRF token is rejected", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    for (const [below, fields] of [
      ["", { text: "Hi" }],
      ["/template", { template_id: "tpl_x" }],
      ["/change", { status: "done" }],
    ] as const) {
      const answer = await agent.post(at(customer, `/${id}${below}`), { ...fields, csrf_token: "wrong" });
      expect(answer.status).toBe(403);
    }
    expect(await customer.outbox()).toEqual([]);
  });

  it("A contact who opted out cannot receive a reply, and the page explains the reason", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    customer.world.advance(1000);
    await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true });
    const { agent, page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("This person has unsubscribed.");
    expect(page.body).not.toContain('name="text"');
    expect((await agent.post(at(customer, `/${id}`), { text: "Please" })).status).toBe(422);
  });

  it("A reply cannot be sent through a deleted connection, and the page explains the reason", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    await disconnect(customer);
    const { page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("The connection cannot send.");
  });
});

describe("Done and reopen", () => {
  it("A conversation moves between the lists when a member marks it as done or reopens it", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    await agent.post(at(customer, `/${id}/change`), { status: "done" });
    const done = await agent.get(at(customer, `/${id}`));
    expect(textOf(done)).toContain("Conversation with Bruno Lima marked as done.");
    expect(textOf(done)).toContain("Reopen");
    expect(listed(done)).toEqual([]);
    await agent.post(at(customer, `/${id}/change`), { status: "open" });
    expect(listed(await agent.get(at(customer)))).toEqual(["Bruno Lima"]);
  });
});

describe("24-hour window", () => {
  it("The time left in the 24-hour window is visible only on official connections", async () => {
    const world = new World();
    for (const [channel, told] of [
      ["official", true],
      ["unofficial", false],
    ] as const) {
      const customer = await world.customer({ channel });
      const id = await written(customer);
      world.advance(47 * 60_000);
      const { page } = await agentOf(customer, id);
      expect(textOf(page).includes("23 h 13 min left to reply with free text.")).toBe(told);
      expect(page.body).toContain('name="text"');
    }
  });

  it("After the 24-hour window closes, the composer offers approved templates with a preview", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    customer.world.advance(24 * HOUR);
    const { agent, page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("More than 24 hours have passed since Bruno Lima last wrote");
    expect(page.body).not.toContain('name="text"');
    const names = Array.from(page.body.matchAll(/<option[^>]*>([^<]*)/g), ([, name = ""]) => name.trim());
    expect(names).toContain("sandbox_order_update (en_US)");
    expect(names.join()).not.toMatch(/promo|blocked/);

    const template = /<option value="(tpl_[^"]*)"[^>]*>sandbox_order_update/.exec(page.body)?.[1] ?? "";
    const chosen = await agent.get(at(customer, `/${id}?template=${template}`));
    expect(chosen.body).toContain('name="variables.1"');
    expect(chosen.body).toContain('name="variables.2"');

    const sent = await agent.post(at(customer, `/${id}/template`), {
      template_id: template,
      "variables.1": "Bruno",
      "variables.2": "shipped",
    });
    expect(sent.status).toBe(303);
    const [delivery] = await customer.outbox();
    expect(delivery.body).toContain("Bruno");
    expect(delivery.body).toContain("shipped");
  });

  it("A text is rejected if the 24-hour window closes before it is sent, and templates are offered instead", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    customer.world.advance(24 * HOUR);
    const answer = await agent.post(at(customer, `/${id}`), { text: "Late" });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('name="template"');
    expect(await customer.outbox()).toEqual([]);
  });

  it("The 24-hour window starts again when the contact writes", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    customer.world.advance(25 * HOUR);
    await customer.receive(contact.phone, "Hello?");
    const { page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("24 h 0 min left");
    expect(page.body).toContain('name="text"');
  });
});

describe("Templates", () => {
  it("A template can be sent instead of free text, with the contact's values", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const template = await createTemplate(customer, "Hello {{first_name}}, {{news}}! {{extra|Bye}}");
    const { agent, page } = await agentOf(customer, id);
    expect(page.body).toContain("compose=template");
    const form = await agent.get(at(customer, `/${id}?compose=template`));
    expect(form.body).toMatch(/name="variables.first_name"[^>]*value="Bruno"/);
    expect(textOf(form)).toContain("Hello Bruno , {{news}} ! Bye");

    const refused = await agent.post(at(customer, `/${id}/template`), {
      template_id: template,
      "variables.first_name": "B.",
      "variables.news": " ",
    });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Enter a value for {{news}}.");
    expect(refused.body).toMatch(/name="variables.first_name"[^>]*value="B."/);
    expect(await customer.outbox()).toEqual([]);

    await agent.post(at(customer, `/${id}/template`), { template_id: template, "variables.news": "it is here" });
    expect((await customer.outbox()).map(({ body }) => body)).toEqual(["Hello Bruno, it is here! Bye"]);
    expect(textOf(await agent.get(at(customer, `/${id}`)))).toContain("Template ·");
  });

  it("A template is sent to the conversation's contact, even if another contact has the number now", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    await customer.call("DELETE", `/contacts/${contact.id}`);
    const other = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: "Other" })).body
      .contact;
    expect((await customer.call("PATCH", `/contacts/${other.id}`, { phone: contact.phone })).status).toBe(200);
    const template = await createTemplate(customer, "Hello {{name}}");
    const { agent } = await agentOf(customer, id);
    customer.world.advance(1000);
    expect((await agent.post(at(customer, `/${id}/template`), { template_id: template })).status).toBe(303);
    expect(await customer.outbox()).toMatchObject([{ to: contact.phone, body: "Hello Bruno Lima" }]);
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    expect(messages[0].body).toBe("Hello Bruno Lima");
  });

  it("If no template exists, the composer suggests the next step", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const page = await agent.get(at(customer, `/${id}?compose=template`));
    expect(textOf(page)).toContain("No approved templates for this connection");
  });

  it("A reply with another workspace's template returns 404", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const id = await written(mine);
    const template = await createTemplate(theirs, "Hello");
    const { agent } = await agentOf(mine, id);
    const answer = await agent.post(at(mine, `/${id}/template`), { template_id: template });
    expect(answer.status).toBe(404);
    expect(textOf(answer)).toContain("No such template.");
    expect(await mine.outbox()).toEqual([]);
  });
});
