import { beforeEach, describe, expect, it, vi } from "vitest";
import { guessTargets } from "../../src/console/pages/import/import-columns.ts";
import { stopClock } from "../support/clock.ts";
import { askImport, foundContact, takeRows } from "../support/contact-import.ts";
import { readCsv } from "../support/csv.ts";
import { phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

describe("Rows in imported files", () => {
  it("Imported rows create contacts, later imports match them by phone, and empty cells change nothing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const mapping = ["name", "name", "phone", "company", "tags", "status"];
    const phone = phoneEnding("5000");
    const first = await takeRows(agent, customer, mapping, [["Ada", "Lovelace", phone, "Babbage", "vip; late", "Hot"]]);
    expect(first.body).toEqual({
      success: true,
      counts: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      refused: [],
      left_out: [],
    });
    const again = await takeRows(agent, customer, mapping, [["", "", `'${phone}`, "", "new one", ""]], {
      tag: "imported",
    });
    expect(again.body.counts).toMatchObject({ created: 0, updated: 1 });
    const ada = await foundContact(customer, "lovelace");
    expect(ada).toMatchObject({ name: "Ada Lovelace", phone, company: "Babbage", status: "hot" });
    expect(ada.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      "imported",
      "late",
      "new one",
      "vip",
    ]);
  });

  it("Each invalid row of an import is rejected with all its reasons", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const mapping = ["phone", "email", "custom_fields.age"];
    const { body } = await takeRows(agent, customer, mapping, [
      ["12", "", ""],
      ["", "fine@example.com", "36"],
      ["", "", "36"],
      ["", "other@example.com", "old"],
    ]);
    expect(body.counts).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 3 });
    expect(body.refused).toEqual([
      {
        index: 0,
        reason:
          "Phone: “12” is not a phone number. Add the country code, + first, or select the country for numbers without a code.",
      },
      { index: 2, reason: "No phone or email." },
      { index: 3, reason: "Age: “old” is not a number. Use digits and a decimal point, like 12.5." },
    ]);
    expect((await foundContact(customer, "fine@")).custom_fields).toEqual({ age: 36 });
  });

  it("Imported rows fill custom fields of every type", async () => {
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
    await takeRows(
      agent,
      customer,
      ["email", ...keys.map((key) => `custom_fields.${key}`)],
      [["typed@example.com", "Yes", "large", 'tea, "red, white"', "1815-12-10", "'-4.5"]],
    );
    expect((await foundContact(customer, "typed@")).custom_fields).toEqual({
      member: true,
      size: "Large",
      likes: ["tea", "red, white"],
      born: "1815-12-10",
      score: -4.5,
    });
  });

  it("An import can opt people out, but never opts them in", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const phone = phoneEnding("5001");
    const state = async () => (await foundContact(customer, phone)).is_unsubscribed;
    await takeRows(agent, customer, ["phone", "is_unsubscribed"], [[phone, "yes"]]);
    expect(await state()).toBe(true);
    await takeRows(agent, customer, ["phone", "is_unsubscribed"], [[phone, "false"]]);
    expect(await state()).toBe(true);
  });

  it("An import of an export changes nothing, not even the time of the last change", async () => {
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
    const mapping = guessTargets(heads, rows, fields.body.custom_fields, true);
    const readOnly = new Set(["marketing_opt_out", "created_at", "updated_at"]);
    const custom = new Set(fields.body.custom_fields.map(({ field_key: key }: { field_key: string }) => key));
    expect(mapping).toEqual(
      heads.map((head) => (readOnly.has(head) ? "" : custom.has(head) ? `custom_fields.${head}` : head)),
    );
    vi.setSystemTime(Date.now() + 60_000);
    const { body } = await takeRows(agent, customer, mapping, rows);
    expect(body).toMatchObject({ counts: { failed: 0, created: 0 }, refused: [], left_out: [] });
    expect(await all()).toEqual(before);
  });

  it("An import sets the source of new contacts, but not of existing contacts", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/contacts", { email: "old@example.com", source: "fair" });
    await takeRows(
      agent,
      customer,
      ["email", "name"],
      [
        ["new@example.com", "New"],
        ["old@example.com", "Old"],
        ["new@example.com", "New again"],
      ],
    );
    await takeRows(agent, customer, ["email", "source"], [["named@example.com", "shop"]]);
    expect(await foundContact(customer, "new@")).toMatchObject({ name: "New again", source: "import" });
    expect(await foundContact(customer, "old@")).toMatchObject({ name: "Old", source: "fair" });
    expect(await foundContact(customer, "named@")).toMatchObject({ source: "shop" });
    const filtered = await customer.call("GET", "/contacts?source=import");
    expect(filtered.body.contacts).toHaveLength(1);
    await customer.call("POST", "/contacts/batch", { contacts: [{ email: "api@example.com" }] });
    expect(await foundContact(customer, "api@")).toMatchObject({ source: "api" });
  });

  it("An import rejects all rows if the mapping of columns is invalid", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [["a@example.com", "b@example.com"]];
    for (const mapping of [
      ["email", "email"],
      ["name", ""],
      ["email", "custom_fields.gone"],
    ])
      expect(await takeRows(agent, customer, mapping, rows)).toMatchObject({
        status: 400,
        body: { error: { code: "validation_failed", details: [{ path: "mapping" }] } },
      });
    expect(
      await takeRows(
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

  it("An import rejects rows with a forged token and rows for another workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const agent = await mine.member("agent");
    const body = { mapping: ["email"], rows: [["a@example.com"]], tag: "" };
    expect((await askImport(agent, mine, "/rows", body, "forged")).status).toBe(403);
    expect((await askImport(agent, theirs, "/rows", body)).status).toBe(403);
    expect((await mine.call("GET", "/contacts")).body.contacts).toEqual([]);
  });
});
