import { beforeEach, describe, expect, it, vi } from "vitest";
import { guess, looksLikeHeads, problemOf } from "../../src/console/pages/import-columns.ts";
import { readCsv } from "../support/csv.ts";
import type { Visitor } from "../support/visitor.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

// The first test of a file loads what makes passwords.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

/** As the page's script asks. */
function ask(
  visitor: Visitor,
  customer: Customer,
  below: string,
  body: object,
  token = visitor.token,
): Promise<Answer> {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": token };
  return visitor.request("POST", `/console/${customer.workspaceId}/contacts/import${below}`, JSON.stringify(body), {
    headers,
  });
}

const take = (visitor: Visitor, customer: Customer, mapping: string[], rows: string[][], others: object = {}) =>
  ask(visitor, customer, "/rows", { mapping, rows, tag: "", ...others });

const found = async (customer: Customer, search: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts?search=${encodeURIComponent(search)}`)).body.contacts[0];

describe("rows of a file", () => {
  it("become contacts, found again by phone, and empty cells leave values alone", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const mapping = ["name", "name", "phone", "company", "tags", "status"];
    const phone = phoneEnding("5000");
    const first = await take(agent, customer, mapping, [["Ada", "Lovelace", phone, "Babbage", "vip; late", "Hot"]]);
    expect(first.body).toEqual({
      success: true,
      counts: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      refused: [],
      left_out: [],
    });
    const again = await take(agent, customer, mapping, [["", "", `'${phone}`, "", "new one", ""]], {
      tag: "imported",
    });
    expect(again.body.counts).toMatchObject({ created: 0, updated: 1 });
    const ada = await found(customer, "lovelace");
    expect(ada).toMatchObject({ name: "Ada Lovelace", phone, company: "Babbage", status: "hot" });
    expect(ada.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      "imported",
      "late",
      "new one",
      "vip",
    ]);
  });

  it("are refused one by one, each with its reasons", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const mapping = ["phone", "email", "custom_fields.age"];
    const { body } = await take(agent, customer, mapping, [
      ["12", "", ""],
      ["", "fine@example.com", "36"],
      ["", "", "36"],
      ["", "other@example.com", "old"],
    ]);
    expect(body.counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 3 });
    expect(body.refused).toEqual([
      {
        index: 0,
        reason: "Phone: “12” is not a phone number. Write it with its country code, like +1 415 555 0100.",
      },
      { index: 2, reason: "There is no phone and no email to know this contact by." },
      { index: 3, reason: "Age: “old” is not a number. Write it with digits and a point, like 12.5." },
    ]);
    expect((await found(customer, "fine@")).custom_fields).toEqual({ age: 36 });
  });

  it("read custom fields by their type", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const [key, type, options] of [
      ["member", "boolean", undefined],
      ["size", "select", ["Small", "Large"]],
      ["likes", "multi_select", ["tea", "red, white"]],
      ["born", "date", undefined],
      ["score", "number", undefined],
    ] as const)
      await customer.call("POST", "/custom-fields", { field_key: key, label: key, type, ...(options && { options }) });
    const keys = ["member", "size", "likes", "born", "score"];
    await take(
      agent,
      customer,
      ["email", ...keys.map((key) => `custom_fields.${key}`)],
      [["typed@example.com", "Yes", "large", 'tea, "red, white"', "1815-12-10", "'-4.5"]],
    );
    expect((await found(customer, "typed@")).custom_fields).toEqual({
      member: true,
      size: "Large",
      likes: ["tea", "red, white"],
      born: "1815-12-10",
      score: -4.5,
    });
  });

  it("opt people out, and never in again", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const phone = phoneEnding("5001");
    const state = async () => (await found(customer, phone)).is_unsubscribed;
    await take(agent, customer, ["phone", "is_unsubscribed"], [[phone, "yes"]]);
    expect(await state()).toBe(true);
    await take(agent, customer, ["phone", "is_unsubscribed"], [[phone, "false"]]);
    expect(await state()).toBe(true);
  });

  it("of an export change nothing, not even when it was changed last", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("admin");
    const options = ["tea", "red, white", "=1+1"];
    for (const [key, type] of [
      ["contact", "text"],
      ["mobile", "phone"],
      ["likes", "multi_select"],
      ["born", "date"],
      ["seen", "datetime"],
      ["score", "number"],
      ["member", "boolean"],
    ] as const)
      await customer.call("POST", "/custom-fields", {
        field_key: key,
        label: `Our ${key}`,
        type,
        ...(type === "multi_select" && { options }),
      });
    for (const [at, others] of [
      { name: "=Ada", email: "ada@example.com", tags: ["a; b", "c", "=d"], source: "fair" },
      { name: '\'Bob "B" , Lima', company: "+1 Ltd", address_as: "@bob", is_unsubscribed: true },
      { name: "Two\nlines", phone: "+5511987654321", custom_fields: { contact: "-1", mobile: "+491705550100" } },
      { phone: "+5215512345678", custom_fields: { likes: options, born: "1990-12-31", score: -4.5, member: false } },
      { phone: "+390612345678", custom_fields: { seen: "2026-01-31T09:30:00Z", contact: " ' quoted" } },
    ].entries())
      await customer.call("POST", "/contacts", { phone: phoneEnding(`520${at}`), ...others });
    const all = async () => (await customer.call("GET", "/contacts")).body.contacts;
    const before = await all();
    expect(before).toHaveLength(5);

    const csv: string = (await agent.get(`/console/${customer.workspaceId}/contacts/export.csv`)).body;
    const [heads = [], ...rows] = readCsv(csv);
    const fields = await customer.call("GET", "/custom-fields");
    const mapping = guess(heads, rows, fields.body.custom_fields, true);
    const readOnly = new Set(["marketing_opt_out", "created_at", "updated_at"]);
    const custom = new Set(fields.body.custom_fields.map(({ field_key: key }: { field_key: string }) => key));
    expect(mapping).toEqual(
      heads.map((head) => (readOnly.has(head) ? "" : custom.has(head) ? `custom_fields.${head}` : head)),
    );
    vi.setSystemTime(Date.now() + 60_000);
    const { body } = await take(agent, customer, mapping, rows);
    expect(body).toMatchObject({ counts: { failed: 0, created: 0 }, refused: [], left_out: [] });
    expect(await all()).toEqual(before);
  });

  it("say “import” for the source of new contacts, and leave that of others", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/contacts", { email: "old@example.com", source: "fair" });
    await take(
      agent,
      customer,
      ["email", "name"],
      [
        ["new@example.com", "New"],
        ["old@example.com", "Old"],
        ["new@example.com", "New again"],
      ],
    );
    await take(agent, customer, ["email", "source"], [["named@example.com", "shop"]]);
    expect(await found(customer, "new@")).toMatchObject({ name: "New again", source: "import" });
    expect(await found(customer, "old@")).toMatchObject({ name: "Old", source: "fair" });
    expect(await found(customer, "named@")).toMatchObject({ source: "shop" });
    const filtered = await customer.call("GET", "/contacts?source=import");
    expect(filtered.body.contacts).toHaveLength(1);
    await customer.call("POST", "/contacts/batch", { contacts: [{ email: "api@example.com" }] });
    expect(await found(customer, "api@")).toMatchObject({ source: "api" });
  });

  it("hold phones with 00, or as they are dialled in a country that was chosen", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [["0041 79 555 01 00"], ["0170 555 0101"], ["+1 415 555 0102"], ["491705550103"], ["12"]];
    const { body } = await take(agent, customer, ["phone"], rows, { country: "DE" });
    expect(body.counts).toMatchObject({ created: 4, failed: 1 });
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    expect(contacts.map(({ phone }: { phone: string }) => phone).toSorted()).toEqual([
      "+14155550102",
      "+41795550100",
      "+491705550101",
      "+491705550103",
    ]);
    const without = await take(agent, customer, ["phone"], [["0170 555 0101"]]);
    expect(without.body.refused).toHaveLength(1);
    expect((await take(agent, customer, ["phone"], [["1"]], { country: "XX" })).status).toBe(400);
  });

  it("hold dates as spreadsheets write them, in the order that was chosen", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const [key, type] of [
      ["born", "date"],
      ["seen", "datetime"],
    ] as const)
      await customer.call("POST", "/custom-fields", { field_key: key, label: key, type });
    const mapping = ["email", "custom_fields.born", "custom_fields.seen"];
    const day = [["day@example.com", "05/06/1990", "31.12.2025 18:30"]];
    await take(agent, customer, mapping, day, { date_order: "day_first" });
    expect((await found(customer, "day@")).custom_fields).toEqual({
      born: "1990-06-05",
      seen: "2025-12-31T18:30:00.000Z",
    });
    const month = [["month@example.com", "05/06/1990", "12/31/2025 6:30 PM"]];
    await take(agent, customer, mapping, month, { date_order: "month_first" });
    expect((await found(customer, "month@")).custom_fields).toEqual({
      born: "1990-05-06",
      seen: "2025-12-31T18:30:00.000Z",
    });
    const unknown = await take(agent, customer, mapping, [
      ["a@example.com", "05/06/1990", ""],
      ["b@example.com", "31/12/1990", ""],
      ["c@example.com", "31/02/1990", ""],
      ["d@example.com", "31/12/90", ""],
    ]);
    expect(unknown.body.counts).toMatchObject({ created: 1, failed: 3 });
    expect(unknown.body.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
      "born: “05/06/1990” may be two dates. Choose whether the day or the month comes first.",
      expect.stringContaining("“31/02/1990” is not a date that exists"),
      "born: “31/12/90” is not a date. Write the year in four digits.",
    ]);
  });

  it("are taken without the cells that cannot be read, where that was chosen, and say which", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const mapping = ["name", "phone", "email", "status", "custom_fields.age"];
    const rows = [
      ["Ada", "12", "ada@example.com", "warmish", "old"],
      ["Bob", "12", "", "", ""],
      ["Eve", "", "eve@example.com", "hot", "36"],
    ];
    const { body } = await take(agent, customer, mapping, rows, { misfits: "leave_out" });
    expect(body.counts).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 1 });
    expect(body.refused).toEqual([
      { index: 1, reason: expect.stringMatching(/“12” is not a phone number.*There is no phone and no email/) },
    ]);
    expect(body.left_out).toEqual([
      { index: 0, reason: expect.stringMatching(/^Phone: .* Status: “warmish” .* Age: “old” /) },
    ]);
    expect(await found(customer, "ada@")).toMatchObject({ phone: null, status: "new", custom_fields: { age: null } });
    const refused = await take(agent, customer, mapping, rows.slice(0, 1));
    expect(refused.body).toMatchObject({ counts: { failed: 1, updated: 0 }, left_out: [] });
    expect(refused.body.refused[0].reason).toMatch(/^Phone: .* Status: .* Age: /);
  });

  it("are refused in a person's words where a contact cannot be changed so", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const phone = phoneEnding("5003");
    await customer.call("POST", "/contacts", { phone });
    await customer.call("POST", "/contacts", { email: "taken@example.com" });
    const many = Array.from({ length: 30 }, (_, at) => `tag ${at}`).join(", ");
    await take(agent, customer, ["phone", "tags"], [[phone, many]]);
    const { body } = await take(
      agent,
      customer,
      ["phone", "email", "tags", "name"],
      [
        ["", "", "", "Nobody"],
        [phone, "taken@example.com", "", ""],
        [phone, "", many.replaceAll("tag", "label"), ""],
        [phone, "", "", "x".repeat(201)],
      ],
    );
    expect(body.refused).toEqual([
      { index: 0, reason: "There is no phone and no email to know this contact by." },
      { index: 1, reason: "Its phone belongs to one contact and its email to another." },
      { index: 2, reason: "With these tags the contact would have more than 50." },
      { index: 3, reason: expect.stringMatching(/^Name: “x+…” is longer than 200 characters\.$/) },
    ]);
  });

  it("are refused together where nobody could say what they mean", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [["a@example.com", "b@example.com"]];
    for (const mapping of [
      ["email", "email"],
      ["name", ""],
      ["email", "custom_fields.gone"],
    ])
      expect(await take(agent, customer, mapping, rows)).toMatchObject({
        status: 400,
        body: { error: { code: "validation_failed", details: [{ path: "mapping" }] } },
      });
    expect(
      await take(
        agent,
        customer,
        ["email"],
        Array.from({ length: 501 }, () => ["a@example.com"]),
      ),
    ).toMatchObject({
      status: 400,
    });
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });

  it("are taken from the page only, and into one's own workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const agent = await mine.member("agent");
    const body = { mapping: ["email"], rows: [["a@example.com"]], tag: "" };
    expect((await ask(agent, mine, "/rows", body, "forged")).status).toBe(403);
    expect((await ask(agent, theirs, "/rows", body)).status).toBe(403);
    expect((await mine.call("GET", "/contacts")).body.contacts).toEqual([]);
  });
});

describe("the preview of a file", () => {
  const shown = async (visitor: Visitor, customer: Customer, body: object): Promise<string> =>
    (await ask(visitor, customer, "/preview", { has_heads: null, mapping: null, tag: "", ...body })).body;

  it("guesses the columns and shows the rows as they would be stored, storing nothing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [
      ["Full Name", "Mobile", "Notes"],
      ["Ada", "+1 (415) 555-0100", "x"],
      ["Bad", "+12", "x"],
    ];
    const page = await shown(agent, customer, { rows });
    expect(page).toMatch(/aria-label="Mobile goes to"[^>]*>.*?<option value="phone" selected/);
    expect(page).toContain("+14155550100");
    expect(page).toContain("Phone: “+12” is not a phone number.");
    expect(page).not.toContain("no country code. Choose");
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });

  it("keeps the places that were given and guesses the others", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [
      ["Who", "Mobile", "Mail"],
      ["Ada", "+14155550100", "ada@example.com"],
    ];
    const page = await shown(agent, customer, { rows, has_heads: true, mapping: ["company", "", null] });
    const chosen = Array.from(page.matchAll(/name="place".*?<option value="([^"]*)" selected/g), ([, place]) => place);
    expect(chosen).toEqual(["company", "", "email"]);
  });

  it("says in which order dates are read, or asks where the rows do not show it", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "born", label: "Born", type: "date" });
    const preview = (dates: string[], others: object = {}) =>
      shown(agent, customer, { rows: [["Email", "Born"], ...dates.map((date) => ["a@example.com", date])], ...others });
    const clear = await preview(["05/06/1990", "12/31/1990"]);
    expect(clear).toContain("Dates are read with the month first, as in “12/31/1990”.");
    expect(clear).toContain('data-date-order="month_first"');
    expect(clear).toContain("1990-05-06");
    const open = await preview(["05/06/1990"]);
    expect(open).toContain("“05/06/1990” may be two dates");
    expect(open).toMatch(/id="import-start" disabled/);
    const chosen = await preview(["05/06/1990"], { date_order: "day_first" });
    expect(chosen).toContain("1990-06-05");
    expect(chosen).not.toMatch(/id="import-start" disabled/);
  });

  it("warns of numbers without a country code, and says what is missing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect(await shown(agent, customer, { rows: [["phone"], ["14155550100"]] })).toContain(
      "1 of the first 1 numbers has no country code. Choose above which country they are from.",
    );
    const page = await shown(agent, customer, { rows: [["colour"], ["red"]] });
    expect(page).toContain("Say which column holds the phone or the email");
    expect(page).toMatch(/id="import-start" disabled/);
  });
});

describe("the guess where a column belongs", () => {
  it("goes by head, then by content, and gives each place once", () => {
    const rows = [
      ["Ada", "Lovelace", "ada@example.com", "+14155550100", "12345678901"],
      ["Bob", "", "bob@example.com", "+14155550101", "12345678902"],
    ];
    const heads = ["First name", "Last name", "Contact address", "", "Customer no."];
    expect(guess(heads, rows, [], true)).toEqual(["name", "name", "email", "phone", ""]);
    expect(guess(["Name", "First name", "E-Mail", "Email"], [], [], true)).toEqual(["name", "", "email", ""]);
    expect(guess([], [["14155550100", "x"]], [], false)).toEqual(["phone", ""]);
    expect(looksLikeHeads([["Name", "Phone"]])).toBe(true);
    expect(looksLikeHeads([["Ada", "+14155550100"]])).toBe(false);
  });

  it("lets names and tags share a place, and nothing else", () => {
    expect(problemOf(["name", "name", "tags", "tags", "phone"], [])).toBeNull();
    expect(problemOf(["phone", "phone"], [])).toBe("Two columns go to Phone. Leave one of them out.");
  });
});
