import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { deliver, messageFrom, ownMessageTo, strangers } from "../../support/provider-events.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const find = (customer: Customer, search: string, more = "") =>
  customer.call("GET", `/conversations?search=${encodeURIComponent(search)}${more}`);
const found = async (customer: Customer, search: string, more = ""): Promise<string[]> =>
  (await find(customer, search, more)).body.conversations.map(({ id }: Answer["body"]) => id);

async function pagesOf(customer: Customer, search: string, filters = ""): Promise<Answer[]> {
  const pages = [await find(customer, search, filters)];
  for (;;) {
    const next = pages.at(-1)?.body.next_cursor;
    if (typeof next !== "string") return pages;
    pages.push(await find(customer, search, `${filters}&cursor=${next}`));
  }
}

const idsOn = (pages: Answer[]): string[] =>
  pages.flatMap(({ body }) => body.conversations.map(({ id }: Answer["body"]) => id));

/** Opens a conversation that contains this text. */
async function saying(customer: Customer, text: string): Promise<string> {
  customer.world.advance(1000);
  return (await customer.send(phoneEnding("1234"), text)).body.conversation_id;
}

describe("Conversation search", () => {
  it("A conversation search finds all words in one message of either side, in any case and with any accents", async () => {
    const customer = await new World().customer();
    const cafe = await saying(customer, "Your Café order is ready");
    const street = await saying(customer, "We are in the Hauptstraße");
    const from = phoneEnding("1234");
    customer.world.advance(1000);
    await customer.receive(from, "Where is my ORDER?");
    const [asked] = await found(customer, "where");
    expect(await found(customer, "cafe")).toEqual([cafe]);
    expect(await found(customer, "CAFÉ order")).toEqual([cafe]);
    expect(await found(customer, "order")).toEqual([asked, cafe]);
    expect(await found(customer, "hauptstraße")).toEqual([street]);
    expect(await found(customer, "cafe where")).toEqual([]);
    expect(await found(customer, 'x" OR t:"order')).toEqual([]);
    expect(await found(customer, "order", "&unread=true")).toEqual([asked]);
    expect(await found(customer, "order", "&status=done")).toEqual([]);
  });

  it("A conversation search ignores punctuation next to words, both in the search and in the message", async () => {
    const customer = await new World().customer();
    const paid = await saying(customer, "We got the (second) invoice, No. 42, at 50% off. Thanks!");
    for (const words of ["invoice?", "“invoice”", "(invoice)", "invoice, thanks", "second!", "50%", "(50%),", "No."])
      expect(await found(customer, words), words).toEqual([paid]);
    expect(await found(customer, "60%")).toEqual([]);
  });

  it("A conversation search also finds people by name and number, and returns each conversation once", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone, name: "Refund Roberta" });
    const { conversation_id: id } = (await customer.send(phone, "Your refund is on its way")).body;
    const other = await saying(customer, "No refund for you");
    expect(await found(customer, "refund")).toEqual([other, id]);
    expect(await found(customer, "roberta")).toEqual([id]);
    expect(await found(customer, phone)).toEqual([id]);
  });

  it("A conversation search applies all filters on every page", async () => {
    const customer = await new World().customer();
    const { userId } = await customer.member("agent");
    const from = phoneEnding("1234");
    const ids = [];
    for (const text of ["order one", "order two"]) {
      ids.unshift(await saying(customer, text));
      await customer.call("PATCH", `/conversations/${ids[0]}`, { assignee_id: userId, labels: ["Urgent"] });
    }
    await onShard(customer, "UPDATE conversations SET unread_count = 1 WHERE workspace_id = ?", customer.workspaceId);
    const filters = `&label=urgent&unread=true&assignee=${userId}&limit=1`;
    const first = await find(customer, "order", filters);
    expect(first.body.conversations).toMatchObject([{ id: ids[0] }]);
    const next = `${filters}&cursor=${first.body.next_cursor}`;
    expect(await found(customer, "order", next)).toEqual([ids[1]]);
    expect(await found(customer, `${from} 555 666 777 order`, next)).toEqual([]);
    expect(await found(customer, "order", `${next}&status=done`)).toEqual([]);
    expect(await found(customer, "order", `${next}&snoozed=true`)).toEqual([]);
  });

  it("A conversation search finds nothing from another workspace", async () => {
    const customer = await new World().customer();
    const stranger = await customer.world.customer();
    await saying(stranger, "Secret plans");
    expect(await found(customer, "secret")).toEqual([]);
  });

  async function expectNoneHidden(messages: number, others: number): Promise<void> {
    const customer = await new World().customer();
    const quiet = await saying(customer, "hello from long ago");
    const chatty = phoneEnding("1234");
    for (let n = 0; n < messages; n++) {
      customer.world.advance(1000);
      await customer.send(chatty, `hello ${n}`);
    }
    const answer = await find(customer, "hello");
    expect(answer.body.conversations.map(({ id }: Answer["body"]) => id)).toContain(quiet);
    expect(answer.body.conversations).toHaveLength(2);
    expect(costOf(answer)["trips"]).toBe(1);
    for (let n = 0; n < others; n++) await saying(customer, "hello again");
    const many = await find(customer, "hello again");
    expect(many.body.conversations).toHaveLength(20);
    expect(costOf(many)["rows_read"]).toBeLessThanOrEqual(20 * 12);
  }

  it("A conversation search with 22 matching messages in one conversation finds all others, and reads at most twelve rows per result", () =>
    expectNoneHidden(22, 21));

  it(
    "A conversation search with 60 matching messages in one conversation finds all others, and reads at most twelve rows per result",
    { tags: "long" },
    () => expectNoneHidden(60, 30),
  );

  it("A conversation search finds all matches despite contacts without a conversation", { tags: "long" }, async () => {
    const customer = await new World().customer();
    await saying(customer, "Something else");
    const phone = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone, name: "Zorb 0" });
    const zorb = (await customer.send(phone, "Hello")).body.conversation_id;
    const people = Array.from({ length: 250 }, (_, n) => ({ email: `zorb${n}@example.com`, name: `Zorb ${n + 1}` }));
    await customer.call("POST", "/contacts/batch", { contacts: people });
    const saidIt = [];
    for (let n = 0; n < 130; n++) saidIt.unshift(await saying(customer, n < 25 ? `Platypus ${n}` : `Hello ${n}`));
    expect(idsOn(await pagesOf(customer, "zorb"))).toEqual([zorb]);
    expect(idsOn(await pagesOf(customer, "platypus", "&limit=10"))).toEqual(saidIt.slice(-25));
    const answer = await find(customer, "zorb");
    expect([answer.body.conversations, costOf(answer)["trips"]]).toEqual([[], 1]);
    expect(answer.body.next_cursor).not.toBeNull();
    expect(costOf(answer)["rows_read"]).toBeLessThanOrEqual(200);
    expect(costOf(await find(customer, "platypus"))["rows_read"]).toBeLessThanOrEqual(200 + 5 * 20);
  });

  it("A conversation search finds all matches, and reads few rows per page", async () => {
    const customer = await new World().customer();
    const phones = Array.from({ length: 120 }, (_, n) => `+1415778${String(n).padStart(4, "0")}`);
    const ofCompany = (n: number) => (n < 60 ? "Globex" : n < 80 ? "Zebrano" : n < 115 ? "Yonder" : "Xylem");
    const contacts = phones.map((phone, n) => ({ phone, company: ofCompany(n) }));
    await customer.call("POST", "/contacts/batch", { contacts });
    const ids: string[] = [];
    for (const [n, to] of phones.entries()) {
      customer.world.advance(1000);
      const text = n % 3 === 0 ? "Hello Yonder" : n % 8 === 0 ? "Hello Zebrano" : "Hello";
      ids.unshift((await customer.send(to, text)).body.conversation_id);
    }
    const idsOf = (matches: (n: number) => boolean) => ids.filter((_, index) => matches(phones.length - 1 - index));
    const isRead = ids.slice(1).map((id) => `'${id}'`);
    await onShard(
      customer,
      `UPDATE conversations SET unread_count = id NOT IN (${isRead.join()}) WHERE workspace_id = ?`,
      customer.workspaceId,
    );
    const expectPages = async (search: string, more: string, expected: string[], mostOnFirst = 200) => {
      const pages = await pagesOf(customer, search, more);
      expect(idsOn(pages), search).toEqual(expected);
      for (const [index, page] of pages.entries()) {
        expect(costOf(page)["trips"]).toBe(1);
        const most = (index === 0 ? mostOnFirst : 200) + 5 * page.body.conversations.length;
        expect(costOf(page)["rows_read"], search).toBeLessThanOrEqual(most);
      }
    };
    const says = (n: number) => n % 3 !== 0 && n % 8 === 0;
    await expectPages(
      "xylem",
      "",
      idsOf((n) => n >= 115),
    );
    await expectPages(
      "globex",
      "",
      idsOf((n) => n < 60),
    );
    await expectPages("globex", "&unread=true", []);
    await expectPages(
      "zebrano",
      "",
      idsOf((n) => (n >= 60 && n < 80) || says(n)),
      290,
    );
    await expectPages(
      "yonder",
      "",
      idsOf((n) => (n >= 80 && n < 115) || n % 3 === 0),
      290,
    );
    await expectPages("yonder", "&unread=true", [], 290);
    await expectPages("hello", "", ids);
    await expectPages("hello", "&unread=true", ids.slice(0, 1));
    await expectPages("1415778", "", ids);
  });

  it("A conversation search does not read other messages that were sent in the same millisecond", async () => {
    const customer = await new World().customer();
    const messages = Array.from({ length: 100 }, (_, n) => {
      return { to: `+1415777${String(n).padStart(4, "0")}`, text: n === 50 ? "Platypus" : "Hello" };
    });
    expect((await customer.call("POST", "/messages/batch", { messages })).status).toBe(200);
    const answer = await find(customer, "platypus");
    expect(answer.body.conversations).toHaveLength(1);
    expect(costOf(answer)["rows_read"]).toBeLessThanOrEqual(30);
  });

  it("A conversation search finds the new text of edited messages, and moved messages in the merged conversation", async () => {
    const customer = await new World().customer();
    const { phone, userId, earlier } = await strangers(customer);
    await deliver(customer, [messageFrom({ phone, userId }, "together at last")]);
    await deliver(customer, [ownMessageTo({ phone, userId }, "welcome back")]);
    for (const words of ["by id", "together", "welcome"]) {
      expect(await found(customer, words), words).toEqual(words === "by id" ? [] : [earlier.id]);
    }
    await onShard(
      customer,
      "UPDATE messages SET body = 'changed entirely' WHERE body = 'welcome back' AND workspace_id = ?",
      customer.workspaceId,
    );
    expect(await found(customer, "welcome")).toEqual([]);
    expect(await found(customer, "entirely")).toEqual([earlier.id]);
  });

  it("A conversation search finds older messages after the cron has indexed them", async () => {
    const customer = await new World().customer();
    const id = await saying(customer, "written long before");
    await onShard(customer, "DELETE FROM message_search WHERE rowid > 0 OR ? = ''", customer.workspaceId);
    expect(await found(customer, "written")).toEqual([]);
    await onShard(
      customer,
      "INSERT INTO message_indexing SELECT 1, max(id) || '~' FROM messages WHERE workspace_id = ?",
      customer.workspaceId,
    );
    await customer.world.cron();
    expect(await found(customer, "written")).toEqual([id]);
    expect(
      await onShard(customer, "SELECT 1 FROM message_indexing WHERE id = 1 AND ? <> ''", customer.workspaceId),
    ).toEqual([]);
  });
});
