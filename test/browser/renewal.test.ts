import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { pageOf, untilLive, useBrowser } from "./support/browser.ts";
import { receiveFrom, receiveInOrder } from "./support/inbox.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

async function open(workspace: Workspace, below: string): Promise<Page> {
  const page = await pageOf(await workspace.member("admin"), workspace.path(below));
  await untilLive(page);
  return page;
}

const focusedText = (page: Page) => page.evaluate<string>("document.activeElement.textContent");

it("A refreshed conversation keeps its selected text, its open menu and the focus", async () => {
  const workspace = await newWorkspace();
  const id = await receiveInOrder(workspace, "Bruno Lima", "Is my order on its way?");
  const page = await open(workspace, `/inbox/${id}`);
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector(".message .body"))`);
  await workspace.receive("+14155550101", "Hello?");
  await page.locator(".message").filter({ hasText: "Hello?" }).waitFor();
  expect(await page.evaluate("getSelection().toString()")).toContain("Is my order on its way?");

  await page.locator("#labels-menu > summary").click();
  const box = page.locator("#labels-menu input").first();
  await box.focus();
  await workspace.call("PATCH", `/conversations/${id}`, { labels: ["Urgent"] });
  await page.locator("#thread-marks").getByText("Urgent").waitFor();
  await page.locator("#labels-menu[open]").waitFor();
  expect(await page.evaluate("document.activeElement.closest('#labels-menu') !== null")).toBe(true);
});

it("A refreshed list keeps its scroll position and the focus on the same record", async () => {
  const workspace = await newWorkspace();
  const names = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo"];
  await receiveFrom(workspace, ...names);
  const page = await open(workspace, "/inbox");
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.getByRole("link", { name: /Ben/ }).focus();
  const scrolled = `[...document.querySelectorAll("*")].filter((each) => each.scrollTop > 0).map((each) => each.scrollTop)`;
  const before = await page.evaluate(scrolled);
  expect(before).toHaveLength(1);
  await workspace.receive("+14155550199", "Hello?", "Zoe Quist");
  await page.getByRole("link", { name: /Zoe Quist/ }).waitFor({ state: "attached" });
  expect(await focusedText(page)).toContain("Ben");
  expect(await page.evaluate(scrolled)).toHaveLength(1);
});

it("A refreshed segment builder keeps the focused field and the cursor position", async () => {
  const workspace = await newWorkspace();
  const page = await open(workspace, "/segments/new");
  await page.getByLabel("Condition 1: field").selectOption("name");
  const value = page.getByLabel("Condition 1: value");
  await value.fill("Acme");
  const renewed = page.evaluate(`new Promise((resolve) =>
    document.addEventListener("swapped", ({ target }) => target.id === "builder" && resolve()))`);
  await page.getByLabel("Condition 1: comparison").selectOption({ index: 1 });
  await value.press("Home");
  await renewed;
  await page.keyboard.press("X");
  expect(await value.inputValue()).toBe("XAcme");
});
