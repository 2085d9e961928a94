import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, campaign, numberOf, recipientsOf, started } from "../support/campaigns.ts";
import { stopClock } from "../support/alarms.ts";
import { createTemplate } from "../support/templates.ts";
import { type Visitor } from "../support/visitor.ts";
import { type Answer, type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

/** A workspace with people, a template and an admin before its campaigns. */
async function office({ people = 3, body = "Hello {{first_name|there}}" } = {}) {
  const world = new World();
  const customer = await world.customer();
  await addPeople(customer, people);
  const template = await createTemplate(customer, body);
  const admin = await customer.member("admin");
  const root = `/console/${customer.workspaceId}`;
  const order = { template_id: template, channel: `unofficial ${customer.connectionId}`, when: "now" };
  const post = (path: string, fields: Record<string, string> = {}) => admin.post(root + path, fields);
  return { world, customer, admin, root, template, order, post };
}

/** What a page's form carries along in hidden fields, to be sent to `action`. */
function formOf({ body }: Answer, action: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*action="[^"]*${action}".*?</form>`, "s").exec(body)?.[0] ?? "";
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name = "", value = ""]) => [name, value]));
}

/** What a page says, without its markup. */
const textOf = ({ body }: Answer): string =>
  body
    .replace(/<(script|style|head).*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, " ");

const campaignsOf = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.call("GET", "/campaigns")).body.campaigns;

/** What stands beside a field of a form that was refused. */
const faultOf = ({ body }: Answer, field: string): string | undefined =>
  new RegExp(`id="field-${field}-fault">([^<]*)`).exec(body)?.[1];

describe("the list of campaigns", () => {
  it("says what to do while there is none", async () => {
    const { admin, root } = await office();
    const empty = await admin.get(`${root}/campaigns`);
    expect(empty.status).toBe(200);
    expect(empty.body).toContain("No campaign yet");
    expect(empty.body).toContain(`href="${root}/campaigns/new"`);
  });

  it("shows them with what they came to, newest first, in pages", async () => {
    const { world, customer, admin, root } = await office();
    await started(customer, { name: "First" });
    world.advance(1000);
    await started(customer, { name: "Second" });
    await world.settle();
    const page = await admin.get(`${root}/campaigns?limit=1`);
    expect(textOf(page)).toMatch(/Second Completed 3 of 3 3 read/);
    expect(page.body).not.toContain("First<");
    const [, next = ""] = /href="([^"]*)" rel="next"/.exec(page.body) ?? [];
    expect(textOf(await admin.get(next.replaceAll("&amp;", "&")))).toContain("First");
  });
});

describe("a new campaign", () => {
  it("shows the chosen template with a field for each variable, keeping what was typed", async () => {
    const { post, template } = await office({ body: "Hi {{name|you}}, {{offer}} ends {{day|soon}}" });
    const page = await post("/campaigns/new", { template_id: template, name: "Spring", "variables.offer": "the sale" });
    expect(page.status).toBe(200);
    expect(page.body).toContain("Hi {{name|you}}, {{offer}} ends {{day|soon}}");
    expect(page.body).toContain('value="the sale"');
    expect(page.body).toContain('value="Spring"');
    expect(textOf(page)).toMatch(/everybody&#39;s own name. Who has none reads “you”/);
    expect(textOf(page)).toMatch(/everybody reads “soon”/);
    expect(page.body).toMatch(/name="variables\.offer" required/);
  });

  it("is chosen a template and a segment by the address", async () => {
    const { customer, admin, root, template } = await office();
    const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "hot" }] };
    const { segment } = (await customer.call("POST", "/segments", { name: "Hot ones", filter })).body;
    const page = await admin.get(`${root}/campaigns/new?template_id=${template}&segment_id=${segment.id}`);
    expect(page.body).toContain(`value="${segment.id}" selected`);
    expect(page.body).toContain("Hello {{first_name|there}}");
  });

  it("sends people to their templates where there is none to send", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const page = await admin.get(`/console/${customer.workspaceId}/campaigns/new`);
    expect(page.body).toContain("There is no template to send yet");
  });

  it("is previewed with its number, who is left out and why, and what people read; nothing is stored", async () => {
    const { customer, post, order } = await office();
    await customer.call("POST", "/contacts", { phone: numberOf(50), name: "Gone", is_unsubscribed: true });
    const answer = await customer.call("POST", "/contacts", { email: "no@phone.example", name: "Phoneless" });
    expect(answer.status).toBe(201);
    const page = await post("/campaigns/preview", order);
    expect(page.status).toBe(200);
    const text = textOf(page);
    expect(text).toContain("3 people would get this");
    expect(text).toContain("Send to 3 people");
    expect(text).toContain("Hello Person");
    expect(text).toMatch(/Has unsubscribed 1/);
    expect(text).toMatch(/No phone number 1/);
    expect(text).toContain("Everyone who can be reached");
    expect(await campaignsOf(customer)).toEqual([]);
  });

  it("offers no start while nobody can be reached", async () => {
    const { post, order } = await office({ people: 0 });
    const page = await post("/campaigns/preview", order);
    expect(page.body).toContain("Nobody can be reached");
    expect(page.body).not.toContain("/campaigns/start");
  });

  it("starts as it was previewed, says the number again, and is one campaign when it is confirmed twice", async () => {
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
    expect(textOf(await admin.get(first.headers.get("Location") ?? ""))).toContain("Started: it goes to 1 person.");
    await world.settle();
    expect((await recipientsOf(customer, made.campaign_id)).map(({ phone }) => phone)).toEqual([numberOf(60)]);
  });

  it("is asked for again where its audience has changed markedly since it was confirmed", async () => {
    const { customer, post, order } = await office();
    const fields = formOf(await post("/campaigns/preview", order), "/campaigns/start");
    await addPeople(customer, 2, 10);
    const again = await post("/campaigns/start", fields);
    expect(again.status).toBe(409);
    expect(textOf(again)).toContain("5 can be reached now, not 3. Nothing has been sent");
    expect(await campaignsOf(customer)).toEqual([]);
    const confirmed = await post("/campaigns/start", formOf(again, "/campaigns/start"));
    expect(confirmed.status).toBe(303);
    expect(await campaignsOf(customer)).toMatchObject([{ recipient_count: 5 }]);
  });

  it("is scheduled at the time that was given in UTC", async () => {
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
    expect(textOf(page)).toContain("Scheduled: by now it would go to 3 people.");
    expect(page.body).toContain(`<time datetime="${at}:00.000Z">`);
  });

  it("goes through the connection that was chosen, also where that is not its channel's default", async () => {
    const { customer, post, order } = await office();
    const second = { name: "Second", channel: "unofficial", provider: "sandbox", config: {} };
    const { id } = (await customer.manage("POST", "/connections", second)).body.connection;
    const preview = await post("/campaigns/preview", { ...order, channel: `unofficial ${id}` });
    expect(textOf(preview)).toContain("Sent through Second");
    await post("/campaigns/start", formOf(preview, "/campaigns/start"));
    expect(await campaignsOf(customer)).toMatchObject([{ connection_id: id }]);
  });

  it("has each fault said beside its field, with what was typed still there", async () => {
    const { customer, post, order, template } = await office({ body: "Hi {{1}}, {{2}}" });
    const refused = await post("/campaigns/preview", {
      ...order,
      name: "x".repeat(121),
      when: "later",
      scheduled_at: "2020-01-01T10:00",
      "variables.1": "a {{1}}",
    });
    expect(refused.status).toBe(400);
    expect(faultOf(refused, "name")).toBe("At most 120 characters.");
    expect(refused.body).toContain("x".repeat(121));

    const past = await post("/campaigns/preview", { ...order, when: "later", scheduled_at: "2020-01-01T10:00" });
    expect(faultOf(past, "scheduled_at")).toBe("Give a time in the future, within 365 days.");
    const without = await post("/campaigns/preview", { ...order, when: "later", scheduled_at: "" });
    expect(faultOf(without, "scheduled_at")).toBe("Say on what day and at what time.");
    const missing = await post("/campaigns/preview", { ...order, "variables.1": "you" });
    expect(missing.status).toBe(400);
    expect(faultOf(missing, "variables-2")).toBe("Nothing is sent blank: say what to put in here.");
    const numbered = await post("/campaigns/preview", { ...order, "variables.1": "{{1}}", "variables.2": "b" });
    expect(faultOf(numbered, "variables-1")).toBe("A text for a variable may hold named variables only.");
    expect(faultOf(await post("/campaigns/preview", { when: "now", template_id: "" }), "template_id")).toBe(
      "This field is required.",
    );
    const gone = await post("/campaigns/preview", { ...order, template_id: "tpl_gone" });
    expect(faultOf(gone, "template_id")).toBe("This template is gone. Choose another one.");
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

  it("comes back to its form with all that was chosen, to change something", async () => {
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

describe("a campaign's page", () => {
  it("watches it while it runs and stops when it is over", async () => {
    const { world, customer, admin, root } = await office();
    const id = await started(customer, { name: "Watched" });
    const running = await admin.get(`${root}/campaigns/${id}`);
    expect(running.body).toContain('data-poll="2"');
    expect(textOf(running)).toMatch(/Running 0 of 3 done/);
    await world.settle();
    const settling = await admin.get(`${root}/campaigns/${id}`);
    expect(settling.body).toContain('data-poll="5"');
    expect(textOf(settling)).toContain("Nothing more is sent.");
    world.advance(60_001);
    const over = await admin.get(`${root}/campaigns/${id}`);
    expect(over.body).not.toContain("data-poll");
    expect(textOf(over)).toMatch(/Completed 3 of 3 done/);
    expect(over.body).toContain('aria-label="Read 100 %"');
    expect(over.body).not.toContain("Cancel the campaign");
  });

  it("pauses, resumes and cancels, and says what cancelling does to the rest", async () => {
    const { world, customer, admin, root, post } = await office();
    const id = await started(customer);
    const at = `${root}/campaigns/${id}`;
    expect((await post(`/campaigns/${id}/pause`)).headers.get("Location")).toBe(at);
    const paused = await admin.get(at);
    expect(textOf(paused)).toContain("Paused. Nothing more leaves within two seconds.");
    expect(textOf(paused)).toContain("3 people have not been sent to yet: they are skipped, for good.");
    expect(await campaign(customer, id)).toMatchObject({ status: "paused" });
    await post(`/campaigns/${id}/resume`);
    expect(await campaign(customer, id)).toMatchObject({ status: "running" });
    await post(`/campaigns/${id}/cancel`);
    expect(await campaign(customer, id)).toMatchObject({ status: "cancelled", counts: { skipped: 3 } });
    await world.settle();
    expect(textOf(await admin.get(`${at}?state=skipped`))).toContain(
      "It was cancelled before its recipients were looked up.",
    );
    const late = await admin.post(`${at}/resume`, {}, { headers: { Referer: `http://tidings.test${at}` } });
    expect(late.headers.get("Location")).toBe(at);
    expect(textOf(await admin.get(at))).toContain("A campaign that is cancelled cannot be resumed.");
  });

  it("lists recipients by state with reasons, leading to the contact and to the conversation there is", async () => {
    const { world, customer, admin, root } = await office({ people: 2 });
    await customer.call("POST", "/contacts", { phone: "+14155550001", name: "Unreachable" });
    await customer.receive(numberOf(0), "Hello");
    const id = await started(customer);
    await world.settle();
    const at = `${root}/campaigns/${id}`;
    const failed = await admin.get(`${at}?state=failed`);
    expect(textOf(failed)).toMatch(/\+14155550001 Failed/);
    expect(textOf(failed)).not.toContain(numberOf(0));
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const all = await admin.get(at);
    expect(all.body).toContain(`href="${root}/inbox/${conversation.id}"`);
    expect(all.body).toContain(`href="${root}/contacts/${conversation.contact.id}"`);
    expect(all.body.match(/none yet/g)).toHaveLength(2);
    expect(textOf(await admin.get(`${at}?state=unknown`))).toContain("Nobody is “unknown” now.");
    const first = await admin.get(`${at}?limit=1`);
    expect(first.body).toMatch(/href="[^"]*cursor=[^"]*" rel="next"/);
  });

  it("explains in words why it stopped, whom it is for and what it says", async () => {
    const { world, customer, admin, root } = await office();
    await customer.call("POST", "/contacts", { phone: numberOf(70), name: "Vera", tags: ["VIP", "Gold"] });
    const scheduled_at = new Date(Date.now() + HOUR).toISOString();
    const audience = { filter_tags: ["VIP", "Gold"], filter_tags_mode: "any", filter_status: "new" };
    const id = await started(customer, { body: "Hello {{1}}", variables: ["{{name|you}}"], scheduled_at, ...audience });
    const waiting = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(waiting)).toContain("Contacts tagged “VIP” or “Gold”, with the status new");
    expect(textOf(waiting)).toMatch(/\{\{1\}\} \{\{name\|you\}\}/);
    world.advance(49 * HOUR);
    await world.cron();
    await world.settle();
    const page = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(page)).toContain("It was found more than a day after its time");
  });
});

describe("who may see campaigns", () => {
  const pages = ["/campaigns", "/campaigns/new"];
  const posts = ["/campaigns/new", "/campaigns/preview", "/campaigns/start"];

  it("admins and owners, and no agents", async () => {
    const { customer, root } = await office();
    const id = await started(customer);
    const [owner, agent] = [await customer.member("owner"), await customer.member("agent")];
    for (const path of [...pages, `/campaigns/${id}`]) {
      expect((await owner.get(root + path)).status, path).toBe(200);
      expect((await agent.get(root + path)).status, path).toBe(403);
    }
    for (const path of [...posts, `/campaigns/${id}/pause`, `/campaigns/${id}/resume`, `/campaigns/${id}/cancel`])
      expect((await agent.post(root + path)).status, path).toBe(403);
    expect(await campaign(customer, id)).toMatchObject({ status: "running" });
    expect((await agent.get(root)).body).not.toContain("/campaigns");
  });

  it("nobody who comes from a page of another site changes anything", async () => {
    const { customer, admin, root, order, post } = await office();
    const id = await started(customer);
    const fields = formOf(await post("/campaigns/preview", order), "/campaigns/start");
    const forged: [Visitor, string, Record<string, string>][] = [
      [admin, "/campaigns/start", fields],
      [admin, `/campaigns/${id}/cancel`, {}],
    ];
    for (const [visitor, path, sent] of forged) {
      const answer = await visitor.post(root + path, { ...sent, csrf_token: "wrong" });
      expect(answer.status, path).toBe(403);
    }
    expect(await campaignsOf(customer)).toMatchObject([{ campaign_id: id, status: "running" }]);
  });

  it("nobody sees or changes another workspace's", async () => {
    const mine = await office();
    const theirs = await mine.world.customer();
    await addPeople(theirs, 1);
    const id = await started(theirs);
    const page = await mine.admin.get(`${mine.root}/campaigns/${id}`);
    expect(page.status).toBe(404);
    expect(page.body).toContain("There is nothing here");
    await mine.admin.get(`${mine.root}/campaigns`);
    expect((await mine.post(`/campaigns/${id}/cancel`)).status).toBe(303);
    expect(await campaign(theirs, id)).toMatchObject({ status: "running" });
    const template = await createTemplate(theirs, "Theirs");
    const refused = await mine.post("/campaigns/preview", { ...mine.order, template_id: template });
    expect(faultOf(refused, "template_id")).toBe("This template is gone. Choose another one.");
    const through = await mine.post("/campaigns/preview", {
      ...mine.order,
      channel: `unofficial ${theirs.connectionId}`,
    });
    expect(through.status).toBe(404);
  });
});
