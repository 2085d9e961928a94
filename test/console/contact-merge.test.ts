import { beforeEach, describe, expect, it } from "vitest";
import { formOf } from "../support/campaign-pages.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

/** Creates two contacts. An agent opens the preview of their merge. */
async function compared() {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  const add = async (body: object): Promise<string> => (await customer.call("POST", "/contacts", body)).body.contact.id;
  const kept = await add({ name: "Ann", email: "ann@example.com" });
  const other = await add({ name: "Annie", phone: phoneEnding("1234"), company: "Acme" });
  const at = `/console/${customer.workspaceId}/contacts/${kept}/merge`;
  const formIn = (page: Parameters<typeof formOf>[0]) => formOf(page, "/merge");
  const change = async (id: string, fields: object) =>
    expect((await customer.call("PATCH", `/contacts/${id}`, fields)).status).toBe(200);
  return { customer, agent, kept, other, at, change, formIn, shown: formIn(await agent.get(`${at}?from=${other}`)) };
}

describe("Merging contacts in the console", () => {
  it("Confirming a merge in the console merges the compared contacts once", async () => {
    const { customer, agent, kept, other, at, shown } = await compared();
    const answers = await Promise.all([agent.post(at, shown), agent.post(at, shown)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const { contact } = (await customer.call("GET", `/contacts/${kept}`)).body;
    expect(contact).toMatchObject({ name: "Ann", company: "Acme" });
    expect((await customer.call("GET", `/contacts/${other}`)).status).toBe(404);
    const contacts = `/console/${customer.workspaceId}/contacts`;
    const old = await agent.get(`${contacts}/${other}`);
    expect(old.status).toBe(404);
    expect(old.body).toContain(`href="${contacts}/${kept}"`);
    const stranger = await new World().customer();
    const elsewhere = await (await stranger.member("agent")).get(`/console/${stranger.workspaceId}/contacts/${other}`);
    expect([elsewhere.status, elsewhere.body.includes(kept)]).toEqual([404, false]);
  });

  it("A merge shows the comparison again if either contact has changed", async () => {
    const { customer, agent, kept, other, at, change, formIn, shown } = await compared();
    await change(other, { company: "Umbrella" });
    const again = await agent.post(at, shown);
    expect(again.status).toBe(412);
    expect(textOf(again)).toContain("One of the contacts changed since you compared them, so nothing was merged.");
    expect(textOf(again)).toContain("Umbrella");
    await change(kept, { company: "Initech" });
    const anew = await agent.post(at, formIn(again));
    expect(anew.status).toBe(412);
    expect(textOf(anew)).toContain("Company Umbrella");
    expect((await customer.call("GET", `/contacts/${other}`)).body.contact.company).toBe("Umbrella");
    expect((await agent.post(at, formIn(anew))).status).toBe(303);
    expect((await customer.call("GET", `/contacts/${kept}`)).body.contact.company).toBe("Initech");
  });

  it("A merge preview counts the fields that move to the kept contact, and lists only those fields", async () => {
    const { customer, agent, kept, other, at } = await compared();
    const shown = async (to: string, from: string) =>
      /Moved (.*?) Lost/.exec(textOf(await agent.get(`${at.replace(kept, to)}?from=${from}`)))?.[1];
    expect(await shown(kept, other)).toBe("2 fields of Annie move to this contact.");
    const { contact } = (await customer.call("POST", "/contacts", { name: "Anna", phone: phoneEnding("1235") })).body;
    expect(await shown(kept, contact.id)).toBe("1 field of Anna moves to this contact.");
    expect(await shown(other, contact.id)).toBe("Nothing.");
  });

  it("A merge preview shows the snooze and the assignees that conversations lose", async () => {
    const { customer, agent, kept, other, at, change } = await compared();
    await change(kept, { phone: phoneEnding("1236") });
    const grace = await customer.member("agent", "Grace");
    const snoozed_until = new Date(Date.now() + 3_600_000).toISOString();
    for (const [contact_id, fields] of [
      [kept, { assignee_id: agent.userId }],
      [other, { assignee_id: grace.userId, snoozed_until }],
    ] as const) {
      const { conversation } = (await customer.call("POST", "/conversations", { contact_id })).body;
      await customer.call("PATCH", `/conversations/${conversation.id}`, fields);
    }
    const page = textOf(await agent.get(`${at}?from=${other}`));
    expect(page).toMatch(/Lost .*Snoozed until \d+ \w+ \d+.* UTC Assignees Grace/);
  });
});
