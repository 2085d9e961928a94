import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGES_PER_PART } from "../../../../src/features/messages/send/send-batch.ts";
import { TURN_MS } from "../../../../src/features/scans/scans.turn-queue.ts";
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
import { messageTurnsOf } from "../../../support/scans.ts";
import type { Answer } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

const COUNT = 3 * MESSAGES_PER_PART + 2;

describe("Interrupted batches of messages", () => {
  it.each(["before", "after"] as const)(
    "If storage fails %s the third part of a message batch, a repeat completes the batch, and each message is sent once",
    async (when) => {
      const { world, database } = failingWorld(ACCEPTING);
      const customer = await world.customer();
      const messages = textsTo(COUNT);
      Object.assign(database, { failing: 3, when });
      const interrupted = await sendBatch(customer, messages, "one");
      expect([interrupted.status, interrupted.body.error.code]).toEqual([503, "unavailable"]);
      const stored = await storedMessageIds(customer);
      expect(stored).toHaveLength((when === "before" ? 2 : 3) * MESSAGES_PER_PART);
      const { body, headers } = await sendBatch(customer, messages, "one");
      expect([body.counts.queued, headers.get("Idempotent-Replayed")]).toEqual([COUNT, null]);
      const ids = body.results.map(({ message_id }: Answer["body"]) => message_id);
      expect(await storedMessageIds(customer)).toEqual(ids.toSorted());
      expect(ids.slice(0, stored.length).toSorted()).toEqual(stored);
      expect((await sendBatch(customer, messages, "one")).body).toEqual(body);
      await sendAll(customer);
      expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
    },
  );

  it("If the Worker dies after it has accepted a part of a batch, the cron sends this part, and a repeat sends only the others", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const messages = textsTo(COUNT);
    // The queue messages of a Worker that dies are never sent.
    const queue = vi
      .spyOn(world.env.DIRECT_QUEUE, "sendBatch")
      .mockResolvedValue({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
    Object.assign(database, { failing: 2, when: "before" });
    expect((await sendBatch(customer, messages, "one")).status).toBe(503);
    queue.mockRestore();
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages.slice(0, MESSAGES_PER_PART)));
    expect((await sendBatch(customer, messages, "one")).body.counts.queued).toBe(COUNT);
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
  });

  it("If the caller of a batch disconnects, the rest is not accepted, the accepted messages are sent, and no error is logged", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const messages = textsTo(COUNT);
    const caller = new AbortController();
    database.afterPart = () => Promise.resolve(caller.abort());
    const logged = vi.spyOn(console, "error").mockReturnValue();
    await customer.call("POST", "/messages/batch", { messages }, { signal: caller.signal });
    expect(logged).not.toHaveBeenCalled();
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages.slice(0, MESSAGES_PER_PART)));
  });

  it("A batch of messages whose queue messages fail returns its results, and the cron sends the messages", async () => {
    const { world } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const messages = textsTo(COUNT);
    const queue = vi.spyOn(world.env.DIRECT_QUEUE, "sendBatch").mockRejectedValue(new Error("The queue is gone."));
    const { status, body } = await sendBatch(customer, messages);
    expect([status, body.counts.queued]).toEqual([200, COUNT]);
    queue.mockRestore();
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
  });

  it.each(["before", "after"] as const)(
    "Without an Idempotency-Key, an interrupted batch returns which messages were accepted (storage fails %s a part)",
    async (when) => {
      const { world, database } = failingWorld(ACCEPTING);
      const customer = await world.customer();
      const messages = textsTo(COUNT);
      Object.assign(database, { failing: 2, when });
      const answer = await sendBatch(customer, messages);
      expect(answer.status).toBe(200);
      expect(answer.body.counts).toEqual({
        queued: MESSAGES_PER_PART,
        scheduled: 0,
        failed: COUNT - MESSAGES_PER_PART,
      });
      const failed = answer.body.results.slice(MESSAGES_PER_PART);
      expect(new Set(failed.map(({ error }: Answer["body"]) => error.code))).toEqual(new Set(["unavailable"]));
      const isUnclear = failed.map(({ error }: Answer["body"]) => error.message.includes("might be sent"));
      expect(isUnclear.lastIndexOf(true)).toBe(MESSAGES_PER_PART - 1);
      expect(isUnclear.indexOf(false)).toBe(MESSAGES_PER_PART);
      await sendAll(customer);
      const sent = messages.slice(0, (when === "before" ? 1 : 2) * MESSAGES_PER_PART);
      expect(await sentTexts(customer)).toEqual(sortedTexts(sent));
    },
  );

  it("If a batch of messages has lost its turn, it says which messages were not accepted, and a repeat with its Idempotency-Key completes it", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const loseTurn = () => {
      database.afterPart = async () => {
        database.afterPart = () => Promise.resolve();
        world.advance(TURN_MS);
        await messageTurnsOf(customer).take({ id: "next", owner: "somebody", waitMs: 1000, question: null });
      };
    };
    loseTurn();
    const messages = textsTo(COUNT);
    const stopped = await sendBatch(customer, messages);
    expect(stopped.body.counts).toMatchObject({ queued: MESSAGES_PER_PART });
    expect(stopped.body.results.at(-1).error).toEqual({
      code: "unavailable",
      message: "The request was cancelled before the message was accepted. Send the message again.",
      details: null,
    });
    expect(await storedMessageIds(customer)).toHaveLength(MESSAGES_PER_PART);
    await messageTurnsOf(customer).end("next", null);
    loseTurn();
    const cancelled = await sendBatch(customer, messages, "one");
    expect([cancelled.status, cancelled.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(cancelled.body.error.message).toBe(
      `The request was cancelled after ${MESSAGES_PER_PART} of ${COUNT} messages. Repeat it with the same Idempotency-Key to store the others.`,
    );
    await messageTurnsOf(customer).end("next", null);
    expect((await sendBatch(customer, messages, "one")).body.counts.queued).toBe(COUNT);
    expect(await storedMessageIds(customer)).toHaveLength(MESSAGES_PER_PART + COUNT);
  });
});
