import { beforeEach, describe, expect, it, vi } from "vitest";
import { newContacts } from "../support/bulk.ts";
import { faultOf, formOf } from "../support/campaign-pages.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

async function scene() {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  return { customer, agent, at: `/console/${customer.workspaceId}/contacts` };
}

describe("Bulk edits of contacts", () => {
  it("The contact list starts a job that edits the selected contacts and shows its progress", async () => {
    const { customer, agent, at } = await scene();
    const [one, other] = await newContacts(customer, 3);
    expect((await agent.get(at)).body).toContain("3 contacts");
    const ticked = [["csrf_token", agent.token], ["scope", "ids"], ...[one, other].map((id) => ["ids", String(id)])];
    const send = (below: string, more: string[][]) =>
      agent.request("POST", at + below, new URLSearchParams([...ticked, ...more]));
    const choice = (await send("/bulk/choose", [])).body;
    expect(choice).toContain("Edit 2 contacts");
    expect(choice).toContain(`/contacts/${one}/merge?from=${other}`);
    const started = await send("/bulk", [
      ["action", "add_tags"],
      ["tags", "VIP, New"],
    ]);
    expect(started.status).toBe(303);
    const job = started.headers.get("Location") ?? "";
    expect((await agent.get(job)).body).toContain("0 of 2 contacts");
    await customer.world.queues.deliverDue(customer.world.env);
    expect((await agent.get(job)).body).toContain("2 contacts done");
    expect(textOf(await agent.get(`${at}/jobs`))).toContain("Adding tags Done 2 of 2");
    expect((await customer.call("GET", "/contacts?tag=vip&include_total=true")).body.total).toBe(2);
  });

  it("The button of a bulk edit has a label for archiving and for unsubscribing", async () => {
    const { customer, agent, at } = await scene();
    await newContacts(customer, 2);
    const { body } = await agent.post(`${at}/bulk/choose`, { scope: "all" });
    const button = /<button type="submit"[^>]*>(?:(?!<\/button>).)*for-opt-out.*?<\/button>/s.exec(body)?.[0] ?? "";
    expect(button).toContain('<span class="for-edit">Edit 2 contacts</span>');
    expect(button).toContain('<span class="for-archive">Archive 2 contacts</span>');
    expect(button).toContain('<span class="for-opt-out">Unsubscribe 2 contacts</span>');
  });

  it("A bulk edit changes all contacts that match the filters", async () => {
    const { customer, agent, at } = await scene();
    await newContacts(customer, 3, { status: "hot" });
    await newContacts(customer, 2, { email: "cold@example.com" });
    const all = { scope: "all", "filter.status": "hot" };
    expect((await agent.post(`${at}/bulk/choose`, all)).body).toContain("Edit 3 contacts");
    await agent.post(`${at}/bulk`, { ...all, action: "set", "set.company": "Acme" });
    await customer.world.queues.deliverDue(customer.world.env);
    expect((await customer.call("GET", "/contacts?search=acme&include_total=true")).body.total).toBe(3);
  });

  it("A bulk edit is rejected if the number of matching contacts has changed, and a repeated form starts no second edit", async () => {
    const { customer, agent, at } = await scene();
    await newContacts(customer, 4, { status: "hot" });
    const companies = async () => (await customer.call("GET", "/contacts?search=acme&include_total=true")).body.total;
    const choice = await agent.post(`${at}/bulk/choose`, { scope: "all", "filter.status": "hot" });
    const typed = { action: "set", "set.company": "Acme" };
    await newContacts(customer, 1, { status: "hot", email: "fifth@example.com" });
    const refused = await agent.post(`${at}/bulk`, { ...formOf(choice, "/bulk"), ...typed });
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("5 contacts match now, not 4. Nothing was changed.");
    for (const text of ["Edit 5 contacts", "Edit 5 contacts", 'value="Acme"']) expect(refused.body).toContain(text);
    // The confirmation must be outside of the form. The script then shows the whole page with the new number.
    expect(/<form[^>]*\/bulk".*?<\/form>/s.exec(refused.body)?.[0]).not.toContain("by now");
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await companies()).toBe(0);
    const confirmed = { ...formOf(refused, "/bulk"), ...typed };
    const started = await agent.post(`${at}/bulk`, confirmed);
    expect(started.status).toBe(303);
    await newContacts(customer, 1, { status: "hot", email: "sixth@example.com" });
    const again = await agent.post(`${at}/bulk`, confirmed);
    expect(again.headers.get("Location")).toBe(started.headers.get("Location"));
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await companies()).toBe(5);
    expect((await customer.call("GET", "/jobs")).body.jobs).toHaveLength(1);
  });

  it("After a validation error, a bulk edit still requires the number of contacts that the user first confirmed", async () => {
    const { customer, agent, at } = await scene();
    await newContacts(customer, 2, { status: "hot" });
    const choice = await agent.post(`${at}/bulk/choose`, { scope: "all", "filter.status": "hot" });
    await newContacts(customer, 1, { status: "hot", email: "third@example.com" });
    for (const action of ["add_tags", "remove_tags"]) {
      const refused = await agent.post(`${at}/bulk`, { ...formOf(choice, "/bulk"), action, tags: " , " });
      expect([refused.status, faultOf(refused, "tags")]).toEqual([400, "Enter at least one tag."]);
      // A browser does not submit a form with an empty required field, so archiving would be impossible.
      expect(refused.body).toMatch(/<label for="field-tags">Tags<\/label>/);
      expect(refused.body).toMatch(/<input id="field-tags" name="tags" aria-required="true"(?! required)/);
      const corrected = { ...formOf(refused, "/bulk"), action: "add_tags", tags: "VIP" };
      expect((await agent.post(`${at}/bulk`, corrected)).status).toBe(409);
    }
  });

  it("A bulk edit form without valid input shows the error and keeps the selected contacts", async () => {
    const { customer, agent, at } = await scene();
    const [id] = await newContacts(customer, 1);
    const nothing = await agent.post(`${at}/bulk/choose`, { scope: "ids" });
    expect(nothing.body).toContain("No contacts selected");
    const refused = await agent.post(`${at}/bulk`, {
      scope: "ids",
      ids: String(id),
      action: "remove_tags",
      tags: "Nobody",
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("does not exist");
    expect(refused.body).toContain(`value="${id}"`);
  });
});

describe("Duplicate contacts", () => {
  it("Two selected contacts can be compared and then merged", async () => {
    const { customer, agent, at } = await scene();
    const phone = phoneEnding("2000");
    const [kept] = await newContacts(customer, 1, { name: "Ann" });
    const [other] = await newContacts(customer, 1, { phone, email: null, name: "Annie", company: "Acme" });
    for (const search of ["?search=annie", ""])
      // the page suggests contacts with the same name
      expect((await agent.get(`${at}/${kept}/merge${search}`)).body).toContain(`/contacts/${kept}/merge?from=${other}`);
    const comparison = await agent.get(`${at}/${kept}/merge?from=${other}`);
    for (const text of ["Merge Annie into Ann?", "undo a merge", "Acme", phone])
      expect(comparison.body).toContain(text);
    expect((await customer.call("GET", `/contacts/${other}`)).status).toBe(200);
    expect((await agent.post(`${at}/${kept}/merge`, formOf(comparison, "/merge"))).status).toBe(303);
    expect((await agent.get(`${at}/${kept}`)).body).toContain("Acme");
    expect((await customer.call("GET", `/contacts/${other}`)).status).toBe(404);
  });
});

describe("Contacts without a conversation", () => {
  it("A message to a contact without a conversation is sent through the chosen connection", async () => {
    const { customer, agent, at } = await scene();
    const [id] = await newContacts(customer, 1, { phone: phoneEnding("2001"), email: null });
    expect((await agent.get(`${at}/${id}/conversation`)).body).toContain("Sandbox");
    const chosen = { connection_id: customer.connectionId };
    const empty = await agent.post(`${at}/${id}/conversation`, chosen);
    expect(empty.status).toBe(400);
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    expect(conversations).toEqual([]);
    const sent = await agent.post(`${at}/${id}/conversation`, { ...chosen, text: "Good morning" });
    const location = sent.headers.get("Location") ?? "";
    expect(location).toMatch(/\/inbox\/cnv_/);
    expect((await agent.get(location)).body).toContain("Good morning");
    expect((await agent.get(`${at}/${id}/conversation`)).body).toContain(location);
    const opened = await agent.post(`${at}/${id}/conversation`, { ...chosen, open: "yes" });
    expect(opened.headers.get("Location")).toBe(location);
    const [mute] = await newContacts(customer, 1);
    for (const fields of [{ text: "Hello?" }, { open: "yes" }])
      expect((await agent.post(`${at}/${mute}/conversation`, { ...chosen, ...fields })).body).toMatch(
        /no address on this connection|neither a number nor an id on this connection/,
      );
  });
});
