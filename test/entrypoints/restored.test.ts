import { afterEach, expect, test, vi } from "vitest";
import { raiseFieldVersions, settleDueMessages, skipSentEvents, stopCampaigns } from "../../scripts/deploy/restored.ts";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, change, differences, recipientsOf, started } from "../support/campaigns.ts";
import { override } from "../support/override.ts";
import { draftOf, patch } from "../support/drafts.ts";
import { hookUp, objectIdsOf, startReceiving, tellOf } from "../support/receiver.ts";
import { onShard } from "../support/storage.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

afterEach(() => {
  vi.restoreAllMocks();
});

const ofCampaign = "campaign_id IN (SELECT id FROM campaigns WHERE workspace_id = ?)";
/** The tables are in an order in which their rows can be deleted. */
const tables: Record<string, string> = {
  leases: ofCampaign,
  tallies: ofCampaign,
  ...ofWorkspace("messages", "campaigns", "event_chunks"),
};

function ofWorkspace(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, "workspace_id = ?"]));
}

/** Stores the customer's current rows. The returned function restores them. */
async function snapshotOf(customer: Customer, conditions = tables): Promise<() => Promise<void>> {
  const { workspaceId } = customer;
  const stored = await Promise.all(
    Object.entries(conditions).map(async ([table, condition]) => ({
      table,
      rows: await onShard(customer, `SELECT * FROM ${table} WHERE ${condition}`, workspaceId),
    })),
  );
  return async () => {
    for (const [table, condition] of Object.entries(conditions))
      await onShard(customer, `DELETE FROM ${table} WHERE ${condition}`, workspaceId);
    for (const { table, rows } of stored)
      for (const row of rows) {
        const names = Object.keys(row);
        const values = names.map(() => "?").join();
        await onShard(
          customer,
          `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${values})`,
          ...Object.values(row),
        );
      }
  };
}

/** Runs statements of `npm run db:restored`. Returns how many rows the last statement changed. */
async function run(customer: Customer, statements: string[]): Promise<unknown> {
  for (const statement of statements) await onShard(customer, statement);
  return (await onShard(customer, "SELECT changes() AS count"))[0]?.["count"];
}

test("After a restore, no message is sent a second time, and new messages and their events are sent", async () => {
  const { world, customer, receiver } = await startReceiving();
  await hookUp(customer, receiver, { types: ["message.*"] });
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 10 });
  await addPeople(customer, 40);
  const running = await started(customer, { body: "Hello" });
  await world.settle({ withinMs: 1000 });
  world.env.SENDING = "off";
  const sent = await Promise.all([1, 2, 3].map(async () => (await customer.send(phoneEnding("1234"))).body.message_id));
  const soon = new Date(Date.now() + MINUTE_MS).toISOString();
  const later = { to: phoneEnding("1234"), text: "Later", send_at: soon };
  sent.push((await customer.call("POST", "/messages", later)).body.message_id);
  const scheduled = await started(customer, { body: "Hello again", scheduled_at: soon });
  world.env.SENDING = "on";

  // The snapshot is made during a call to the provider, while a message is claimed or a lease is open.
  const calls: string[] = [];
  const send = sandbox.send.bind(sandbox);
  const taken: { at: number; snapshot?: ReturnType<typeof snapshotOf> } = { at: 0 };
  vi.spyOn(sandbox, "send").mockImplementation(async (connection, message, io) => {
    calls.push(message.id);
    taken.at ||= Date.now();
    await (taken.snapshot ??= snapshotOf(customer));
    return send(connection, message, io);
  });
  await world.settle({ withinMs: 5 * MINUTE_MS });
  await world.cron();
  await world.settle();
  expect(calls).toEqual(expect.arrayContaining(sent));
  expect(await campaign(customer, scheduled)).toMatchObject({ status: "completed" });

  world.env.SENDING = "off";
  world.advance(HOUR_MS);
  await (
    await taken.snapshot
  )?.();
  expect(await campaign(customer, running)).toMatchObject({ status: "running" });
  const restored = { at: taken.at, now: Date.now() };
  const accepted = (await customer.send(phoneEnding("1234"))).body.message_id;
  expect(await run(customer, stopCampaigns(restored))).toBe(2);
  expect(await run(customer, settleDueMessages(restored))).toBe(4);
  expect(await run(customer, stopCampaigns(restored))).toBe(0);
  expect(await run(customer, settleDueMessages(restored))).toBe(0);
  for (let minute = 0; minute < 3; minute++) {
    world.advance(MINUTE_MS);
    await world.cron();
    await world.settle({ withinMs: MINUTE_MS });
  }
  const before = receiver.received.length;
  world.env.SENDING = "on";
  await world.cron();
  await world.settle({ copies: 2 });

  expect(calls).toHaveLength(new Set(calls).size);
  expect(calls.at(-1)).toBe(accepted);
  for (const id of sent)
    expect(await customer.message(id)).toMatchObject({
      delivery: "unknown",
      error: { code: "restored", message: expect.stringContaining("restored") },
    });
  expect(await campaign(customer, running)).toMatchObject({ status: "paused", last_error: "restored" });
  expect(await campaign(customer, scheduled)).toMatchObject({ status: "draft", last_error: "restored" });
  const unknown = await recipientsOf(customer, running, "unknown");
  expect(unknown.length).toBeGreaterThan(0);
  expect(await differences(customer, running)).toEqual({});
  const events = receiver.events.slice(before);
  expect(events.filter(({ type, object_id: id }) => type === "message.sent" && id === accepted)).toHaveLength(1);
  const { body } = await customer.call("GET", "/events?types=message.unknown,campaign.paused,campaign.updated");
  expect(body.events.map(({ object_id: id }: { object_id: string }) => id)).toEqual(
    expect.arrayContaining([...sent, running, scheduled]),
  );
  await change(customer, running, "cancel");
});

test("After a restore, a campaign that was started, resumed or moved to an earlier time after the backup does not start by itself", async () => {
  const { world, customer } = await startReceiving();
  await addPeople(customer, 3);
  const later = { scheduled_at: new Date(Date.now() + 3 * HOUR_MS).toISOString() };
  const [scheduled, paused] = [await started(customer, later), await started(customer)];
  await change(customer, paused, "pause");
  const draft = await draftOf(customer);
  await patch(customer, draft, { scheduled_at: null });
  const restore = await snapshotOf(customer);
  const at = Date.now();

  world.advance(MINUTE_MS);
  await patch(customer, scheduled, { scheduled_at: new Date(Date.now() + MINUTE_MS).toISOString() });
  await change(customer, paused, "resume");
  await customer.call("POST", `/campaigns/${draft}/start`);
  await world.settle({ withinMs: 10 * MINUTE_MS });
  const sent = await customer.outbox("?limit=100");
  expect(sent).toHaveLength(9);

  world.env.SENDING = "off";
  await restore();
  const restored = { at, now: Date.now() };
  expect(await run(customer, stopCampaigns(restored))).toBe(3);
  expect(await run(customer, stopCampaigns(restored))).toBe(0);
  world.env.SENDING = "on";
  await world.settle({ withinMs: 5 * HOUR_MS });
  await world.cron();
  await world.settle();
  expect(await customer.outbox("?limit=100")).toHaveLength(sent.length);
  for (const [id, status] of [
    [scheduled, "draft"],
    [paused, "paused"],
    [draft, "draft"],
  ])
    expect(await campaign(customer, String(id))).toMatchObject({ status, last_error: "restored" });
  const { body } = await customer.call("GET", "/events?types=campaign.updated&limit=100");
  expect(
    body.events.filter(({ changes }: { changes?: object }) => JSON.stringify(changes).includes("restored")),
  ).toHaveLength(3);

  expect((await customer.call("POST", `/campaigns/${draft}/start`)).status).toBe(200);
  await world.settle({ withinMs: MINUTE_MS });
  expect(await campaign(customer, draft)).toMatchObject({ status: "completed", last_error: null });
});

test("If a backup is restored in another account, webhooks receive only events that are logged after the restore", async () => {
  const { world, customer, receiver } = await startReceiving();
  await hookUp(customer, receiver);
  await tellOf(customer, ["ct_sent", "ct_sent_too"]);
  await world.settle({ withinMs: 0 });
  const before = receiver.received.length;
  // The objects of another account are new: they have no position in the log.
  const objects = world.env.WEBHOOK_SENDER;
  world.env.WEBHOOK_SENDER = override(objects, { getByName: (name: string) => objects.getByName(`${name}, new`) });
  const restored = { at: Date.now(), now: Date.now() };
  world.advance(HOUR_MS);
  expect(await run(customer, skipSentEvents(restored))).toBeGreaterThan(0);
  await tellOf(customer, ["ct_new"]);
  await world.cron();
  await world.settle({ withinMs: MINUTE_MS });
  await run(customer, skipSentEvents(restored));
  await tellOf(customer, ["ct_last"]);
  await world.settle({ withinMs: MINUTE_MS });
  expect(objectIdsOf(receiver.events.slice(before))).toEqual(["ct_new", "ct_last"]);
});

test("After a restore, custom fields that were cached in the lost time are not used, even after as many changes as in that time", async () => {
  const { customer } = await startReceiving();
  const options = ["a", "b"];
  const field = { field_key: "plan", label: "Plan", type: "select", options };
  const { id } = (await customer.call("POST", "/custom-fields", field)).body.custom_field;
  const removeAllBut = (kept: string) => customer.call("PATCH", `/custom-fields/${id}`, { options: [kept] });
  const importWith = (plan: string) =>
    customer.call("POST", "/contacts", { phone: phoneEnding("1234"), custom_fields: { plan } });
  const version = async () =>
    (await onShard(customer, "SELECT version FROM contact_layouts WHERE workspace_id = ?", customer.workspaceId))[0];
  const restore = await snapshotOf(customer, ofWorkspace("custom_fields", "contact_layouts"));

  expect((await removeAllBut("a")).status).toBe(200);
  // The isolate now has the fields of the lost time in its cache.
  expect((await importWith("a")).status).toBe(201);
  const lost = await version();
  await restore();
  expect(await version()).not.toEqual(lost);
  const now = Date.now();
  expect(await run(customer, raiseFieldVersions({ now }))).toBeGreaterThan(0);
  expect(await run(customer, raiseFieldVersions({ now }))).toBe(0);
  expect((await removeAllBut("b")).status).toBe(200);
  expect((await importWith("a")).body.error?.details).toMatchObject([{ path: "custom_fields.plan" }]);
  expect((await importWith("b")).status).toBe(201);
});
