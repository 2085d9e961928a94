import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible, pageOf, useBrowser } from "./support/browser.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });

async function inThread() {
  const workspace = await newWorkspace();
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  const id = await conversationWith(workspace, "Is my order on its way?");
  const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
  return { workspace, page, field: page.getByLabel("Reply") };
}

it("A reply that cannot be sent says why, stays over a reload, and is sent once when it is tried again", async () => {
  const { page, field } = await inThread();
  await page.context().setOffline(true);
  await field.fill("It left today.");
  await field.press("Control+Enter");
  expect(await field.inputValue()).toBe("");
  const unsent = page.locator(".message.unsent");
  await unsent.getByText("Not sent. You're offline.").waitFor();
  await page.context().setOffline(false);
  await said(page, "It left today.").getByText("Read").waitFor();
  expect(await said(page, "It left today.").count()).toBe(1);

  await page.route("**/inbox/cnv_*", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await field.fill("And another");
  await field.press("Control+Enter");
  await unsent.getByText("And another").waitFor();
  await page.reload();
  await unsent.getByText("And another").waitFor();
  await expectAccessible(page);
  await page.unroute("**/inbox/cnv_*");
  await unsent.getByRole("button", { name: "Try again" }).click();
  await said(page, "And another").getByText("Read").waitFor();
  expect(await said(page, "And another").count()).toBe(1);
});

it("A refused reply can be edited, and one that is being typed is there in the next tab", async () => {
  const { page, field } = await inThread();
  await page.route("**/inbox/cnv_*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 503, body: "" }) : route.continue(),
  );
  await field.fill("Half a thought");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Tidings couldn't send it just now.").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  expect(await field.inputValue()).toBe("Half a thought");
  expect(await page.locator(".message.unsent").count()).toBe(0);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect.poll(() => other.getByLabel("Reply").inputValue()).toBe("Half a thought");
});

it("Unread conversations are counted in the navigation, the title and the icon of every page, at once", async () => {
  const { workspace } = await inThread();
  const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
  await page.locator("html[data-live]").waitFor({ state: "attached" });
  const before = await page.title();
  await workspace.receive("+14155550102", "Good morning", "Zoe Quist");
  await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor({ timeout: 3000 });
  expect(await page.title()).toBe(`(1) ${before}`);
  expect(await page.locator('link[rel="icon"]').getAttribute("href")).toContain("unread");
  await page.getByRole("link", { name: "Inbox 1 unread" }).click();
  await page.getByRole("link", { name: /Zoe Quist/ }).click();
  await page.locator("#unread").and(page.locator('[data-count=""]')).waitFor({ state: "attached" });
});
