import { describe, expect, it } from "vitest";
import { unreachableInboxes } from "../support/bindings.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, post, report, transcript } from "../support/providers/linked.ts";
import type { Handed } from "../support/providers/stand-in.ts";
import { expand, phones, rowOf, sentAs, settleLease } from "../support/recipients.ts";
import { countingWorld, onShard } from "../support/storage.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

/** Sends a message that the provider accepts. `to` has written before, so that the message is allowed. */
async function sent(customer: Customer, to = phoneEnding("1234")): Promise<{ id: string; handed: Handed }> {
  await report(customer, cloud.inbound(to, "Hi"));
  customer.world.advance(1000);
  const { message_id: id } = (await customer.send(to, "Oepn")).body;
  const handed = cloud.handed.at(-1);
  if (handed === undefined) throw new Error("Nothing was handed over.");
  return { id, handed };
}

const nameless = (handed: Handed, status: "delivered" | "read", more: object = {}) =>
  cloud.deliver(cloud.messages({ statuses: [{ ...cloud.statusOf(handed, null, status), ...more }] }));

const echo = (to: string, content: object) =>
  cloud.deliver({
    ...cloud.messages({
      message_echoes: [
        { from: "15550783881", to: to.slice(1), timestamp: String(Math.floor(Date.now() / 1000)), ...content },
      ],
    }),
    field: "smb_message_echoes",
  });

const changed = (original_message_id: string, text: string) => ({
  id: "wamid.change",
  type: "edit",
  edit: { original_message_id, message: { type: "text", text: { body: text } } },
});

const earlyOf = (customer: Customer) =>
  onShard(customer, "SELECT provider_key FROM early_statuses WHERE workspace_id = ?", customer.workspaceId);

describe("Message keys of whatsapp_cloud", () => {
  it("A Cloud API message stores no provider key if all its statuses contain our id", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    for (const status of ["sent", "delivered", "read"] as const)
      await report(customer, cloud.status(handed, id, status), 2);
    expect(await rowOf(customer, id)).toMatchObject({
      provider_message_id: handed.providerMessageId,
      provider_key: null,
      delivered_at: expect.any(Number),
      read_at: expect.any(Number),
    });
  });

  it("Storing the result of a Cloud API send writes one row, all its statuses within a second write one more, and repeats write none", async () => {
    const { world, counted } = countingWorld();
    // The queue delivers all statuses at once.
    Object.assign(world.env, { STATUS_INBOX: unreachableInboxes() });
    const customer = await linkedCustomer(cloud, world);
    const { recipients } = await expand(customer, phones(50));
    const writtenBy = async (work: () => Promise<unknown>) => {
      const { rows_written: before = 0 } = counted();
      await work();
      return (counted()["rows_written"] ?? 0) - before;
    };
    const settle = () =>
      settleLease(customer, recipients, ({ id, ...recipient }) => ({
        outcome: { kind: "accepted", providerMessageId: `wamid.${id}` },
        sent: sentAs({ id, ...recipient }),
      }));
    const apply = async () => {
      for (const { id, phone } of recipients) {
        const handed = { providerMessageId: `wamid.${id}`, to: phone, request: null };
        const statuses = (["sent", "delivered", "read"] as const).map((status) => cloud.statusOf(handed, id, status));
        await post(customer, await cloud.deliver(cloud.messages({ statuses })));
      }
      await world.queues.deliverDue(world.env);
    };
    /** The campaign's counts, and a row of the log. */
    const rest = 2;
    expect(await writtenBy(settle)).toBe(50 + rest);
    expect(await writtenBy(settle)).toBe(0);
    expect(await writtenBy(apply)).toBe(50 + rest);
    expect(await writtenBy(apply)).toBe(0);
  });

  it("A status without our id is matched to its Cloud API message through the recipient", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    await sent(customer, handed.to);
    await report(customer, nameless(handed, "delivered"), 2);
    expect(await rowOf(customer, id)).toMatchObject({ provider_key: handed.providerMessageId });
    expect((await customer.message(id)).delivery).toBe("delivered");
    await report(customer, nameless(handed, "read", { recipient_id: null }), 2);
    expect((await customer.message(id)).delivery).toBe("read");
    expect(await earlyOf(customer)).toEqual([]);
  });

  it("A status finds its Cloud API message by the user id if the recipient has no number", async () => {
    const customer = await linkedCustomer(cloud);
    cloud.tellsUserIds = true;
    const { id, handed } = await sent(customer);
    const recipient = { recipient_id: undefined, recipient_user_id: handed.to.replace("+", "US.") };
    await report(customer, nameless(handed, "read", recipient), 2);
    expect((await customer.message(id)).delivery).toBe("read");
  });

  it("A status finds its Cloud API message while a merge has not yet moved the contact's history", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    const [kept] = await onShard(customer, "SELECT contact_seq AS seq FROM messages WHERE id = ?", id);
    const removed = Number(kept?.["seq"]) + 1000;
    await onShard(customer, "UPDATE messages SET contact_seq = ? WHERE id = ?", removed, id);
    await onShard(
      customer,
      "INSERT INTO contact_joins (from_seq, from_id, workspace_id, into_seq, joined_at) VALUES (?, 'ct_gone', ?, ?, 0)",
      removed,
      customer.workspaceId,
      kept?.["seq"] ?? 0,
    );
    await report(customer, nameless(handed, "read"));
    expect((await customer.message(id)).delivery).toBe("read");
  });

  it.each(["PATCH", "POST"])(
    "A status finds its Cloud API message after %s gave the contact a different number",
    async (method) => {
      const customer = await linkedCustomer(cloud);
      const { id, handed } = await sent(customer);
      const contactId = (await customer.message(id)).contact_id;
      await customer.call("PATCH", `/contacts/${contactId}`, { email: "ada@example.com" });
      const path = method === "PATCH" ? `/contacts/${contactId}` : "/contacts";
      const changes = { email: "ada@example.com", phone: phoneEnding("5678") };
      expect((await customer.call(method, path, changes)).status).toBe(200);
      expect(await rowOf(customer, id)).toMatchObject({ provider_key: handed.providerMessageId });
      await report(customer, nameless(handed, "read"), 2);
      expect((await customer.message(id)).delivery).toBe("read");
      await report(customer, echo(handed.to, changed(handed.providerMessageId, "Open")), 2);
      expect(await customer.message(id)).toMatchObject({ body: "Open", edited_at: expect.any(String) });
      expect((await customer.call("GET", "/contacts")).body.contacts).toHaveLength(1);
    },
  );

  it("Statuses of messages that other software sent to the same person change none of our messages, and expire after a day", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    await report(customer, nameless({ ...handed, providerMessageId: "wamid.other" }, "read"), 2);
    expect(await customer.message(id)).toMatchObject({ delivery: "sent" });
    expect(await earlyOf(customer)).toEqual([{ provider_key: "wamid.other" }]);
    customer.world.advance(86_400_001);
    await customer.world.cron();
    expect(await earlyOf(customer)).toEqual([]);
  });

  it("A status finds its Cloud API message among hundreds of other senders' statuses, in five statements per delivery", async () => {
    const { world, counted } = countingWorld();
    const customer = await linkedCustomer(cloud, world);
    const { recipients } = await expand(customer, phones(20));
    await settleLease(customer, recipients, (recipient) => ({
      outcome: { kind: "accepted", providerMessageId: "wamid.same" },
      sent: sentAs(recipient),
    }));
    const handed = recipients.map(({ phone }, index) => ({
      providerMessageId: `wamid.${index}`,
      to: phone,
      request: null,
    }));
    const same = handed.map((each) => ({ ...each, providerMessageId: "wamid.same" }));
    const statuses = [...handed, ...same].map((each) => cloud.statusOf(each, null, "read"));
    await post(customer, await cloud.deliver(cloud.messages({ statuses })));
    const { statements: before = 0 } = counted();
    await world.queues.deliverDue(world.env);
    expect((counted()["statements"] ?? 0) - before).toBeLessThanOrEqual(5);
    const rows = await Promise.all(recipients.map(({ id }) => rowOf(customer, id)));
    expect(rows.filter((row) => row?.["provider_key"] === "wamid.same" && row["read_at"] !== null)).toHaveLength(1);
    expect(rows.filter((row) => row?.["provider_key"] === null && row["read_at"] === null)).toHaveLength(19);
  });

  it("A Cloud API message is stored once, even if the account's own app reports it before or after the response to the send", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    const again = { id: handed.providerMessageId, type: "text", text: { body: "Oepn" } };
    await report(customer, echo(handed.to, again), 2);
    customer.world.advance(1000);
    await report(customer, echo(handed.to, { ...again, id: "wamid.before" }));
    cloud.next(() => Response.json({ messages: [{ id: "wamid.before" }], contacts: [] }));
    const second = (await customer.send(handed.to, "Oepn")).body.message_id;
    await report(customer, echo(handed.to, { ...again, id: "wamid.before" }));
    const [{ messages }] = await transcript(customer);
    expect(messages.slice(1).map((message: { id: string }) => message.id)).toEqual([id, second]);
  });

  it("The account's own app can edit a Cloud API message, even before the response to its send arrives", async () => {
    const customer = await linkedCustomer(cloud);
    const { id, handed } = await sent(customer);
    await report(customer, echo(handed.to, changed(handed.providerMessageId, "Open")), 2);
    expect(await customer.message(id)).toMatchObject({ body: "Open", versions: [{ body: "Oepn" }] });
    await report(customer, echo(handed.to, changed("wamid.before", "Closed")));
    cloud.next(() => Response.json({ messages: [{ id: "wamid.before" }], contacts: [] }));
    const second = (await customer.send(handed.to, "Clsoed")).body.message_id;
    await customer.world.cron();
    expect(await customer.message(second)).toMatchObject({ body: "Closed", edited_at: expect.any(String) });
  });
});
