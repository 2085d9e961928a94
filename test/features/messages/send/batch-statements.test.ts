import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_STATEMENTS } from "../../../../src/features/commits/store-in-parts.ts";
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
import { recordedWorld } from "../../../support/recording.ts";
import { type Passage, databasesThrough } from "../../../support/storage.ts";
import { type Answer, World } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("No file is fetched in these tests."));
});

/** A database in which other requests change the records of each part, so that only the sixth try succeeds. */
class ContendedParts implements Passage {
  isContended = true;
  statements = 0;
  private tries = 0;

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    this.statements += sql.split(";\n").length;
    if (this.isContended && ACCEPTING.test(sql) && ++this.tries % 6 !== 0)
      throw new Error("D1_ERROR: UNIQUE constraint failed: contacts.workspace_id, contacts.phone_key");
    return work();
  }
}

function contendedWorld(): { world: World; database: ContendedParts } {
  const database = new ContendedParts();
  return { world: new World(databasesThrough(database)), database };
}

const errorMessages = ({ body }: Answer): string[] =>
  body.results.flatMap(({ error }: Answer["body"]) => (error === null ? [] : [error.message]));

const NOT_ACCEPTED = "The request was cancelled before the message was accepted. Send the message again.";

describe("Statements of a batch of messages", () => {
  it("A batch of 100 messages to new people, each with a file, fits into the limit of statements, also if a message is rejected", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    recording.take();
    const messages: unknown[] = Array.from({ length: 100 }, (_, n) => ({
      user_id: `person-${n}`,
      image: { url: `https://files.example.org/${n}.png` },
    }));
    messages[0] = { contact_id: "ct_unknown", text: "No" };
    const { body } = await sendBatch(customer, messages, "one");
    expect(body.counts).toEqual({ queued: 99, scheduled: 0, failed: 1 });
    expect(recording.take().length).toBeLessThan(MAX_STATEMENTS);
  });

  it("A batch of messages that needs too many tries stops before it exceeds the limit of statements, and repeats complete it", async () => {
    const { world, database } = contendedWorld();
    const customer = await world.customer();
    const messages = textsTo(12 * MESSAGES_PER_PART);
    database.statements = 0;
    const stopped = await sendBatch(customer, messages, "one");
    expect(database.statements).toBeLessThan(1000);
    expect([stopped.status, stopped.body.error.code, stopped.headers.get("Retry-After")]).toEqual([
      503,
      "unavailable",
      "1",
    ]);
    const stored = await storedMessageIds(customer);
    expect(stored.length).toBeGreaterThan(0);
    database.isContended = false;
    expect((await sendBatch(customer, messages, "one")).body.counts.queued).toBe(messages.length);
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
  });

  it("Without an Idempotency-Key, a batch that needs too many tries says of each message whether it was accepted", async () => {
    const { world } = contendedWorld();
    const customer = await world.customer();
    const messages = textsTo(12 * MESSAGES_PER_PART);
    const answer = await sendBatch(customer, messages);
    const { queued, failed } = answer.body.counts;
    expect(await storedMessageIds(customer)).toHaveLength(queued);
    expect(queued).toBeGreaterThan(0);
    expect(failed).toBeGreaterThan(0);
    expect(errorMessages(answer)).toEqual(Array.from({ length: failed }, () => NOT_ACCEPTED));
  });

  it("If the platform allows no more queries in an invocation, no message of the refused part counts as possibly sent", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const messages = textsTo(3 * MESSAGES_PER_PART);
    const message = "D1_ERROR: Too many API requests by single Worker invocation.";
    Object.assign(database, { failing: 2, message });
    const keyless = await sendBatch(customer, messages);
    expect(keyless.body.counts).toMatchObject({ queued: MESSAGES_PER_PART, failed: 2 * MESSAGES_PER_PART });
    expect(new Set(errorMessages(keyless))).toEqual(new Set([NOT_ACCEPTED]));
    database.parts = 0;
    const { status, body, headers } = await sendBatch(customer, messages, "one");
    expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(body.error.message).toBe(
      `The request was cancelled after ${MESSAGES_PER_PART} of ${messages.length} messages. Repeat it with the same Idempotency-Key to store the others.`,
    );
    expect((await sendBatch(customer, messages, "one")).body.counts.queued).toBe(messages.length);
  });
});
