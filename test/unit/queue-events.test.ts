import { expect, it } from "vitest";
import { bundleStatuses, queueEvents } from "../../src/channels/queue-events.ts";
import type { ChannelEvent, StatusEvent } from "../../src/channels/channel-events.ts";
import type { Enqueue } from "../../src/shared/context.ts";

const status = (number: number, providerMessageId = `${number}`): StatusEvent => ({
  type: "status",
  messageId: `msg_${number}`,
  providerMessageId,
  providerKey: null,
  status: "read",
  at: number,
  error: null,
});
const statuses = (count: number, id?: string) => Array.from({ length: count }, (_, number) => status(number, id));
const notice: ChannelEvent = { type: "connection", status: "error", detail: null, at: 0 };

it("Statuses are queued in order, with at most a hundred statuses per message", () => {
  const bundles = bundleStatuses(statuses(245));
  expect(bundles.map((bundle) => bundle.length)).toEqual([100, 100, 45]);
  expect(bundles.flat()).toEqual(statuses(245));
  expect(bundleStatuses([])).toEqual([]);
});

it("Long statuses are divided into queue messages of less than 64 KB each", () => {
  const bundles = bundleStatuses(statuses(100, "é".repeat(500)));
  const bytes = bundles.map((bundle) => new TextEncoder().encode(JSON.stringify(bundle)).length);
  expect(bundles.flat()).toHaveLength(100);
  expect(bundles).toHaveLength(2);
  expect(Math.max(...bytes)).toBeLessThan(64_000);
  expect(bundleStatuses([status(1, "x".repeat(70_000)), status(2)])).toHaveLength(2);
});

it("Statuses have their own queue, and every other event has its own queue message, so that one failure does not delay other events", async () => {
  const sent: Record<string, object[]> = { events: [], statuses: [] };
  const into =
    (name: string): Enqueue =>
    (messages) => {
      sent[name]?.push(...messages);
      return Promise.resolve();
    };
  const [direct, expand, media, jobs] = [into("direct"), into("expand"), into("media"), into("jobs")];
  const queues = { direct, expand, events: into("events"), statuses: into("statuses"), media, jobs };
  const place = { workspace: { id: "ws_1", number: 1, shard: 0 }, connectionId: "conn_1" };
  await queueEvents({ queues }, place, [notice, status(1), notice, status(2)]);
  const one = { v: 1, ...place, event: notice };
  expect(sent).toEqual({ events: [one, one], statuses: [{ v: 1, ...place, events: [status(1), status(2)] }] });
});
