import { chunksOf } from "../../../../src/shared/chunks.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/shared/time/durations.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveryStatus } from "../../../../src/channels/channel-events.ts";
import { stopClock } from "../../../support/clock.ts";
import { heldProvider } from "../../../support/provider.ts";
import { countingWorld, onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const workspaceOf = async (customer: Customer) =>
  customer.world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first();

interface Report {
  status: DeliveryStatus;
  at?: number;
  connectionId?: string;
  error?: { code: string; message: string; providerCode: string | null };
}

/** Sends statuses of a message to the events queue, like a provider's webhook. */
async function report(customer: Customer, messageId: string, ...reports: Report[]): Promise<void> {
  const workspace = await workspaceOf(customer);
  const messages = reports.map(({ status, at = Date.now(), error = null, connectionId = customer.connectionId }) => {
    const event = { type: "status", messageId, providerMessageId: "p-1", status, at, error };
    return { body: { v: 1, workspace, connectionId, event } };
  });
  await customer.world.env.EVENTS_QUEUE.sendBatch(messages);
  await customer.world.queues.deliverDue(customer.world.env);
}

/** Sends a message that has no status yet. */
async function sentMessage(customer: Customer): Promise<string> {
  return (await customer.send(phoneEnding("0004"))).body.message_id;
}

const rowOf = async (customer: Customer, id: string) =>
  (await onShard(customer, "SELECT * FROM messages WHERE id = ?", id))[0];

/** Returns every possible order of the statuses. */
const orders = <T>(items: T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe("Statuses", () => {
  it("Thousands of statuses in one queue delivery are applied in several round trips", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const id = await sentMessage(customer);
    const event = { type: "status", messageId: id, providerMessageId: "p-1", at: Date.now(), error: null };
    const events = Array.from({ length: 2500 }, (_, index) => ({
      ...event,
      status: index < 2400 ? "delivered" : "read",
    }));
    const envelope = { v: 1, workspace: await workspaceOf(customer), connectionId: customer.connectionId };
    const bodies = chunksOf(events, 100).map((some) => ({ body: { ...envelope, events: some } }));
    await world.env.STATUSES_QUEUE.sendBatch(bodies);
    const { trips: before = 0, rows_written: writtenBefore = 0 } = counted();
    await world.queues.deliverDue(world.env);
    const { trips: after = 0, rows_written: writtenAfter = 0 } = counted();
    expect({ trips: after - before, written: writtenAfter - writtenBefore }).toEqual({ trips: 2, written: 4 });
    expect((await customer.message(id)).delivery).toBe("read");
  });

  it.each(orders<DeliveryStatus>(["sent", "delivered", "read"]))(
    "A message becomes `read` with statuses in the order %s, %s, %s",
    async (...statuses) => {
      const customer = await new World().customer();
      const id = await sentMessage(customer);
      for (const status of statuses) await report(customer, id, { status });
      const message = await customer.message(id);
      expect(message).toMatchObject({ delivery: "read", error: null, failed_at: null });
      expect([message.sent_at, message.delivered_at, message.read_at]).not.toContain(null);
    },
  );

  it.each(orders<DeliveryStatus>(["sent", "failed", "delivered"]))(
    "A message becomes `delivered` with statuses in the order %s, %s, %s",
    async (...statuses) => {
      const customer = await new World().customer();
      const id = await sentMessage(customer);
      await report(customer, id, ...statuses.map((status) => ({ status })));
      expect(await customer.message(id)).toMatchObject({ delivery: "delivered", error: null, failed_at: null });
    },
  );

  it("Statuses move a message forward one state at a time", async () => {
    const customer = await new World().customer();
    const id = await sentMessage(customer);
    for (const status of ["sent", "delivered", "read"] as const) {
      await report(customer, id, { status });
      expect((await customer.message(id)).delivery).toBe(status);
    }
  });

  it("The status `failed` fails a message with the provider's reason, until another status proves its delivery", async () => {
    const customer = await new World().customer();
    const id = await sentMessage(customer);
    const error = { code: "undeliverable", message: "Not reachable.", providerCode: "131026" };
    await report(customer, id, { status: "failed", error });
    expect(await customer.message(id)).toMatchObject({
      delivery: "failed",
      error: { code: "undeliverable", message: "Not reachable.", provider_code: "131026" },
      failed_at: expect.any(String),
    });
    await report(customer, id, { status: "sent" });
    expect((await customer.message(id)).delivery).toBe("failed");
    await report(customer, id, { status: "delivered" });
    expect(await customer.message(id)).toMatchObject({ delivery: "delivered", error: null, failed_at: null });
    await report(customer, id, { status: "failed", error });
    expect((await customer.message(id)).delivery).toBe("delivered");
  });

  it("Late and repeated statuses change nothing", async () => {
    const customer = await new World().customer();
    const id = await sentMessage(customer);
    await report(customer, id, { status: "read" });
    const before = await rowOf(customer, id);
    for (const status of ["sent", "failed", "delivered", "read"] as const) {
      customer.world.advance(1000);
      await report(customer, id, { status }, { status });
    }
    expect(await rowOf(customer, id)).toEqual(before);
  });

  it("Repeated statuses write no rows", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await sentMessage(customer));
    const deliver = async () => {
      const before = counted();
      const workspace = await workspaceOf(customer);
      const bodies = ids.map((messageId) => ({
        v: 1,
        workspace,
        connectionId: customer.connectionId,
        event: { type: "status", messageId, providerMessageId: "p", status: "delivered", at: Date.now(), error: null },
      }));
      await world.env.EVENTS_QUEUE.sendBatch(bodies.map((body) => ({ body })));
      await world.queues.deliverDue(world.env);
      const after = counted();
      return {
        statements: (after["statements"] ?? 0) - (before["statements"] ?? 0) - 1,
        rowsWritten: (after["rows_written"] ?? 0) - (before["rows_written"] ?? 0),
      };
    };
    expect(await deliver()).toEqual({ statements: 3, rowsWritten: 4 });
    expect(await deliver()).toEqual({ statements: 3, rowsWritten: 0 });
  });

  it("A status settles a message whose response was lost", async () => {
    const customer = await new World().customer();
    const { message_id } = (await customer.send(phoneEnding("0003"))).body;
    expect((await customer.message(message_id)).delivery).toBe("unknown");
    await report(customer, message_id, { status: "sent" });
    expect(await customer.message(message_id)).toMatchObject({ delivery: "sent", provider_message_id: "p-1" });
  });

  it.each(["sent", "delivered", "read", "failed"] as const)(
    "A status that arrives before our own settlement still applies: %s",
    async (status) => {
      const customer = await new World().customer();
      const provider = heldProvider();
      const sending = customer.send(phoneEnding("1234"));
      await provider.called(1);
      const [message] = await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId);
      const id = String(message?.["id"]);
      await report(customer, id, { status });
      expect((await customer.message(id)).delivery).toBe(status);
      provider.answer({ kind: "accepted", providerMessageId: "p-1" });
      await sending;
      expect(await customer.message(id)).toMatchObject({ delivery: status, provider_message_id: "p-1" });
      expect(provider.send).toHaveBeenCalledTimes(1);
    },
  );

  it("If a status has reported a delivery, a later rejection in the provider's response does not change the message", async () => {
    const customer = await new World().customer();
    const provider = heldProvider();
    const sending = customer.send(phoneEnding("1234"));
    await provider.called(1);
    const [message] = await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId);
    const id = String(message?.["id"]);
    await report(customer, id, { status: "delivered" });
    provider.answer({
      kind: "refused",
      error: { code: "provider_rejected", message: "No.", providerCode: null },
    });
    await sending;
    expect(await customer.message(id)).toMatchObject({ delivery: "delivered", error: null });
  });

  it("A status does not change a message of a different connection or workspace, or an inbound message", async () => {
    const world = new World();
    const [customer, , stranger] = [await world.customer(), await world.customer(), await world.customer()];
    const id = await sentMessage(customer);
    await report(customer, id, { status: "read", connectionId: stranger.connectionId });
    await report(stranger, id, { status: "read", connectionId: customer.connectionId });
    await report(stranger, id, { status: "read" });
    expect((await customer.message(id)).delivery).toBe("sent");
    const inbound = await customer.receive(phoneEnding("1234"), "Hi");
    await report(customer, inbound, { status: "read" });
    expect((await customer.message(inbound)).delivery).toBe("delivered");
  });
});

describe("Costs", () => {
  it(
    "A message writes at most 17 rows including events, plus three sandbox rows, even if each queue message is delivered twice",
    { tags: "long" },
    async () => {
      const { world, counted } = countingWorld();
      const rowsWritten = async (work: () => Promise<unknown>) => {
        const before = counted()["rows_written"] ?? 0;
        await work();
        return (counted()["rows_written"] ?? 0) - before;
      };
      const customer = await world.customer();
      const to = phoneEnding("1234");
      world.setTime(Math.ceil(Date.now() / DAY_MS) * DAY_MS + HOUR_MS); // avoids a new row of statistics
      await customer.send(to, "makes the contact");
      await world.settle();
      // Completes work that earlier test files left. The cron updates the statistics of some workspaces every five minutes.
      for (let runs = 0; (await rowsWritten(() => world.cron())) > 0; runs++) {
        expect(runs).toBeLessThan(100);
        world.advance(5 * MINUTE_MS);
      }
      world.advance(MINUTE_MS);
      const life = await rowsWritten(async () => {
        const { message_id } = (await customer.send(to, "Hi", { headers: { "Idempotency-Key": "k" } })).body;
        await world.settle({ copies: 2 });
        await world.cron();
        expect((await customer.message(message_id)).delivery).toBe("read");
      });
      expect(life).toBeLessThanOrEqual(17 + 3);
      world.advance(4 * MINUTE_MS);
      expect(await rowsWritten(() => world.cron())).toBeLessThanOrEqual(2); // rows of statistics
    },
  );
});
