import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { at as inbox } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding, World } from "../support/world.ts";

vi.setConfig({ testTimeout: 30_000 });
beforeEach(stopClock);

const DAY = 86_400_000;

async function labelled(labels: string[]) {
  const customer = await new World().customer();
  const [ben, cleo] = [await customer.member("agent", "Ben"), await customer.member("agent", "Cleo")];
  const id = String((await customer.send(phoneEnding("1234"), "Hello")).body.conversation_id);
  if (labels.length > 0) await customer.call("PATCH", `/conversations/${id}`, { labels });
  await Promise.all([ben.get(inbox(customer, `/${id}`)), cleo.get(inbox(customer, `/${id}`))]);
  const save = (by: typeof ben, typed: string, shown = labels.join(", ")) => {
    const form = new URLSearchParams([
      ["csrf_token", by.token],
      ["labels", typed],
      ["before.labels", ""],
      ["before.labels", shown],
    ]);
    return by.request("POST", inbox(customer, `/${id}/labels`), form);
  };
  const stored = async (): Promise<string[]> =>
    (await customer.call("GET", `/conversations/${id}`)).body.conversation.labels;
  return { customer, ben, cleo, id, save, stored };
}

describe("Simultaneous edits of labels", () => {
  it("If two members edit the labels of a conversation, the additions and removals of both are stored", async () => {
    const { ben, cleo, save, stored } = await labelled(["VIP", "Refund"]);
    expect((await save(ben, "VIP, Refund, Urgent")).status).toBe(303);
    expect((await save(cleo, "VIP, Berlin")).status).toBe(303);
    expect(await stored()).toEqual(["VIP", "Urgent", "Berlin"]);
  });

  it("If members save labels at the same moment, all labels are stored, and a repeated form changes nothing", async () => {
    const { customer, ben, cleo, save, stored } = await labelled([]);
    await Promise.all([save(ben, "A, B"), save(cleo, "C, b"), save(ben, "A, B")]);
    const labels = await stored();
    expect(labels.map((label) => label.toLowerCase()).toSorted()).toEqual(["a", "b", "c"]);
    const changes = async () => (await customer.call("GET", "/events?types=conversation.updated")).body.events.length;
    const before = await changes();
    await save(cleo, "C, b");
    expect([await stored(), await changes()]).toEqual([labels, before]);
  });

  it("A label keeps its position if only its case changes", async () => {
    const { ben, save, stored } = await labelled(["vip", "Refund"]);
    await save(ben, "VIP, Refund");
    expect(await stored()).toEqual(["Refund", "VIP"]);
    await save(ben, "", "Refund, VIP");
    expect(await stored()).toEqual([]);
  });

  it.each([
    [Array.from({ length: 21 }, (_, index) => `Label ${index}`).join(", "), "A conversation has at most 20 labels."],
    ["Fine, ".concat("x".repeat(61)), "A label has at most 60 characters."],
  ])("A form with an invalid label keeps the input and shows the reason", async (typed, reason) => {
    const { ben, save, stored } = await labelled(["VIP"]);
    const refused = await save(ben, typed);
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain(reason);
    expect(String(refused.body)).toContain(`value="${typed}"`);
    expect(await stored()).toEqual(["VIP"]);
  });

  it("A label is rejected if a colleague has added the last allowed label since the form was opened", async () => {
    const full = Array.from({ length: 20 }, (_, index) => `Label ${index}`);
    const { ben, save, stored } = await labelled(full);
    const refused = await save(ben, "One, Two", "One");
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("A conversation has at most 20 labels.");
    expect(await stored()).toEqual(full);
    expect((await save(ben, "Two", "Label 0, Two")).status).toBe(303);
    expect(await stored()).toEqual(full.slice(1));
  });

  it("Labels of another workspace's conversation cannot be changed", async () => {
    const { ben, save, stored, id } = await labelled(["VIP"]);
    const other = await new World().customer();
    const stranger = await other.member("agent", "Dora");
    await stranger.post(inbox(other, `/${id}/labels`), { labels: "Mine" });
    expect(await stored()).toEqual(["VIP"]);
    expect((await save(ben, "VIP, Own")).status).toBe(303);
  });
});

describe("Snooze with a typed time", () => {
  it.each([-DAY, 400 * DAY])(
    "A snooze to a time %i ms from now is rejected, and the form keeps the entered time",
    async (ms) => {
      const { customer, ben, id } = await labelled([]);
      const typed = new Date(Date.now() + ms).toISOString().slice(0, 16);
      const refused = await ben.post(inbox(customer, `/${id}/snooze`), { snoozed_until: typed });
      expect(refused.status).toBe(400);
      expect(textOf(refused)).toContain("Must be in the future and within 365 days.");
      expect(String(refused.body)).toContain(`value="${typed}"`);
    },
  );

  it("A snoozed conversation is hidden until the snooze ends", async () => {
    const { customer, ben, id } = await labelled([]);
    const typed = new Date(Date.now() + DAY).toISOString().slice(0, 16);
    expect((await ben.post(inbox(customer, `/${id}/snooze`), { snoozed_until: typed })).status).toBe(303);
    const { conversation } = (await customer.call("GET", `/conversations/${id}`)).body;
    expect(conversation.snoozed_until).toBe(`${typed}:00.000Z`);
  });
});
