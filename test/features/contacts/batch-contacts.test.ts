import { CONTACTS_PER_PART } from "../../../src/features/contacts/upsert/upsert-batch.ts";
import { describe, expect, it } from "vitest";
import { phoneEnding, World } from "../../support/world.ts";

const world = new World();

describe("Batches of contacts", () => {
  it("A contact batch processes its rows in order and returns the result of each", async () => {
    const customer = await world.customer();
    const [known, twice] = [phoneEnding("1111"), phoneEnding("2222")];
    const { contact } = (await customer.call("POST", "/contacts", { phone: known, name: "Known" })).body;
    const answer = await customer.call("POST", "/contacts/batch", {
      contacts: [
        { phone: twice, name: "First", tags: ["a"] },
        { phone: known, company: "Acme" },
        { phone: twice, name: "Second", tags: ["b"] },
        { phone: known, name: "No", update: false },
        { name: "Nobody" },
        { phone: twice, email: "x@example.com", nonsense: true },
        { email: "nul@example.com", name: "a\u0000b" },
        "not an object",
      ],
    });
    expect(answer.status).toBe(200);
    const { results, counts } = answer.body;
    expect(results.map((row: { status: string }) => row.status)).toEqual([
      "created",
      "updated",
      "updated",
      "unchanged",
      "failed",
      "failed",
      "failed",
      "failed",
    ]);
    expect(counts).toEqual({ created: 1, updated: 2, unchanged: 1, failed: 4 });
    expect(results[1].contact_id).toBe(contact.id);
    expect(results[2].contact_id).toBe(results[0].contact_id);
    expect(results[4].error).toMatchObject({
      code: "validation_failed",
      details: [{ path: "phone", code: "required" }],
    });
    expect(results[6].error.details).toEqual([expect.objectContaining({ path: "name", code: "invalid_characters" })]);
    const made = (await customer.call("GET", `/contacts/${results[0].contact_id}`)).body.contact;
    expect(made).toMatchObject({ name: "Second", tags: [{ name: "a" }, { name: "b" }] });
  });

  it("The error of a batch's entry that is not an object contains the position of the entry", async () => {
    const customer = await world.customer();
    const people = Array.from({ length: 21 }, (_, index) => ({ email: `c${index}@example.com` }));
    const { results } = (await customer.call("POST", "/contacts/batch", { contacts: [...people, "Nobody"] })).body;
    expect(results[21].error).toMatchObject({
      message: "`contacts.21` must be an object.",
      details: [{ path: "contacts.21", code: "invalid_type" }],
    });
  });

  it("A batch of contacts is stored in a constant number of statements", async () => {
    const customer = await world.customer();
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ email: `c${index}@example.com`, name: `C ${index}` }));
    const cost = (answer: { headers: Headers }) =>
      /trips=(\d+) statements=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.slice(1);
    const small = await customer.call("POST", "/contacts/batch", { contacts: rows(2) });
    const large = await customer.call("POST", "/contacts/batch", { contacts: rows(CONTACTS_PER_PART) });
    expect(large.body.counts).toEqual({ created: CONTACTS_PER_PART - 2, updated: 2, unchanged: 0, failed: 0 });
    expect(cost(small)?.[0]).toBe("1");
    expect(cost(large)?.[0]).toBe("2");
    // The larger batch matches two existing contacts, so that it reads first.
    expect(Number(cost(large)?.[1])).toBeLessThanOrEqual(2 * Number(cost(small)?.[1]) + 2);
    const listed = await customer.call("GET", "/contacts?include_total=true&limit=1");
    expect(listed.body).toMatchObject({
      total: CONTACTS_PER_PART,
      contacts: [{ email: `c${CONTACTS_PER_PART - 1}@example.com` }],
    });
  });

  it("If a row of a contact batch has a conflict, the row reports it and the other rows are processed", async () => {
    const customer = await world.customer();
    const answer = await customer.call("POST", "/contacts/batch", {
      contacts: [
        { email: "a@example.com" },
        { phone: "+14155550111" },
        { phone: "+14155550111", email: "a@example.com" },
        { email: "d@example.com" },
      ],
    });
    const { results } = answer.body;
    expect(results[2]).toMatchObject({
      status: "failed",
      error: {
        code: "conflict",
        details: { field: "email", contact_id: results[0].contact_id, matched_contact_id: results[1].contact_id },
      },
    });
    expect(results[3].status).toBe("created");
  });

  it("Concurrent contact batches with the same contacts create each contact once", async () => {
    const customer = await world.customer();
    const contacts = Array.from({ length: 50 }, (_, index) => ({ phone: `+1415555${1000 + index}`, tags: ["Import"] }));
    const answers = await Promise.all([1, 2, 3].map(() => customer.call("POST", "/contacts/batch", { contacts })));
    expect(answers.reduce((sum, { body }) => sum + body.counts.created, 0)).toBe(50);
    expect((await customer.call("GET", "/contacts?include_total=true&tag=import")).body.total).toBe(50);
  });

  it.each([{ contacts: [] }, { contacts: Array.from({ length: 501 }, () => ({})) }, {}, { contacts: {} }])(
    "A contact batch is rejected without 1 to 500 rows",
    async (body) => {
      const customer = await world.customer();
      expect((await customer.call("POST", "/contacts/batch", body)).status).toBe(400);
    },
  );
});
