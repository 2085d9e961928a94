import { describe, expect, it } from "vitest";
import { costOf } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

async function filled(): Promise<Customer> {
  const customer = await world.customer();
  await customer.call("POST", "/contacts/batch", {
    contacts: [
      {
        phone: "+14155550101",
        name: "José Álvarez",
        company: "Straßenbau GmbH",
        tags: ["VIP", "Berlin"],
        status: "hot",
        source: "Web Site",
      },
      { phone: "+905321234567", name: "Işık Yılmaz", email: "isik@example.com.tr", tags: ["VIP"], status: "cold" },
      { phone: "+84901234567", name: "Đặng Thị Ngọc", tags: ["Berlin"] },
      { email: "full@example.com", name: "ＡＢＣ Trading" },
      { email: "quote@example.com", name: `O"Brien's 100%_off* :NEAR(x) 😀 party` },
      { email: "archived@example.com", name: "José Gone", tags: ["VIP"] },
    ],
  });
  const gone = (await customer.call("GET", "/contacts?search=gone")).body.contacts[0];
  await customer.call("DELETE", `/contacts/${gone.id}`);
  return customer;
}

const names = async (customer: Customer, query: string) =>
  (await customer.call("GET", `/contacts?${query}`)).body.contacts.map((contact: { name: string }) => contact.name);

describe("Contact search", () => {
  it.each([
    ["jose", ["José Álvarez"]],
    ["ÁLVAREZ", ["José Álvarez"]],
    ["strasse", ["José Álvarez"]],
    ["nbau gm", ["José Álvarez"]],
    ["ISIK", ["Işık Yılmaz"]],
    ["yilmaz", ["Işık Yılmaz"]],
    ["dang thi", ["Đặng Thị Ngọc"]],
    ["abc", ["ＡＢＣ Trading"]],
    ["(415) 555-01", ["José Álvarez"]],
    ["532.123", ["Işık Yılmaz"]],
    ["example.com.tr", ["Işık Yılmaz"]],
    ["ng", ["Đặng Thị Ngọc"]],
    ["n", ["Đặng Thị Ngọc", `O"Brien's 100%_off* :NEAR(x) 😀 party`].toReversed()],
    ["+9", ["Işık Yılmaz"]],
    ["ose", ["José Álvarez"]],
    ["os", []],
    [`o"b`, [`O"Brien's 100%_off* :NEAR(x) 😀 party`]],
    ["100%_", [`O"Brien's 100%_off* :NEAR(x) 😀 party`]],
    ["off*", [`O"Brien's 100%_off* :NEAR(x) 😀 party`]],
    [":NEAR(", [`O"Brien's 100%_off* :NEAR(x) 😀 party`]],
    ["😀", [`O"Brien's 100%_off* :NEAR(x) 😀 party`]],
    ["x".repeat(100), []],
    ["AND", []],
  ])("The contact search for %j finds %j", async (term, found) => {
    const customer = await filled();
    expect(await names(customer, `search=${encodeURIComponent(term)}`)).toEqual(found);
  });

  it("The contact search can combine text, tag, status, source and archived", async () => {
    const customer = await filled();
    expect(await names(customer, "tag=vip")).toEqual(["Işık Yılmaz", "José Álvarez"]);
    expect(await names(customer, "tag=BERLIN&status=hot")).toEqual(["José Álvarez"]);
    expect(await names(customer, "source=web%20site&search=jos")).toEqual(["José Álvarez"]);
    expect(await names(customer, "archived=true")).toEqual(["José Gone"]);
    expect(await names(customer, "archived=true&tag=VIP&search=gone")).toEqual(["José Gone"]);
    expect(await names(customer, "tag=unknown")).toEqual([]);
    expect(await names(customer, "status=warm&search=jose")).toEqual([]);
  });

  it("The contact search finds a contact by its new values after each change", async () => {
    const customer = await filled();
    const id = (await customer.call("GET", "/contacts?search=jose")).body.contacts[0].id;
    await customer.call("PATCH", `/contacts/${id}`, {
      name: "Renamed",
      status: "cold",
      tags: ["New"],
      company: null,
      phone: "+4915112345678",
    });
    expect(await names(customer, "search=jose")).toEqual([]);
    expect(await names(customer, "search=strasse")).toEqual([]);
    expect(await names(customer, "tag=vip")).toEqual(["Işık Yılmaz"]);
    expect(await names(customer, "search=1511234&status=cold&tag=new")).toEqual(["Renamed"]);
    await customer.call("DELETE", `/contacts/${id}`);
    expect(await names(customer, "search=renamed")).toEqual([]);
    await customer.call("POST", `/contacts/${id}/restore`);
    expect(await names(customer, "search=renamed")).toEqual(["Renamed"]);
  });

  it("The contact search finds contacts that sends and inbound messages have created", async () => {
    const customer = await world.customer();
    await customer.send("+14155550199");
    await customer.receive("+14155550188", "Hello", "Zoë Writer");
    expect(await names(customer, "search=zoe")).toEqual(["Zoë Writer"]);
    expect(await names(customer, "search=5550199")).toEqual([null]);
    expect(await names(customer, "source=inbound")).toEqual(["Zoë Writer"]);
    expect(await names(customer, "source=api")).toEqual([null]);
  });

  it("The contact search returns pages by cursor without gaps or repeats while the list changes", async () => {
    const customer = await world.customer();
    const row = (index: number) => ({ email: `c${index}@example.com`, name: `C ${index}` });
    await customer.call("POST", "/contacts/batch", { contacts: Array.from({ length: 25 }, (_, index) => row(index)) });
    const first = (await customer.call("GET", "/contacts?limit=10")).body;
    await customer.call("POST", "/contacts/batch", {
      contacts: Array.from({ length: 5 }, (_, index) => row(100 + index)),
    });
    const second = (await customer.call("GET", `/contacts?limit=10&cursor=${first.next_cursor}`)).body;
    const third = (await customer.call("GET", `/contacts?limit=10&cursor=${second.next_cursor}`)).body;
    const walked = [first, second, third].flatMap((page) =>
      page.contacts.map((contact: { email: string }) => contact.email),
    );
    expect(walked).toEqual(Array.from({ length: 25 }, (_, index) => `c${24 - index}@example.com`));
    expect(third).toMatchObject({ next_cursor: null, has_more: false });
  });

  it("The contact search accepts an offset up to a maximum, but not together with a cursor", async () => {
    const customer = await filled();
    expect(await names(customer, "limit=1&offset=1&tag=vip")).toEqual(["José Álvarez"]);
    expect((await customer.call("GET", "/contacts?offset=10000")).body).toMatchObject({
      contacts: [],
      offset: 10_000,
      has_more: false,
    });
    expect((await customer.call("GET", "/contacts?offset=10001")).status).toBe(400);
    const { next_cursor } = (await customer.call("GET", "/contacts?limit=1")).body;
    expect((await customer.call("GET", `/contacts?offset=1&cursor=${next_cursor}`)).status).toBe(400);
  });

  it.each(["tag=", "source=", "status=", "status=tepid", "archived=yes", "limit=0", "cursor=x", "serach=a"])(
    "The contact search rejects the query ?%s",
    async (query) => {
      const customer = await world.customer();
      expect((await customer.call("GET", `/contacts?${query}`)).status).toBe(400);
    },
  );

  it("The contact search never returns another workspace's contacts", async () => {
    await filled();
    const other = await world.customer();
    expect(await names(other, "search=jose")).toEqual([]);
    expect((await other.call("GET", "/contacts?include_total=true")).body).toMatchObject({ contacts: [], total: 0 });
  });

  it("The contact search costs one round trip and three rows per contact, regardless of the contact's tags", async () => {
    const customer = await world.customer();
    const tags = ["VIP", "Retail", "Berlin", "New", "Fair", "Old"];
    const contacts = Array.from({ length: 25 }, (_, n) => ({
      email: `tagged${n}@example.com`,
      name: "Tagged",
      status: "hot",
      tags: tags.filter((_tag, index) => (n + index) % 4 !== 0),
    }));
    await customer.call("POST", "/contacts/batch", { contacts });
    for (const query of [
      "limit=20",
      "search=tagged&limit=20",
      "tag=vip&limit=20",
      "status=hot&search=example&tag=new",
    ]) {
      const answer = await customer.call("GET", `/contacts?${query}`);
      const shown: { tags: { name: string }[] }[] = answer.body.contacts;
      expect(shown.length).toBeGreaterThanOrEqual(17);
      expect(shown.flatMap((contact) => contact.tags).length).toBeGreaterThan(3 * shown.length);
      const { trips, rows_read } = costOf(answer);
      expect([query, trips]).toEqual([query, 1]);
      expect(rows_read).toBeLessThanOrEqual(3 * shown.length + 5);
    }
  });

  it("The contact search costs two more rows per returned tag, regardless of the tag's contacts", async () => {
    const shownTo = async (tagsEach: number, different: number) => {
      const customer = await world.customer();
      const tagOf = (n: number) => `Tag ${n % different}`;
      const contacts = Array.from({ length: 20 }, (_, n) => ({
        email: `tagged${n}@example.com`,
        tags: Array.from({ length: tagsEach }, (_tag, index) => tagOf(n * tagsEach + index)),
      }));
      await customer.call("POST", "/contacts/batch", { contacts });
      return customer.call("GET", "/contacts?limit=20");
    };
    for (const [tagsEach, different] of [
      [1, 20],
      [2, 40],
      [5, 20],
      [20, 20],
    ] as const) {
      const answer = await shownTo(tagsEach, different);
      const tags = answer.body.contacts.flatMap((contact: { tags: object[] }) => contact.tags);
      expect(tags).toHaveLength(20 * tagsEach);
      const { trips, rows_read } = costOf(answer);
      expect(trips).toBe(1);
      expect(rows_read, `${tagsEach} of ${different}`).toBeLessThanOrEqual(3 * 20 + 5 + 2 * different);
    }
  });

  it("The contact search returns each contact's tags in order, without deleted tags", async () => {
    const customer = await world.customer();
    await customer.call("POST", "/contacts", { email: "a@example.com", tags: ["One", "Two", "Three"] });
    await customer.call("POST", "/contacts", { email: "b@example.com", tags: ["Three", "One"] });
    await customer.call("POST", "/contacts", { email: "c@example.com" });
    const tagsOf = async (path: string) => {
      const { body } = await customer.call("GET", path);
      return body.contacts.map(({ tags }: { tags: { name: string }[] }) => tags.map(({ name }) => name));
    };
    const { tags } = (await customer.call("GET", "/tags")).body;
    await customer.call("DELETE", `/tags/${tags.find(({ name }: { name: string }) => name === "Two").id}`);
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    expect(await tagsOf("/contacts")).toEqual([
      [],
      contacts[1].tags.map(({ name }: { name: string }) => name),
      ["One", "Three"],
    ]);
    for (const listed of contacts) {
      expect(listed).toEqual((await customer.call("GET", `/contacts/${listed.id}`)).body.contact);
    }
  });

  it("The contact search returns very large contacts in order and with their tags", { tags: "long" }, async () => {
    const customer = await world.customer();
    const keys = Array.from({ length: 12 }, (_, n) => `notes_${n}`);
    for (const field_key of keys)
      await customer.call("POST", "/custom-fields", { field_key, label: field_key, type: "text" });
    const custom_fields = Object.fromEntries(keys.map((key) => [key, "ß".repeat(2000)]));
    const row = (n: number) => ({
      email: `large${n}@example.com`,
      tags: ["Large"],
      ...(n % 10 !== 0 && { custom_fields }),
    });
    for (let from = 0; from < 60; from += 20) {
      const contacts = Array.from({ length: 20 }, (_, n) => row(from + n));
      expect((await customer.call("POST", "/contacts/batch", { contacts })).body.counts).toMatchObject({
        created: 20,
      });
    }
    const { status, body } = await customer.call("GET", "/contacts?limit=100");
    expect(status).toBe(200);
    const shown: { email: string; tags: { name: string }[]; custom_fields: object }[] = body.contacts;
    expect(shown.map(({ email }) => email)).toEqual(Array.from({ length: 60 }, (_, n) => `large${59 - n}@example.com`));
    expect(shown.every(({ tags }) => tags[0]?.name === "Large")).toBe(true);
    expect(shown[0]?.custom_fields).toEqual(custom_fields);
  });
});
