import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const until = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

const numbered = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i}`);

/** Adds a contact whose conversation has these fields. */
async function talkingContact(customer: Customer, fields: object, token = customer.key) {
  const phone = phoneEnding("1234");
  const { contact } = (await customer.call("POST", "/contacts", { phone, name: "Ann" })).body;
  const { conversation } = (await customer.call("POST", "/conversations", { contact_id: contact.id }, { token })).body;
  expect((await customer.call("PATCH", `/conversations/${conversation.id}`, fields)).status).toBe(200);
  return { id: contact.id, conversation: conversation.id };
}

/** Merges two of these contacts. Returns the losses of the preview and of the merge, and the kept conversation. */
async function merged(customer: Customer, kept: object, removed: object) {
  const [one, other] = [await talkingContact(customer, kept), await talkingContact(customer, removed)];
  const merge = async (preview: boolean) =>
    (await customer.call("POST", `/contacts/${one.id}/merge`, { from: other.id, preview })).body.dropped;
  const before = await merge(true);
  const { phone: _, ...dropped } = await merge(false);
  expect(before).toMatchObject(dropped);
  const { conversation } = (await customer.call("GET", `/conversations/${one.conversation}`)).body;
  return { dropped, conversation };
}

describe("Merged conversations", () => {
  it("A merge of conversations reports the labels that it drops because a conversation has a maximum number of labels", async () => {
    const customer = await new World().customer();
    const own = numbered("own", 18);
    const { dropped, conversation } = await merged(
      customer,
      { labels: own },
      { labels: ["OWN 1", "new 1", "new 2", "new 3", "new 4"] },
    );
    expect(conversation.labels).toEqual([...own, "new 1", "new 2"]);
    expect(dropped).toEqual({ labels: ["new 3", "new 4"] });
  });

  it("A merge of conversations reports the snooze that it drops", async () => {
    const customer = await new World().customer();
    const [soon, late] = [until(1), until(2)];
    for (const [kept, removed, held, lost] of [
      [{ snoozed_until: soon }, { status: "open" }, null, soon],
      [{ status: "open" }, { snoozed_until: soon }, null, soon],
      [{ snoozed_until: late }, { snoozed_until: soon }, soon, late],
      [{ snoozed_until: soon }, { snoozed_until: soon }, soon, undefined],
      [{ status: "done" }, { snoozed_until: soon }, soon, undefined],
    ] as const) {
      const { dropped, conversation } = await merged(customer, kept, removed);
      expect([conversation.snoozed_until, dropped.snoozed_until]).toEqual([held, lost]);
    }
  });

  it("A merge of conversations with different assignees reports the removed assignee", async () => {
    const customer = await new World().customer();
    const [ada, bob] = [await customer.member("agent", "Ada"), await customer.member("agent", "Bob")];
    const lost = await merged(customer, { assignee_id: ada.userId }, { assignee_id: bob.userId });
    expect(lost.dropped).toEqual({ assignees: [{ id: bob.userId, name: "Bob" }] });
    expect(lost.conversation.assignee.name).toBe("Ada");
    const same = await merged(customer, { assignee_id: ada.userId }, { assignee_id: ada.userId });
    expect(same.dropped).toEqual({});
    const taken = await merged(customer, { status: "open" }, { assignee_id: bob.userId });
    expect([taken.dropped, taken.conversation.assignee.name]).toEqual([{}, "Bob"]);
  });

  it("A merge of conversations on different connections loses nothing", async () => {
    const customer = await new World().customer();
    const settings = { name: "Other", channel: "unofficial", provider: "sandbox", config: {} };
    const { connection } = (await customer.manage("POST", "/connections", settings)).body;
    const { key } = (await customer.manage("POST", "/api-keys", { name: "B", connection_id: connection.id })).body;
    const kept = await talkingContact(customer, { labels: numbered("own", 20) });
    const other = await talkingContact(customer, { snoozed_until: until(1), labels: ["new"] }, key);
    const { dropped, moved } = (await customer.call("POST", `/contacts/${kept.id}/merge`, { from: other.id })).body;
    expect([Object.keys(dropped), moved.conversations]).toEqual([["phone"], 1]);
  });
});
