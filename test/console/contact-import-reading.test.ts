import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { foundContact, showPreview, takeRows } from "../support/contact-import.ts";
import { phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

describe("Cells in imported files", () => {
  it("An import reads phone numbers that begin with 00, and applies the chosen country to numbers without a country code", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [["0041 79 555 01 00"], ["0170 555 0101"], ["+1 415 555 0102"], ["491705550103"], ["12"]];
    const { body } = await takeRows(agent, customer, ["phone"], rows, { country: "DE" });
    expect(body.counts).toMatchObject({ created: 4, failed: 1 });
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    expect(contacts.map(({ phone }: { phone: string }) => phone).toSorted()).toEqual([
      "+14155550102",
      "+41795550100",
      "+491705550101",
      "+491705550103",
    ]);
    const without = await takeRows(agent, customer, ["phone"], [["0170 555 0101"]]);
    expect(without.body.refused).toHaveLength(1);
    expect((await takeRows(agent, customer, ["phone"], [["1"]], { country: "XX" })).status).toBe(400);
  });

  it("An import reads German phone numbers with slashes, and shows an example next to a rejected number", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "fax", label: "Fax", type: "phone" });
    const rows = [
      ["030/901820", ""],
      ["0151/23456788", "+49 30/901821"],
      ["+49/151/23456789", ""],
      ["030 901820/21", ""],
      ["01/02/2026", ""],
    ];
    const { body } = await takeRows(agent, customer, ["phone", "custom_fields.fax"], rows, { country: "DE" });
    expect(body.counts).toMatchObject({ created: 3, failed: 2 });
    expect(await foundContact(customer, "+4930901820")).toMatchObject({ phone: "+4930901820" });
    expect(await foundContact(customer, "15123456788")).toMatchObject({
      phone: "+4915123456788",
      custom_fields: { fax: "+4930901821" },
    });
    expect(body.refused).toEqual([
      {
        index: 3,
        reason:
          "Phone: “030 901820/21” is not a phone number. Use the national format of Germany, like 01512 3456789, or add the country code, like +49 1512 3456789.",
      },
      { index: 4, reason: expect.stringContaining("“01/02/2026” is not a phone number") },
    ]);
    const without = await takeRows(agent, customer, ["phone"], [["030/901820"], ["+49 151/23456787"]]);
    expect(without.body.counts).toMatchObject({ created: 1, failed: 1 });
    expect(without.body.refused[0].reason).not.toMatch(/\+\d/);
  });

  it("An import reads dates from spreadsheets in the chosen order of day and month", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const [key, type] of [
      ["born", "date"],
      ["seen", "datetime"],
    ] as const)
      await customer.call("POST", "/custom-fields", { field_key: key, label: key, type });
    const mapping = ["email", "custom_fields.born", "custom_fields.seen"];
    const day = [["day@example.com", "05/06/1990", "31.12.2025 18:30"]];
    await takeRows(agent, customer, mapping, day, { date_order: "day_first" });
    expect((await foundContact(customer, "day@")).custom_fields).toEqual({
      born: "1990-06-05",
      seen: "2025-12-31T18:30:00.000Z",
    });
    const month = [["month@example.com", "05/06/1990", "12/31/2025 6:30 PM"]];
    await takeRows(agent, customer, mapping, month, { date_order: "month_first" });
    expect((await foundContact(customer, "month@")).custom_fields).toEqual({
      born: "1990-05-06",
      seen: "2025-12-31T18:30:00.000Z",
    });
    const unknown = await takeRows(agent, customer, mapping, [
      ["a@example.com", "05/06/1990", ""],
      ["b@example.com", "31/12/1990", ""],
      ["c@example.com", "31/02/1990", ""],
      ["d@example.com", "31/12/90", ""],
    ]);
    expect(unknown.body.counts).toMatchObject({ created: 1, failed: 3 });
    expect(unknown.body.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
      "born: “05/06/1990” is ambiguous. Choose whether the day or the month comes first.",
      expect.stringContaining("“31/02/1990” is not a valid date"),
      "born: “31/12/90” is not a date. Use a four-digit year.",
    ]);
  });

  it("An import skips invalid cells if the user chose so, and shows the reasons", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "age", label: "Age", type: "number" });
    const mapping = ["name", "phone", "email", "status", "custom_fields.age"];
    const rows = [
      ["Ada", "12", "ada@example.com", "warmish", "old"],
      ["Bob", "12", "", "", ""],
      ["Eve", "", "eve@example.com", "hot", "36"],
    ];
    const { body } = await takeRows(agent, customer, mapping, rows, { misfits: "leave_out" });
    expect(body.counts).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 1 });
    expect(body.refused).toEqual([
      { index: 1, reason: expect.stringMatching(/“12” is not a phone number.*No phone or email/) },
    ]);
    expect(body.left_out).toEqual([
      { index: 0, reason: expect.stringMatching(/^Phone: .* Status: “warmish” .* Age: “old” /) },
    ]);
    expect(await foundContact(customer, "ada@")).toMatchObject({
      phone: null,
      status: "new",
      custom_fields: { age: null },
    });
    const refused = await takeRows(agent, customer, mapping, rows.slice(0, 1));
    expect(refused.body).toMatchObject({ counts: { failed: 1, updated: 0 }, left_out: [] });
    expect(refused.body.refused[0].reason).toMatch(/^Phone: .* Status: .* Age: /);
  });

  it("An import explains in plain words why it cannot change a contact", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const phone = phoneEnding("5003");
    await customer.call("POST", "/contacts", { phone });
    await customer.call("POST", "/contacts", { email: "taken@example.com" });
    const many = Array.from({ length: 30 }, (_, at) => `tag ${at}`).join(", ");
    await takeRows(agent, customer, ["phone", "tags"], [[phone, many]]);
    const { body } = await takeRows(
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
      { index: 0, reason: "No phone or email." },
      { index: 1, reason: "The phone and the email belong to different contacts." },
      { index: 2, reason: "The contact would have more than 50 tags." },
      { index: 3, reason: expect.stringMatching(/^Name: “x+…” is longer than 200 characters\.$/) },
    ]);
  });
});

describe("Import preview", () => {
  it("An import preview guesses the columns, shows the rows as they would be stored, and stores nothing", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [
      ["Full Name", "Mobile", "Notes"],
      ["Ada", "+1 (415) 555-0100", "x"],
      ["Bad", "+12", "x"],
    ];
    const page = await showPreview(agent, customer, { rows });
    expect(page).toMatch(/aria-label="Field for Mobile"[^>]*>.*?<option value="phone" selected/);
    expect(page).toContain("+14155550100");
    expect(page).toContain("Phone: “+12” is not a phone number.");
    expect(page).not.toContain("no country code. Choose");
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });

  it("An import preview shows a rejected row as it is in the file, with the reason", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [
      ["Vorname", "Name", "Telefon", "Firma"],
      ["Zoë", "Weiß", "anrufen", "Weiß GmbH"],
    ];
    const page = await showPreview(agent, customer, { rows, country: "DE" });
    const row = /<tr><td[^>]*data-label="Row".*?<\/tr>/.exec(page)?.[0] ?? "";
    expect(row).toContain("Zoë Weiß");
    expect(row).toContain("anrufen");
    expect(row).toContain("Weiß GmbH");
    expect(row).toContain("The row is skipped.");
  });

  it("An import preview lists skipped columns, and offers admins a new custom field", async () => {
    const customer = await new World().customer();
    const body = {
      rows: [
        ["Email", "Shoe size", "Empty"],
        ["ada@example.com", "38", ""],
      ],
    };
    const forAdmin = await showPreview(await customer.member("admin"), customer, body);
    expect(forAdmin).toContain("Left out: “Shoe size”.");
    expect(forAdmin).toContain(`href="/console/${customer.workspaceId}/settings/custom-fields/new"`);
    const agent = await customer.member("agent");
    const forAgent = await showPreview(agent, customer, body);
    expect(forAgent).toContain("ask an admin for a custom field");
    expect(forAgent).not.toContain("settings/custom-fields/new");
    expect(await showPreview(agent, customer, { rows: [["Email"], ["ada@example.com"]] })).not.toContain("Left out");
  });

  it("An import preview keeps the columns that the user chose, and guesses all others", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const rows = [
      ["Who", "Mobile", "Mail"],
      ["Ada", "+14155550100", "ada@example.com"],
    ];
    const page = await showPreview(agent, customer, { rows, has_heads: true, mapping: ["company", "", null] });
    const chosen = Array.from(page.matchAll(/name="place".*?<option value="([^"]*)" selected/g), ([, place]) => place);
    expect(chosen).toEqual(["company", "", "email"]);
  });

  it("An import preview states the order of dates, or asks for it if the dates are ambiguous", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "born", label: "Born", type: "date" });
    const preview = (dates: string[], others: object = {}) =>
      showPreview(agent, customer, {
        rows: [["Email", "Born"], ...dates.map((date) => ["a@example.com", date])],
        ...others,
      });
    const clear = await preview(["05/06/1990", "12/31/1990"]);
    expect(clear).toContain("Dates are read with the month first, as in “12/31/1990”.");
    expect(clear).toContain('data-date-order="month_first"');
    expect(clear).toContain(">6 May 1990</time>");
    const open = await preview(["05/06/1990"]);
    expect(open).toContain("day and month in “05/06/1990” is unclear");
    expect(open).toMatch(/id="import-start" disabled/);
    const chosen = await preview(["05/06/1990"], { date_order: "day_first" });
    expect(chosen).toContain(">5 Jun 1990</time>");
    expect(chosen).not.toMatch(/id="import-start" disabled/);
  });

  it("An import preview warns about numbers without a country code, and about a file without phone and email", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect(await showPreview(agent, customer, { rows: [["phone"], ["14155550100"]] })).toContain(
      "1 of the first 1 numbers has no country code. Select their country above.",
    );
    const page = await showPreview(agent, customer, { rows: [["colour"], ["red"]] });
    expect(page).toContain("Choose a column for the phone or the email");
    expect(page).toMatch(/id="import-start" disabled/);
  });
});
