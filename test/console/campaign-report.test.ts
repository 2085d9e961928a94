import { beforeEach, describe, expect, it } from "vitest";
import { office } from "../support/campaign-pages.ts";
import { campaign, change, numberOf, started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { draftOf } from "../support/drafts.ts";
import { textOf } from "../support/page-text.ts";
import { onShard } from "../support/storage.ts";
import { phoneEnding } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

describe("Campaign report", () => {
  it("A campaign report shows a funnel, a chart with a table, reasons with advice, and contacts' names", async () => {
    const { world, customer, admin, root } = await office({ people: 3 });
    await customer.call("POST", "/contacts", { phone: phoneEnding("0001"), name: "Bo" });
    const id = await started(customer, { body: "Hi" });
    await world.settle();
    const page = await admin.get(`${root}/campaigns/${id}`);
    expect(textOf(page)).toMatch(/Recipients 4 Sent 3 75.0 % Delivered 3 75.0 % Read 3 75.0 %/);
    expect(page.body).toContain('aria-label="Messages per 10 minutes"');
    expect(textOf(page)).toMatch(/From Sent Delivered Read Failed .*3 3 3 1/);
    expect(textOf(page)).toMatch(/This number or user ID can't receive messages 1 Check the numbers/);
    expect(textOf(page)).toMatch(/Person 0 \+1415/);
    expect(page.body).toContain(`href="${root}/campaigns/${id}/recipients.csv"`);
    expect(page.body).not.toMatch(/ style=/);
    const file = await admin.get(`${root}/campaigns/${id}/recipients.csv?state=failed`);
    expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const [, bo, ...others] = String(file.body).trim().split("\r\n");
    expect(others).toEqual([]);
    expect(bo).toMatch(/,Bo,\+1 \d{3} \d{3} 0001,/); // with spaces, so that spreadsheets keep the plus
  });

  it("A campaign report compares its rates with earlier campaigns", async () => {
    const { world, customer, admin, root } = await office({ people: 4 });
    for (let n = 0; n < 3; n++) {
      await started(customer, { body: "Hi" });
      await world.settle();
      world.advance(1000);
    }
    const [first] = (await customer.call("GET", "/campaigns")).body.campaigns.toReversed();
    await onShard(customer, "UPDATE tallies SET read = 2, delivered = 2 WHERE campaign_id <> ?", first.campaign_id);
    const id = await started(customer, { body: "Hi" });
    await world.settle();
    const page = textOf(await admin.get(`${root}/campaigns/${id}`));
    expect(page).toContain("Median of the last 3 completed campaigns");
    expect(page).toMatch(/Read 100 % 50.0 % 50 points more/);
    expect(page).toMatch(/Delivered 100 % 100 % the same/);
  });

  it("A campaign without sent messages shows its next step instead of a progress bar", async () => {
    const { world, customer, admin, root } = await office({ people: 3 });
    const scheduled = await started(customer, { scheduled_at: new Date(Date.now() + HOUR).toISOString() });
    const draft = await draftOf(customer);
    const expired = await started(customer, { send_before: new Date(Date.now() + HOUR).toISOString() });
    await change(customer, expired, "pause");
    world.advance(2 * HOUR);
    await world.cron();
    await world.settle();
    const failed = await started(customer, { scheduled_at: new Date(Date.now() + HOUR).toISOString() });
    await onShard(
      customer,
      "UPDATE templates SET status = 'REJECTED' WHERE id = (SELECT template_id FROM campaigns WHERE id = ?)",
      failed,
    );
    world.advance(HOUR);
    await world.settle();
    expect((await campaign(customer, failed)).status).toBe("failed");
    const [asDraft, asFailed] = [
      await admin.get(`${root}/campaigns/${draft}`),
      await admin.get(`${root}/campaigns/${failed}`),
    ];
    expect(textOf(asDraft)).toContain("Nothing is sent until you start it.");
    expect(textOf(asFailed)).toContain("Nothing was sent.");
    for (const page of [asDraft, asFailed]) expect(page.body).not.toContain("<progress");
    const asExpired = await admin.get(`${root}/campaigns/${expired}`);
    expect(textOf(asExpired)).toMatch(/Completed 0 of 3 sent, 3 skipped/);
    expect(asExpired.body).toContain('role="img" aria-label="Skipped 100 %"');
    expect((await campaign(customer, scheduled)).status).toBe("completed");
    const list = textOf(await admin.get(`${root}/campaigns`));
    expect(list).toMatch(/Draft nothing sent/);
    expect(list).toMatch(/Failed nothing sent/);
  });

  it("A paused campaign shows the cause, and completes if it is resumed after its `send_before`", async () => {
    const { world, customer, admin, root, post } = await office({ people: 3 });
    const id = await started(customer, { send_before: new Date(Date.now() + HOUR).toISOString() });
    await post(`/campaigns/${id}/pause`);
    await world.settle();
    const at = `${root}/campaigns/${id}`;
    await admin.get(at);
    expect(textOf(await admin.get(at))).toContain("Resume to continue with the 3 people");
    world.advance(2 * HOUR);
    await post(`/campaigns/${id}/resume`);
    expect(textOf(await admin.get(at))).toContain("Campaign completed.");
  });
});

describe("Drafts in the console", () => {
  it("A campaign draft is duplicated, edited, tested and started in the console", async () => {
    const { world, customer, admin, post } = await office({ people: 3 });
    const source = await started(customer, { name: "News", body: "Hi {{1}}", variables: ["{{name}}"] });
    await world.settle();
    const { headers } = await post(`/campaigns/${source}/duplicate`);
    const at = headers.get("Location") ?? "";
    expect(textOf(await admin.get(at))).toContain("News (copy)");
    const form = await admin.get(`${at}/edit`);
    expect(form.body).toContain('value="News (copy)"');
    expect(form.body).toContain("{{name}}");
    const id = at.split("/").at(-1) ?? "";
    const { template_id } = await campaign(customer, id);
    const order = { template_id, channel: `unofficial ${customer.connectionId}`, when: "now", "variables.1": "you" };
    const refused = await post(`/campaigns/${id}/edit`, { ...order, filter_status: "hot" });
    expect(textOf(refused)).toContain("No reachable contacts match.");
    expect((await post(`/campaigns/${id}/edit`, { ...order, name: "Again" })).headers.get("Location")).toBe(at);
    expect(await campaign(customer, id)).toMatchObject({ name: "Again", status: "draft", recipient_count: 3 });

    expect(textOf(await post(`/campaigns/${id}/test`, { to: "12" }))).toContain(
      "Must be a phone number in international format",
    );
    const to = phoneEnding("4321");
    expect((await post(`/campaigns/${id}/test`, { to })).headers.get("Location")).toBe(at);
    expect(textOf(await admin.get(at))).toContain(`Test to ${to} is on its way. Open conversation`);
    await post(`/campaigns/${source}/test`, { to });
    expect(textOf(await admin.get(at))).toContain("Samples were used for [name].");

    // The test message has created a contact, as every direct message does.
    const preview = await admin.get(`${at}/start`);
    expect(textOf(preview)).toMatch(/4 people will get this/);
    const [, once = ""] = /name="once" value="([^"]*)"/.exec(preview.body) ?? [];
    const [, fingerprint = ""] = /name="fingerprint" value="([^"]*)"/.exec(preview.body) ?? [];
    for (const recipients of ["2", "4", "4"]) await post(`/campaigns/${id}/start`, { recipients, fingerprint, once });
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 4 } });
    expect(textOf(await admin.get(at))).toContain("Completed 4 of 4 done");
    expect(textOf(await admin.get(`${at}/start`))).toContain("A campaign that is completed cannot be started.");
  });

  it("A campaign draft without a value for a variable opens its form instead of starting, and the form asks for the value", async () => {
    const { customer, admin, root } = await office({ people: 1 });
    const draft = await draftOf(customer, { variables: ["you"] });
    await onShard(customer, "UPDATE campaigns SET request = NULL, variables = 'null' WHERE id = ?", draft);
    const form = await admin.get(`${root}/campaigns/${draft}/start`);
    expect(textOf(form)).toContain("Enter a value for {{1}}.");
    expect(form.body).toMatch(/name="variables\.1" required/);
  });

  it("A scheduled campaign keeps its values when its form is saved unchanged", async () => {
    const { customer, admin, root, post } = await office({ people: 3 });
    await customer.call("POST", "/contacts", { phone: numberOf(70), tags: ["VIP"] });
    const scheduled_at = new Date(Date.now() + HOUR).toISOString();
    const id = await started(customer, { name: "Later", body: "Hi", scheduled_at, filter_tags: ["VIP"] });
    const before = await campaign(customer, id);
    const form = await admin.get(`${root}/campaigns/${id}/edit`);
    expect(form.body).toMatch(/name="filter_tags" value="VIP" checked/);
    const [, time = ""] = /name="scheduled_at"[^>]*value="([^"]*)"/.exec(form.body) ?? [];
    const sent = { template_id: before.template_id, channel: `unofficial ${customer.connectionId}`, when: "later" };
    await post(`/campaigns/${id}/edit`, { ...sent, name: "Later", scheduled_at: time, filter_tags: "VIP" });
    const after = await campaign(customer, id);
    expect(Math.abs(Date.parse(after.scheduled_at) - Date.parse(scheduled_at))).toBeLessThan(60_000);
    expect({ ...after, scheduled_at }).toEqual(before);
    expect(textOf(await post(`/campaigns/${id}/edit`, { ...sent, scheduled_at: "" }))).toContain(
      "Enter a date and a time.",
    );
  });
});

describe("Calendar", () => {
  const calendar = async (admin: Awaited<ReturnType<typeof office>>["admin"], root: string, month: string) =>
    textOf(await admin.get(`${root}/campaigns/calendar?month=${month}`));

  it("The calendar shows scheduled campaigns on the days of the workspace's time zone", async () => {
    const { customer, admin, root } = await office({ people: 1 });
    await customer.manage("PATCH", "", { time_zone: "Pacific/Auckland" });
    const next = new Date(Date.now() + 40 * 24 * HOUR).toISOString();
    const scheduled_at = `${next.slice(0, 7)}-15T20:30:00.000Z`;
    await started(customer, { name: "Later", scheduled_at });
    const page = await calendar(admin, root, next.slice(0, 7));
    expect(page).toMatch(/1 campaign this month/);
    expect(page).toMatch(/16 (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day 16 \w+ (08|09):30 Later/);
    expect(await calendar(admin, root, "2020-01")).toContain("No campaigns this month.");
    expect((await admin.get(`${root}/campaigns/calendar?month=2020-13`)).status).toBe(400);
  });

  it("The calendar shows a finished campaign on the day of its start", async () => {
    const { world, customer, admin, root } = await office({ people: 1 });
    await customer.manage("PATCH", "", { time_zone: "Pacific/Auckland" });
    const sent = await started(customer, { name: "Sent" });
    const cancelled = await started(customer, {
      name: "Called off",
      scheduled_at: new Date(Date.now() + HOUR).toISOString(),
    });
    await change(customer, cancelled, "cancel");
    await world.settle();
    const at = Date.parse("2026-03-31T20:30:00Z"); // April 1 in Auckland
    await onShard(
      customer,
      "UPDATE campaigns SET started_at = ?, scheduled_at = ? WHERE id = ?",
      at,
      at - HOUR * 24,
      sent,
    );
    const april = await calendar(admin, root, "2026-04");
    expect(april).toMatch(/1 campaign this month/);
    expect(april).toMatch(/1 Wednesday 1 April 09:30 Sent Completed/);
    expect(await calendar(admin, root, "2026-03")).toContain("No campaigns this month.");
    const scheduled = new Date(Date.now() + HOUR).toISOString().slice(0, 7);
    expect(await calendar(admin, root, scheduled)).not.toContain("Called off");
  });
});
