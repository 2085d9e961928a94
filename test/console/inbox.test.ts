import { beforeEach, describe, expect, it, vi } from "vitest";
import { createTemplate } from "../support/templates.ts";
import type { Visitor } from "../support/visitor.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

const HOUR = 3_600_000;

const at = ({ workspaceId }: Customer, below = "") => `/console/${workspaceId}/inbox${below}`;

/** Somebody has written; gives their conversation. */
async function written(customer: Customer, text = "Is my order on its way?", name = "Bruno Lima"): Promise<string> {
  const phone = phoneEnding("1234");
  await customer.receive(phone, text, name);
  const { conversations } = (await customer.call("GET", "/conversations?limit=1")).body;
  return conversations[0].id;
}

/** A connection goes once no key needs it. */
async function disconnect(customer: Customer): Promise<void> {
  await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
  const { status } = await customer.manage("DELETE", `/connections/${customer.connectionId}`);
  expect(status).toBe(200);
}

async function agentOf(customer: Customer, id = ""): Promise<{ agent: Visitor; page: Answer }> {
  const agent = await customer.member("agent");
  return { agent, page: await agent.get(at(customer, id && `/${id}`)) };
}

/** What a page says, without its markup. */
const textOf = ({ body }: Answer): string =>
  String(body)
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ");

/** The names listed, in their order. */
const listed = ({ body }: Answer): string[] =>
  Array.from(String(body).matchAll(/class="row-top"><strong>([^<]*)/g), ([, name = ""]) => name);

describe("the list of conversations", () => {
  it("shows an agent what is open, latest first, with what is unread", async () => {
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

  it("is filtered by what is unread, and searched by name and by phone, also of archived contacts", async () => {
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

  it("is paged, also where it is searched, and keeps its filters", async () => {
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

  it("says what to do next where there is nothing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const says = async (query: string) => textOf(await agent.get(at(customer, query)));
    expect(await says("")).toContain("Messages from contacts show up here by themselves.");
    expect(await says("?search=zoe")).toContain("No conversation of a contact with “zoe”");
    expect(await says("?unread=true")).toContain("All read");
    await disconnect(customer);
    expect(await says("")).toContain("Messages arrive through a connection. Ask an admin to add one.");
  });

  it("never shows another workspace's conversations", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await written(theirs, "Secret", "Zoe Secret");
    const agent = await mine.member("agent");
    for (const query of ["?status=all", "?search=zoe"]) expect(listed(await agent.get(at(mine, query)))).toEqual([]);
  });
});

describe("a thread", () => {
  it("shows what was said in its order with its days, and is read by opening it", async () => {
    const customer = await new World().customer();
    customer.world.setTime(Date.UTC(2037, 10, 20, 23, 59));
    const id = await written(customer, "Good <evening>");
    customer.world.setTime(Date.UTC(2037, 10, 21, 0, 1));
    await customer.call("POST", `/conversations/${id}/messages`, { text: "Good morning" });
    const { page } = await agentOf(customer, id);
    const text = textOf(page);
    expect(page.body).toContain("Good &lt;evening&gt;");
    const order = ["Friday, 20 November 2037", "Bruno Lima:", "Saturday, 21 November 2026", "You: Good morning"];
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
    ["0003", ["Unknown"], "The provider may or may not have it"],
  ])("shows how far a message to …%s has come", async (ending, [first = "", then = first], reason) => {
    const customer = await new World().customer();
    const sent = (await customer.send(phoneEnding(ending))).body;
    const { agent, page } = await agentOf(customer, sent.conversation_id);
    const markOf = ({ body }: Answer) => /class="mark[^"]*">.*?<\/span>\s*([^<]*)/s.exec(body)?.[1] ?? "";
    expect(markOf(page)).toMatch(new RegExp(`^${first}`));
    if (reason !== null) expect(markOf(page)).toContain(reason);
    if (then === first) return;
    await customer.world.settle();
    expect(markOf(await agent.get(at(customer, `/${sent.conversation_id}`)))).toBe(then);
  });

  it("shows older messages a page at a time, and looks for news only where the newest are", async () => {
    const customer = await new World().customer();
    const id = await written(customer, "No. 0");
    for (let n = 1; n < 52; n++) {
      customer.world.advance(1);
      await customer.call("POST", `/conversations/${id}/messages`, { text: `No. ${n}.` });
    }
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

  it("of another workspace, or of none, is a page that says so", async () => {
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
      const changed = await agent.post(at(mine, `/${id}/status`), { status: "done" });
      expect(changed.status).toBe(303);
    }
    const { conversation } = (await theirs.call("GET", `/conversations/${foreign}`)).body;
    expect(conversation).toMatchObject({ unread_count: 1, status: "open" });
    expect(await theirs.outbox()).toEqual([]);
  });
});

describe("a reply", () => {
  it("is sent and leads back to the thread beside the same list", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const answer = await agent.post(at(customer, `/${id}?search=bruno`), { text: "It is on its way.\nSoon." });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, at(customer, `/${id}?search=bruno`)]);
    expect((await customer.outbox()).map(({ body }) => body)).toEqual(["It is on its way.\nSoon."]);
  });

  it("is refused beside its field, with what was typed", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const long = "x".repeat(4097);
    const answer = await agent.post(at(customer, `/${id}`), { text: long });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('aria-invalid="true"');
    expect(textOf(answer)).toContain("At most 4096 characters.");
    expect(answer.body).toContain(long);
    expect((await agent.post(at(customer, `/${id}`), { text: "" })).status).toBe(400);
    expect(await customer.outbox()).toEqual([]);
  });

  it("needs what shows that it comes from our page", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    for (const [below, fields] of [
      ["", { text: "Hi" }],
      ["/template", { template_id: "tpl_x" }],
      ["/status", { status: "done" }],
    ] as const) {
      const answer = await agent.post(at(customer, `/${id}${below}`), { ...fields, csrf_token: "wrong" });
      expect(answer.status).toBe(403);
    }
    expect(await customer.outbox()).toEqual([]);
  });

  it("cannot be written to somebody who opted out, and the page says so", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    customer.world.advance(1000);
    await customer.call("PATCH", `/contacts/${contact.id}`, { is_unsubscribed: true });
    const { agent, page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("This person opted out of messages.");
    expect(page.body).not.toContain('name="text"');
    expect((await agent.post(at(customer, `/${id}`), { text: "Please" })).status).toBe(422);
  });

  it("cannot be written where the connection is gone, and the page says so", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    await disconnect(customer);
    const { page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("The connection cannot send now.");
  });
});

describe("done and reopen", () => {
  it("move a conversation between the lists", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    await agent.post(at(customer, `/${id}/status`), { status: "done" });
    const done = await agent.get(at(customer, `/${id}`));
    expect(textOf(done)).toContain("The conversation with Bruno Lima is done.");
    expect(textOf(done)).toContain("Reopen");
    expect(listed(done)).toEqual([]);
    await agent.post(at(customer, `/${id}/status`), { status: "open" });
    expect(listed(await agent.get(at(customer)))).toEqual(["Bruno Lima"]);
  });
});

describe("the 24 hours", () => {
  it("are told while they last, on official connections only", async () => {
    const world = new World();
    for (const [channel, told] of [
      ["official", true],
      ["unofficial", false],
    ] as const) {
      const customer = await world.customer({ channel });
      const id = await written(customer);
      world.advance(47 * 60_000);
      const { page } = await agentOf(customer, id);
      expect(textOf(page).includes("23 h 13 min left to answer in your own words.")).toBe(told);
      expect(page.body).toContain('name="text"');
    }
  });

  it("over, leave approved templates of the connection, filled in and looked at before they go", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    customer.world.advance(24 * HOUR);
    const { agent, page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("More than 24 hours have passed since Bruno Lima last wrote");
    expect(page.body).not.toContain('name="text"');
    const names = Array.from(page.body.matchAll(/<option[^>]*>([^<]*)/g), ([, name = ""]) => name.trim());
    expect(names).toContain("sandbox_order_update (en_US)");
    expect(names.join()).not.toMatch(/promo|blocked/);

    const template = /<option value="(tpl_[^"]*)"[^>]*>sandbox_order_update/.exec(page.body)?.[1] ?? "";
    const chosen = await agent.get(at(customer, `/${id}?template=${template}`));
    expect(chosen.body).toContain('name="variables.1"');
    expect(chosen.body).toContain('name="variables.2"');

    const sent = await agent.post(at(customer, `/${id}/template`), {
      template_id: template,
      "variables.1": "Bruno",
      "variables.2": "shipped",
    });
    expect(sent.status).toBe(303);
    const [delivery] = await customer.outbox();
    expect(delivery.body).toContain("Bruno");
    expect(delivery.body).toContain("shipped");
  });

  it("over, a text that was being written is refused with the templates in its place", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    customer.world.advance(24 * HOUR);
    const answer = await agent.post(at(customer, `/${id}`), { text: "Late" });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('name="template"');
    expect(await customer.outbox()).toEqual([]);
  });

  it("over, begin anew when the person writes", async () => {
    const customer = await new World().customer({ channel: "official" });
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    customer.world.advance(25 * HOUR);
    await customer.receive(contact.phone, "Hello?");
    const { page } = await agentOf(customer, id);
    expect(textOf(page)).toContain("24 h 0 min left");
    expect(page.body).toContain('name="text"');
  });
});

describe("a template", () => {
  it("can be sent in place of free text, filled in with what is known of the contact", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const template = await createTemplate(customer, "Hello {{first_name}}, {{news}}! {{extra|Bye}}");
    const { agent, page } = await agentOf(customer, id);
    expect(page.body).toContain("compose=template");
    const form = await agent.get(at(customer, `/${id}?compose=template`));
    expect(form.body).toMatch(/name="variables.first_name"[^>]*value="Bruno"/);
    expect(textOf(form)).toContain("Hello Bruno , {{news}} ! Bye");

    const refused = await agent.post(at(customer, `/${id}/template`), {
      template_id: template,
      "variables.first_name": "B.",
      "variables.news": " ",
    });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Fill this in: nothing is sent blank.");
    expect(refused.body).toMatch(/name="variables.first_name"[^>]*value="B."/);
    expect(await customer.outbox()).toEqual([]);

    await agent.post(at(customer, `/${id}/template`), { template_id: template, "variables.news": "it is here" });
    expect((await customer.outbox()).map(({ body }) => body)).toEqual(["Hello Bruno, it is here! Bye"]);
    expect(textOf(await agent.get(at(customer, `/${id}`)))).toContain("Template ·");
  });

  it("goes to the person in the conversation, though somebody else has their number by now", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    await customer.call("DELETE", `/contacts/${contact.id}`);
    const other = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: "Other" })).body
      .contact;
    expect((await customer.call("PATCH", `/contacts/${other.id}`, { phone: contact.phone })).status).toBe(200);
    const template = await createTemplate(customer, "Hello {{name}}");
    const { agent } = await agentOf(customer, id);
    customer.world.advance(1000);
    expect((await agent.post(at(customer, `/${id}/template`), { template_id: template })).status).toBe(303);
    expect(await customer.outbox()).toMatchObject([{ to: contact.phone, body: "Hello Bruno Lima" }]);
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    expect(messages[0].body).toBe("Hello Bruno Lima");
  });

  it("says what to do where there is none", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const { agent } = await agentOf(customer, id);
    const page = await agent.get(at(customer, `/${id}?compose=template`));
    expect(textOf(page)).toContain("There is no approved template for this connection");
  });

  it("of another workspace does not exist", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const id = await written(mine);
    const template = await createTemplate(theirs, "Hello");
    const { agent } = await agentOf(mine, id);
    const answer = await agent.post(at(mine, `/${id}/template`), { template_id: template });
    expect(answer.status).toBe(404);
    expect(textOf(answer)).toContain("No such template.");
    expect(await mine.outbox()).toEqual([]);
  });
});
