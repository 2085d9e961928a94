import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { costOf } from "../support/storage.ts";
import { createTemplate } from "../support/templates.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

/** Creates a contact with tags and a custom field, who has written and received a campaign. */
async function known(customer: Customer): Promise<string> {
  const conversation = await written(customer, "Hello", "Ada Okafor");
  const { contact } = (await customer.call("GET", `/conversations/${conversation}`)).body.conversation;
  await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
  const change = { company: "Okafor Ltd", tags: ["VIP"], custom_fields: { plan: "Gold" } };
  await customer.call("PATCH", `/contacts/${contact.id}`, change);
  const template_id = await createTemplate(customer, "Our sale begins");
  await customer.call("POST", "/campaigns", { template_id, channel: "unofficial", name: "Spring sale" });
  await customer.world.settle();
  return conversation;
}

describe("Contact pane", () => {
  it("The contact pane shows fields, tags, opt-outs and campaigns, even to agents", async () => {
    const customer = await new World().customer();
    const conversation = await known(customer);
    const { page } = await agentOf(customer, conversation);
    const text = textOf(page);
    for (const part of ["Okafor Ltd", "VIP", "Plan Gold", "Receives messages and campaigns", "Spring sale Read"])
      expect(text).toContain(part);
    expect(page.body).not.toMatch(/<a [^>]*campaigns[^>]*>Spring sale/); // agents may not open campaigns
    const admin = await customer.member("admin");
    expect((await admin.get(at(customer, `/${conversation}`))).body).toMatch(/<a [^>]*campaigns[^>]*>Spring sale/);
  });

  it("The contact pane takes one query to each database, and one more for templates", async () => {
    const customer = await new World().customer();
    expect(costOf((await agentOf(customer, await written(customer))).page)["trips"]).toBe(3);
    expect(costOf((await agentOf(customer, await known(customer))).page)["trips"]).toBe(4);
  });

  it("The contact pane shows that the contact has unsubscribed", async () => {
    const customer = await new World().customer();
    const conversation = await known(customer);
    const { contact } = (await customer.call("GET", `/conversations/${conversation}`)).body.conversation;
    await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true });
    const { page } = await agentOf(customer, conversation);
    expect(textOf(page)).toContain("Unsubscribed You can only reply");
  });

  it("The contact pane stays folded after a reload, and is a separate page on phones", async () => {
    const customer = await new World().customer();
    const conversation = await known(customer);
    const { agent, page } = await agentOf(customer, conversation);
    const isShown = async (below = "") =>
      (await agent.get(at(customer, `/${conversation}${below}`))).body.includes('id="person-pane"');
    expect(page.body).toContain("Hide contact details");
    expect((await agent.post("/console/person-pane", { pane: "folded" })).status).toBe(303);
    expect(await isShown()).toBe(false);
    expect(await isShown("/person")).toBe(true);
    await agent.post("/console/person-pane", { pane: "shown" });
    expect(await isShown()).toBe(true);
  });

  it("The contact pane returns 404 in another workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const conversation = await known(theirs);
    const { agent } = await agentOf(mine);
    for (const below of ["", "/person"]) {
      const { status, body } = await agent.get(at(mine, `/${conversation}${below}`));
      expect(status).toBe(404);
      expect(body).not.toContain("Okafor");
    }
  });
});

describe("Theme", () => {
  it("The theme follows the system until the user chooses one, and the server applies it", async () => {
    const customer = await new World().customer();
    const { agent, page } = await agentOf(customer);
    expect(page.body).toContain('<html lang="en">');
    await agent.post("/console/theme", { theme: "dark" });
    expect((await agent.get(at(customer))).body).toContain('<html lang="en" data-theme="dark">');
    await agent.post("/console/theme", { theme: "system" });
    expect((await agent.get(at(customer))).body).toContain('<html lang="en">');
    expect((await agent.post("/console/theme", { theme: "pink" })).headers.get("Location")).toBe("/console");
  });

  it("Changing the theme redirects to the same page, and never to another site", async () => {
    const customer = await new World().customer();
    const { agent } = await agentOf(customer);
    for (const [before, to] of [
      [at(customer), at(customer)],
      ["//evil.example/x", "/console"],
      ["/\\evil.example/x", "/console"],
    ] as const) {
      const headers = { Referer: `http://tidings.test${before}` };
      const { headers: answered } = await agent.post("/console/theme", { theme: "dark" }, { headers });
      expect(answered.get("Location"), before).toBe(to);
    }
  });
});
