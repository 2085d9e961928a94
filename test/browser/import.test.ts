import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { capture, expectAccessible, expectToFit, newPage, pageOf, useBrowser } from "./support/browser.ts";
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

/** People 1 to `count`, a line each. */
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `Person ${index + 1},+1415${String(2_000_000 + index)},"a, b"`).join(
    "\n",
  );

describe("importing a CSV file", () => {
  it("takes the good rows and hands back the bad ones with their reasons", async () => {
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
    expect(await page.getByLabel("Mobile goes to").inputValue()).toBe("phone");
    expect(await page.getByLabel("Shoe size goes to").inputValue()).toBe("");
    await page.getByRole("cell", { name: "+14155550100", exact: true }).waitFor();
    await page.getByText("phone: Give the number in international format").waitFor();
    await page.getByLabel("Tag everybody in this file").fill("from file");
    await start(page);
    await page.getByRole("heading", { name: "Import done" }).waitFor();
    await page.getByText("100 % of people.csv: 2 new, 0 changed, 0 as they were, 2 refused.").waitFor();

    await page.reload();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download refused rows" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("refused-people.csv");
    const lines = (await contentOf(download)).split("\r\n");
    expect(lines[0]).toBe("\ufeffFull name,Mobile,E-mail,Labels,Shoe size,Row,Reason");
    expect(lines[1]).toMatch(/^Bad number,12,bad@example.com,,,4,/);
    expect(lines[2]).toMatch(/^"'=Nobody",,,,,6,phone: Either phone or email is required\.$/);
    expect(lines).toHaveLength(3);

    await page.getByRole("link", { name: "Show contacts" }).click();
    await page.getByRole("link", { name: "Müller; Zoë" }).waitFor();
    expect(await page.getByRole("row").filter({ hasText: 'Ada "the first" Lovelace' }).innerText()).toContain(
      "from file",
    );
    await page.goto(workspace.path("/contacts/import"));
    await page.getByRole("button", { name: "Import another file" }).click();
    await page.getByLabel("A CSV file").waitFor();
  });

  it("goes on after a reload where it stopped", async () => {
    const { page } = await importing();
    const text = `Name,Phone,Tags\n${people(1400)}`;
    let left = 1;
    await page.route("**/contacts/import/rows", (route) =>
      left-- > 0 ? route.continue() : route.fulfill({ status: 429 }),
    );
    await choose(page, file("many.csv", text));
    await start(page);
    await page.getByText("No answer at the moment. It goes on by itself").waitFor();
    await page.reload();
    await page.getByText("many.csv stopped after row 501 (500 new").waitFor();
    left = 3;
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("heading", { name: "Import done" }).waitFor();
    expect(await page.locator("#import-status").innerText()).toContain(
      "1,400 new, 0 changed, 0 as they were, 0 refused.",
    );
  });

  it("reads what spreadsheets of old wrote, and says what is no CSV file", async () => {
    const { page } = await importing();
    await choose(page, file("book.xlsx", "PK\u0003\u0004"));
    await page.getByText("This is a spreadsheet, not a CSV file.").waitFor();
    await choose(page, file("empty.csv", ""));
    await page.getByText("The file is empty.").waitFor();
    await choose(page, file("old.csv", Buffer.from("Name\tEmail\nJosé\tjose@example.com\n", "latin1")));
    await page.getByRole("cell", { name: "José" }).first().waitFor();
    await choose(page, file("wide.csv", Buffer.from("\ufeffName,Email\nЖанна,zh@example.com\n", "utf16le")));
    await page.getByRole("cell", { name: "Жанна" }).first().waitFor();
    expect(await page.getByLabel("Email goes to").inputValue()).toBe("email");
  });

  it("says without scripts that it needs them", async () => {
    const workspace = await newWorkspace();
    const page = await newPage({ javaScriptEnabled: false });
    const { email, password } = await workspace.member("agent");
    await page.goto(`/console/sign-in?next=${workspace.path("/contacts/import")}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Importing needs JavaScript").waitFor();
    expect(await page.getByLabel("A CSV file").isVisible()).toBe(false);
  });
});

describe("the preview of a file", () => {
  for (const [width, colorScheme] of [
    [375, "dark"],
    [1440, "light"],
  ] as const) {
    it(`fits ${width} px and is accessible, ${colorScheme}`, async () => {
      const workspace = await newWorkspace();
      const options = { viewport: { width, height: 900 }, colorScheme };
      const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts/import"), options);
      const rows = [
        "Full name;Mobile;E-mail;Labels;Shoe size",
        "Ada Lovelace;1 415 555 0100;ada@example.com;vip, new;38",
        "Bad number;12;bad@example.com;;",
      ];
      await choose(page, file("people.csv", rows.join("\n")));
      await page.getByRole("heading", { name: "As it would be stored" }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await capture(page, `import-preview-${width}-${colorScheme}`);
      await start(page);
      await page.getByRole("heading", { name: "Import done" }).waitFor();
      await expectToFit(page);
      await expectAccessible(page);
      await capture(page, `import-done-${width}-${colorScheme}`);
    });
  }
});
