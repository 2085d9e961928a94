import { beforeEach, describe, expect, it, vi } from "vitest";
import { phoneKey } from "../../../src/shared/text/phone.ts";
import { stopClock } from "../../support/clock.ts";
import { chunksOf } from "../../support/read-log.ts";
import { changesOf } from "../../support/rebuild.ts";
import { archive, faultyWorld, onShard, steps } from "../../support/storage.ts";
import { createTemplate } from "../../support/templates.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

/** For a number with this ending, the sandbox reports only that it accepted the message. */
const SILENT = "0004";

/** Returns the events that the acceptance of a message appends, in at most one row. The settlement happens later. */
async function accepting(customer: Customer, act: () => Promise<Answer>) {
  const before = (await chunksOf(customer)).length;
  const { body } = await act();
  const [chunk] = (await chunksOf(customer)).slice(before);
  return { body, chunk, events: chunk?.body ?? [] };
}

const queued = (id: string) => ["message.queued", id, { delivery: [null, "queued"] }];

const optOutOf = (customer: Customer, phone: string, list: string) =>
  onShard(
    customer,
    `INSERT INTO ${list} (workspace_id, key, opted_out_at) VALUES (?, ?, 1)`,
    customer.workspaceId,
    phoneKey(phone),
  );

describe("Logs of send requests", () => {
  it("A send logs the new contact, the conversation and the message in one row, with the key as actor", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    const { body, chunk, events } = await accepting(customer, () => customer.send(phone));
    expect(chunk).toMatchObject({ actor_type: "api_key", actor_id: customer.keyId });
    const fields = { phone, source: "api", status: "new", lifecycle_stage: "lead" };
    expect(events).toEqual([
      ["contact.created", body.contact_id, Object.fromEntries(Object.entries(fields).map(([k, v]) => [k, [null, v]]))],
      ["conversation.opened", body.conversation_id, { status: [null, "open"] }],
      queued(body.message_id),
    ]);
  });

  it("A send to an existing contact and conversation logs only the message, whether it is sent by number, as a template or as a reply", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    const { conversation_id } = (await customer.send(phone)).body;
    const template = await createTemplate(customer, "Hello");
    const calls = [
      () => customer.send(phone),
      () => customer.call("POST", `/templates/${template}/send`, { to: phone }),
      () => customer.call("POST", `/conversations/${conversation_id}/messages`, { text: "Hello" }),
    ];
    for (const call of calls) {
      const { body, events } = await accepting(customer, call);
      expect(events).toEqual([queued(body.message_id)]);
    }
  });

  it("A send that restores a contact logs the restoration, and that the email now belongs to another contact", async () => {
    const customer = await new World().customer();
    const [first, second] = [phoneEnding(SILENT), phoneEnding(SILENT)];
    const emails = ["ada@example.com", "grace@example.com"];
    for (const [index, phone] of [first, second].entries()) {
      const { contact } = (await customer.call("POST", "/contacts", { phone, email: emails[index] })).body;
      await archive(customer, contact.id);
    }
    const other = (await customer.call("POST", "/contacts", { phone: phoneEnding(SILENT) })).body.contact;
    await customer.call("PATCH", `/contacts/${other.id}`, { email: emails[1] });
    const changes = [{ is_archived: [true, false] }, { is_archived: [true, false], email: [emails[1], null] }];
    for (const [index, phone] of [first, second].entries()) {
      const { body, events } = await accepting(customer, () => customer.send(phone));
      expect(events[0]).toEqual(["contact.restored", body.contact_id, changes[index]]);
      expect(events.map(([type]) => type)).toEqual(["contact.restored", "conversation.opened", "message.queued"]);
    }
  });

  it("A send to a new contact whose number opted out of marketing logs this opt-out", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    await optOutOf(customer, phone, "marketing_suppressions");
    const { events } = await accepting(customer, () => customer.send(phone));
    expect(events[0]).toMatchObject(["contact.created", expect.any(String), { marketing_opt_out: [null, true] }]);
  });

  it("A rejected send logs nothing", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    await optOutOf(customer, phone, "suppressions");
    const { body, events } = await accepting(customer, () => customer.send(phone));
    expect([body.error.code, events]).toEqual(["unsubscribed", []]);
  });

  it("All repeats of a send with an Idempotency-Key log one event of each kind, even concurrent repeats", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    const send = () => customer.send(phone, "Hello", { headers: { "Idempotency-Key": "order-1" } });
    await Promise.all(Array.from({ length: 10 }, send));
    await send();
    expect((await changesOf(customer)).map(({ type }) => type).toSorted()).toEqual([
      "contact.created",
      "conversation.opened",
      "message.queued",
      "message.sent",
    ]);
  });

  it("Twenty concurrent sends to a new number log one new contact", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    await Promise.all(Array.from({ length: 20 }, () => customer.send(phone)));
    await customer.world.settle();
    const types = Object.groupBy(await changesOf(customer), ({ type }) => type);
    expect(Object.fromEntries(Object.entries(types).map(([type, events]) => [type, events?.length]))).toMatchObject({
      "contact.created": 1,
      "conversation.opened": 1,
      "message.queued": 20,
      "message.sent": 20,
    });
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ] as const)(
    "If the database's response is lost %s the commit of a send, the number of logged messages is %i",
    async (when, count) => {
      const { world, faults } = faultyWorld();
      const customer = await world.customer();
      vi.spyOn(console, "error").mockReturnValue();
      faults.next(steps.accept, when);
      expect((await customer.send(phoneEnding(SILENT))).status).toBeGreaterThanOrEqual(500);
      const types = (await changesOf(customer)).map(({ type }) => type);
      expect(types.filter((type) => type === "message.queued")).toHaveLength(count);
      const rows = await onShard(customer, "SELECT id FROM messages WHERE workspace_id = ?", customer.workspaceId);
      expect(rows).toHaveLength(count);
    },
  );
});
