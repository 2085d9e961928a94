import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, change, numberOf, recipientsOf, started } from "../../../support/campaigns.ts";
import { onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const HOUR = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** A connection that sends ten messages per second, and a campaign to `people` contacts that has run for a second. */
async function underWay(people = 100) {
  const world = new World();
  const customer = await world.customer();
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 10 });
  await addPeople(customer, people);
  const id = await started(customer);
  await world.settle({ withinMs: 1000 });
  return { world, customer, id };
}

const total = (counts: object) => Object.values(counts).reduce((sum, count) => sum + count, 0);

describe("Pausing", () => {
  it(
    "A pause stops new sends within two seconds, and a resume sends one message to each remaining recipient",
    { tags: "long" },
    async () => {
      const { world, customer, id } = await underWay(40);
      expect((await change(customer, id, "pause")).body.campaign).toMatchObject({ status: "paused", last_error: null });
      const before = (await customer.outbox("?limit=100")).length;
      expect(before).toBeGreaterThan(0);
      await world.settle();
      world.advance(HOUR);
      await world.cron();
      await world.settle();
      expect(await customer.outbox("?limit=100")).toHaveLength(before);
      expect(await campaign(customer, id)).toMatchObject({ status: "paused", rate_per_second: null });
      expect((await change(customer, id, "resume")).body.campaign.status).toBe("running");
      await world.settle();
      expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 40, pending: 0 } });
      const to = (await customer.outbox("?limit=100")).map((delivery) => delivery.to);
      expect([to.length, new Set(to).size]).toEqual([40, 40]);
    },
  );

  it("Pausing a paused campaign or resuming a running one is not an error, and an Idempotency-Key makes each happen once", async () => {
    const { customer, id } = await underWay(20);
    for (const verb of ["pause", "pause", "resume", "resume"])
      expect((await change(customer, id, verb)).status).toBe(200);
    const key = { "Idempotency-Key": "once" };
    await change(customer, id, "pause", key);
    await change(customer, id, "resume");
    const replay = await change(customer, id, "pause", key);
    expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replay.body.campaign.status).toBe("paused");
    expect((await campaign(customer, id)).status).toBe("running");
  });
});

describe("Cancelling", () => {
  it("A cancellation skips the remaining recipients immediately without writing their rows, and sent messages are settled", async () => {
    const { world, customer, id } = await underWay();
    const rows = () => onShard(customer, "SELECT count(*) AS n FROM messages WHERE campaign_id = ? AND state = 0", id);
    const [waiting] = await rows();
    const answer = await change(customer, id, "cancel");
    expect(answer.body.campaign).toMatchObject({ status: "cancelled", completed_at: iso(Date.now()) });
    expect(answer.body.campaign.counts).toMatchObject({ pending: 0, skipped: waiting?.n });
    expect(await rows()).toEqual([waiting]);
    await world.settle();
    const { counts } = await campaign(customer, id);
    expect(counts).toMatchObject({ pending: 0, skipped: waiting?.n, read: 100 - Number(waiting?.n) });
    expect(total(counts)).toBe(100);
    const skipped = await recipientsOf(customer, id, "skipped");
    expect(skipped).toHaveLength(counts.skipped);
    expect(skipped[0]).toMatchObject({ reason: "cancelled", message_id: null });
    expect((await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences).toEqual({});
    const [row] = await onShard(customer, "SELECT id FROM messages WHERE campaign_id = ? AND state = 0 LIMIT 1", id);
    expect((await customer.call("GET", `/messages/${row?.id}`)).status).toBe(404);
    expect((await change(customer, id, "cancel")).status).toBe(200);
  });

  it("If a campaign is cancelled while its audience is expanded, the expansion ends, and the counts add up", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 20);
    const id = await started(customer);
    expect((await change(customer, id, "cancel")).body.campaign.counts).toMatchObject({ skipped: 20, pending: 0 });
    await world.settle();
    expect(await customer.outbox()).toEqual([]);
    expect((await customer.manage("POST", `/campaigns/${id}/reconcile`)).body.differences).toEqual({});
  });
});

describe("Transitions", () => {
  const reach: Record<string, (world: World, customer: Customer) => Promise<string>> = {
    scheduled: (_, customer) => started(customer, { scheduled_at: iso(Date.now() + HOUR) }),
    running: (_, customer) => started(customer),
    completed: async (world, customer) => {
      const id = await started(customer);
      await world.settle();
      return id;
    },
    cancelled: async (_, customer) => {
      const id = await started(customer);
      await change(customer, id, "cancel");
      return id;
    },
    failed: async (world, customer) => {
      const id = await started(customer, { scheduled_at: iso(Date.now() + HOUR) });
      world.advance(49 * HOUR);
      await world.cron();
      await world.settle();
      return id;
    },
  };

  it.each([
    ["scheduled", "pause", 409],
    ["scheduled", "resume", 409],
    ["scheduled", "cancel", 200],
    ["running", "resume", 200],
    ["running", "cancel", 200],
    ["completed", "pause", 409],
    ["completed", "resume", 409],
    ["completed", "cancel", 409],
    ["cancelled", "pause", 409],
    ["cancelled", "resume", 409],
    ["failed", "pause", 409],
    ["failed", "resume", 409],
    ["failed", "cancel", 409],
  ])("For a campaign that is %s, %s returns %i", async (status, verb, expected) => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 3);
    const id = (await reach[status]?.(world, customer)) ?? "";
    expect((await campaign(customer, id)).status).toBe(status);
    const answer = await change(customer, id, verb);
    expect(answer.status).toBe(expected);
    if (expected === 409) expect(answer.body.error).toMatchObject({ code: "invalid_state", details: { status } });
  });

  it("Pausing, resuming or cancelling an unknown campaign or one of another workspace returns 404", async () => {
    const world = new World();
    const [customer, other] = [await world.customer(), await world.customer()];
    await addPeople(other, 1);
    for (const id of ["cmp_none", await started(other)]) {
      for (const verb of ["pause", "resume", "cancel"]) {
        expect(await refusal(change(customer, id, verb))).toMatchObject([404, "not_found", null]);
      }
      expect(await refusal(customer.call("GET", `/campaigns/${id}/recipients`))).toMatchObject([
        404,
        "not_found",
        null,
      ]);
    }
  });
});

describe("Automatic pauses", () => {
  const refused = (extra: object) => () =>
    Promise.resolve({
      kind: "refused",
      error: { code: "rate_limited", message: "No.", providerCode: "1" },
      ...extra,
    } as const);

  it("If the provider's rejection applies to the whole campaign, the campaign pauses and tries no further recipients", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 60);
    const send = vi.spyOn(sandbox, "send").mockImplementation(refused({ pauses: "campaign" }));
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "rate_limited" });
    expect(send.mock.calls.length).toBeLessThan(50);
    send.mockRestore();
    await change(customer, id, "resume");
    await world.settle();
    const { counts, status, last_error } = await campaign(customer, id);
    expect({ status, last_error }).toEqual({ status: "completed", last_error: null });
    expect(counts.read + counts.failed).toBe(60);
  });

  it("A campaign pauses if its connection fails, and the message that revealed the failure is sent later", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 60);
    const error = { code: "provider_unreachable", message: "Session gone.", providerCode: "1" } as const;
    const notice = { status: "disconnected", detail: "The session is gone." } as const;
    const send = vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "retry", error, notice });
    const id = await started(customer);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "connection_unavailable" });
    send.mockRestore();
    await onShard(customer, "UPDATE connections SET status = 'active' WHERE id = ?", customer.connectionId);
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 60 } });
  });

  it("A campaign of 200 recipients pauses before 50 failures if the provider rejects every message", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 200);
    vi.spyOn(sandbox, "send").mockImplementation(refused({}));
    const id = await started(customer);
    await world.settle();
    const paused = await campaign(customer, id);
    expect(paused).toMatchObject({ status: "paused", last_error: "rate_limited" });
    expect(paused.counts.failed).toBeLessThan(50);
    expect(
      (await customer.call("GET", `/campaigns/${id}/recipients?state=failed&limit=1`)).body.recipients,
    ).toMatchObject([{ phone: numberOf(0), state: "failed", reason: "rate_limited" }]);
  });

  it("A campaign pauses if its template is no longer approved", async () => {
    const { world, customer, id } = await underWay();
    await onShard(customer, "UPDATE templates SET status = 'REJECTED' WHERE workspace_id = ?", customer.workspaceId);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "template_not_approved" });
  });
});
