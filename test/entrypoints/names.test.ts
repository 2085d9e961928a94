import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { contactsOf, deliver, messageFrom } from "../support/provider-events.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

/** The names as they are sent, with an override and an isolate, and as they are kept: with the joiners of a word and an emoji. */
const SENT = "\u202emar\u2066gor\u2069P\u202c";
const KEPT = "margorP";
const JOINED = "می\u200cخواهم 👩\u200d🚀";

describe("bidirectional controls in a name", () => {
  it("are left out of contacts, tags and whatever else is named", async () => {
    const customer = await new World().customer();
    const sent = { name: SENT, company: SENT, address_as: SENT, tags: [SENT] };
    const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), ...sent })).body;
    expect(contact).toMatchObject({ name: KEPT, company: KEPT, address_as: KEPT, tags: [{ name: KEPT }] });
    const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: [SENT] }] };
    const { segment } = (await customer.call("POST", "/segments", { name: SENT, filter })).body;
    expect(segment.name).toBe(KEPT);
    expect((await customer.call("GET", `/segments/${segment.id}/count`)).body.count).toBe(1);
    const found = await customer.call("GET", `/contacts?tag=${encodeURIComponent(SENT)}`);
    expect(found.body.contacts).toHaveLength(1);
    const { conversation } = (await customer.call("POST", "/conversations", { contact_id: contact.id })).body;
    const labelled = await customer.call("PATCH", `/conversations/${conversation.id}`, { labels: [SENT, KEPT] });
    expect(labelled.body.conversation.labels).toEqual([KEPT]);
    expect((await customer.manage("PATCH", "", { name: SENT })).body.workspace.name).toBe(KEPT);
    const visitor = await customer.member("agent", SENT);
    const { members } = (await customer.call("GET", "/members")).body;
    expect(members).toContainEqual({ id: visitor.userId, name: KEPT, role: "agent" });
  });

  it("are no name alone, and joiners stay", async () => {
    const customer = await new World().customer();
    const refused = await customer.call("POST", "/tags", { name: "\u202e\u2066" });
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ path: "name", code: "too_small" }]]);
    expect((await customer.call("POST", "/tags", { name: JOINED })).body.tag.name).toBe(JOINED);
  });

  it("are left out of the name that a person gives themselves at the provider", async () => {
    const customer = await new World().customer();
    await customer.receive(phoneEnding("1235"), "Hello", SENT);
    await deliver(customer, [messageFrom({ phone: phoneEnding("1236"), name: JOINED }, "Hi")]);
    expect((await contactsOf(customer)).map(({ name }) => name)).toEqual([KEPT, JOINED]);
  });
});
