import { describe, expect, it } from "vitest";
import { type Customer, World } from "../support/world.ts";

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  return { customer, admin, at: `/console/${customer.workspaceId}` };
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function furnish(customer: Customer) {
  await customer.call("POST", "/custom-fields", { field_key: "size", label: "Shoe size", type: "text" });
  const contact = { tags: ["Readers"], custom_fields: { size: "44" } };
  await customer.call("POST", "/contacts", { phone: "+14155550101", ...contact });
  await customer.call("POST", "/contacts", { phone: "+14155550102", tags: ["Readers"] });
  const asking = (field: string, op: string, value?: string[]) => ({
    match: "all",
    conditions: [{ field, op, value }],
  });
  const segment = async (name: string, filter: object) =>
    (await customer.call("POST", "/segments", { name, filter })).body.segment.id;
  const readers = await segment("All readers", asking("tags", "has_any", ["Readers"]));
  const sized = await segment("With a size", asking("custom_fields.size", "is_set"));
  const body = { name: "Size offer", body: "In your size {{size|44}}" };
  const template = (await customer.call("POST", "/templates", body)).body.template.id;
  const campaign = { template_id: template, channel: "unofficial", scheduled_at: tomorrow() };
  await customer.call("POST", "/campaigns", { ...campaign, name: "By tag", filter_tags: ["Readers"] });
  await customer.call("POST", "/campaigns", { ...campaign, name: "By segment", segment_id: sized });
  const [tag] = (await customer.call("GET", "/tags")).body.tags;
  const [field] = (await customer.call("GET", "/custom-fields")).body.custom_fields;
  return { tag: tag.id, field: field.id, template, readers, sized };
}

describe("Deletion pages", () => {
  it("The deletion page of a tag lists its contacts, segments and campaigns", async () => {
    const { customer, admin, at } = await visit();
    const { tag } = await furnish(customer);
    const { body } = await admin.get(`${at}/settings/tags/${tag}/delete`);
    for (const said of ["Delete Readers?", "2 contacts", "All readers", "By tag"]) expect(body).toContain(said);
    expect(body).not.toContain("With a size");
    expect(body).not.toContain("By segment");
    await admin.post(`${at}/settings/tags/${tag}/delete`);
    expect((await admin.get(`${at}/settings/tags/${tag}/delete`)).status).toBe(404);
  });

  it("The deletion page of a custom field lists its contacts, segments, campaigns and templates", async () => {
    const { customer, admin, at } = await visit();
    const { field } = await furnish(customer);
    const { body } = await admin.get(`${at}/settings/custom-fields/${field}/delete`);
    for (const said of ["Delete Shoe size?", "1 contact ", "With a size", "By segment", "Size offer"])
      expect(body).toContain(said);
    expect(body).not.toContain("By tag");
  });

  it("A template can be deleted only after its unfinished campaigns are cancelled, as its deletion page explains", async () => {
    const { customer, admin, at } = await visit();
    const { template } = await furnish(customer);
    const used = await admin.get(`${at}/templates/${template}/delete`);
    expect(used.body).toContain("By segment");
    expect(used.body).not.toContain("Delete template</button>");
    for (const { campaign_id } of (await customer.call("GET", "/campaigns")).body.campaigns)
      await customer.call("POST", `/campaigns/${campaign_id}/cancel`);
    const free = await admin.get(`${at}/templates/${template}/delete`);
    expect(free.body).toContain("It isn&#39;t used anywhere.");
    expect(free.body).toContain("Delete template</button>");
  });

  it("After a tag or custom field is deleted, the next page links to the segments that are now broken", async () => {
    const { customer, admin, at } = await visit();
    const { tag, field, readers, sized } = await furnish(customer);
    const bannerAfter = async (path: string) => {
      expect((await admin.post(`${at}${path}/${path.includes("tags") ? tag : field}/delete`)).status).toBe(303);
      return /<div class="banner done".*?<\/div>/s.exec((await admin.get(at + path)).body)?.[0] ?? "";
    };
    const ofTag = await bannerAfter("/settings/tags");
    expect(ofTag).toContain("Readers deleted. This segment is now broken:");
    expect(ofTag).toContain(`<a href="${at}/segments/${readers}">All readers</a>`);
    expect(ofTag).not.toContain("With a size");
    const ofField = await bannerAfter("/settings/custom-fields");
    expect(ofField).toContain(`<a href="${at}/segments/${sized}">With a size</a>`);
  });

  it("After a choice of a custom field is removed, the next page links to the segments that are now broken", async () => {
    const { customer, admin, at } = await visit();
    const gift = { field_key: "gift", label: "Gift", type: "select", options: ["Mug", "Cap"] };
    const { id } = (await customer.call("POST", "/custom-fields", gift)).body.custom_field;
    const segment = (name: string, value: string) =>
      customer.call("POST", "/segments", {
        name,
        filter: { match: "all", conditions: [{ field: "custom_fields.gift", op: "eq", value }] },
      });
    await segment("Mugs", "Mug");
    await segment("Caps", "Cap");
    const page = `${at}/settings/custom-fields`;
    expect((await admin.post(`${page}/${id}`, { label: "Gift", options: "Mug" })).status).toBe(303);
    const { body } = await admin.get(page);
    expect(body).toContain("Gift saved. This segment is now broken:");
    expect(body).toContain(">Caps</a>");
    expect(body).not.toContain("Mugs");
  });

  it("The confirmation before a choice is removed lists the segments that will break", async () => {
    const { customer, admin, at } = await visit();
    const gift = { field_key: "gift", label: "Gift", type: "select", options: ["Mug", "Cap", "Pen"] };
    const { id } = (await customer.call("POST", "/custom-fields", gift)).body.custom_field;
    await customer.call("POST", "/contacts", { phone: "+14155550101", custom_fields: { gift: "Cap" } });
    const segment = async (name: string, field: string, op: string, value?: string | string[]) => {
      const filter = { match: "all", conditions: [{ field, op, value }] };
      return (await customer.call("POST", "/segments", { name, filter })).body.segment.id;
    };
    await segment("Mugs", "custom_fields.gift", "eq", "Mug");
    await segment("With a gift", "custom_fields.gift", "is_set");
    await segment("Hot", "status", "eq", "hot");
    const pens = await segment("Pens", "custom_fields.gift", "eq", "Pen");
    const caps = await segment("Caps", "custom_fields.gift", "in", ["Mug", "Cap"]);
    const page = `${at}/settings/custom-fields/${id}`;
    expect((await admin.post(page, { label: "Gift", options: "Mug\nCap" })).status).toBe(303);
    const { status, body } = await admin.post(page, { label: "Gift", options: "Mug" });
    expect(status).toBe(200);
    expect(body).toContain("1 contact will lose “Cap”.");
    expect(body).toContain(`These segments will stop working: <a href="${at}/segments/${caps}">Caps</a>.`);
    for (const other of [">Mugs<", ">With a gift<", ">Hot<", pens]) expect(body).not.toContain(other);
  });

  it("The notice after a deletion names the first five broken segments", async () => {
    const { customer, admin, at } = await visit();
    const { tag } = await furnish(customer);
    const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: ["Readers"] }] };
    for (let count = 0; count < 6; count++)
      await customer.call("POST", "/segments", { name: "🎉".repeat(120), filter });
    await admin.post(`${at}/settings/tags/${tag}/delete`);
    const { body } = await admin.get(`${at}/settings/tags`);
    expect(body).toContain("These segments are now broken:");
    expect(body.match(/<a href="[^"]*\/segments\/seg_/g)).toHaveLength(5);
    expect(body).toContain(`<a href="${at}/segments">and more under Segments</a>`);
  });

  it("The deletion page lists nothing from another workspace", async () => {
    const { customer, admin, at } = await visit();
    const theirs = await furnish(await customer.world.customer());
    const pages = [
      `/settings/tags/${theirs.tag}/delete`,
      `/settings/custom-fields/${theirs.field}/delete`,
      `/templates/${theirs.template}/delete`,
    ];
    for (const page of pages) expect((await admin.get(at + page)).status).toBe(404);
  });
});
