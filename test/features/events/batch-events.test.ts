import { describe, expect, it } from "vitest";
import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { chunksOf, logged, readEvents } from "../../support/read-log.ts";
import { phoneEnding, World } from "../../support/world.ts";

const world = new World();

describe("Batches of events", () => {
  it("A batch of contacts logs one row for each of its parts that creates or changes contacts", async () => {
    const customer = await world.customer({ plan: "scale" });
    const contacts = Array.from({ length: 500 }, (_, at) => ({
      phone: phoneEnding(String(5000 + at)),
      name: `Person ${at}`,
      tags: [at % 2 === 0 ? "even" : "odd"],
    }));
    const store = (rows: object[]) => () => customer.call("POST", "/contacts/batch", { contacts: rows });
    const made = await logged(customer, store(contacts));
    expect([made.rows, made.events.length]).toEqual([Math.ceil(500 / CONTACTS_PER_PART), 502]);
    const changed = contacts.map((contact, at) => ({ ...contact, company: at < 499 ? "Acme" : null }));
    const next = { phone: phoneEnding("1234"), name: "New" };
    const updated = await logged(customer, store([...changed.slice(1), next]));
    expect([updated.rows, updated.events.length]).toEqual([Math.ceil(500 / CONTACTS_PER_PART), 499]);
    expect(updated.events.at(-1)?.[0]).toBe("contact.created");
    expect(updated.events[0]?.[2]).toEqual({ company: [null, "Acme"] });
    expect((await logged(customer, store(contacts.slice(0, 10)))).events).toEqual([]);
  });

  it(
    "A batch of contacts with long values is logged in several rows, each within the size limit",
    { tags: "long" },
    async () => {
      const customer = await world.customer({ plan: "scale" });
      for (let at = 0; at < 10; at++) {
        await customer.call("POST", "/custom-fields", { field_key: `f${at}`, label: `F${at}`, type: "text" });
      }
      const fields = (letter: string) =>
        Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, letter.repeat(2000)]));
      const phones = Array.from({ length: 20 }, (_, at) => phoneEnding(String(5000 + at)));
      const store = (letter: string) => () =>
        customer.call("POST", "/contacts/batch", {
          contacts: phones.map((phone) => ({ phone, custom_fields: fields(letter) })),
        });
      await store("a")();
      const { events, rows } = await logged(customer, store("ß"));
      expect(events).toHaveLength(20);
      expect(rows).toBeGreaterThan(2);
      expect(events.every(([, , changes]) => changes?.["custom_fields.f9"]?.[0] === "a".repeat(2000))).toBe(true);
      for (const { body } of await chunksOf(customer)) {
        expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(900_000);
      }
      expect(await readEvents(customer, "contact")).toHaveLength(40);
    },
  );
});
