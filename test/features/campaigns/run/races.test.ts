import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import {
  campaign,
  campaignOf,
  change,
  customerWith,
  differences,
  numberOf,
  recipientsOf,
  started,
  advanceJob,
} from "../../../support/campaigns.ts";
import { recordedWorld } from "../../../support/recording.ts";
import { faultyWorld, onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding } from "../../../support/world.ts";
import { soon } from "../../../support/soon.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Returns the number of messages sent to each address. */
async function ledgerOf(customer: Customer) {
  const [row] = await onShard(
    customer,
    "SELECT count(*) AS handed, count(DISTINCT address) AS people FROM sandbox_deliveries WHERE connection_id = ?",
    customer.connectionId,
  );
  return row;
}

describe("send_before", () => {
  it("A lease makes no call after `send_before`, even if the provider is slow", async () => {
    const { world, customer } = await customerWith(60);
    const send = vi.spyOn(sandbox, "send").mockImplementation((_, { id }) => {
      world.advance(100);
      return Promise.resolve({ kind: "accepted", providerMessageId: id });
    });
    const id = await started(customer, { send_before: iso(Date.now() + 3000) });
    await world.settle();
    expect(send.mock.calls.length).toBeLessThanOrEqual(30);
    const sent = send.mock.calls.length;
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      counts: { sent, skipped: 60 - sent, pending: 0 },
    });
    expect((await recipientsOf(customer, id, "skipped")).map(({ reason }) => reason)).toEqual(
      Array.from({ length: 60 - sent }, () => "expired"),
    );
    expect(await differences(customer, id)).toEqual({});
  });

  it("At `send_before`, a campaign ends although a lease is open, and its messages in flight are counted when they end", async () => {
    const { world, customer } = await customerWith(200);
    const send = vi.spyOn(sandbox, "send").mockImplementation(() => new Promise(() => undefined));
    const id = await started(customer, { send_before: iso(Date.now() + 5000) });
    void world.settle({ withinMs: 100 });
    await soon(() => expect(send).toHaveBeenCalled());
    const [open] = await onShard(customer, "SELECT sum(hi - lo) AS n FROM leases WHERE campaign_id = ?", id);
    const n = Number(open?.["n"]);
    world.advance(5000);
    await world.queues.binding("tidings-expand").send(await advanceJob(customer, id));
    await world.queues.deliverDue(world.env);
    expect(await campaign(customer, id)).toMatchObject({
      status: "completed",
      counts: { pending: n, skipped: 200 - n },
    });
    expect(await differences(customer, id)).toEqual({});
    world.advance(120_000);
    await world.cron();
    await world.queues.deliverDue(world.env);
    expect((await campaign(customer, id)).counts).toMatchObject({ pending: 0, unknown: n, skipped: 200 - n });
    expect(await differences(customer, id)).toEqual({});
  });
});

describe("Campaigns that cannot continue", () => {
  it("A campaign pauses if its messages fail after six attempts each", { tags: "long" }, async () => {
    const { world, customer } = await customerWith(30);
    const error = { code: "provider_unreachable", message: "Busy.", providerCode: "2" } as const;
    vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "retry", error });
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "provider_unreachable" });
  });

  it("A campaign pauses without losing recipients if its connection's secrets cannot be decrypted", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { world, customer } = await customerWith(40);
    const where = "UPDATE connections SET secrets = ? WHERE id = ?";
    await onShard(customer, where, '{"key":{"sealed":"lost","hint":""}}', customer.connectionId);
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({
      status: "paused",
      last_error: "connection_unavailable",
      counts: { pending: 40 },
    });
    await onShard(customer, where, "{}", customer.connectionId);
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 40 } });
    expect(await ledgerOf(customer)).toEqual({ handed: 40, people: 40 });
  });

  it("A campaign pauses if a sync has removed its template, and continues after the template returns", async () => {
    const { world, customer } = await customerWith(30);
    const id = await started(customer);
    await onShard(customer, "UPDATE templates SET workspace_id = 'gone' WHERE workspace_id = ?", customer.workspaceId);
    const [row] = await onShard(customer, "SELECT template_id FROM campaigns WHERE id = ?", id);
    await onShard(customer, "UPDATE campaigns SET template_id = 'tpl_gone' WHERE id = ?", id);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "template_not_approved" });
    await onShard(customer, "UPDATE campaigns SET template_id = ? WHERE id = ?", row?.["template_id"], id);
    await onShard(customer, "UPDATE templates SET workspace_id = ? WHERE workspace_id = 'gone'", customer.workspaceId);
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 30 } });
  });
});

describe("Lost responses of the database", () => {
  const lost = (sql: RegExp) => async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { world, faults } = faultyWorld();
    const { customer } = await customerWith(40, world);
    const id = await started(customer);
    faults.next(sql, "after");
    await world.settle();
    expect(faults.spent).toBe(true);
    for (let minute = 0; minute < 4; minute++) {
      world.advance(60_000);
      await world.cron();
      await world.settle();
    }
    const ledger = await ledgerOf(customer);
    expect(ledger?.["handed"]).toBe(ledger?.["people"]);
    const { status, counts } = await campaign(customer, id);
    expect(status).toBe("completed");
    expect(counts.read + counts.unknown).toBe(40);
    expect(await differences(customer, id)).toEqual({});
    return counts;
  };

  it("An audience expansion adds no recipient twice if the database's response is lost after the commit", async () => {
    expect(await lost(/INSERT INTO messages[^]*row_number/)()).toMatchObject({ read: 40 });
  });

  it("A lease becomes `unknown` and sends nothing if the database's response to its claim is lost after the commit", async () => {
    expect((await lost(/INSERT INTO leases/)()).unknown).toBeGreaterThan(0);
  });

  it(
    "If the database's response to a settlement is lost after the commit, the settlement is not applied twice",
    { tags: "long" },
    async () => {
      expect(await lost(/update "leases" set "settled_at"[^]*holder/)()).toMatchObject({ read: 40 });
    },
  );
});

describe("Repeated starts", () => {
  it("A repeated start with the same Idempotency-Key returns the scheduled campaign, even after its time", async () => {
    const { world, customer } = await customerWith(3);
    const body = await campaignOf(customer, { scheduled_at: iso(Date.now() + HOUR) });
    const ask = () => customer.call("POST", "/campaigns", body, { headers: { "Idempotency-Key": "spring" } });
    const first = await ask();
    await world.settle({ withinMs: 2 * HOUR });
    const repeated = await ask();
    expect([repeated.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.body.status).toBe("scheduled");
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toHaveLength(1);
  });

  it("A repeated start takes effect once if the first response was lost after the commit", async () => {
    const { world, faults } = faultyWorld();
    const { customer } = await customerWith(3, world);
    const body = await campaignOf(customer);
    const ask = () => customer.call("POST", "/campaigns", body, { headers: { "Idempotency-Key": "spring" } });
    vi.spyOn(console, "error").mockReturnValue();
    faults.next(/insert into "campaigns"/, "after");
    expect((await ask()).status).toBeGreaterThanOrEqual(500);
    expect((await ask()).status).toBe(201);
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toMatchObject([{ counts: { read: 3 } }]);
  });
});

it("A message that waits for a retry is not sent after its campaign was cancelled", async () => {
  const { world, customer } = await customerWith(0);
  await customer.call("POST", "/contacts", { phone: phoneEnding("0002") });
  await customer.call("POST", "/contacts", { phone: numberOf(1) });
  const id = await started(customer, { body: "Hello" });
  await world.settle({ withinMs: 2500 });
  const [waiting] = await recipientsOf(customer, id, "pending");
  expect((await customer.message(waiting.message_id)).delivery).toBe("queued");
  await change(customer, id, "cancel");
  await world.settle();
  expect((await customer.call("GET", `/messages/${waiting.message_id}`)).status).toBe(404);
  expect(await recipientsOf(customer, id, "skipped")).toMatchObject([{ reason: "cancelled", message_id: null }]);
  expect(await differences(customer, id)).toEqual({});
});

it("The largest campaign filter stays within the limit of parameters per statement", async () => {
  const { world, recording } = recordedWorld();
  const { customer } = await customerWith(2, world);
  await customer.call("POST", "/custom-fields", { field_key: "score", label: "Score", type: "number" });
  const widest = { field: "custom_fields.score", op: "between", value: [1, 2] };
  const filter = {
    match: "any",
    conditions: [...Array.from({ length: 19 }, () => widest), { field: "name", op: "is_set" }],
  };
  const segment_id = (await customer.call("POST", "/segments", { name: "Wide", filter })).body.segment.id;
  const wide = { segment_id, filter_status: "new", filter_tags: ["VIP"], filter_tags_mode: "any" };
  await customer.call("POST", "/contacts", { phone: numberOf(9), name: "Ada", tags: ["VIP"] });
  recording.take();
  await customer.call("POST", "/campaigns/preview", await campaignOf(customer, wide));
  const id = await started(customer, wide);
  await world.settle();
  expect((await campaign(customer, id)).counts.read).toBe(1);
  expect(Math.max(...recording.take().map(({ values }) => values.length))).toBeLessThanOrEqual(100);
});
