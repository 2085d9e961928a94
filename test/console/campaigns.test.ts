import { beforeEach, describe, expect, it } from "vitest";
import { campaignsOf, faultOf, formOf, office } from "../support/campaign-pages.ts";
import { addPeople, campaign, numberOf, started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { deliver, messageFrom, newUserId } from "../support/provider-events.ts";
import { createTemplate } from "../support/templates.ts";
import type { Visitor } from "../support/visitor.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

describe("People without a number", () => {
  it("Campaign previews and recipient lists show the name or username of a person without a number", async () => {
    const { world, customer, admin, root, order, post } = await office({ people: 1 });
    const [named, nameless] = [newUserId(), newUserId()];
    await deliver(customer, [
      messageFrom({ userId: named, name: "Ann Weber" }, "Hi"),
      messageFrom({ userId: nameless }, "Hi"),
    ]);
    const preview = await post("/campaigns/preview", order);
    expect(
      Array.from(preview.body.matchAll(/<li><a href="[^"]*\/contacts\/[^>]*>([^<]*)/g), ([, name]) => name),
    ).toEqual([`Person 0, ${numberOf(0)}`, "Ann Weber", nameless]);
    const id = await started(customer);
    await world.settle();
    const page = await admin.get(`${root}/campaigns/${id}`);
    expect(Array.from(page.body.matchAll(/id="contact-[^>]*>([^<]*)/g), ([, name]) => name)).toEqual([
      numberOf(0),
      "Ann Weber",
      nameless,
    ]);
  });
});

describe("Campaign list", () => {
  it("The empty list of campaigns suggests the next step", async () => {
    const { admin, root } = await office();
    const empty = await admin.get(`${root}/campaigns`);
    expect(empty.status).toBe(200);
    expect(empty.body).toContain("No campaigns yet");
    expect(empty.body).toContain(`href="${root}/campaigns/new"`);
  });

  it("The list of campaigns shows results, in pages with the newest campaign first", async () => {
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

describe("Campaign page", () => {
  it("A campaign page polls until the campaign has ended", async () => {
    const { world, customer, admin, root } = await office();
    const id = await started(customer, { name: "Watched" });
    const running = await admin.get(`${root}/campaigns/${id}`);
    expect(running.body).toContain('data-poll="2"');
    expect(textOf(running)).toMatch(/Running 0 of 3 done/);
    await world.settle();
    const settling = await admin.get(`${root}/campaigns/${id}`);
    expect(settling.body).toContain('data-poll="5"');
    expect(textOf(settling)).toContain("Sending has ended.");
    world.advance(60_001);
    const over = await admin.get(`${root}/campaigns/${id}`);
    expect(over.body).not.toContain("data-poll");
    expect(textOf(over)).toMatch(/Completed 3 of 3 done/);
    expect(over.body).toContain('aria-label="Read 100 %"');
    expect(over.body).not.toContain("Cancel campaign");
  });

  it("A campaign can be paused, resumed and cancelled in the console, and the page explains what cancelling does", async () => {
    const { world, customer, admin, root, post } = await office();
    const id = await started(customer);
    const at = `${root}/campaigns/${id}`;
    expect((await post(`/campaigns/${id}/pause`)).headers.get("Location")).toBe(at);
    const paused = await admin.get(at);
    expect(textOf(paused)).toContain("Campaign paused. Sending stops within two seconds.");
    expect(textOf(paused)).toContain("3 people have not received it yet and will be skipped.");
    expect(await campaign(customer, id)).toMatchObject({ status: "paused" });
    await post(`/campaigns/${id}/resume`);
    expect(await campaign(customer, id)).toMatchObject({ status: "running" });
    await post(`/campaigns/${id}/cancel`);
    expect(await campaign(customer, id)).toMatchObject({ status: "cancelled", counts: { skipped: 3 } });
    await world.settle();
    expect(textOf(await admin.get(`${at}?state=skipped`))).toContain(
      "The campaign was cancelled before its recipients were selected.",
    );
    const late = await admin.post(`${at}/resume`, {}, { headers: { Referer: `http://tidings.test${at}` } });
    expect(late.headers.get("Location")).toBe(at);
    expect(textOf(await admin.get(at))).toContain("A campaign that is cancelled cannot be resumed.");
  });

  it("The progress of a cancelled campaign does not count skipped recipients as sent", async () => {
    const { world, customer, admin, root } = await office({ people: 4 });
    const id = await started(customer, { send_before: new Date(Date.now() + HOUR).toISOString() });
    await customer.call("POST", `/campaigns/${id}/cancel`);
    await world.settle();
    const page = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(page)).toMatch(/Cancelled 0 of 4 sent before it was cancelled/);
    expect(page.body).toContain('role="img" aria-label="Skipped 100 %"');
    expect((await admin.get(`${root}/campaigns`)).body).toMatch(/<progress aria-label="Progress of [^"]*" value="0"/);
  });

  it("A campaign that failed because its tag was deleted suggests duplicating the campaign", async () => {
    const { world, customer, admin, root } = await office();
    const { tag } = (await customer.call("POST", "/tags", { name: "VIP" })).body;
    await customer.call("POST", "/contacts", { phone: numberOf(0), tags: ["VIP"] });
    const at = Date.now() + HOUR;
    const id = await started(customer, { scheduled_at: new Date(at).toISOString(), filter_tags: ["VIP"] });
    await customer.call("DELETE", `/tags/${tag.id}`);
    world.setTime(at);
    await world.alarms.ringDue();
    await world.settle();
    const page = textOf(await admin.get(`${root}/campaigns/${id}`));
    expect(page).toContain(
      "A segment or tag of the audience was deleted. Duplicate the campaign with another audience.",
    );
    expect(page).not.toContain("resume");
  });

  it("The recipients of a campaign are listed by state with reasons and links", async () => {
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
    expect(textOf(await admin.get(`${at}?state=unknown`))).toContain("No recipients with the state “unknown”.");
    const first = await admin.get(`${at}?limit=1`);
    expect(first.body).toMatch(/href="[^"]*cursor=[^"]*" rel="next"/);
  });

  it("A campaign page explains why sending stopped, and shows the audience and the text", async () => {
    const { world, customer, admin, root } = await office();
    await customer.call("POST", "/contacts", { phone: numberOf(70), name: "Vera", tags: ["VIP", "Gold"] });
    const scheduled_at = new Date(Date.now() + HOUR).toISOString();
    const audience = { filter_tags: ["VIP", "Gold"], filter_tags_mode: "any", filter_status: "new" };
    const id = await started(customer, { body: "Hello {{1}}", variables: ["{{name|you}}"], scheduled_at, ...audience });
    const waiting = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(waiting)).toContain("Contacts tagged “VIP” or “Gold”, with status New");
    expect(textOf(waiting)).toMatch(/\{\{1\}\} “\{\{name\|you\}\}”/);
    world.advance(49 * HOUR);
    await world.cron();
    await world.settle();
    const page = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(page)).toContain("The campaign was more than a day late");
  });
});

describe("Access to campaigns", () => {
  const pages = ["/campaigns", "/campaigns/new"];
  const posts = ["/campaigns/new", "/campaigns/preview", "/campaigns/start"];

  it("Admins and owners see campaigns, and agents do not", async () => {
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

  it("A form from another site does not change a campaign", async () => {
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

  it("A member cannot see or change campaigns of another workspace", async () => {
    const mine = await office();
    const theirs = await mine.world.customer();
    await addPeople(theirs, 1);
    const id = await started(theirs);
    const page = await mine.admin.get(`${mine.root}/campaigns/${id}`);
    expect(page.status).toBe(404);
    expect(page.body).toContain("Page not found");
    await mine.admin.get(`${mine.root}/campaigns`);
    expect((await mine.post(`/campaigns/${id}/cancel`)).status).toBe(303);
    expect(await campaign(theirs, id)).toMatchObject({ status: "running" });
    const template = await createTemplate(theirs, "Theirs");
    const refused = await mine.post("/campaigns/preview", { ...mine.order, template_id: template });
    expect(faultOf(refused, "template_id")).toBe("This template was deleted. Choose another template.");
    const through = await mine.post("/campaigns/preview", {
      ...mine.order,
      channel: `unofficial ${theirs.connectionId}`,
    });
    expect(through.status).toBe(404);
  });
});
