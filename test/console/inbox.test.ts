import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { agentOf, at, disconnect, listed, written } from "../support/inbox.ts";
import { sendBatch } from "../support/message-batches.ts";
import { textOf } from "../support/page-text.ts";
import { createTemplate } from "../support/templates.ts";
import { type Answer, phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

describe("Conversation list", () => {
  it("The inbox shows agents the open conversations with unread counts, latest first", async () => {
    const customer = await new World().customer();
    await written(customer, "First", "Ada Okafor");
    customer.world.advance(1000);
    const done = await written(customer, "Second", "Bruno Lima");
    customer.world.advance(1000);
    await written(customer, "Third", "Chloe Evans");
    await customer.call("PATCH", `/conversations/${done}`, { status: "done" });
    const { agent, page } = await agentOf(customer);
    expect(page.status).toBe(200);
    expect(listed(page)).toEqual(["Chloe Evans", "Ada Okafor"]);
    expect(textOf(page)).toContain("1 unread");
    expect(listed(await agent.get(at(customer, "?status=done")))).toEqual(["Bruno Lima"]);
    expect(listed(await agent.get(at(customer, "?status=all")))).toEqual(["Chloe Evans", "Bruno Lima", "Ada Okafor"]);
  });

  it("The inbox can be filtered by unread and searched by name and phone, and it finds archived contacts", async () => {
    const customer = await new World().customer();
    const ada = await written(customer, "Hi", "Ada Okafor");
    await written(customer, "Hi", "Bruno Lima");
    const { contact } = (await customer.call("GET", `/conversations/${ada}`)).body.conversation;
    await customer.call("POST", `/conversations/${ada}/read`);
    await customer.call("DELETE", `/contacts/${contact.id}`);
    await customer.call("PUT", "/contacts", { phone: phoneEnding("1234"), name: "Ada Without A Word" });
    const agent = await customer.member("agent");
    const names = async (query: string) => listed(await agent.get(at(customer, query)));
    expect(await names("?unread=true")).toEqual(["Bruno Lima"]);
    expect(await names("?search=okaf")).toEqual(["Ada Okafor"]);
    expect(await names(`?search=${encodeURIComponent(contact.phone.slice(0, -1))}`)).toEqual(["Ada Okafor"]);
    expect(await names("?search=ada&status=done")).toEqual([]);
    expect(await names("?search=nobody")).toEqual([]);
  });

  it("Later pages of the inbox keep search and filters", async () => {
    const customer = await new World().customer();
    for (let n = 0; n < 27; n++) {
      customer.world.advance(1000);
      await customer.receive(phoneEnding("1234"), "Hi", `Person ${n}`);
    }
    const agent = await customer.member("agent");
    for (const query of ["", "?search=person"]) {
      const first = await agent.get(at(customer, query));
      expect(listed(first)).toEqual(Array.from({ length: 25 }, (_, n) => `Person ${26 - n}`));
      const next = /href="([^"]*)" rel="next"/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
      expect(listed(await agent.get(next))).toEqual(["Person 1", "Person 0"]);
    }
  });

  it("The empty inbox suggests the next step", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const says = async (query: string) => textOf(await agent.get(at(customer, query)));
    expect(await says("")).toContain("Messages from contacts appear here automatically.");
    expect(await says("?search=zoe")).toContain("No such conversation of a contact with “zoe”");
    expect(await says("?unread=true")).toContain("All read");
    await disconnect(customer);
    expect(await says("")).toContain("Add a connection to receive messages. Ask an admin to add one.");
  });

  it("The inbox never shows another workspace's conversations", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await written(theirs, "Secret", "Zoe Secret");
    const agent = await mine.member("agent");
    for (const query of ["?status=all", "?search=zoe"]) expect(listed(await agent.get(at(mine, query)))).toEqual([]);
  });
});

describe("Threads", () => {
  it("A thread shows its messages in order with a heading per day, and becomes read when a member opens it", async () => {
    const customer = await new World().customer();
    customer.world.setTime(Date.UTC(2037, 10, 20, 23, 59));
    const id = await written(customer, "Good <evening>");
    customer.world.setTime(Date.UTC(2037, 10, 21, 0, 1));
    await customer.call("POST", `/conversations/${id}/messages`, { text: "Good morning" });
    const { page } = await agentOf(customer, id);
    const text = textOf(page).slice(textOf(page).indexOf("Friday, 20 November 2037"));
    expect(page.body).toContain("Good &lt;evening&gt;");
    const order = ["Friday, 20 November 2037", "Bruno Lima:", "Saturday, 21 November 2037", "API: Good morning"];
    const places = order.map((each) => text.indexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect((await customer.call("GET", `/conversations/${id}`)).body.conversation.unread_count).toBe(0);
    expect(listed(page)).toEqual(["Bruno Lima"]);
    expect(text).not.toContain("1 unread");
  });

  it.each([
    ["1234", ["Sent", "Read"], null],
    ["0001", ["Failed"], "The number is not on this network."],
    ["0004", ["Sent"], null],
    ["0003", ["Unknown"], "confirm the message"],
  ])(
    "A thread shows the delivery status of a message to a number ending in %s",
    async (ending, [first = "", then = first], reason) => {
      const customer = await new World().customer();
      const sent = (await customer.send(phoneEnding(ending))).body;
      const { agent, page } = await agentOf(customer, sent.conversation_id);
      const markOf = ({ body }: Answer) => /class="mark[^"]*">.*?<\/span>\s*([^<]*)/s.exec(body)?.[1] ?? "";
      expect(markOf(page)).toMatch(new RegExp(`^${first}`));
      if (reason !== null) expect(markOf(page)).toContain(reason);
      if (then === first) return;
      await customer.world.settle();
      expect(markOf(await agent.get(at(customer, `/${sent.conversation_id}`)))).toBe(then);
    },
  );

  it("A thread shows older messages in pages, and polls only on the latest page", async () => {
    const customer = await new World().customer();
    const id = await written(customer, "No. 0");
    customer.world.advance(1);
    const [{ contact }] = (await customer.call("GET", "/conversations")).body.conversations;
    await sendBatch(
      customer,
      Array.from({ length: 51 }, (_, n) => ({ to: contact.phone, text: `No. ${n + 1}.` })),
    );
    const { agent, page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("No. 51.");
    expect(textOf(page)).not.toContain("No. 1.");
    expect(page.body).toContain('data-poll="3"');
    const older = /href="([^"]*before=[^"]*)"/.exec(page.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const before = await agent.get(older);
    expect(textOf(before)).toContain("No. 1.");
    expect(textOf(before)).not.toContain("No. 2.");
    expect(before.body).not.toContain("data-poll");
  });

  it("A missing thread and another workspace's thread show an error page", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const foreign = await written(theirs);
    const agent = await mine.member("agent");
    await agent.get(at(mine));
    const template = await createTemplate(theirs, "Hello");
    for (const id of [foreign, "cnv_unknown"]) {
      for (const answer of [
        await agent.get(at(mine, `/${id}`)),
        await agent.post(at(mine, `/${id}`), { text: "Hi" }),
        await agent.post(at(mine, `/${id}/template`), { template_id: template }),
      ]) {
        expect(answer.status).toBe(404);
        expect(textOf(answer)).toContain("No such conversation.");
      }
      const changed = await agent.post(at(mine, `/${id}/change`), { status: "done" });
      expect(changed.status).toBe(303);
    }
    const { conversation } = (await theirs.call("GET", `/conversations/${foreign}`)).body;
    expect(conversation).toMatchObject({ unread_count: 1, status: "open" });
    expect(await theirs.outbox()).toEqual([]);
  });
});
