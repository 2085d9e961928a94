import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { pageOf, useBrowser } from "./support/browser.ts";
import { receiveFrom } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

/** Lists the words of cells that are broken over two lines. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  const range = document.createRange();
  for (const cell of document.querySelectorAll("#results td:not(:has(.email))")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (!texts.currentNode.parentElement.checkVisibility()) continue;
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) broken.push(word);
      }
    }
  }
  return broken;
})()`;

describe("Contacts", () => {
  it("The contact list updates without a page reload while the user types and chooses filters", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "Ada Lovelace", "Grace Hopper");
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
    const names = page.locator("#results td:first-child a");
    await names.nth(1).waitFor();
    await page.evaluate("window.kept = true");
    await page.getByLabel("Search").pressSequentially("lovel", { delay: 40 });
    await page.waitForURL((url) => url.searchParams.get("search") === "lovel");
    await expect.poll(() => names.allInnerTexts()).toEqual(["Ada Lovelace"]);
    expect(await page.getByLabel("Search").inputValue()).toBe("lovel");
    await page.getByRole("search").getByLabel("Status").selectOption("hot");
    await page.getByRole("heading", { name: "No contacts match" }).waitFor();
    expect(await page.evaluate("window.kept")).toBe(true);
  });

  it("A member can create, change, opt out, archive and restore a contact", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
    await page.getByRole("link", { name: "Add contact" }).click();
    await page.getByLabel("Name").fill("Ada Lovelace");
    await page.getByLabel("Phone").fill("12");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByText("Must be a phone number in international format").waitFor();
    await page.getByLabel("Phone").fill("+1 415 555 0123");
    await page.getByLabel("New tags").fill("vip");
    await page.getByRole("button", { name: "Create contact" }).click();
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
    await page.getByText("+14155550123").waitFor();

    await page.getByRole("link", { name: "Edit" }).click();
    expect(await page.getByRole("checkbox", { name: "vip" }).isChecked()).toBe(true);
    await page.getByLabel("Company").fill("Analytical Engines");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Analytical Engines").waitFor();
    await page.getByRole("button", { name: "Unsubscribe" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unsubscribe" }).click();
    await page.getByText("Unsubscribed. You can only reply").waitFor();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await page.getByText("This contact is archived").waitFor();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("Contact restored.").waitFor();
  });

  it("A contact row breaks only between words, keeps a phone number on one line, and can expand to show more than three tags", async () => {
    const workspace = await newWorkspace();
    const tags = Array.from({ length: 40 }, (_, number) => `Tag ${number + 1}`);
    const contacts = [
      { name: "Ada Okafor", phone: "+15550107071", email: "ada.okafor@example.com", status: "hot", tags },
      {
        name: "Chiyo Watanabe-Montgomery of Northumberland",
        phone: "+4915155500101",
        email: "chiyo.watanabe-montgomery@longcompanyname.example.com",
        tags: ["Newsletter subscribers"],
      },
      { phone: "+447700900123", status: "warm", tags: [] },
    ];
    await workspace.call("POST", "/contacts/batch", { contacts });
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
    for (const width of [375, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.locator("#results td .whole").count()).toBe(contacts.length);
      expect(await page.evaluate(BROKEN_WORDS), `${width} px`).toEqual([]);
    }
    const cell = page.locator("#results td", { has: page.locator("details") });
    const shown = () => cell.locator(".chip:visible").allInnerTexts();
    expect(await shown()).toHaveLength(3);
    await cell.getByText("+37").click();
    expect((await shown()).toSorted()).toEqual(tags.toSorted());
  });

  it("A contact can be edited in its list cell by keyboard, and Escape discards the change", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "Ada Lovelace", "Grace Hopper");
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts?columns=name,company,status"));
    const button = (what: string) => page.getByRole("button", { name: `Edit ${what}`, exact: true });
    await button("Name of Grace Hopper").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const field = page.getByRole("textbox", { name: "Company" });
    await field.fill("Nowhere");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => button("Company of Ada Lovelace").evaluate((element) => element.matches(":focus")))
      .toBe(true);
    await page.keyboard.press("Enter");
    await field.fill("Analytical Engines");
    await page.keyboard.press("Enter");
    await page.locator('td[data-edit="company"]', { hasText: "Analytical Engines" }).waitFor();
    await expect
      .poll(() => button("Company of Ada Lovelace").evaluate((element) => element.matches(":focus")))
      .toBe(true);
    await button("Phone of Ada Lovelace").waitFor({ state: "detached" });
    await page.locator('td[data-edit="status"]').first().dblclick();
    await page.locator("#cell select").selectOption("hot");
    await page.locator("#cell").getByRole("button", { name: "Save" }).click();
    await page.locator('td[data-edit="status"]', { hasText: "Hot" }).waitFor();
  });

  it("Contacts are exported as a file", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "=Ada");
    const page = await pageOf(await workspace.member("admin"), workspace.path("/contacts"));
    await page.getByRole("link", { name: "Export contacts" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download 1 contact" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
    const text = (await readFile(await download.path())).toString("utf8");
    expect(text).toMatch(/^\ufeffname,phone,.*\r\n'=Ada,\+1 415 555 0101,/);
  });
});

describe("Segments", () => {
  it("A new segment shows a live count, and then its contacts", async () => {
    const workspace = await newWorkspace();
    await receiveFrom(workspace, "Ada Lovelace", "Grace Hopper");
    const page = await pageOf(await workspace.member("admin"), workspace.path("/segments"));
    await page.getByRole("link", { name: "New segment" }).click();
    await page.getByLabel("Name", { exact: true }).fill("People called Ada");
    await page.getByText("Complete condition 1 (Tags) to count matching contacts.").waitFor();
    await page.getByLabel("Condition 1: field").selectOption("name");
    await page.getByLabel("Condition 1: comparison").selectOption("contains");
    await page.getByLabel("Condition 1: value").pressSequentially("ada", { delay: 30 });
    await page.getByText("1 contact now").waitFor();
    expect(await page.getByLabel("Condition 1: value").inputValue()).toBe("ada");
    await page.getByLabel("Which conditions must match").selectOption("any");
    await page.getByRole("button", { name: "Add condition" }).press("Enter");
    await page.getByLabel("Condition 2: field").selectOption("last_inbound_at");
    await page.getByLabel("Condition 2: comparison").selectOption("within_days");
    await page.getByLabel("Condition 2: value").and(page.locator("[inputmode=decimal]")).fill("1");
    await page.getByText("2 contacts now").waitFor();
    await page.getByRole("button", { name: "Remove Condition 2" }).click();
    await page.getByText("1 contact now").waitFor();
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByRole("heading", { name: "People called Ada" }).waitFor();
    await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    expect(await page.getByRole("link", { name: "Grace Hopper" }).count()).toBe(0);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText(/ deleted\.$/).waitFor();
  });

  it("A segment can be built by keyboard before it has a name, and the focus follows each step", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("admin"), workspace.path("/segments/new"));
    const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
    const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
    await page.getByLabel("Condition 1: field").selectOption("name");
    await press("Add condition");
    await page.getByLabel("Condition 2: field").waitFor();
    await expect.poll(focused).toBe("Condition 2: field");
    await press("Add group");
    await page.getByLabel("Condition 3.2: field").waitFor();
    await expect.poll(focused).toBe("Condition 3.1: field");
    await press("Remove Condition 3.1");
    await page.getByLabel("Condition 3.2: field").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Condition 3.1: field");
    await press("Remove Condition 3.1");
    await page.getByLabel("Condition 3.1: field").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Condition 2: field");
    await press("Remove Condition 1");
    await page.getByLabel("Condition 2: field").waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Condition 1: field");
    await press("Create segment");
    expect(await page.getByLabel("Name", { exact: true }).evaluate((field) => field.matches(":invalid"))).toBe(true);
  });
});
