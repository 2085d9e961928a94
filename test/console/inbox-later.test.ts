import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, listed, written } from "../support/inbox.ts";
import { storeFile } from "../support/media.ts";
import { textOf } from "../support/page-text.ts";
import { deliver, messageFrom } from "../support/provider-events.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

/** A time as the value of a date and time field. */
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16);

async function timePasses(world: World): Promise<void> {
  world.advance(11 * HOUR);
  await world.cron();
  await world.settle();
}

async function inThread() {
  const customer = await new World().customer();
  const id = await written(customer);
  const { agent, page } = await agentOf(customer, id);
  const reply = (fields: Record<string, string>) => agent.post(at(customer, `/${id}`), fields);
  return { customer, id, agent, page, reply };
}

describe("Scheduled replies", () => {
  it("A scheduled reply waits in the conversation and is sent at the scheduled time", async () => {
    const { customer, id, agent, page, reply } = await inThread();
    expect(page.body).toContain('name="send_at"');
    expect((await reply({ text: "Good morning!", send_at: inHours(10) })).status).toBe(303);
    expect(await customer.outbox()).toEqual([]);
    const thread = textOf(await agent.get(at(customer, `/${id}`)));
    expect(thread).toContain("Good morning!");
    expect(thread).toMatch(/leaves .* UTC Cancel/);
    await timePasses(customer.world);
    expect(await customer.outbox()).toMatchObject([{ body: "Good morning!" }]);
  });

  it("A scheduled reply can contain a file, and can be cancelled until it is sent", async () => {
    const { customer, id, agent, reply } = await inThread();
    const { id: file } = await storeFile(customer);
    customer.world.advance(1000);
    expect((await reply({ text: "Our door", media_id: file, send_at: inHours(10) })).status).toBe(303);
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    expect(messages[0]).toMatchObject({ type: "image", delivery: "scheduled" });
    await agent.post(at(customer, `/${id}/messages/${messages[0].id}/cancel`));
    await timePasses(customer.world);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A reply cannot be scheduled in the past, and the form keeps the input", async () => {
    const { customer, reply } = await inThread();
    for (const [time, fault] of [
      [inHours(-1), "Must be in the future"],
      [inHours(24 * 366), "Must be in the future"],
      ["tomorrow", "reply-send_at-fault"],
    ] as const) {
      const refused = await reply({ text: "Too late", send_at: time });
      expect(refused.status, time).toBe(400);
      expect(refused.body).toContain(fault);
      expect(refused.body).toContain(">Too late</textarea>");
      expect(refused.body).toContain(`value="${time}"`);
      expect(refused.body).toMatch(/<details class="more send-later" open/);
    }
    expect(await customer.outbox()).toEqual([]);
  });
});

describe("People without a number", () => {
  it("If a person has no number, the inbox shows the name or username", async () => {
    const customer = await new World().customer();
    await deliver(customer, [messageFrom({ userId: "US.1", username: "@ann" }, "Hi")]);
    await deliver(customer, [messageFrom({ userId: "US.2" }, "Hello")]);
    const agent = await customer.member("agent");
    const list = await agent.get(at(customer));
    expect(listed(list).toSorted()).toEqual(["@ann", "No phone number"]);
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    const { id, contact } = conversations.find(({ last_message }: { last_message: string }) => last_message === "Hi");
    expect((await agent.get(at(customer, `/${id}`))).body).toContain("@ann</h1>");
    await customer.call("PATCH", `/contacts/${contact.id}`, { name: "Ann Lee" });
    const named = textOf(await agent.get(at(customer, `/${id}`)));
    expect(named).toContain("Ann Lee");
    expect(named).toContain("@ann · Sandbox");
    const page = await agent.get(`/console/${customer.workspaceId}/contacts/${contact.id}`);
    expect(textOf(page)).toContain("@ann (US.1)");
  });
});
