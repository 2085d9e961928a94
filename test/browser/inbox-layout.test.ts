import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { boxOf, pageOf, untilLive, useBrowser } from "./support/browser.ts";
import { receiveFrom, receiveInOrder } from "./support/inbox.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

async function longConversation(workspace: Workspace): Promise<string> {
  const lines = Array.from({ length: 12 }, (_, line) => `Line ${line + 1}: ${"is my order on its way? ".repeat(12)}`);
  return workspace.path(`/inbox/${await receiveInOrder(workspace, "Bruno Lima", ...lines, "That is all.")}`);
}

const topOf = async (element: Locator) => Math.round((await boxOf(element)).y);

/** True if a click in the middle reaches the element, so nothing covers it or cuts it off. */
async function inSight(element: Locator): Promise<boolean> {
  const { x, y, width, height } = await boxOf(element);
  const point = `${x + width / 2}, ${y + height / 2}`;
  const reached = await element.page().evaluate(`document.elementFromPoint(${point})?.closest("[id]")?.id`);
  return reached === (await element.getAttribute("id"));
}

it("All suggestions below a reply are visible, including the suggestion that the arrow keys select", async () => {
  const workspace = await newWorkspace();
  const at = await longConversation(workspace);
  for (let number = 1; number <= 8; number++)
    await workspace.call("POST", "/canned-replies", { shortcut: `hello-${number}`, body: `Hello ${number}` });
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 375, height: 667 },
  ]) {
    const page = await pageOf(await workspace.member("agent"), at, { viewport });
    await page.getByLabel("Reply").pressSequentially("/");
    const options = page.getByRole("option");
    await expect.poll(() => options.count()).toBe(8);
    await expect.poll(() => inSight(options.first())).toBe(true);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => options.last().getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => inSight(options.last())).toBe(true);
  }
});

/** The controls that a click in their middle reaches, except controls of toasts and messages. */
const reachable = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll("a, button, input, textarea, summary")]
    .filter((control) => control.closest("#toasts, .messages") === null)
    .filter((control) => {
      const { x, y, width, height } = control.getBoundingClientRect();
      return width > 0 && document.elementFromPoint(x + width / 2, y + height / 2)?.closest("#toasts, label, a, button, input, textarea, summary") === control;
    })
    .map((control) => control.id || control.textContent.trim() || control.name)`);

it("A notice does not cover the controls of a conversation", async () => {
  const workspace = await newWorkspace();
  const at = await longConversation(workspace);
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 375, height: 667 },
  ]) {
    const page = await pageOf(await workspace.member("agent"), at, { viewport });
    await page.getByRole("button", { name: /Mark done|Reopen/ }).click();
    const toast = page.locator("#toasts > .banner");
    await toast.hover(); // a toast stays while the pointer is on it
    const beside = await reachable(page);
    expect(beside).toContain("Send");
    await toast.getByRole("button", { name: "Undo" }).click({ trial: true });
    await toast.getByRole("button", { name: "Dismiss" }).click();
    expect(await reachable(page)).toEqual(beside);
  }
});

it("On a phone, the numbers of unread conversations and of mentions do not cover the name of the inbox", async () => {
  const workspace = await newWorkspace();
  const id = await receiveInOrder(workspace, "Bruno Lima", "Hello");
  const admin = await workspace.member("admin", "Ada Okafor");
  await workspace.call("POST", `/conversations/${id}/notes`, { body: "@Ada Okafor please call back." });
  const page = await pageOf(admin, workspace.path("/contacts"), { viewport: { width: 320, height: 667 } });
  const count = page.locator("#unread");
  await count.getByText("@1").waitFor();
  const { y, height } = await boxOf(count);
  expect(y + height).toBeLessThanOrEqual(await topOf(page.getByRole("link", { name: /^Inbox/ }).locator(".name")));
});

it("Selecting a conversation moves no row of the list, and the filters stay visible", async () => {
  const workspace = await newWorkspace();
  await receiveFrom(workspace, "Ada Okafor", "Bruno Lima");
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 375, height: 667 },
  ]) {
    const page = await pageOf(await workspace.member("agent"), workspace.path("/inbox"), { viewport });
    const row = page.getByRole("link", { name: /Ada Okafor/ });
    await untilLive(page);
    const before = await topOf(row);
    await page.getByLabel("Select Bruno Lima").check();
    await page.getByRole("button", { name: "Mark done" }).click({ trial: true });
    expect(await topOf(row)).toBe(before);
    expect((await boxOf(page.locator("#bulk"))).height).toBeLessThan(45);
    expect(await inSight(page.getByLabel("Search by name"))).toBe(true);
  }
});

it("Selecting contacts moves no row of the list", async () => {
  const workspace = await newWorkspace();
  for (const name of ["Ada", "Bruno"])
    await workspace.call("POST", "/contacts", { email: `${name}@example.com`, name });
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 375, height: 667 },
  ]) {
    const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"), { viewport });
    const row = page.getByRole("row").filter({ hasText: "Ada" });
    await page.getByRole("button", { name: "Edit all 2" }).waitFor();
    await untilLive(page);
    const before = await topOf(row);
    for (const name of ["Ada", "Bruno"]) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole("button", { name: "Edit 2 selected" }).click({ trial: true });
    expect(await topOf(row)).toBe(before);
  }
});

it("A new message does not move the older messages that a member is reading, and a button leads to the new message", async () => {
  const workspace = await newWorkspace();
  const page = await pageOf(await workspace.member("agent"), await longConversation(workspace));
  await untilLive(page);
  const message = page.locator(".message").filter({ hasText: "Line 5:" });
  // An update can replace the message while the test scrolls.
  await expect.poll(() => message.evaluate((shown) => (shown.scrollIntoView(), shown.isConnected))).toBe(true);
  const before = await topOf(message);
  await workspace.receive("+14155550101", "The newest of all");
  const button = page.getByRole("button", { name: "New message" });
  await button.waitFor();
  await expect.poll(async () => Math.abs((await topOf(message)) - before)).toBeLessThanOrEqual(1);
  await button.press("Enter");
  await button.waitFor({ state: "hidden" });
  const newest = page.locator(".message").filter({ hasText: "The newest of all" });
  await expect.poll(() => inSight(newest)).toBe(true);
});
