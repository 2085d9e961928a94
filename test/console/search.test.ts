import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { costOf } from "../support/storage.ts";
import { createTemplate } from "../support/templates.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

const at = ({ workspaceId }: Customer, term: string, below = "") =>
  `/console/${workspaceId}/search${below}?${new URLSearchParams({ q: term }).toString()}`;

describe("Search", () => {
  it("The search finds people with their conversations, campaigns and pages", async () => {
    const customer = await new World().customer();
    const conversation = await written(customer, "Hello", "Ada Spring");
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("2007"), name: "Bo Spring" }))
      .body;
    const template_id = await createTemplate(customer, "Hello");
    await customer.call("POST", "/campaigns", { template_id, channel: "unofficial", name: "The spring sale" });
    const admin = await customer.member("admin");
    const page = await admin.get(at(customer, "spring"));
    expect(page.status).toBe(200);
    expect(page.body).toContain(`/inbox/${conversation}">Ada Spring</a>`);
    expect(page.body).toContain(`/contacts/${contact.id}">Bo Spring</a>`);
    expect(page.body).toMatch(/\/campaigns\/[^"]*">The spring sale/);
    expect(textOf(await admin.get(at(customer, "webhook")))).toContain("Webhooks");
    expect(costOf(page)["trips"]).toBe(2); // One query for the session, and one for all results.
  });

  it("The search finds campaigns by any part of their name, regardless of case and accents", async () => {
    const customer = await new World().customer();
    const template_id = await createTemplate(customer, "Hello");
    await customer.call("POST", "/contacts", { phone: phoneEnding("2009"), name: "Bo" });
    await customer.call("POST", "/campaigns", { template_id, channel: "unofficial", name: "ÄRZTE im Mai" });
    const admin = await customer.member("admin");
    for (const term of ["ärzte", "ÄRZTE", "arzte im", "MAI"]) {
      const { groups } = (await admin.get(at(customer, term, "/results"))).body;
      const [campaigns] = groups.filter(({ title }: { title: string }) => title === "Campaigns");
      expect(campaigns?.items, term).toMatchObject([{ title: "ÄRZTE im Mai" }]);
    }
  });

  it("The command palette returns the same results as the search", async () => {
    const customer = await new World().customer();
    const conversation = await written(customer, "Hello", "Ada Okafor");
    const agent = await customer.member("agent");
    const { body } = await agent.get(at(customer, "okaf", "/results"));
    const [people] = body.groups;
    const item = { title: "Ada Okafor", detail: expect.stringMatching(/^\+/) };
    expect(people).toMatchObject({ title: "People", items: [item] });
    expect(people.items[0].href).toBe(`/console/${customer.workspaceId}/inbox/${conversation}`);
  });

  it("The search finds pages that the member may open, and pages that create records", async () => {
    const customer = await new World().customer();
    for (const [role, pages] of [
      ["owner", ["New campaign", "New webhook", "Invite a member"]],
      ["admin", ["New campaign", "New webhook"]],
      ["agent", ["New contact", "Import contacts"]],
    ] as const) {
      const member = await customer.member(role);
      const found = new Map<string, string>();
      for (const letter of ["a", "e", "i", "o"])
        for (const { title, items } of (await member.get(at(customer, letter, "/results"))).body.groups)
          if (title === "Pages") for (const item of items) found.set(item.title, item.href);
      expect([...found.keys()]).toEqual(expect.arrayContaining([...pages]));
      expect(found.has("Invite a member")).toBe(role === "owner");
      for (const [title, href] of found) expect((await member.get(href)).status, title).toBeLessThan(400);
    }
  });

  it("The search shows no campaigns to agents, and shows nobody the records of another workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await written(theirs, "Hello", "Ada Okafor");
    const template_id = await createTemplate(mine, "Hello");
    await mine.call("POST", "/contacts", { phone: phoneEnding("2008"), name: "Bo" });
    await mine.call("POST", "/campaigns", { template_id, channel: "unofficial", name: "Okafor sale" });
    const agent = await mine.member("agent");
    const { groups } = (await agent.get(at(mine, "okafor", "/results"))).body;
    expect(groups.map(({ title }: { title: string }) => title)).toEqual(["More"]);
    expect((await agent.get(at(theirs, "okafor", "/results"))).status).toBe(403);
  });

  it("The search requires a term, and rejects a term that is too long", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect(textOf(await agent.get(at(customer, "")))).toContain("Search for a name");
    expect((await agent.get(at(customer, "a".repeat(101)))).status).toBe(400);
  });
});
