import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { type Customer, World } from "../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;

async function inThread() {
  const customer = await new World().customer();
  const id = await written(customer);
  const [{ id: message }] = (await customer.call("GET", `/conversations/${id}/messages`)).body.messages;
  const { agent, page } = await agentOf(customer, id);
  customer.world.advance(1000);
  return { customer, id, message, agent, page };
}

const send = async (customer: Customer, id: string, content: object) =>
  (await customer.call("POST", `/conversations/${id}/messages`, content)).body.message_id;

describe("Message menu", () => {
  it("For screen readers, the name of the message menu contains the message's author and text", async () => {
    const { customer, id, agent } = await inThread();
    await send(customer, id, { text: "x".repeat(70) });
    const { body } = await agent.get(at(customer, `/${id}`));
    const names = Array.from(body.matchAll(/aria-label="(Message options: [^"]*)"/g), ([, name]) => name);
    expect(names).toEqual([
      "Message options: Bruno Lima, “Is my order on its way?”",
      `Message options: API, “${"x".repeat(60)} …”`,
    ]);
  });
});

describe("Replies", () => {
  it("A reply quotes its message and links to it", async () => {
    const { customer, id, message, agent } = await inThread();
    const form = await agent.get(at(customer, `/${id}?reply_to=${message}`));
    expect(textOf(form)).toContain("Reply to Bruno Lima Is my order on its way?");
    const sent = await agent.post(at(customer, `/${id}`), { text: "It is", reply_to: message });
    expect(sent.headers.get("Location")).toBe(at(customer, `/${id}`));
    const page = await agent.get(at(customer, `/${id}`));
    expect(page.body).toMatch(new RegExp(`<a class="quote" href="#${message}">.*Is my order on its way`, "s"));
  });

  it("A reply cannot quote a missing message or a message of another conversation", async () => {
    const { customer, id, agent } = await inThread();
    const other = await written(customer, "Something else", "Zoe Quist");
    const [{ id: theirs }] = (await customer.call("GET", `/conversations/${other}/messages`)).body.messages;
    const form = await agent.get(at(customer, `/${id}?reply_to=${theirs}`));
    expect(form.body).not.toContain('name="reply_to"');
    expect((await agent.get(at(customer, `/${id}?reply_to=msg_none`))).status).toBe(404);
    for (const reply_to of [theirs, "msg_none"])
      expect((await agent.post(at(customer, `/${id}`), { text: "Hi", reply_to })).status).toBe(404);
    expect(await customer.outbox()).toEqual([]);
  });
});

describe("Reactions", () => {
  it("A reaction appears on its message and can be removed", async () => {
    const { customer, id, message, agent } = await inThread();
    const react = (emoji: string) => agent.post(at(customer, `/${id}/react`), { message_id: message, emoji });
    expect((await react("👍")).headers.get("Location")).toBe(at(customer, `/${id}`));
    await customer.world.settle();
    const page = await agent.get(at(customer, `/${id}`));
    expect(page.body).toMatch(/class="reactions"><span title="You reacted">.*👍/s);
    expect(page.body).toContain('data-own="👍"');
    const details = await agent.get(at(customer, `/${id}/messages/${message}`));
    expect(textOf(details)).toContain("Remove reaction 👍");
    expect(details.body).toMatch(/value=""[^>]*aria-pressed="true"/);
    await react("");
    await customer.world.settle();
    expect((await agent.get(at(customer, `/${id}`))).body).not.toContain('class="reactions"');
  });

  it("A reaction must be one emoji on a message of the conversation", async () => {
    const { customer, id, message, agent } = await inThread();
    const react = (fields: Record<string, string>) =>
      agent.request("POST", at(customer, `/${id}/react`), new URLSearchParams({ csrf_token: agent.token, ...fields }), {
        headers: { Referer: `http://tidings.test${at(customer, `/${id}`)}` },
      });
    for (const fields of [
      { message_id: message, emoji: "nice" },
      { message_id: "msg_none", emoji: "👍" },
    ]) {
      expect((await react(fields)).headers.get("Location")).toBe(at(customer, `/${id}`));
      expect((await agent.get(at(customer, `/${id}`))).body).toContain('class="banner error"');
    }
    expect(await customer.outbox()).toEqual([]);
  });
});

describe("Message details", () => {
  it("The details of a message show status, ids, metadata and actions", async () => {
    const { customer, id, agent } = await inThread();
    const message = await send(customer, id, { text: "Good <b>morning</b>", metadata: { order: "4711" } });
    await customer.world.settle();
    const page = await agent.get(at(customer, `/${id}/messages/${message}`));
    expect(page.status).toBe(200);
    const text = textOf(page);
    for (const part of ["Kind Text", "Direction To the contact", "State Read", message, "order 4711", "React", "Reply"])
      expect(text).toContain(part);
    expect(page.body).toContain("Good &lt;b&gt;morning&lt;/b&gt;");
    const thread = await agent.get(at(customer, `/${id}`));
    expect(thread.body).toContain(`href="${at(customer, `/${id}/messages/${message}`)}" data-message="${message}"`);
  });

  it("The details of a failed message show the reason", async () => {
    const customer = await new World().customer();
    const sent = (await customer.send("+14155550001")).body;
    await customer.world.settle();
    const { agent } = await agentOf(customer, sent.conversation_id);
    const text = textOf(await agent.get(at(customer, `/${sent.conversation_id}/messages/${sent.message_id}`)));
    expect(text).toContain("State Failed");
    expect(text).toContain("Error invalid_recipient");
  });

  it("The details of a message return 404 in another conversation or workspace", async () => {
    const { customer, id, message, agent } = await inThread();
    const other = await written(customer, "Else", "Zoe Quist");
    const stranger = await customer.world.customer();
    const foreign = await written(stranger);
    for (const path of [`/${other}/messages/${message}`, `/${id}/messages/msg_none`, `/${foreign}/messages/${message}`])
      expect((await agent.get(at(customer, path))).status).toBe(404);
    expect((await agent.get(at(stranger, `/${foreign}`))).status).toBe(403);
  });
});

describe("Scheduled messages", () => {
  it("A scheduled message shows its time, and can be cancelled until then", async () => {
    const { customer, id, agent } = await inThread();
    const send_at = new Date(Date.now() + HOUR).toISOString();
    const message = await send(customer, id, { text: "Later", send_at });
    const page = await agent.get(at(customer, `/${id}`));
    expect(textOf(page)).toMatch(/Scheduled leaves .* Cancel/);
    const cancelled = await agent.post(at(customer, `/${id}/messages/${message}/cancel`));
    expect(cancelled.headers.get("Location")).toBe(at(customer, `/${id}`));
    expect(textOf(await agent.get(at(customer, `/${id}`)))).toContain("Cancelled");
    customer.world.advance(2 * HOUR);
    await customer.world.cron();
    await customer.world.settle();
    expect(await customer.outbox()).toEqual([]);
    const again = await agent.post(
      at(customer, `/${id}/messages/${message}/cancel`),
      {},
      { headers: { Referer: `http://tidings.test${at(customer, `/${id}`)}` } },
    );
    expect(again.status).toBe(303);
    expect((await agent.get(at(customer, `/${id}`))).body).toContain('class="banner error"');
  });
});

describe("Messages of every kind", () => {
  it("Each kind of message is displayed in its own way", async () => {
    const { customer, id, agent } = await inThread();
    await send(customer, id, { location: { latitude: 52.5, longitude: 13.4, name: "Our shop" } });
    await send(customer, id, {
      contacts: [{ name: { formatted_name: "Ada Okafor" }, phones: [{ phone: "+14155550100" }] }],
    });
    const buttons = [{ id: "yes", title: "Yes please" }];
    await send(customer, id, { interactive: { type: "buttons", body: "Shall we?", buttons } });
    const text = textOf(await agent.get(at(customer, `/${id}`)));
    for (const part of ["Our shop", "Open map", "Ada Okafor", "Shall we?", "Yes please"]) expect(text).toContain(part);
  });
});
