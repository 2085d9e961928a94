import { beforeEach, describe, expect, it, vi } from "vitest";
import { MESSAGES_PER_PART } from "../../../../src/features/messages/send/send-batch.ts";
import { stopClock } from "../../../support/clock.ts";
import { failingWorld } from "../../../support/failing-parts.ts";
import { storeFile } from "../../../support/media.ts";
import {
  ACCEPTING,
  errorsOf,
  sendAll,
  sendBatch,
  sentTexts,
  sortedTexts,
  statusesOf,
  storedMessageIds,
  textsInOrder,
  textsTo,
} from "../../../support/message-batches.ts";
import { recordedWorld } from "../../../support/recording.ts";
import { holdTurn, messageTurnsOf } from "../../../support/scans.ts";
import { costOf, onShard, steps } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { type Answer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("No file is fetched in these tests."));
});

const COUNT = 3 * MESSAGES_PER_PART + 2;

const idsOf = ({ body }: Answer): (string | null)[] => body.results.map(({ message_id }: Answer["body"]) => message_id);

describe("Parts of a batch of messages", () => {
  it("A batch of 100 messages is accepted in parts with at most fifty statements, and has one result per message in order", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const { id: media_id } = await storeFile(customer);
    const kinds = [
      (n: number) => ({ to: phoneEnding("1234"), text: `Hi ${n}` }),
      () => ({ to: phoneEnding("1234"), image: { media_id } }),
      (n: number) => ({ user_id: `person-${n}`, text: `Hi ${n}` }),
      () => ({ to: phoneEnding("1234"), image: { url: "https://files.example.org/menu.png" } }),
    ];
    recording.take();
    const answer = await sendBatch(
      customer,
      Array.from({ length: 100 }, (_, n) => kinds[n % kinds.length]?.(n)),
    );
    expect(answer.body.counts).toEqual({ queued: 100, scheduled: 0, failed: 0 });
    expect(answer.body.results.map(({ index }: { index: number }) => index)).toEqual([...Array(100).keys()]);
    expect(idsOf(answer)).toEqual(await storedMessageIds(customer));
    const trips = [...Map.groupBy(recording.take(), ({ trip }) => trip).values()];
    const storing = trips.filter((statements) => statements.some(({ sql }) => ACCEPTING.test(sql)));
    expect(storing).toHaveLength(Math.ceil(100 / MESSAGES_PER_PART));
    for (const statements of storing) expect(statements.length).toBeLessThanOrEqual(50);
  });

  it("Messages to one person are sent in the order of the batch, also if they are in different parts", async () => {
    const { world, database } = failingWorld(steps.ledger);
    database.partMs = 1;
    const customer = await world.customer();
    const to = phoneEnding("1234");
    // Neither the order of the alphabet nor the reverse order.
    const messages = Array.from({ length: COUNT }, (_, n) => ({ to, text: `Number ${(n * 7) % COUNT}` }));
    expect((await sendBatch(customer, messages)).body.counts.queued).toBe(COUNT);
    await world.settle();
    expect(await textsInOrder(customer)).toEqual(messages.map(({ text }) => text));
  });

  it("Rejected rows in any part of a batch do not fail other rows, and have the errors of single messages", async () => {
    const customer = await new World().customer();
    const leaves = phoneEnding("1234");
    await customer.receive(leaves, "STOP");
    const messages: unknown[] = textsTo(COUNT);
    messages[1] = { to: leaves, text: "No" };
    messages[MESSAGES_PER_PART] = { contact_id: "ct_unknown", text: "No" };
    messages[COUNT - 1] = { to: "12", text: "No" };
    const answer = await sendBatch(customer, messages, "one");
    expect(answer.body.counts).toEqual({ queued: COUNT - 3, scheduled: 0, failed: 3 });
    const errors = errorsOf(answer).flatMap((error: Answer["body"], index: number) =>
      error === null ? [] : [[index, error[0]]],
    );
    expect(errors).toEqual([
      [1, "unsubscribed"],
      [MESSAGES_PER_PART, "not_found"],
      [COUNT - 1, "validation_failed"],
    ]);
    expect((await sendBatch(customer, messages, "one")).body).toEqual(answer.body);
  });

  it("A person who opts out between two parts of a batch receives only the messages of the earlier part", async () => {
    const { world, database } = failingWorld(ACCEPTING);
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const { contact } = (await customer.call("POST", "/contacts", { phone: to })).body;
    database.afterPart = async () => {
      database.afterPart = () => Promise.resolve();
      await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true });
    };
    const messages = [{ to, text: "Yes" }, ...textsTo(MESSAGES_PER_PART), { to, text: "No" }];
    const answer = await sendBatch(customer, messages);
    expect(statusesOf(answer)).toEqual([...Array.from({ length: messages.length - 1 }, () => "queued"), "failed"]);
    expect(errorsOf(answer).at(-1)).toEqual(["unsubscribed", { contact_id: contact.id }]);
  });

  it("A repeated batch of several parts returns the first response after one query, without a turn, and sends nothing", async () => {
    const world = new World();
    const customer = await world.customer();
    const messages = textsTo(COUNT);
    const first = await sendBatch(customer, messages, "one");
    await holdTurn(customer, "held", messageTurnsOf(customer));
    const again = await sendBatch(customer, messages, "one");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(costOf(again)).toMatchObject({ trips: 1, rows_written: 0 });
    expect([first, again].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, "true"]);
    expect(await refusal(sendBatch(customer, messages.slice(1), "one"))).toEqual([422, "idempotency_key_reused", null]);
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
  });

  it("Concurrent batches of several parts with the same Idempotency-Key send each message once", async () => {
    const world = new World();
    const customer = await world.customer();
    const messages = textsTo(COUNT);
    const answers = await Promise.all([1, 2, 3].map(() => sendBatch(customer, messages, "one")));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
    await sendAll(customer);
    expect(await sentTexts(customer)).toEqual(sortedTexts(messages));
  });

  it("If an earlier version stored one response for a whole batch of messages, a repeat returns this response", async () => {
    const customer = await new World().customer();
    const messages = textsTo(COUNT);
    const { body } = await sendBatch(customer, messages, "one");
    const parts = await onShard(
      customer,
      "SELECT result FROM idempotency WHERE actor = ? ORDER BY created_at, CAST(substr(key, 5) AS INTEGER)",
      customer.keyId,
    );
    const whole = parts.flatMap(({ result }) => JSON.parse(String(result)).part);
    await onShard(customer, "DELETE FROM idempotency WHERE actor = ? AND key <> 'one'", customer.keyId);
    await onShard(customer, "UPDATE idempotency SET result = ? WHERE actor = ?", JSON.stringify(whole), customer.keyId);
    const again = await sendBatch(customer, messages, "one");
    expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([body, "true"]);
    expect(await storedMessageIds(customer)).toHaveLength(COUNT);
  });
});
