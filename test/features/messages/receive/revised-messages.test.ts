import { describe, expect, it } from "vitest";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report, transcript } from "../../../support/providers/linked.ts";
import { chatOf, WahaStandIn } from "../../../support/providers/waha.ts";
import { type Delivery, type StandIn } from "../../../support/providers/stand-in.ts";
import { onShard } from "../../../support/storage.ts";
import { type Answer, type Customer, phoneEnding } from "../../../support/world.ts";

const DAY_MS = 86_400_000;
const iso = (at: number) => new Date(at).toISOString();

/** The two providers that report edits and deletions, and the format of each. */
interface Writer {
  standIn: StandIn;
  write(from: string, id: string, text: string, at: number): Promise<Delivery>;
  edit(from: string, id: string, text: string, at: number): Promise<Delivery>;
  revoke(from: string, id: string, at: number): Promise<Delivery>;
}

let actions = 0;

const cloudWriter = (): Writer => {
  const cloud = new CloudStandIn();
  const told = (from: string, content: object, at: number) =>
    cloud.deliver(cloud.message(from, { timestamp: String(Math.floor(at / 1000)), ...content }));
  return {
    standIn: cloud,
    write: (from, id, text, at) => told(from, { id: `wamid.${id}`, type: "text", text: { body: text } }, at),
    edit: (from, id, text, at) =>
      told(
        from,
        {
          id: `wamid.edit${++actions}`,
          type: "edit",
          edit: {
            original_message_id: `wamid.${id}`,
            message: { context: { id: "M0" }, type: "text", text: { body: text } },
          },
        },
        at,
      ),
    revoke: (from, id, at) =>
      told(
        from,
        { id: `wamid.revoke${++actions}`, type: "revoke", revoke: { original_message_id: `wamid.${id}` } },
        at,
      ),
  };
};

const wahaWriter = (): Writer => {
  const waha = new WahaStandIn();
  const action = (from: string, fields: object) =>
    waha.message(chatOf(from), "", { id: `false_${chatOf(from)}_BBBB${++actions}`, ...fields });
  return {
    standIn: waha,
    write: (from, id, text, at) =>
      waha.deliver(
        "message",
        waha.message(chatOf(from), text, { id: `false_${chatOf(from)}_${id}`, timestamp: Math.floor(at / 1000) }),
        { timestamp: at },
      ),
    edit: (from, id, text, at) =>
      waha.deliver("message.edited", action(from, { body: text, editedMessageId: id }), { timestamp: at }),
    revoke: (from, id, at) =>
      waha.deliver(
        "message.revoked",
        { after: action(from, {}), before: null, revokedMessageId: id },
        { timestamp: at },
      ),
  };
};

const single = async (customer: Customer): Promise<Answer["body"]> => {
  const [conversation, ...others] = await transcript(customer);
  expect(others).toEqual([]);
  return conversation;
};

const messageOf = async (customer: Customer): Promise<Answer["body"]> =>
  customer.message((await single(customer)).messages[0].id);

const waitingIn = (customer: Customer) =>
  onShard(customer, "SELECT 1 FROM message_revisions WHERE workspace_id = ?", customer.workspaceId);

describe.each([
  ["whatsapp_cloud", cloudWriter],
  ["waha", wahaWriter],
])("Revised messages on %s", (_, makeWriter) => {
  let writer: Writer;
  playInEachTest(() => (writer = makeWriter()).standIn);
  const from = phoneEnding("1234");

  /** Receives a message that was written at the time `at`, some seconds ago. */
  async function written(text = "Two, pleese") {
    const customer = await linkedCustomer(writer.standIn);
    const at = Math.floor(Date.now() / 1000) * 1000;
    await report(customer, writer.write(from, "M1", text, at));
    customer.world.advance(60_000);
    return { customer, at };
  }

  it("A message that its author edited has the new text and keeps the earlier text", async () => {
    const { customer, at } = await written();
    await report(customer, writer.edit(from, "M1", "Two, please", at + 5000), 2);
    await report(customer, writer.edit(from, "M1", "Three, please", at + 9000));
    const conversation = await single(customer);
    expect(conversation).toMatchObject({ last_message: "Three, please", unread_count: 1, status: "open" });
    const message = await messageOf(customer);
    expect(message).toMatchObject({
      body: "Three, please",
      edited_at: iso(at + 9000),
      revoked_at: null,
      versions: [
        { body: "Two, pleese", written_at: message.created_at },
        { body: "Two, please", written_at: iso(at + 5000) },
      ],
    });
    expect(conversation.messages).toMatchObject([{ body: "Three, please", edited_at: iso(at + 9000) }]);
    expect(await waitingIn(customer)).toEqual([]);
  });

  it("A message that its author deleted is marked as deleted and keeps its text", async () => {
    const { customer, at } = await written();
    await report(customer, writer.revoke(from, "M1", at + 5000), 3);
    const message = await messageOf(customer);
    expect(message).toMatchObject({ body: "[deleted message]", edited_at: null, revoked_at: iso(at + 5000) });
    expect(message.versions).toEqual([{ body: "Two, pleese", written_at: message.created_at }]);
    expect(await single(customer)).toMatchObject({ last_message: "[deleted message]", unread_count: 1 });
  });

  it("An edited or deleted message has the same final state for any order and number of events", async () => {
    const { customer, at } = await written();
    const second = await writer.edit(from, "M1", "Three, please", at + 9000);
    const first = await writer.edit(from, "M1", "Two, please", at + 5000);
    await report(customer, second);
    await report(customer, first, 2);
    await report(customer, second);
    expect(await messageOf(customer)).toMatchObject({
      body: "Three, please",
      edited_at: iso(at + 9000),
      versions: [{ body: "Two, pleese" }, { body: "Two, please" }],
    });
    await report(customer, writer.revoke(from, "M1", at + 12_000));
    await report(customer, writer.edit(from, "M1", "Four", at + 10_000));
    const message = await messageOf(customer);
    expect(message).toMatchObject({ body: "[deleted message]", revoked_at: iso(at + 12_000) });
    expect(message.versions.map(({ body }: { body: string }) => body)).toEqual([
      "Two, pleese",
      "Two, please",
      "Three, please",
      "Four",
    ]);
  });

  it("If edits and deletions arrive before their message, the message has them when it arrives", async () => {
    const customer = await linkedCustomer(writer.standIn);
    const at = Math.floor(Date.now() / 1000) * 1000 - 60_000;
    await report(customer, writer.edit(from, "M1", "Two, please", at + 5000), 2);
    expect(await transcript(customer)).toEqual([]);
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
    await report(customer, writer.write(from, "M1", "Two, pleese", at), 2);
    expect(await messageOf(customer)).toMatchObject({
      body: "Two, please",
      edited_at: iso(at + 5000),
      versions: [{ body: "Two, pleese" }],
    });
    expect(await single(customer)).toMatchObject({ last_message: "Two, please", unread_count: 1 });
    expect(await waitingIn(customer)).toEqual([]);
  });

  it("Only the author of a message can edit or delete it", async () => {
    const { customer, at } = await written();
    const stranger = phoneEnding("4321");
    await report(customer, writer.write(stranger, "M2", "Hello", at));
    await report(customer, writer.edit(stranger, "M1", "Hacked", at + 5000));
    await report(customer, writer.revoke(stranger, "M1", at + 6000));
    const message = (await transcript(customer)).find(({ contact }) => contact.phone === from)?.messages[0];
    expect(message).toMatchObject({ body: "Two, pleese", edited_at: null, revoked_at: null });
  });

  it("An event from another workspace's connection cannot edit or delete a message", async () => {
    const { customer, at } = await written();
    const other = await linkedCustomer(writer.standIn, customer.world);
    await report(other, writer.edit(from, "M1", "Elsewhere", at + 5000));
    expect(await messageOf(customer)).toMatchObject({ body: "Two, pleese", edited_at: null });
    expect((await other.call("GET", "/conversations")).body.conversations).toEqual([]);
  });

  it("An edit or deletion does not open the 24-hour window or mark the message as unread", async () => {
    const { customer, at } = await written();
    const { id } = await single(customer);
    await customer.call("POST", `/conversations/${id}/read`);
    await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
    customer.world.advance(DAY_MS);
    await report(customer, writer.edit(from, "M1", "Two, please", at + 5000));
    expect(await single(customer)).toMatchObject({ unread_count: 0, status: "done", last_message: "Two, please" });
    const [row] = await onShard(customer, "SELECT last_inbound_at FROM conversations WHERE id = ?", id);
    expect(Number(row?.["last_inbound_at"])).toBeLessThan(at + 5000);
  });

  it("An edit to an opt-out word opts the person out once", async () => {
    const { customer, at } = await written("Stpo");
    const edit = await writer.edit(from, "M1", "STOP", at + 5000);
    await report(customer, edit, 2);
    expect((await customer.send(from)).body.error?.code).toBe("unsubscribed");
    await report(customer, writer.write(from, "M3", "START", at + 50_000));
    await report(customer, edit);
    expect((await customer.send(from)).status).toBe(202);
  });

  it("The console shows that a message was edited or deleted, with its earlier versions", async () => {
    const { customer, at } = await written();
    const { id } = await single(customer);
    const agent = await customer.member("agent");
    const page = async () => (await agent.get(`/console/${customer.workspaceId}/inbox/${id}`)).body;
    expect(await page()).not.toContain("Earlier versions");
    await report(customer, writer.edit(from, "M1", "Two, please", at + 5000));
    expect(await page()).toMatch(/Two, please[^]*Earlier versions[^]*Two, pleese[^]*Edited/);
    await report(customer, writer.revoke(from, "M1", at + 6000));
    expect(await page()).toMatch(/This message was deleted[^]*Earlier versions/);
  });

  it("Stored edits and deletions are removed if their message never arrives", { tags: "long" }, async () => {
    const customer = await linkedCustomer(writer.standIn);
    await report(customer, writer.edit(from, "M9", "Nothing", Date.now()));
    customer.world.advance(7 * DAY_MS);
    await customer.world.cron();
    expect((await waitingIn(customer)).length).toBeGreaterThan(0);
    customer.world.advance(2 * DAY_MS);
    await customer.world.cron();
    expect(await waitingIn(customer)).toEqual([]);
  });
});
