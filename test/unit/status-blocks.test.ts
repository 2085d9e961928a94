import { describe, expect, it } from "vitest";
import type { StatusEvent } from "../../src/channels/channel-events.ts";
import {
  dueAfter,
  fitsInbox,
  HAND_OVER_MS,
  inboxName,
  pauseAfterFailures,
  StatusBlocks,
  type StatusBundle,
} from "../../src/features/inbound/status-blocks.ts";

const status = (messageId: string | null, key = "p", message = ""): StatusEvent => ({
  type: "status",
  messageId,
  providerMessageId: key,
  providerKey: null,
  status: "delivered",
  at: 1,
  error: message === "" ? null : { code: "undeliverable", message, providerCode: null },
});

const bundle = (count: number, message = ""): StatusBundle => ({
  v: 1,
  workspace: { id: "ws_1", number: 1, shard: 0 },
  connectionId: "conn_1",
  events: Array.from({ length: count }, (_, index) => status(`msg_${index}`, "p", message)),
});

describe("Choice of a status inbox", () => {
  const namesAt = (rate: number) =>
    new Set(Array.from({ length: 2000 }, (_, index) => inboxName("conn_1", rate, [status(`msg_01JD${index}`)])));

  it.each([
    [1, 1],
    [80, 1],
    [101, 2],
    [1000, 10],
    [5000, 16],
  ])("A connection with %i messages a second has %i status inboxes", (rate, count) => {
    expect(namesAt(rate).size).toBe(count);
  });

  it("All statuses of a message go to the same status inbox, which depends on our id, or without it on the provider's id", () => {
    const name = inboxName("conn_1", 1000, [status("msg_7", "a")]);
    expect(inboxName("conn_1", 1000, [{ ...status("msg_7", "b"), status: "read" }, status("msg_8")])).toBe(name);
    const keyed = inboxName("conn_1", 1000, [status(null, "wamid.7")]);
    expect(inboxName("conn_1", 1000, [{ ...status(null, "other"), providerKey: "wamid.7" }])).toBe(keyed);
  });

  it("Statuses of a request go to a status inbox if they fit into one queue message", () => {
    expect([0, 1, 100, 101].map((count) => fitsInbox(bundle(count).events))).toEqual([false, true, true, false]);
    expect(fitsInbox(bundle(2, "x".repeat(40_000)).events)).toBe(false);
  });
});

describe("Times of hand-overs", () => {
  it("After a pause, a status inbox hands over its statuses immediately five times, and then every two seconds", () => {
    const now = 1_000_000;
    let dueAt = -Infinity;
    let atOnce = 0;
    for (; dueAt <= now; atOnce++) dueAt = dueAfter(dueAt, now);
    expect(atOnce).toBe(5);
    expect(dueAt - now).toBe(HAND_OVER_MS);
    const busy = [now + HAND_OVER_MS, now + 2 * HAND_OVER_MS].map((at) => (dueAt = dueAfter(dueAt, at)) - at);
    expect(busy).toEqual([HAND_OVER_MS, HAND_OVER_MS]);
  });

  it("After each failure, a status inbox waits longer before it hands over its statuses, up to five minutes", () => {
    expect([1, 2, 3, 100].map(pauseAfterFailures)).toEqual([4000, 8000, 16_000, 300_000]);
  });
});

describe("Blocks of a status inbox", () => {
  it("The statuses of several requests share a block of a status inbox, up to 500 statuses and 500 KB", () => {
    const blocks = new StatusBlocks();
    expect(Array.from({ length: 6 }, () => blocks.add(bundle(100)).number)).toEqual([0, 0, 0, 0, 0, 1]);
    expect(Array.from({ length: 12 }, () => blocks.add(bundle(1, "x".repeat(50_000))).number)).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2,
    ]);
  });

  it("Statuses that arrive while a block is handed over go to the next block, which is handed over next", () => {
    const blocks = new StatusBlocks();
    const first = blocks.add(bundle(1));
    expect(blocks.close()).toEqual([first]);
    const second = blocks.add(bundle(1));
    expect(second.number).toBe(1);
    blocks.release([first]);
    blocks.release([first]);
    expect(blocks.close()).toEqual([second]);
    blocks.release([second]);
    expect(blocks.isEmpty).toBe(true);
  });

  it("A status inbox with 5,000 statuses rejects more until some are handed over", () => {
    const blocks = new StatusBlocks();
    for (let count = 0; count < 50; count++) blocks.add(bundle(100));
    expect(() => blocks.add(bundle(1))).toThrow("already holds 5000");
    blocks.release(blocks.close().slice(0, 1));
    expect(blocks.add(bundle(100)).statuses).toBe(100);
  });

  it("After a restart, a status inbox loads and hands over its stored blocks, and new statuses go to a later block", () => {
    const blocks = new StatusBlocks();
    blocks.restore(7, [bundle(3)]);
    expect(blocks.add(bundle(1)).number).toBe(8);
    expect(blocks.close().map(({ number, isStored }) => [number, isStored])).toEqual([
      [7, true],
      [8, false],
    ]);
  });
});
