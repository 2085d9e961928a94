import { beforeEach, describe, expect, it } from "vitest";
import { campaignsOf, faultOf, formOf, office } from "../support/campaign-pages.ts";
import { addPeople, numberOf, recipientsOf } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { findExternalTemplate } from "../support/templates.ts";
import { type Answer, World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

describe("New campaigns", () => {
  it("A new campaign shows a field for each variable of the template and keeps the input", async () => {
    const { post, template } = await office({ body: "Hi {{name|you}}, {{offer}} ends {{day|soon}}" });
    const page = await post("/campaigns/new", { template_id: template, name: "Spring", "variables.offer": "the sale" });
    expect(page.status).toBe(200);
    expect(page.body).toContain('Hi {{name|you}}, <span class="filled">the sale</span> ends {{day|soon}}');
    expect(page.body).toContain('value="the sale"');
    expect(page.body).toContain('value="Spring"');
    expect(textOf(page)).toMatch(/the contact's name. Contacts without it read “you”/);
    expect(textOf(page)).toMatch(/“soon” for every contact/);
    expect(page.body).toMatch(/name="variables\.offer" required/);
  });

  it("The form, preview and report of a new campaign explain which value is used for an empty variable", async () => {
    const named = await office({ people: 1, body: "Hi {{first_name|there}}, {{company}}" });
    const own = textOf(await named.post("/campaigns/preview", named.order));
    expect(own).toContain("{{first_name}} The contact's first name. Contacts without it read “there”.");
    expect(own).toContain("{{company}} The contact's company. Contacts without it are skipped.");
  });

  it("A new campaign has a field for each numbered variable, offers contact fields, and shows an error next to an empty field", async () => {
    const { post, order, admin } = await office({ people: 1, body: "Hi {{1}}, {{2}}" });
    const form = await post("/campaigns/new", order);
    expect(form.body).toMatch(/name="variables\.1" required[^>]*list="contact-fields"/);
    expect(form.body).toContain('<option value="{{first_name|there}}"');
    const refused = await post("/campaigns/preview", { ...order, "variables.1": "{{first_name|you}}" });
    expect(refused.body).toMatch(/id="field-variables-2-fault"/);
    const given = await post("/campaigns/preview", {
      ...order,
      "variables.1": "{{first_name|you}}",
      "variables.2": "bye",
    });
    expect(textOf(given)).toContain("{{1}} “{{first_name|you}}”");
    const { headers } = await post("/campaigns/start", formOf(given, "/campaigns/start"));
    expect(textOf(await admin.get(headers.get("Location") ?? ""))).toContain("{{1}} “{{first_name|you}}”");
  });

  it("A new campaign does not offer login code templates, and explains why a template was rejected", async () => {
    const customer = await new World().customer({ channel: "official" });
    const admin = await customer.member("admin");
    const form = `/console/${customer.workspaceId}/campaigns`;
    const code = await findExternalTemplate(customer, "sandbox_login_code");
    const page = await admin.get(`${form}/new?template_id=${code}`);
    expect(page.body).toContain("sandbox_order_update");
    expect(page.body).not.toContain("sandbox_login_code");
    const order = { template_id: code, channel: `official ${customer.connectionId}`, when: "now", "variables.1": "1" };
    const refused = await admin.post(`${form}/preview`, order);
    expect(faultOf(refused, "template_id")).toContain("Campaigns cannot use authentication templates");
  });

  it("A new campaign uses the template and the segment in the page's URL", async () => {
    const { customer, admin, root, template } = await office();
    const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "hot" }] };
    const { segment } = (await customer.call("POST", "/segments", { name: "Hot ones", filter })).body;
    const page = await admin.get(`${root}/campaigns/new?template_id=${template}&segment_id=${segment.id}`);
    expect(page.body).toContain(`value="${segment.id}" selected`);
    expect(page.body).toContain("Hello {{first_name|there}}");
  });

  it("A new campaign rejects a broken segment and explains the reason", async () => {
    const { customer, admin, root, template, order, post } = await office();
    const { tag } = (await customer.call("POST", "/tags", { name: "Spring" })).body;
    const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: ["Spring"] }] };
    const { segment } = (await customer.call("POST", "/segments", { name: "Spring ones", filter })).body;
    const option = ({ body }: Answer) => new RegExp(`<option value="${segment.id}"[^>]*>[^<]*`).exec(body)?.[0];
    const chosen = `${root}/campaigns/new?template_id=${template}&segment_id=${segment.id}`;
    expect(option(await admin.get(chosen))).toMatch(/selected[^>]*>\s*Spring ones$/);
    await customer.call("DELETE", `/tags/${tag.id}`);
    const page = await admin.get(`${root}/campaigns/new`);
    expect(option(page)).toMatch(/disabled[^>]*>\s*Spring ones \(broken\)$/);
    expect(textOf(page)).toMatch(/Spring ones : The tag "Spring" was deleted\./);
    expect(page.body).toContain(`href="${root}/segments/${segment.id}"`);
    // A browser does not submit a disabled option, so the campaign would go to everyone.
    expect(option(await admin.get(chosen))).not.toContain("disabled");
    expect(faultOf(await admin.get(chosen), "segment_id")).toContain("Spring ones is broken.");
    const refused = await post("/campaigns/preview", { ...order, segment_id: segment.id });
    expect(refused.status).toBe(400);
    expect(faultOf(refused, "segment_id")).toContain("This segment is broken. The tag &quot;Spring&quot; was deleted.");
    expect(await campaignsOf(customer)).toEqual([]);
  });

  it("A new campaign links to the templates if there are none", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const page = await admin.get(`/console/${customer.workspaceId}/campaigns/new`);
    expect(page.body).toContain("No templates to send yet");
  });

  it("A campaign preview shows recipients, exclusions with reasons, and messages, and stores nothing", async () => {
    const { customer, post, order } = await office();
    await customer.call("POST", "/contacts", { phone: numberOf(50), name: "Gone", is_unsubscribed: true });
    const answer = await customer.call("POST", "/contacts", { email: "no@phone.example", name: "Phoneless" });
    expect(answer.status).toBe(201);
    const page = await post("/campaigns/preview", order);
    expect(page.status).toBe(200);
    const text = textOf(page);
    expect(text).toContain("3 people will get this");
    expect(text).toContain("Send to 3 people");
    expect(text).toContain("Hello Person");
    expect(text).toMatch(/Unsubscribed 1/);
    expect(text).toMatch(/No phone number or user ID 1/);
    expect(text).toContain("All reachable contacts");
    expect(await campaignsOf(customer)).toEqual([]);
  });

  it("A campaign without reachable contacts cannot be started", async () => {
    const { post, order } = await office({ people: 0 });
    const page = await post("/campaigns/preview", order);
    expect(page.body).toContain("No reachable contacts");
    expect(page.body).not.toContain("/campaigns/start");
  });

  it("A confirmed campaign starts once, with the audience that the preview showed", async () => {
    const { world, customer, admin, post, order } = await office();
    await customer.call("POST", "/contacts", { phone: numberOf(60), name: "Vera", tags: ["VIP", "a, b"] });
    const tagged = new URLSearchParams({
      csrf_token: admin.token,
      ...order,
      name: "For VIPs",
      filter_tags_mode: "all",
    });
    tagged.append("filter_tags", "VIP");
    const preview = await admin.request("POST", `/console/${customer.workspaceId}/campaigns/preview`, tagged);
    expect(textOf(preview)).toContain("Contacts tagged “VIP”");
    const fields = formOf(preview, "/campaigns/start");
    const [first, second] = await Promise.all([post("/campaigns/start", fields), post("/campaigns/start", fields)]);
    const third = await post("/campaigns/start", fields);
    for (const answer of [first, second, third]) expect(answer.status).toBe(303);
    const [made, ...others] = await campaignsOf(customer);
    expect(others).toEqual([]);
    expect(made).toMatchObject({ name: "For VIPs", recipient_count: 1, status: "running" });
    for (const { headers } of [first, second, third]) expect(headers.get("Location")).toMatch(`/${made.campaign_id}`);
    expect(textOf(await admin.get(first.headers.get("Location") ?? ""))).toContain(
      "Campaign started. It reaches 1 person.",
    );
    await world.settle();
    expect((await recipientsOf(customer, made.campaign_id)).map(({ phone }) => phone)).toEqual([numberOf(60)]);
  });

  it("A campaign whose audience changed after the preview starts only after the new number is confirmed", async () => {
    const { customer, post, order } = await office();
    const fields = formOf(await post("/campaigns/preview", order), "/campaigns/start");
    await addPeople(customer, 2, 10);
    const again = await post("/campaigns/start", fields);
    expect(again.status).toBe(409);
    expect(textOf(again)).toContain("5 contacts can be reached now, not 3. Nothing was sent");
    expect(await campaignsOf(customer)).toEqual([]);
    const confirmed = await post("/campaigns/start", formOf(again, "/campaigns/start"));
    expect(confirmed.status).toBe(303);
    expect(await campaignsOf(customer)).toMatchObject([{ recipient_count: 5 }]);
  });

  it("A campaign is scheduled at the entered time in UTC", async () => {
    const { customer, admin, post, order } = await office();
    const at = new Date(Date.now() + 24 * HOUR).toISOString().slice(0, 16);
    const before = new Date(Date.now() + 25 * HOUR).toISOString().slice(0, 16);
    const preview = await post("/campaigns/preview", {
      ...order,
      when: "later",
      scheduled_at: at,
      send_before: before,
    });
    expect(textOf(preview)).toContain("Schedule for 3 people");
    const { headers } = await post("/campaigns/start", formOf(preview, "/campaigns/start"));
    expect(await campaignsOf(customer)).toMatchObject([
      { status: "scheduled", scheduled_at: `${at}:00.000Z`, send_before: `${before}:00.000Z` },
    ]);
    const page = await admin.get(headers.get("Location") ?? "");
    expect(textOf(page)).toContain("Campaign scheduled. It currently reaches 3 people.");
    expect(page.body).toContain(`<time datetime="${at}:00.000Z">`);
  });

  it("A campaign uses the chosen connection, even if another connection is the default", async () => {
    const { customer, post, order } = await office();
    const second = { name: "Second", channel: "unofficial", provider: "sandbox", config: {} };
    const { id } = (await customer.manage("POST", "/connections", second)).body.connection;
    const preview = await post("/campaigns/preview", { ...order, channel: `unofficial ${id}` });
    expect(textOf(preview)).toContain("Sent through Second");
    await post("/campaigns/start", formOf(preview, "/campaigns/start"));
    expect(await campaignsOf(customer)).toMatchObject([{ connection_id: id }]);
  });

  it("A campaign form shows each error next to its field and keeps the input", async () => {
    const { customer, post, order, template } = await office({ body: "Hi {{1}}, {{2}}" });
    const refused = await post("/campaigns/preview", {
      ...order,
      name: "x".repeat(121),
      when: "later",
      scheduled_at: "2020-01-01T10:00",
      "variables.1": "a {{1}}",
    });
    expect(refused.status).toBe(400);
    expect(faultOf(refused, "name")).toBe("Must have at most 120 characters.");
    expect(refused.body).toContain("x".repeat(121));

    const past = await post("/campaigns/preview", { ...order, when: "later", scheduled_at: "2020-01-01T10:00" });
    expect(faultOf(past, "scheduled_at")).toBe("Must be in the future and within 365 days.");
    const without = await post("/campaigns/preview", { ...order, when: "later", scheduled_at: "" });
    expect(faultOf(without, "scheduled_at")).toBe("Enter a date and a time.");
    const missing = await post("/campaigns/preview", { ...order, "variables.1": "you", "variables.2": "" });
    expect(missing.status).toBe(400);
    expect(faultOf(missing, "variables-2")).toBe("Enter a value for {{2}}.");
    const unknown = await post("/campaigns/preview", { ...order, "variables.1": "{{shoe}}", "variables.2": "b" });
    expect(faultOf(unknown, "variables-1")).toContain("Contacts do not have the field shoe.");
    const numbered = await post("/campaigns/preview", { ...order, "variables.1": "{{1}}", "variables.2": "b" });
    expect(faultOf(numbered, "variables-1")).toBe("Values can contain only named variables.");
    expect(faultOf(await post("/campaigns/preview", { when: "now", template_id: "" }), "template_id")).toBe(
      "This field is required.",
    );
    const gone = await post("/campaigns/preview", { ...order, template_id: "tpl_gone" });
    expect(faultOf(gone, "template_id")).toBe("This template was deleted. Choose another template.");
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, {});
    const mismatch = await post("/campaigns/preview", {
      template_id: template,
      channel: "official",
      when: "now",
      "variables.1": "a",
      "variables.2": "b",
    });
    expect(mismatch.status).toBe(400);
    expect(faultOf(mismatch, "channel")).toContain("no default official connection");
    expect(await campaignsOf(customer)).toEqual([]);
  });

  it("A campaign preview returns to its form with all input", async () => {
    const { post, order } = await office({ body: "Hi {{offer}}" });
    const at = new Date(Date.now() + 24 * HOUR).toISOString().slice(0, 16);
    const sent = { ...order, when: "later", scheduled_at: at, "variables.offer": "a & b", filter_status: "new" };
    const preview = await post("/campaigns/preview", sent);
    const form = await post("/campaigns/new", { ...formOf(preview, "/campaigns/new"), "variables.offer": "a & b" });
    expect(form.body).toContain('value="a &amp; b"');
    expect(form.body).toContain(`value="${at}`);
    expect(form.body).toContain('value="new" selected');
    expect(form.body).toMatch(/value="later" checked/);
  });
});
