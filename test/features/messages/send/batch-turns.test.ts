import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGES_PER_PART } from "../../../../src/features/messages/send/send-batch.ts";
import { stopClock } from "../../../support/clock.ts";
import { failingWorld } from "../../../support/failing-parts.ts";
import {
  ACCEPTING,
  sendAll,
  sendBatch,
  sentTexts,
  sortedTexts,
  storedMessageIds,
  textsTo,
} from "../../../support/message-batches.ts";
import { override } from "../../../support/override.ts";
import { crowd, holdTurn, messageTurnsOf } from "../../../support/scans.ts";
import { World } from "../../../support/world.ts";

beforeEach(stopClock);

const COUNT = 2 * MESSAGES_PER_PART + 2;

describe("Turns of batches of messages", () => {
  it("A batch of messages waits for other batches of messages; a batch that fits into one part needs no turn", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const turns = messageTurnsOf(customer);
    await holdTurn(customer, "held", turns);
    expect((await sendBatch(customer, textsTo(MESSAGES_PER_PART))).body.counts.queued).toBe(MESSAGES_PER_PART);
    database.parts = 0;
    const waiting = sendBatch(customer, textsTo(COUNT));
    expect(await turns.renew("held")).toBe(true);
    expect(database.parts).toBe(0);
    await turns.end("held", null);
    expect((await waiting).body.counts.queued).toBe(COUNT);
  });

  it("A batch of messages does not wait for a scan or a batch of contacts of its workspace", async () => {
    const customer = await new World().customer();
    await holdTurn(customer);
    expect((await sendBatch(customer, textsTo(COUNT))).body.counts.queued).toBe(COUNT);
  });

  it("A batch of messages that waits too long for other batches is rejected with Retry-After, sends nothing, and leaves its Idempotency-Key free", async () => {
    const customer = await new World().customer();
    const messages = textsTo(COUNT);
    const others = await crowd(customer, customer.keyId, messageTurnsOf(customer));
    const { status, body, headers } = await sendBatch(customer, messages, "one");
    expect([status, body.error.code, headers.get("Retry-After")]).toEqual([429, "rate_limited", "5"]);
    expect(body.error.message).toContain("Other batches of messages");
    expect(await storedMessageIds(customer)).toEqual([]);
    await others.leave();
    expect((await sendBatch(customer, messages, "one")).body.counts.queued).toBe(COUNT);
  });

  it("A batch of messages is sent although the Durable Object that grants turns is unreachable", async () => {
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const gone = () => Promise.reject(new Error("The object is gone."));
    const unreachable = override(bindings.SCAN_TURNS, {
      getByName: () => ({ take: gone, renew: gone, end: gone }),
    });
    const customer = await new World({ SCAN_TURNS: unreachable }).customer();
    const messages = textsTo(COUNT);
    const { status, body } = await sendBatch(customer, messages);
    expect([status, body.counts.queued]).toEqual([200, COUNT]);
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
    const logged = lines.mock.calls.map((line) => line.map(String).join(" "));
    expect(logged.some((line) => line.includes("scan_turns_unreachable"))).toBe(true);
    expect(logged.some((line) => line.includes("background_work_failed"))).toBe(false);
  });
});
