import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contactStatuses } from "../../../src/features/contacts/contact-fields.schemas.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

const TAGS = ["VIP", "Retail", "Berlin"];
const SOURCES = ["api", "import", "fair"];
/** "example" is in every row. The other words are in some rows. */
const NAMES = ["Ana Silva", "Bruno Costa", "Silvana Rossi", null];
const TERMS = ["example", "silva", "an", "+14155550", "14155550103"];

interface Person {
  email: string;
  phone: string;
  name: string | null;
  status: (typeof contactStatuses)[number];
  source: string;
  tags: string[];
  isArchived: boolean;
}

interface Filter {
  search: string | undefined;
  tag: string | undefined;
  source: string | undefined;
  status: string | undefined;
  archived: boolean;
}

/** True if the person passes the filters as documented. */
function passes(person: Person, { search, tag, source, status, archived }: Filter): boolean {
  const texts = [person.name ?? "", person.email, person.phone.slice(1)].map((text) => text.toLowerCase());
  const term = search?.replace("+", "");
  const isFound = (text: string) => {
    if (term === undefined) return true;
    return term.length < 3 ? text.split(/[^a-z0-9]/).some((word) => word.startsWith(term)) : text.includes(term);
  };
  return (
    person.isArchived === archived &&
    (tag === undefined || person.tags.includes(tag)) &&
    (source === undefined || person.source === source) &&
    (status === undefined || person.status === status) &&
    texts.some(isFound)
  );
}

const people = fc
  .array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      status: fc.constantFrom(...contactStatuses.slice(0, 3)),
      source: fc.constantFrom(...SOURCES),
      tags: fc.subarray(TAGS),
      isArchived: fc.boolean(),
    }),
    { minLength: 12, maxLength: 24 },
  )
  .map((rows) =>
    rows.map((row, n): Person => ({
      ...row,
      email: `p${n}@example.com`,
      phone: `+141555501${String(n).padStart(2, "0")}`,
    })),
  );

const option = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const filter: fc.Arbitrary<Filter> = fc.record({
  search: option(...TERMS),
  tag: option(...TAGS, "Unknown"),
  source: option(...SOURCES, "nowhere"),
  status: option<string>(...contactStatuses.slice(0, 4)),
  archived: fc.boolean(),
});

const queryOf = (sent: Filter): string =>
  new URLSearchParams(
    Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();

async function add(customer: Customer, all: Person[]): Promise<void> {
  const contacts = all.map(({ email, phone, name, status, source, tags }) => ({
    email,
    phone,
    name,
    status,
    source,
    tags,
  }));
  const { results } = (await customer.call("POST", "/contacts/batch", { contacts })).body;
  for (const [index, { isArchived }] of all.entries()) {
    if (isArchived) await customer.call("DELETE", `/contacts/${results[index].contact_id}`);
  }
}

/** Returns the emails on all pages of a list, starting at a cursor. */
async function walk(customer: Customer, query: string, limit: number, from?: string): Promise<string[]> {
  const emails: string[] = [];
  for (let cursor = from === undefined ? "" : `&cursor=${from}`; ;) {
    const { status, body } = await customer.call("GET", `/contacts?${query}&limit=${limit}${cursor}`);
    expect([status, body.has_more]).toEqual([200, body.next_cursor !== null]);
    emails.push(...body.contacts.map(({ email }: { email: string }) => email));
    if (body.next_cursor === null) return emails;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** Stores the contacts as the previous version did, without combined facets, and marks the workspace for the cron. */
async function unindex(customer: Customer): Promise<void> {
  const inWorkspace = "SELECT seq FROM contacts WHERE workspace_id = ?";
  await onShard(customer, `DELETE FROM contact_search WHERE rowid IN (${inWorkspace})`, customer.workspaceId);
  await onShard(
    customer,
    `INSERT INTO contact_search (rowid, t, f) SELECT seq, t, substr(f, 1, instr(f, ' c') - 1) FROM contact_search_source
     WHERE seq IN (${inWorkspace})`,
    customer.workspaceId,
  );
  await onShard(
    customer,
    "INSERT INTO cleanups (workspace_id, kind, number) VALUES (?, 'index', 0)",
    customer.workspaceId,
  );
}

describe("Combined filters", () => {
  const expectExact = (numRuns: number) =>
    fc.assert(
      fc.asyncProperty(
        people,
        fc.array(filter, { minLength: 8, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, filters, limit) => {
          const customer = await world.customer();
          await add(customer, all);
          for (const sent of filters) {
            const expected = all
              .filter((person) => passes(person, sent))
              .map(({ email }) => email)
              .toReversed();
            expect(await walk(customer, queryOf(sent), limit), queryOf(sent)).toEqual(expected);
            const { total } = (await customer.call("GET", `/contacts?${queryOf(sent)}&include_total=true`)).body;
            expect(total).toBe(expected.length);
          }
        },
      ),
      { numRuns, endOnFailure: true },
    );

  it("Combined filters return and count exactly the contacts that pass all filters, newest first, with any page size", () =>
    expectExact(1));

  it("Combined filters return exactly the contacts that pass all filters, in six workspaces", { tags: "long" }, () =>
    expectExact(6),
  );

  it("Combined filters have pages without gaps or repeats while contacts are added, archived and changed", async () => {
    const customer = await world.customer();
    const row = (n: number) => ({ email: `c${n}@example.com`, tags: ["VIP"], source: "fair" });
    const contacts = Array.from({ length: 20 }, (_, n) => row(n));
    const { results } = (await customer.call("POST", "/contacts/batch", { contacts })).body;
    const query = "tag=VIP&source=fair&search=example";
    const first = (await customer.call("GET", `/contacts?${query}&limit=8`)).body;
    await customer.call("POST", "/contacts/batch", { contacts: [row(30), row(31)] });
    await customer.call("DELETE", `/contacts/${results[5].contact_id}`);
    await customer.call("PATCH", `/contacts/${results[3].contact_id}`, { tags: ["Retail"] });
    const rest = await walk(customer, query, 8, first.next_cursor);
    expect(rest).toEqual([11, 10, 9, 8, 7, 6, 4, 2, 1, 0].map((n) => row(n).email));
  });

  it("If two combinations of filters have the same token, a search does not return contacts of the other combination", async () => {
    const customer = await world.customer();
    await customer.call("POST", "/contacts", { email: "a@example.com", tags: ["VIP"], source: "fair" });
    await customer.call("POST", "/contacts", { email: "b@example.com", tags: ["Retail"], source: "import" });
    // Gives the first contact all tokens of the second contact, as if their combined facets had the same digits.
    await onShard(
      customer,
      "DELETE FROM contact_search WHERE rowid IN (SELECT min(seq) FROM contacts WHERE workspace_id = ?)",
      customer.workspaceId,
    );
    await onShard(
      customer,
      `INSERT INTO contact_search (rowid, t, f) SELECT a.seq, a.t, a.f || substr(b.f, instr(b.f, ' c')) FROM contact_search_source a
       CROSS JOIN contact_search_source b
       WHERE a.seq = (SELECT min(seq) FROM contacts WHERE workspace_id = ?1) AND b.seq = (SELECT max(seq) FROM contacts WHERE workspace_id = ?1)`,
      customer.workspaceId,
    );
    expect(await walk(customer, "tag=retail&source=import", 20)).toEqual(["b@example.com"]);
    expect(await walk(customer, "tag=vip&source=fair", 20)).toEqual(["a@example.com"]);
    expect(await walk(customer, "tag=vip&source=import", 20)).toEqual([]);
  });

  it("Combined filters return all matching contacts during and after the reindexing of contacts that an earlier version stored", async () => {
    const customer = await world.customer();
    const contacts = Array.from({ length: 30 }, (_, n) => ({
      email: `c${n}@example.com`,
      tags: [n % 2 === 0 ? "VIP" : "Retail"],
      source: "fair",
    }));
    await customer.call("POST", "/contacts/batch", { contacts });
    await unindex(customer);
    const found = async () => ({
      vip: (await walk(customer, "tag=vip&source=fair", 10)).length,
      none: (await walk(customer, "tag=vip&source=api", 10)).length,
      archived: (await walk(customer, "tag=vip&archived=true", 10)).length,
    });
    expect(await found()).toEqual({ vip: 15, none: 0, archived: 0 });
    await customer.call("POST", "/contacts", { email: "new@example.com", tags: ["VIP"], source: "fair" });
    await world.cron();
    const pending = await onShard(customer, "SELECT 1 FROM cleanups WHERE workspace_id = ?", customer.workspaceId);
    expect(pending).toEqual([]);
    expect(await found()).toEqual({ vip: 16, none: 0, archived: 0 });
  });

  it("Combined filters cost one round trip and few rows if no contact passes all filters", async () => {
    const customer = await world.customer();
    const contacts = Array.from({ length: 200 }, (_, n) => ({
      email: `c${n}@example.com`,
      tags: [n % 2 === 0 ? "VIP" : "Retail"],
      source: n % 2 === 0 ? "fair" : "import",
    }));
    await customer.call("POST", "/contacts/batch", { contacts });
    const answer = await customer.call("GET", "/contacts?search=example&tag=vip&source=import");
    expect(answer.body).toMatchObject({ contacts: [], has_more: false, next_cursor: null });
    expect(costOf(answer).trips).toBe(1);
    expect(costOf(answer).rows_read).toBeLessThanOrEqual(5);
  });
});
