import { beforeEach, describe, expect, it } from "vitest";
import { office } from "../support/campaign-pages.ts";
import { addPeople, campaign, change } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { draftOf, patch } from "../support/drafts.ts";
import { textOf } from "../support/page-text.ts";
import { headerOf, holding, picture } from "../support/template-forms.ts";
import { createTemplate } from "../support/templates.ts";
import type { Visitor } from "../support/visitor.ts";
import type { Answer } from "../support/world.ts";

beforeEach(stopClock);

const MEANWHILE = "Someone else changed this while you were editing.";

/** Returns the fields that a browser would submit. */
function fieldsOf({ body }: Answer): URLSearchParams {
  const form = /<form[^>]*class="narrow campaign".*?<\/form>/s.exec(String(body))?.[0] ?? "";
  const sent = new URLSearchParams();
  for (const [tag, name = "", options = ""] of form.matchAll(
    /<(?:input|select)[^>]* name="([^"]+)"[^>]*>((?:\s*<option.*?<\/option>)*)/gs,
  )) {
    const value = (of: string) => / value="([^"]*)"/.exec(of)?.[1] ?? "";
    const chosen = /<option[^>]* selected.*?>/.exec(options)?.[0] ?? options;
    const isLeftOut = /type="(?:checkbox|radio)"/.test(tag) && !/ checked/.test(tag);
    if (!isLeftOut) sent.append(name, value(tag.startsWith("<select") ? chosen : tag));
  }
  return sent;
}

function formAt(admin: Visitor, at: string) {
  const open = () => admin.get(at);
  const post = (fields: URLSearchParams, below = "") => admin.request("POST", at + below, new URLSearchParams(fields));
  const save = (page: Answer, typed: Record<string, string>, below = "") => {
    const fields = fieldsOf(page);
    for (const [name, value] of Object.entries(typed)) fields.set(name, value);
    return post(fields, below);
  };
  return { open, post, save };
}

async function desk() {
  const here = await office();
  const { customer, admin, root, template } = here;
  await customer.call("POST", "/contacts", { phone: "+4915112340001", name: "Ann", tags: ["VIP", "New"] });
  const id = await draftOf(customer, { template_id: template, name: "Offer", filter_tags: ["VIP"] });
  return { ...here, id, ...formAt(admin, `${root}/campaigns/${id}/edit`) };
}

describe("Simultaneous edits of a campaign", () => {
  it("A colleague's change to a campaign is not overwritten until the user has seen it and chosen a value", async () => {
    const { customer, id, template, open, save } = await desk();
    const page = await open();
    const theirs = { name: "Their offer", filter_tags: ["New"], variables: { first_name: "friend" } };
    expect((await patch(customer, id, theirs)).status).toBe(200);
    const until = new Date(Date.now() + 172_800_000).toISOString().slice(0, 16);
    const refused = await save(page, { name: "My offer", send_before: until });
    expect(refused.status).toBe(412);
    const text = textOf(refused);
    expect(text).toContain(MEANWHILE);
    expect(text).toContain("Changed by someone else to “Their offer”. Use their value");
    expect(text).toContain("Changed by someone else to “New”; previously “VIP”.");
    expect(text).toContain("Changed by someone else to “friend”.");
    expect(await campaign(customer, id)).toMatchObject({ name: "Their offer", send_before: null });
    const shown = Object.fromEntries(fieldsOf(refused));
    expect(shown).toMatchObject({ template_id: template, name: "My offer", "variables.first_name": "friend" });
    expect(fieldsOf(refused).getAll("filter_tags")).toEqual(["", "New"]);
    expect((await save(refused, { theirs: "name" })).status).toBe(303);
    expect(await campaign(customer, id)).toMatchObject({
      name: "Their offer",
      send_before: `${until}:00.000Z`,
    });
    expect(fieldsOf(await open()).getAll("filter_tags")).toEqual(["", "New"]);
  });

  it("A campaign form still detects colleagues' changes after a rejected save or a change of template", async () => {
    const { customer, id, open, save } = await desk();
    const other = await createTemplate(customer, "Bye {{first_name|friend}}");
    const page = await open();
    const faulty = await save(page, { name: "x".repeat(121) });
    expect(faulty.status).toBe(400);
    await patch(customer, id, { name: "Their offer", scheduled_at: null });
    const redrawn = await save(faulty, { name: "Offer (copy)", template_id: other }, "/form");
    expect(redrawn.status).toBe(200);
    const refused = await save(redrawn, { "variables.first_name": "you" });
    expect(refused.status).toBe(412);
    expect(textOf(refused)).toContain("Changed by someone else to “Their offer”; previously “Offer (copy)”.");
    expect(Object.fromEntries(fieldsOf(refused))).toMatchObject({
      name: "Their offer",
      template_id: other,
      "variables.first_name": "you",
    });
  });

  it("If two forms of one campaign are sent at once, one is saved and one is rejected, and repeats get the same responses", async () => {
    const { customer, id, open, post } = await desk();
    const forms = await Promise.all([open(), open()]);
    const sent = forms.map((page, index) => {
      const fields = fieldsOf(page);
      fields.set("name", `Offer ${index}`);
      return fields;
    });
    const answers = await Promise.all(sent.map((fields) => post(fields)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 412]));
    const first = answers.findIndex(({ status }) => status === 303);
    const again = await Promise.all(sent.map((fields) => post(fields)));
    expect(again.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
    expect(await campaign(customer, id)).toMatchObject({ name: `Offer ${first}` });
  });

  it("A form that was opened for a draft cannot change the campaign after it was scheduled or started", async () => {
    const { customer, id, open, save } = await desk();
    const page = await open();
    await patch(customer, id, { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    const draft = await open();
    expect((await change(customer, id, "start")).status).toBe(200);
    expect((await save(draft, { name: "Mine" })).status).toBe(412);
    await patch(customer, id, { scheduled_at: new Date(Date.now() + 1000).toISOString() });
    customer.world.advance(60_000);
    await customer.world.cron();
    await customer.world.settle();
    expect(textOf(await save(page, { name: "Mine" }))).toContain("A campaign that is completed cannot be changed.");
    expect(await campaign(customer, id)).toMatchObject({ name: "Offer (copy)" });
  });

  it("A campaign update over the API changes only the fields in the request", async () => {
    const { customer, id } = await desk();
    const both = await Promise.all([
      patch(customer, id, { name: "One" }),
      patch(customer, id, { filter_tags: ["New"] }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await patch(customer, id, { name: "Two" }, { "If-Match": '"1"' })).status).toBe(400);
    expect(await campaign(customer, id)).toMatchObject({ name: "One" });
  });

  it("A file that a colleague added to a campaign stays unless the user chose another file", async () => {
    const { customer, template } = await holding([headerOf("IMAGE"), { type: "BODY", text: "Only today" }]);
    await addPeople(customer, 2);
    const [one, two, three] = [await picture(customer), await picture(customer), await picture(customer)];
    const header = (file: { id: string }) => ({ header: { media_id: file.id } });
    const id = await draftOf(customer, { template_id: template, channel: "official", ...header(one) });
    const { open, save } = formAt(
      await customer.member("admin"),
      `/console/${customer.workspaceId}/campaigns/${id}/edit`,
    );
    const chosen = (page: Answer) => {
      const fields = fieldsOf(page);
      return fields.get("header.stored") ?? fields.get("header.media_id");
    };
    const page = await open();
    await patch(customer, id, header(two));
    const refused = await save(page, { name: "Mine" });
    expect(refused.status).toBe(412);
    expect(textOf(refused)).toMatch(/Changed by someone else to “\S+”; previously “\S+”[.]/);
    expect(chosen(refused)).toBe(two.id);
    expect((await save(refused, {})).status).toBe(303);
    const later = await open();
    expect(chosen(later)).toBe(two.id);
    await patch(customer, id, header(one));
    const both = await save(later, { "header.stored": three.id });
    expect(both.status).toBe(412);
    expect(chosen(both)).toBe(three.id);
    expect((await save(both, { theirs: "header.stored" })).status).toBe(303);
    expect(chosen(await open())).toBe(one.id);
  });
});
