import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { costOf } from "../../support/storage.ts";
import { refusal } from "../../support/templates.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const idsOf = ({ body }: Answer): string[] => body.messages.map(({ id }: { id: string }) => id);

const list = (customer: Customer, query: string) => customer.call("GET", `/messages?${query}`);

describe("Message list", () => {
  it("The list of messages requires a filter and existing ids", async () => {
    const world = new World();
    const customer = await world.customer();
    const stranger = await world.customer();
    const { contact_id, conversation_id } = (await customer.send(phoneEnding("1234"))).body;
    expect((await list(customer, "limit=5")).body.error.details).toMatchObject([{ code: "required" }]);
    expect((await list(customer, "delivery=lost")).status).toBe(400);
    for (const query of [`contact_id=${contact_id}`, `conversation_id=${conversation_id}`, "campaign_id=cmp_1"]) {
      expect(await refusal(list(stranger, query))).toEqual([404, "not_found", null]);
    }
    expect(idsOf(await list(stranger, "delivery=sent"))).toEqual([]);
  });

  it("The list of messages is paginated by contact, conversation or delivery, newest first", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    const sent: string[] = [];
    for (let index = 0; index < 5; index++) {
      world.advance(1);
      sent.unshift((await customer.send(to, `Message ${index}`)).body.message_id);
    }
    const { contact_id, conversation_id } = await customer.message(sent[0] ?? "");
    const failed = (await customer.send(phoneEnding("0001"))).body.message_id;
    await world.settle();
    for (const query of [
      `contact_id=${contact_id}`,
      `conversation_id=${conversation_id}`,
      `contact_id=${contact_id}&conversation_id=${conversation_id}`,
      "delivery=read",
    ]) {
      expect(idsOf(await list(customer, query)), query).toEqual(sent);
      const first = await list(customer, `${query}&limit=2`);
      expect(idsOf(first)).toEqual(sent.slice(0, 2));
      expect(idsOf(await list(customer, `${query}&limit=3&cursor=${first.body.next_cursor}`))).toEqual(sent.slice(2));
    }
    expect((await list(customer, "delivery=read&limit=5")).body.next_cursor).toBeNull();
    expect(idsOf(await list(customer, "delivery=failed"))).toEqual([failed]);
    expect(idsOf(await list(customer, `contact_id=${contact_id}&delivery=failed`))).toEqual([]);
  });

  it(
    "The list of a contact's messages reads at most five rows per message, whatever the length of the history",
    { tags: "long" },
    async () => {
      const world = new World();
      const customer = await world.customer();
      const to = phoneEnding("1234");
      const { contact_id } = (await customer.send(to)).body;
      const sandboxed = { name: "Other", channel: "unofficial", provider: "sandbox", config: {} };
      const other = (await customer.manage("POST", "/connections", sandboxed)).body.connection.id;
      const key = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: other })).body.key;
      const texts = Array.from({ length: 60 }, (_, index) => ({ to, text: `${index}` }));
      world.advance(1);
      await customer.call("POST", "/messages/batch", { messages: texts });
      world.advance(1);
      await customer.call("POST", "/messages/batch", { messages: texts.slice(0, 3) }, { token: key });
      world.advance(1);
      await customer.send(to, "Last");
      const first = await list(customer, `contact_id=${contact_id}`);
      expect(first.body.messages).toHaveLength(20);
      expect(first.body.messages[0]).toMatchObject({ body: "Last", contact_id });
      expect(new Set(first.body.messages.map(({ conversation_id }: Answer["body"]) => conversation_id)).size).toBe(2);
      const pages: string[] = [];
      for (let cursor = ""; ;) {
        const page = await list(customer, `contact_id=${contact_id}${cursor}`);
        expect(costOf(page)).toMatchObject({ trips: 1 });
        if (page.body.messages.length === 20) expect(costOf(page)["rows_read"]).toBeLessThanOrEqual(5 * 20);
        pages.push(...idsOf(page));
        if (page.body.next_cursor === null) break;
        cursor = `&cursor=${page.body.next_cursor}`;
      }
      expect(pages).toHaveLength(65);
      expect(pages).toEqual(pages.toSorted((a, b) => (a < b ? 1 : -1)));
    },
  );

  it("The list of a campaign's messages contains only sent messages", async () => {
    const world = new World();
    const customer = await world.customer();
    const phones = [phoneEnding("1234"), phoneEnding("1234")];
    for (const phone of phones) await customer.call("POST", "/contacts", { phone, tags: ["a"] });
    const { id } = (await customer.call("POST", "/templates", { name: "T", body: "Hi" })).body.template;
    const campaign = (await customer.call("POST", "/campaigns", { template_id: id, channel: "unofficial" })).body
      .campaign_id;
    await world.settle();
    const { body } = await list(customer, `campaign_id=${campaign}`);
    expect(body.messages.map(({ to }: { to: string }) => to).toSorted()).toEqual(phones.toSorted());
    expect(body.messages[0]).toMatchObject({ type: "template", campaign_id: campaign, body: "Hi" });
    const [contact] = (await customer.call("GET", "/contacts")).body.contacts;
    expect(idsOf(await list(customer, `campaign_id=${campaign}&contact_id=${contact.id}`))).toHaveLength(1);
  });
});
