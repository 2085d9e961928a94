import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { contactsOf, deliver, messageFrom, strangers } from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

/**
 * Schedules a message to a contact with only an id, then merges this contact into a contact with a number. The merge moves the
 * whole history.
 */
async function mergedWhileScheduled(customer: Customer, inMs: number) {
  const people = await strangers(customer);
  const send_at = new Date(Date.now() + inMs).toISOString();
  const body = { contact_id: people.nameless.id, text: "Later", send_at };
  const { message_id } = (await customer.call("POST", "/messages", body)).body;
  // Adds an older history that the first steps of a merge move only in part.
  await onShard(
    customer,
    `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, created_at)
     SELECT 'msg_0' || substr(m.workspace_id, -12) || printf('%06d', n.key), m.workspace_id, m.contact_seq, m.connection_id, 1, m.address, 'old', 5, 0
     FROM messages m CROSS JOIN json_each('[' || substr(replace(printf('%6500s', ''), ' ', ',1'), 2) || ']') n WHERE m.id = ?`,
    message_id,
  );
  await deliver(customer, [messageFrom({ phone: people.phone, userId: people.userId }, "both")]);
  expect(await contactsOf(customer)).toHaveLength(1);
  return { ...people, message_id: String(message_id), send_at };
}

describe("Scheduled messages", () => {
  it.each([60_000, 600_000])(
    "A scheduled message to a merged contact is sent to the kept contact at the scheduled time (%i ms ahead)",
    async (inMs) => {
      const world = new World();
      const customer = await world.customer();
      const { message_id, send_at, numbered } = await mergedWhileScheduled(customer, inMs);
      const message = await customer.message(message_id);
      expect(message).toMatchObject({ delivery: "scheduled", contact_id: numbered.id });
      await world.settle({ withinMs: Date.parse(send_at) - Date.now() - 30_000 });
      world.setTime(Date.parse(send_at) - 30_000);
      if (inMs > 120_000) await world.cron();
      await world.settle();
      const sent = await customer.message(message_id);
      expect(sent).toMatchObject({ delivery: "read", contact_id: numbered.id });
      expect(Date.parse(sent.sent_at) - Date.parse(send_at)).toBeLessThan(1000);
      expect((await customer.outbox()).map(({ body }) => body)).toEqual(["Later"]);
    },
  );

  it("A scheduled message to a merged contact is not sent if either contact opted out", async () => {
    const world = new World();
    const customer = await world.customer();
    const { message_id, numbered } = await mergedWhileScheduled(customer, 60_000);
    await customer.call("PATCH", `/contacts/${numbered.id}`, { is_unsubscribed: true });
    await world.settle();
    expect(await customer.message(message_id)).toMatchObject({ delivery: "failed", error: { code: "unsubscribed" } });
    expect(await customer.outbox()).toEqual([]);
  });
});
