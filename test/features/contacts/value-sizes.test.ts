import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { toAppError } from "../../../src/http/response/errors.ts";
import { numberOf, recipientsOf, started } from "../../support/campaigns.ts";
import type { Ran } from "../../support/recorded-statements.ts";
import { recordedWorld } from "../../support/recording.ts";

// Databases in tests accept larger values than deployed ones, so the test measures the values.
const VALUE = 2_000_000;

beforeEach(stopClock);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const encoder = new TextEncoder();
const bytesOf = (value: unknown) => (typeof value === "string" ? encoder.encode(value).length : 0);

function largest(ran: readonly Ran[]): { bytes: number; sql: string } {
  let found = { bytes: 0, sql: "" };
  for (const { sql, values } of ran) {
    for (const value of values) if (bytesOf(value) > found.bytes) found = { bytes: bytesOf(value), sql };
  }
  return found;
}

async function batching() {
  const { world, recording } = recordedWorld();
  const customer = await world.customer({ plan: "scale" });
  const store = async (contacts: object[], key = crypto.randomUUID()) => {
    recording.take();
    const answer = await customer.call(
      "POST",
      "/contacts/batch",
      { contacts },
      { headers: { "Idempotency-Key": key } },
    );
    return { ...answer, largest: largest(recording.take()) };
  };
  const people = (count: number, fields: (at: number) => object) =>
    Array.from({ length: count }, (_, at) => ({ phone: numberOf(at), ...fields(at) }));
  return { world, customer, store, people, recording };
}

describe("Batches of 500 contacts", () => {
  it(
    "A batch of 500 contacts with long notes stays within the database's maximum value size",
    { tags: "long" },
    async () => {
      const { customer, store, people } = await batching();
      await customer.call("POST", "/custom-fields", { field_key: "notes", label: "Notes", type: "text" });
      const contacts = people(500, (at) => ({ custom_fields: { notes: `${at} ${"n".repeat(1900)}` } }));
      const key = crypto.randomUUID();
      const first = await store(contacts, key);
      expect(first).toMatchObject({ status: 200, body: { counts: { created: 500, failed: 0 } } });
      expect(first.largest.bytes).toBeGreaterThan(50_000);
      expect(first.largest.bytes).toBeLessThanOrEqual(VALUE);

      const again = await store(contacts, key);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");

      const accented = people(500, (at) => ({ custom_fields: { notes: `${at} ${"ß".repeat(900)}` } }));
      const changed = await store(accented);
      expect(changed).toMatchObject({ status: 200, body: { counts: { updated: 500, failed: 0 } } });
      expect(changed.largest.bytes).toBeLessThanOrEqual(VALUE);
      const { contact } = (await customer.call("GET", `/contacts/${changed.body.results[499].contact_id}`)).body;
      expect(contact).toMatchObject({ phone: numberOf(499), custom_fields: { notes: `499 ${"ß".repeat(900)}` } });
      const numbers = new Set(first.body.results.map(({ contact_id: id }: { contact_id: string }) => id));
      expect(numbers.size).toBe(500);
    },
  );

  it("A batch of 500 contacts with 26 unknown fields each stays within the database's maximum value size", async () => {
    const { store, people } = await batching();
    const unknown = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`unknown_field_${at}`, "x"]));
    const contacts = people(500, () => ({ custom_fields: unknown }));
    const key = crypto.randomUUID();
    const first = await store(contacts, key);
    expect(first).toMatchObject({ status: 200, body: { counts: { created: 0, failed: 500 } } });
    expect(first.largest.bytes).toBeLessThanOrEqual(VALUE);
    expect((await store(contacts, key)).body).toEqual(first.body);
  });

  it(
    "A batch of 500 contacts with fifty new tags each stays within the database's maximum value size",
    { tags: "long" },
    async () => {
      const { customer, store, people } = await batching();
      const tags = (at: number) =>
        Array.from({ length: 50 }, (_, n) => `a tag of a campaign, ${at}-${n}`.padEnd(36, "."));
      const answer = await store(people(400, (at) => ({ tags: tags(at) })));
      expect(answer).toMatchObject({ status: 200, body: { counts: { created: 400, failed: 0 } } });
      expect(answer.largest.bytes).toBeLessThanOrEqual(VALUE);
      const { contact } = (await customer.call("GET", `/contacts/${answer.body.results[399].contact_id}`)).body;
      expect(contact.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(tags(399).toSorted());
    },
  );
});

it(
  "A campaign with the longest texts is sent and stays within the database's maximum value size",
  { tags: "long" },
  async () => {
    const { world, customer, store, people, recording } = await batching();
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1000 });
    await store(people(300, () => ({})));
    recording.take();
    const body = "😀".repeat(4090);
    const id = await started(customer, { body });
    await world.settle();
    const recipients = await recipientsOf(customer, id);
    const states = new Set(recipients.map(({ state }) => state));
    expect({ count: recipients.length, states: [...states] }).toEqual({ count: 300, states: ["read"] });
    const { bytes } = largest(recording.take());
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThanOrEqual(VALUE);
  },
);

it(
  "Two thousand statuses with the longest ids and errors stay within the database's maximum value size",
  { tags: "long" },
  async () => {
    const { world, customer, recording } = await batching();
    const workspace = await world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
      .bind(customer.workspaceId)
      .first();
    const status = (name: string) => ({
      type: "status",
      messageId: null,
      providerMessageId: name.padEnd(500, "é"),
      providerKey: name.padEnd(500, "é"),
      status: "failed",
      at: Date.now(),
      error: { code: "undeliverable", message: "ü".repeat(500), providerCode: "1" },
    });
    for (let at = 0; at < 100; at++) {
      const events = Array.from({ length: 20 }, (_, n) => status(`wamid.${at}-${n}-`));
      await world.env.EVENTS_QUEUE.send({ v: 1, workspace, connectionId: customer.connectionId, events });
    }
    recording.take();
    await world.queues.deliverDue(world.env);
    const ran = recording.take();
    expect(largest(ran).bytes).toBeGreaterThan(500_000);
    expect(largest(ran).bytes).toBeLessThanOrEqual(VALUE);
    const early = ran.filter(({ sql }) => sql.includes("INSERT INTO early_statuses"));
    const rows = early.flatMap(({ values }) =>
      values.filter((value) => typeof value === "string").flatMap((value) => JSON.parse(value)),
    );
    expect(rows).toHaveLength(2000);
  },
);

it("A value that exceeds the maximum size of a row is rejected as too large, not as an internal error", () => {
  const cause = new Error("D1_ERROR: string or blob too big: SQLITE_TOOBIG");
  expect(toAppError(new Error("Failed query", { cause }), "req_1").code).toBe("payload_too_large");
});
