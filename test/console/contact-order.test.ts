import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { costOf } from "../support/storage.ts";
import type { Visitor } from "../support/visitor.ts";
import { World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

async function scene(contacts: object[]) {
  const customer = await new World().customer();
  const made = contacts.map((contact, at) => ({ email: `p${at}@example.com`, ...contact }));
  await customer.call("POST", "/contacts/batch", { contacts: made });
  const agent = await customer.member("agent");
  return { customer, agent, at: `/console/${customer.workspaceId}/contacts` };
}

const namesOn = (page: string) =>
  Array.from(page.matchAll(/<a href="[^"]*\/contacts\/ct_\w+" dir="auto">([^<]+)<\/a>/g), ([, name]) => name);

async function readAll(agent: Visitor, at: string): Promise<(string | undefined)[]> {
  const { body } = await agent.get(at);
  const next = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
  return [...namesOn(body), ...(next === undefined ? [] : await readAll(agent, next))];
}

const sortedHeading = (page: string) =>
  /<th scope="col" aria-sort="(\w+)"><a href="[^"]+" class="sort">(\w+)/.exec(page);

describe("Order of the contact list", () => {
  const people = [{ name: "Zoë" }, { name: "émile" }, {}, { name: "Ada" }, { name: "ada" }, { name: "Bob" }, {}];

  it("Sorting contacts by name ignores case and accents, and lists contacts without a name last, in both directions", async () => {
    const { agent, at } = await scene(people);
    const names = ["Ada", "ada", "Bob", "émile", "Zoë", "p2@example.com", "p6@example.com"];
    for (const limit of [1, 2, 3, 7]) {
      expect(await readAll(agent, `${at}?sort=name&limit=${limit}`)).toEqual(names);
      expect(await readAll(agent, `${at}?sort=-name&limit=${limit}`)).toEqual(names.toReversed());
    }
  });

  it("A list of contacts sorted by name omits archived contacts, and so does its total", async () => {
    const { customer, agent, at } = await scene(people);
    const { contacts } = (await customer.call("GET", "/contacts?search=bob")).body;
    await customer.call("DELETE", `/contacts/${contacts[0].id}`);
    const { body } = await agent.get(`${at}?sort=name`);
    expect(namesOn(body)).not.toContain("Bob");
    expect(body).toContain("6 contacts");
  });

  it("Contacts can be sorted by time in both directions, with any filter", async () => {
    const { agent, at } = await scene(["A", "B", "C", "D"].map((name) => ({ name: `P ${name}`, status: "hot" })));
    for (const filter of ["", "&status=hot", "&search=P"]) {
      expect(await readAll(agent, `${at}?sort=created_at&limit=1${filter}`)).toEqual(["P A", "P B", "P C", "P D"]);
      expect(await readAll(agent, `${at}?limit=3${filter}`)).toEqual(["P D", "P C", "P B", "P A"]);
    }
  });

  it("Column headings show and reverse the order of contacts, and a saved view stores the order", async () => {
    const { agent, at } = await scene(people);
    const plain = (await agent.get(at)).body;
    expect(plain).toContain(`href="${at}?sort=name" class="sort">Name`);
    const byName = (await agent.get(`${at}?sort=name`)).body;
    expect(sortedHeading(byName)?.slice(1)).toEqual(["ascending", "Name"]);
    expect(byName).toContain(`href="${at}?sort=-name" class="sort">Name`);
    const saved = await agent.post(`${at}/views`, { name: "By name", query: "sort=name" });
    expect(saved.headers.get("Location")).toBe(`${at}?sort=name`);
  });

  it("Filtered contacts cannot be sorted by name, because no index supports this", async () => {
    const { agent, at } = await scene(people);
    const { body } = await agent.get(`${at}?sort=name&search=a`);
    expect(namesOn(body)).toEqual(["ada", "Ada"]);
    expect(body).not.toContain("sort=name");
    expect(body).toContain("Remove the filters to sort by name.");
  });

  it("A contact list rejects an unknown order, and a cursor that belongs to another order", async () => {
    const { agent, at } = await scene(people);
    const next = /cursor=([^"&]+)[^"]*" rel="next"/.exec((await agent.get(`${at}?sort=name&limit=1`)).body)?.[1];
    expect((await agent.get(`${at}?limit=1&cursor=${next}`)).status).toBe(200);
    expect((await agent.get(`${at}?sort=phone`)).status).toBe(400);
    expect((await agent.get(`${at}?sort=name&cursor=x`)).status).toBe(400);
  });

  it("Sorting by name reads no more rows if many contacts have the same name", async () => {
    const many = Array.from({ length: 300 }, () => ({ name: "Maria" }));
    const [few, lots] = await Promise.all([scene(people), scene(many)]);
    const costs = await Promise.all(
      [few, lots].map(async ({ agent, at }) => {
        const first = (await agent.get(`${at}?sort=name&limit=3`)).body;
        const next = /href="([^"]+)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
        return costOf(await agent.get(next));
      }),
    );
    const [cheap, dear] = costs.map(({ rows_read: read = 0 }) => read);
    expect((dear ?? 0) - 300).toBeLessThanOrEqual((cheap ?? 0) + 5); // reading the total reads all rows that it counts
  });
});
