import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

async function scene() {
  const customer = await new World().customer();
  const options = { field_key: "likes", label: "Likes", type: "multi_select", options: ["tea", "coffee"] };
  await customer.call("POST", "/custom-fields", options);
  const ada = { name: "Ada", email: "ada@example.com", company: "Acme", custom_fields: { likes: ["tea"] } };
  const { id } = (await customer.call("POST", "/contacts", ada)).body.contact;
  const agent = await customer.member("agent");
  const list = `/console/${customer.workspaceId}/contacts`;
  await agent.get(list);
  const cell = `${list}/${id}/cell`;
  const save = (fields: Record<string, string>, from = `${list}?status=new`) =>
    agent.post(cell, fields, { headers: { Referer: `http://tidings.test${from}` } });
  const stored = async () => (await customer.call("GET", `/contacts/${id}`)).body.contact;
  return { customer, agent, list, cell, id, save, stored };
}

const revisionIn = (page: string) => /name="revision" value="(\d+)"/.exec(page)?.[1] ?? "";

describe("Cells of the contact list", () => {
  it("A cell of the contact list can be edited if the API accepts changes to its field", async () => {
    const { agent, list } = await scene();
    const { body } = await agent.get(`${list}?columns=name,company,tags,created_at,likes`);
    const editable = Array.from(body.matchAll(/<td [^>]*data-edit="(\w+)"/g), ([, name]) => name);
    expect(editable).toEqual(["name", "company", "likes"]);
  });

  it("A cell of the contact list has a form with one field, which changes only that field", async () => {
    const { agent, list, cell, save, stored } = await scene();
    const { body } = await agent.get(`${cell}?field=company`);
    expect(body).toMatch(/<input [^>]*name="company"[^>]*value="Acme"/);
    expect(body).not.toContain('name="email"');
    const saved = await save({ field: "company", company: "Globex", revision: revisionIn(body) });
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, `${list}?status=new`]);
    expect(await stored()).toMatchObject({ name: "Ada", email: "ada@example.com", company: "Globex", status: "new" });
    await save({ field: "company", company: "" });
    await save({ field: "likes", "custom_fields.likes": "coffee" });
    expect(await stored()).toMatchObject({ company: null, custom_fields: { likes: ["coffee"] } });
    await save({ field: "likes" });
    expect(await stored()).toMatchObject({ custom_fields: { likes: null } });
  });

  it("A cell of the contact list explains an invalid value, and links to the contact that already has the number or email", async () => {
    const { customer, save, stored } = await scene();
    expect((await save({ field: "email", email: "nobody" })).body).toMatch(/id="field-email-fault">\s*\S/);
    expect((await save({ field: "phone", phone: "030 901820" })).status).toBe(400);
    const other = { name: "Bob", email: "bob@example.com" };
    const { id } = (await customer.call("POST", "/contacts", other)).body.contact;
    const taken = await save({ field: "email", email: "bob@example.com" });
    expect([taken.status, taken.body.includes(`/contacts/${id}"`)]).toEqual([409, true]);
    expect((await save({ field: "email", email: "" })).status).toBe(400);
    expect(await stored()).toMatchObject({ email: "ada@example.com" });
  });

  it("A cell of the contact list does not overwrite a simultaneous change", async () => {
    const { customer, agent, cell, id, save, stored } = await scene();
    const revision = revisionIn((await agent.get(`${cell}?field=company`)).body);
    await customer.call("PATCH", `/contacts/${id}`, { company: "Theirs" });
    const before = { "before.company": "Acme" };
    const refused = await save({ field: "company", company: "Mine", revision, ...before });
    expect(refused.status).toBe(412);
    expect(refused.body).toContain("Theirs");
    expect((await stored()).company).toBe("Theirs");
    await save({ field: "company", company: "Mine", revision: revisionIn(refused.body) });
    expect((await stored()).company).toBe("Mine");
  });

  it("A cell of the contact list returns 404 for an unknown field and for a contact of another workspace", async () => {
    const { customer, agent, list, cell, id, stored } = await scene();
    for (const field of ["tags", "created_at", "constructor", "gone"])
      expect((await agent.get(`${cell}?field=${field}`)).status).toBe(404);
    expect((await agent.get(`${list}/ct_unknown/cell?field=name`)).status).toBe(404);
    const theirs = await customer.world.customer();
    const stranger = await theirs.member("agent");
    const there = `/console/${theirs.workspaceId}/contacts/${id}/cell`;
    await stranger.get(`/console/${theirs.workspaceId}/contacts`);
    expect((await stranger.get(`${there}?field=name`)).status).toBe(404);
    expect((await stranger.post(there, { field: "name", name: "Mine" })).status).toBe(404);
    expect((await stored()).name).toBe("Ada");
  });
});
