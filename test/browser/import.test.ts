import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { capture, expectAccessible, expectToFit, pageOf, useBrowser } from "./support/browser.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

const file = (name: string, text: string | Buffer) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const choose = (page: Page, chosen: ReturnType<typeof file>) => page.getByLabel("A CSV file").setInputFiles(chosen);

const start = (page: Page) => page.getByRole("button", { name: "Import", exact: true }).click();

const contentOf = async (download: Download) => (await readFile(await download.path())).toString("utf8");

async function importing(role: "owner" | "agent" = "agent"): Promise<{ page: Page; workspace: Workspace }> {
  const workspace = await newWorkspace();
  return { workspace, page: await pageOf(await workspace.member(role), workspace.path("/contacts/import")) };
}

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `Person ${index + 1},+1415${String(2_000_000 + index)},"a, b"`).join(
    "\n",
  );

describe("CSV import", () => {
  it("An import stores the valid rows, returns the invalid rows with their reasons, and updates contacts the second time", async () => {
    const { page, workspace } = await importing();
    const rows = [
      "\ufeffFull name;Mobile;E-mail;Labels;Shoe size",
      'Ada "the first" Lovelace;+1 415 555 0100;ada@example.com;vip, new;38',
      '"Müller; Zoë";;zoe@example.com;vip;',
      "Bad number;12;bad@example.com;;",
      ";;;;",
      "=Nobody;;;;",
    ];
    await choose(page, file("people.csv", rows.join("\r\n")));
    expect(await page.getByLabel("Field for Mobile").inputValue()).toBe("phone");
    expect(await page.getByLabel("Field for Shoe size").inputValue()).toBe("");
    await page.getByRole("cell", { name: "+14155550100", exact: true }).waitFor();
    await page.getByText("Phone: “12” is not a phone number.").waitFor();
    await page.getByLabel("Tag all contacts in this file").fill("from file");
    await start(page);
    await page.getByRole("heading", { name: "Import complete" }).waitFor();
    await page.getByText("100 % of people.csv: 2 new, 0 updated, 2 skipped.").waitFor();

    await page.reload();
    const refused = page.getByRole("table", { name: "Rows with their result and reason" });
    expect(await refused.getByRole("row").nth(1).innerText()).toMatch(
      /^4\s+Skipped\s+Phone: “12” is not a phone number\. Add the country code/,
    );
    expect(await refused.getByRole("row").nth(2).innerText()).toMatch(/^6\s+Skipped\s+No phone or email\.$/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download rows" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("refused-people.csv");
    const lines = (await contentOf(download)).split("\r\n");
    expect(lines[0]).toBe("\ufeffFull name,Mobile,E-mail,Labels,Shoe size,Row,Result,Reason");
    expect(lines[1]).toMatch(/^Bad number,12,bad@example.com,,,4,Skipped,/);
    expect(lines[2]).toMatch(/^"'=Nobody",,,,,6,Skipped,No phone or email/);
    expect(lines).toHaveLength(3);

    await page.getByRole("link", { name: "Show contacts" }).click();
    await page.getByRole("link", { name: "Müller; Zoë" }).waitFor();
    expect(await page.getByRole("row").filter({ hasText: 'Ada "the first" Lovelace' }).innerText()).toContain(
      "from file",
    );
    await page.goto(workspace.path("/contacts/import"));
    const again = page.getByRole("button", { name: "Import another file" });
    await Promise.all([page.waitForEvent("load"), again.click()]);
    await choose(page, file("people.csv", rows.join("\r\n")));
    await start(page);
    await page.getByText("100 % of people.csv: 0 new, 2 updated, 2 skipped.").waitFor();
  });

  it("An import continues at the same row after a reload", async () => {
    const { page } = await importing();
    const text = `Name,Phone,Tags\n${people(1400)}`;
    let left = 1;
    await page.route("**/contacts/import/rows", (route) =>
      left-- > 0 ? route.continue() : route.fulfill({ status: 429 }),
    );
    await choose(page, file("many.csv", text));
    await start(page);
    await page.getByText("The import continues automatically").waitFor();
    expect(Number(await page.getByRole("progressbar").getAttribute("value"))).toBeCloseTo(0.35, 1);
    await page.reload();
    await page.getByText("many.csv stopped after row 501 (500 new").waitFor();
    left = 3;
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Import complete" }).waitFor();
    expect(await page.locator("#import-status").innerText()).toContain(
      "100 % of many.csv: 1,400 new, 0 updated, 0 skipped.",
    );
  });

  it("An import reads files in Latin-1 and UTF-16, and rejects files that are empty or not CSV", async () => {
    const { page } = await importing();
    await choose(page, file("book.xlsx", "PK\u0003\u0004"));
    await page.getByText("This is a spreadsheet, not a CSV file.").waitFor();
    await choose(page, file("empty.csv", ""));
    await page.getByText("The file is empty.").waitFor();
    await choose(page, file("old.csv", Buffer.from("Name\tEmail\nJosé\tjose@example.com\n", "latin1")));
    await page.getByRole("cell", { name: "José" }).first().waitFor();
    await choose(page, file("wide.csv", Buffer.from("\ufeffName,Email\nЖанна,zh@example.com\n", "utf16le")));
    await page.getByRole("cell", { name: "Жанна" }).first().waitFor();
    expect(await page.getByLabel("Field for Email").inputValue()).toBe("email");
  });

  it("An import detects the delimiter of a short file, and the user can choose another delimiter", async () => {
    const { page } = await importing();
    for (const [name, text] of [
      ["two.csv", "Name;Phone\nAda;+14155550100\n"],
      ["three.tsv", "Name\tPhone\tNotes\nAda\t+14155550100\tlikes tea, coffee; milk\n"],
      ["bars.txt", "Name|Phone\nAda|+14155550100\nBob|+14155550101\n"],
      ["headless.csv", "Ada;+14155550100;vip, new\n"],
    ] as const) {
      await choose(page, file(name, text));
      await page.getByRole("cell", { name: "+14155550100", exact: true }).last().waitFor();
      expect(await page.locator('select[name="place"]').nth(1).inputValue()).toBe("phone");
    }
    await choose(page, file("odd.csv", "Last, First;Phone\nOkafor, Ada;+14155550100\n"));
    expect(await page.getByLabel("Field for Last, First").inputValue()).toBe("");
    await page.getByLabel("Tag all contacts in this file").fill("odd ones");
    await page.getByLabel("Columns are separated by").selectOption(",");
    await page.getByLabel("Field for First;Phone").waitFor();
    await page.getByLabel("Columns are separated by").selectOption(";");
    await page.getByLabel("Field for Last, First").selectOption("name");
    expect(await page.getByLabel("Tag all contacts in this file").inputValue()).toBe("odd ones");
    await start(page);
    await page.getByText("100 % of odd.csv: 1 new").waitFor();
  });

  it("An import keeps choices that the user makes while previews load, even if the responses arrive out of order", async () => {
    const { page, workspace } = await importing();
    await choose(
      page,
      file("own.csv", "Who,What,Where\nAda,+14155550100,Babbage\nBob,+14155550101,\nEve,+14155550102,\n"),
    );
    await page.getByLabel("Field for Who").waitFor();
    const held: (() => void)[] = [];
    let isHolding = true;
    await page.route("**/contacts/import/preview", async (route) => {
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined); // the test might no longer wait for the request
    });
    await page.getByLabel("Field for Who").selectOption("name");
    await page.getByLabel("First row contains column names").uncheck();
    const last = page.waitForRequest((request) => request.postData()?.includes("company") === true);
    await page.getByLabel("Field for Where").selectOption("company");
    await page.getByLabel("Tag all contacts in this file").fill("typed meanwhile");
    await start(page);
    await last;
    isHolding = false;
    for (const release of held.toReversed()) release();
    await page.getByText("100 % of own.csv: 3 new, 0 updated, 1 skipped.").waitFor();
    const { contacts } = z
      .object({ contacts: z.array(z.record(z.string(), z.unknown())) })
      .parse(await workspace.call("GET", "/contacts?search=ada"));
    expect(contacts).toMatchObject([{ name: "Ada", phone: "+14155550100", company: "Babbage", source: "import" }]);
    expect(contacts[0]?.["tags"]).toMatchObject([{ name: "typed meanwhile" }]);
  });

  it("An import reads phone numbers of a country and dates in a chosen order, and skips invalid cells", async () => {
    const { page, workspace } = await importing();
    await workspace.call("POST", "/custom-fields", { field_key: "born", label: "Born", type: "date" });
    await page.reload();
    const rows = ["Name;Phone;Born", "Ada;0170 5550100;05/06/1990", "Bob;0170 5550101;soon"];
    await choose(page, file("german.csv", rows.join("\n")));
    await page.getByText("2 of the first 2 numbers have no country code").waitFor();
    await page.getByText("day and month in “05/06/1990” is unclear").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await page.getByLabel("Country for numbers without a country code").selectOption("DE");
    await page.getByLabel("Dates such as 05/06/2026 are").selectOption("day_first");
    await page.getByRole("cell", { name: "+491705550100" }).waitFor();
    await page.getByText("The row is skipped.").waitFor();
    await page.getByLabel("If a cell is invalid").selectOption("leave_out");
    await page.getByText("The row is skipped.").waitFor({ state: "detached" });
    await start(page);
    await page.getByText("100 % of german.csv: 2 new, 0 updated, 0 skipped, 1 partly imported.").waitFor();
    await page.getByRole("cell", { name: /Born: “soon” is not a valid date/ }).waitFor();
    const answer = z
      .object({ contacts: z.array(z.record(z.string(), z.unknown())) })
      .parse(await workspace.call("GET", "/contacts?search=ada"));
    expect(answer.contacts).toMatchObject([{ phone: "+491705550100", custom_fields: { born: "1990-06-05" } }]);
  });

  it("An import shows 100 % only after its last row", async () => {
    const { page } = await importing();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let batches = 0;
    await page.route("**/contacts/import/rows", async (route) => {
      if (++batches === 2) await released;
      await route.continue();
    });
    await choose(page, file("some.csv", `Name,Phone,Tags\n${people(600)}`));
    await start(page);
    await page.getByText(/^8\d % of some\.csv: 500 new/).waitFor();
    await expect.poll(() => page.getByRole("heading", { name: "Importing" }).isVisible()).toBe(true);
    release();
    await page.getByText("100 % of some.csv: 600 new").waitFor();
  });

  it("Without scripts, the import page explains that it needs scripts", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts/import"), {
      javaScriptEnabled: false,
    });
    await page.getByText("Importing requires JavaScript").waitFor();
    expect(await page.getByLabel("A CSV file").isVisible()).toBe(false);
  });
});

describe("File preview", () => {
  for (const [width, colorScheme] of [
    [375, "dark"],
    [1440, "light"],
  ] as const) {
    it(`The preview of a file fits ${width} px and is accessible, ${colorScheme}`, async () => {
      const workspace = await newWorkspace();
      const options = { viewport: { width, height: 900 }, colorScheme };
      const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts/import"), options);
      const rows = [
        "Full name;Mobile;E-mail;Labels;Shoe size",
        "Ada Lovelace;1 415 555 0100;ada@example.com;vip, new;38",
        "Bad number;12;bad@example.com;;",
      ];
      await choose(page, file("people.csv", rows.join("\n")));
      await page.getByRole("heading", { name: "Preview" }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await capture(page, `import-preview-${width}-${colorScheme}`);
      await start(page);
      await page.getByRole("heading", { name: "Import complete" }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await capture(page, `import-done-${width}-${colorScheme}`);
    });
  }
});
