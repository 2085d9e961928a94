import { beforeEach, describe, expect, it, vi } from "vitest";
import { guess, looksLikeHeads, problemOf } from "../../src/console/pages/import-columns.ts";
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

const take = (visitor: Visitor, customer: Customer, mapping: string[], rows: string[][], tag = "") =>
  ask(visitor, customer, "/rows", { mapping, rows, tag });

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
    });
    const again = await take(agent, customer, mapping, [["", "", `'${phone}`, "", "new one", ""]], "imported");
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
      { index: 0, reason: "phone: Give the number in international format, like +14155550100." },
      { index: 2, reason: "phone: Either phone or email is required." },
      { index: 3, reason: expect.stringContaining('age: "age" is a number') },
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

  it("of an export bring back what was exported", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const made = { name: "=Ada", phone: phoneEnding("5002"), email: "ada@example.com", tags: ["a; b", "c"] };
    const before = (await customer.call("POST", "/contacts", made)).body.contact;
    const csv: string = (await agent.get(`/console/${customer.workspaceId}/contacts/export.csv`)).body;
    const [heads = "", line = ""] = csv.trim().split("\r\n");
    const cells = line
      .replace('"""a; b"", c"', "TAGS")
      .split(",")
      .map((cell) => (cell === "TAGS" ? '"a; b", c' : cell));
    const mapping = guess(heads.split(","), [cells], [], true);
    const { body } = await take(agent, customer, mapping, [cells]);
    expect(body.counts).toMatchObject({ failed: 0, created: 0 });
    const after = await found(customer, "ada@example.com");
    expect({ ...after, updated_at: null }).toEqual({ ...before, updated_at: null });
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
    expect(page).toContain("phone: Give the number in international format");
    expect(page).not.toContain("no plus. Look");
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });

  it("warns of numbers without a plus, and says what is missing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect(await shown(agent, customer, { rows: [["phone"], ["14155550100"]] })).toContain(
      "1 of the first 1 numbers has no plus",
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
