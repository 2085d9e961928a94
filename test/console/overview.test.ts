import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { addPeople, started } from "../support/campaigns.ts";
import { textOf } from "../support/page-text.ts";
import { recordedWorld } from "../support/recording.ts";
import { onShard } from "../support/storage.ts";
import type { Role } from "../../src/shared/access/actor.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const NOON = Date.UTC(2037, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeEach(() => {
  stopClock();
  vi.setSystemTime(NOON);
});

const overview = async (customer: Customer, role: Role = "admin", query = "") =>
  (await customer.member(role)).get(`/console/${customer.workspaceId}/overview${query}`);

/** Returns the table below a chart: for each column, its values by day. */
function numbersOf({ body }: Answer, title: string): Record<string, Record<string, string>> {
  const table = new RegExp(`<caption class="unseen">${title}<[^]*?</table>`).exec(body)?.[0] ?? "";
  const rows = Array.from(table.matchAll(/<tr>(<td[^]*?)<\/tr>/g), ([, row = ""]) =>
    Object.fromEntries(
      Array.from(row.matchAll(/data-label="([^"]*)"[^>]*>([^<]*)/g), ([, name = "", value = ""]) => [name, value]),
    ),
  );
  return Object.fromEntries(rows.map(({ Day: day = "", Week: week = day, ...counts }) => [week, counts]));
}

describe("Charts of the overview", () => {
  it("The overview has charts of messages and their outcomes by day, with campaigns", async () => {
    const customer = await new World().customer();
    const ada = phoneEnding("1234");
    vi.setSystemTime(NOON - 2 * DAY);
    await customer.send(ada);
    await customer.world.settle();
    await customer.receive(ada, "Thanks");
    vi.setSystemTime(NOON - HOUR);
    await addPeople(customer, 3);
    await started(customer, { name: "Spring sale" });
    await customer.world.settle();
    vi.setSystemTime(NOON);
    const page = await overview(customer, "admin", "?days=7");
    const sent = numbersOf(page, "Messages");
    expect(Object.keys(sent)).toHaveLength(7);
    expect(sent["19 Nov"]).toEqual({ Received: "1", "Sent individually": "1", "Sent by campaigns": "0" });
    expect(sent["21 Nov"]).toMatchObject({ "Sent individually": "0", "Sent by campaigns": "3" });
    expect(numbersOf(page, "Delivered, read and failed")["21 Nov"]).toEqual({ Delivered: "3", Read: "3", Failed: "1" });
    expect(page.body).toContain("/settings/events?types=message.received%2Cmessage.sent");
  });

  it("The charts of the overview use the workspace's time zone, and weeks for long periods", async () => {
    const customer = await new World().customer();
    await customer.manage("PATCH", "", { time_zone: "Asia/Tokyo" });
    vi.setSystemTime(NOON + 4 * HOUR);
    await customer.receive(phoneEnding("1234"), "STOP");
    const page = await overview(customer, "admin", "?days=30");
    expect(numbersOf(page, "Opt-outs")["22 Nov"]).toMatchObject({ Unsubscribed: "1" });
    expect(textOf(page)).toContain("Days are in Asia/Tokyo.");
    const quarter = numbersOf(await overview(customer, "admin", "?days=90"), "Opt-outs");
    expect(Object.keys(quarter)).toHaveLength(13);
    expect(Object.values(quarter).at(-1)).toMatchObject({ Unsubscribed: "1" });
    expect((await overview(customer, "admin", "?days=8")).status).toBe(400);
  });

  it("The overview shows response times and the usage of each API key", async () => {
    const customer = await new World().customer();
    const ada = phoneEnding("1234");
    await customer.receive(ada, "Hello?");
    customer.world.advance(8 * 60_000);
    await customer.send(ada);
    await customer.call("GET", "/nowhere");
    const page = await overview(customer);
    const text = textOf(page);
    expect(text).toMatch(/1 by software half within \d+ min, 90% within 10 min/);
    expect(text).toMatch(/Test \(\w{4}\) 2 2 1 1/);
    expect(page.body).toContain(`/settings/requests?key_id=${customer.keyId}&amp;status=4xx`);
  });
});

describe("To-do lists of the overview", () => {
  it("The overview lists unanswered people, longest first", async () => {
    const customer = await new World().customer();
    for (const [text, waited] of [
      ["First", 3 * DAY],
      ["Second", 2 * HOUR],
      ["Third", 60_000],
    ] as const) {
      vi.setSystemTime(NOON - waited);
      await customer.receive(phoneEnding("1234"), text, `Ada ${text}`);
    }
    vi.setSystemTime(NOON);
    const page = await overview(customer);
    const text = textOf(page);
    expect(text).toContain("3 unanswered conversations, 2 over an hour, 1 over a day.");
    expect(text).toMatch(/Ada First First [^.]+ 3 days Ada Second Second [^.]+ 2 h Ada Third Third [^.]+ 1 min/);
    expect(page.body).toMatch(/<a href="[^"]*\/inbox\/cnv_[^"]*">Ada First<\/a>/);

    await customer.receive("user.without-a-number", "Fourth");
    await onShard(customer, "UPDATE contact_identities SET username = '@zoe' WHERE username IS NULL");
    expect(textOf(await overview(customer))).toContain("@zoe Fourth");
  });

  it("The overview lists connections, webhooks, campaigns, jobs and events that stopped and need a person's attention", async () => {
    const customer = await new World().customer();
    const { workspaceId, connectionId } = customer;
    await addPeople(customer, 1);
    const campaignId = await started(customer, { name: "Spring sale" });
    await customer.call("POST", "/webhooks", {
      url: "https://hooks.example.org/a",
      types: ["*"],
      description: "Orders",
    });
    expect(textOf(await overview(customer))).not.toContain("Needs attention");
    const set = (sql: string, ...values: unknown[]) => onShard(customer, sql, ...values);
    await set(
      "UPDATE connections SET status = 'error', status_detail = 'The token has expired.' WHERE id = ?",
      connectionId,
    );
    await set("UPDATE campaigns SET status = 'paused', last_error = 'consecutive_failures' WHERE id = ?", campaignId);
    await set(
      "UPDATE webhooks SET status = 'disabled', status_reason = 'It answered 410.' WHERE workspace_id = ?",
      workspaceId,
    );
    await set(
      `INSERT INTO jobs (id, workspace_id, workspace_number, action, target, change, actor, status, cursor, total, created_at)
       VALUES ('job_1', ?, 1, 'add_tags', '[]', '{}', '{}', 'failed', 0, 0, ?)`,
      workspaceId,
      NOON,
    );
    await set(
      "INSERT INTO dead_letters (id, workspace_id, queue, reason, payload, created_at) VALUES ('1', ?, 'tidings-events', 'x', '{}', ?)",
      workspaceId,
      NOON,
    );
    const text = textOf(await overview(customer));
    for (const said of [
      "The token has expired.",
      "Orders Disabled Deliveries have stopped. It answered 410.",
      "Spring sale Paused automatically",
      "Adding tags Stopped Stopped before all contacts were edited",
      "1 provider events Not processed",
    ])
      expect(text).toContain(said);
  });
});

describe("First steps", () => {
  it("Each onboarding step is ticked automatically, and the list disappears when all steps are done", async () => {
    const world = new World();
    const customer = await world.customer();
    const admin = await customer.member("owner");
    const at = `/console/${customer.workspaceId}/overview`;
    const look = async () => textOf(await admin.get(at));
    expect(await look()).toContain("1 of 7 done");
    const to = phoneEnding("1234");
    const { contact } = (await customer.call("POST", "/contacts", { phone: to })).body;
    expect(await look()).toContain("2 of 7 done");
    expect((await customer.call("POST", "/conversations", { contact_id: contact.id })).status).toBe(201);
    expect(await look()).toContain("2 of 7 done");
    await customer.send(to);
    await customer.call("POST", "/templates", { name: "Greeting", body: "Hello" });
    await customer.call("POST", "/webhooks", { url: "https://hooks.example.org/a", types: ["*"] });
    await customer.member("agent");
    expect(await look()).toContain("6 of 7 done");
    await world.env.DB.prepare("UPDATE api_keys SET last_used_at = 1 WHERE id = ?").bind(customer.keyId).run();
    expect(await look()).not.toContain("First steps");
  });

  it("The onboarding steps can be hidden for all members, and shown again in the settings", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const at = `/console/${customer.workspaceId}`;
    await admin.get(`${at}/overview`);
    expect((await admin.post(`${at}/overview/steps`, { hidden: "true" })).status).toBe(303);
    expect(textOf(await overview(customer, "admin"))).not.toContain("First steps");
    expect((await admin.get(`${at}/settings/workspace`)).body).toContain("Show first steps");
    await admin.post(`${at}/overview/steps`, { hidden: "false" });
    expect(textOf(await admin.get(`${at}/overview`))).toContain("First steps");
  });
});

describe("Overview", () => {
  it("The overview shows figures with links, and active campaigns", async () => {
    const customer = await new World().customer();
    await addPeople(customer, 3);
    await customer.receive(phoneEnding("1234"), "Hi", "Ada");
    await started(customer, { name: "Spring sale" });
    await started(customer, { name: "Later", scheduled_at: new Date(NOON + DAY).toISOString() });
    const text = textOf(await overview(customer));
    expect(text).toMatch(/1 open conversation 1 unread 1 running campaign 1 of 1 connections active/);
    expect(text).toMatch(/Spring sale Running 0 of 4/);
    expect(text).toMatch(/Later Scheduled starts 22 Nov 2037, 12:00/);
  });

  it("The overview takes one query to the shard, one to the control database, and one more to store statistics", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const admin = await customer.member("admin");
    const at = `/console/${customer.workspaceId}/overview`;
    await admin.get(at);
    const tripsOf = async () => {
      recording.take();
      await admin.get(at);
      const ran = recording.take();
      return {
        trips: new Set(ran.map(({ trip }) => trip)).size,
        rows: ran.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      };
    };
    const still = await tripsOf();
    expect(still.trips).toBe(3); // One each for the session, the shard and the control database. Statistics and the unread count share a query.
    expect(still.rows).toBeLessThan(100);
    await customer.send(phoneEnding("1234"));
    expect((await tripsOf()).trips).toBe(4);
  });

  it("The overview is visible only to admins of the workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await theirs.receive(phoneEnding("1234"), "Secret", "Zoe Secret");
    await addPeople(theirs, 1);
    await started(theirs, { name: "Hidden" });
    expect((await overview(mine, "agent")).status).toBe(403);
    const text = textOf(await overview(mine));
    expect(text).not.toMatch(/Secret|Hidden/);
    expect(text).toContain("No activity in this period");
  });
});
