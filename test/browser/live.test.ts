import type { Page, Request } from "playwright-core";
import { expect, it } from "vitest";
import { boxOf, newPage, pageOf, untilLive, useBrowser, useSession } from "./support/browser.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });
const presence = (page: Page) => page.locator(".presence");

/**
 * Opens a page and waits for its WebSocket. A page with a WebSocket polls only every minute, so an earlier update came
 * through the WebSocket.
 */
async function open(workspace: Workspace, name: string, below: string): Promise<Page> {
  const page = await pageOf(await workspace.member("agent", name), workspace.path(below));
  await untilLive(page);
  return page;
}

async function conversation() {
  const workspace = await newWorkspace();
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  return { workspace, id: await conversationWith(workspace, "Is my order on its way?") };
}

it("Two members immediately see each other's messages, changes, presence and typing", async () => {
  const { workspace, id } = await conversation();
  const ada = await open(workspace, "Ada Okafor", `/inbox/${id}`);
  const ben = await open(workspace, "Ben Lindqvist", `/inbox/${id}`);
  await presence(ada).getByText("Ben Lindqvist is viewing this").waitFor();
  await presence(ben).getByText("Ada Okafor is viewing this").waitFor();

  await ada.getByLabel("Reply").pressSequentially("It left");
  await presence(ben).getByText("Ada Okafor is replying").waitFor();
  await ada.getByLabel("Reply").fill("It left today.");
  await ada.getByRole("button", { name: "Send", exact: true }).click();
  await said(ben, "It left today.").waitFor();
  await presence(ben).getByText("Ada Okafor is viewing this").waitFor();

  await ben.getByRole("button", { name: "Mark done" }).click();
  await ada.locator(".conversations li").waitFor({ state: "detached" });
  await ben.close();
  await expect.poll(() => presence(ada).textContent()).toBe("");
});

/** Waits until the text appears or disappears, and returns the time, measured by the page. */
const whenShown = (page: Page, selector: string, text: string, isShown = true) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})];
      if (found.some(({ textContent }) => textContent.includes(${JSON.stringify(text)})) === ${isShown}) resolve(Date.now());
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    look();
  })`);

/** Expects that the page shows the effect within a second of the server's response. A busy machine gets five tries. */
async function expectWithinASecond(acts: { act: () => Promise<unknown>; seen: () => Promise<number> }[]) {
  const took: number[] = [];
  for (const { act, seen } of acts) {
    const seenAt = seen();
    await act();
    const answeredAt = Date.now();
    const ms = (await seenAt) - answeredAt;
    if (ms < 1000) return;
    took.push(ms);
  }
  expect(took).toEqual([]);
}

it("A member sees other members' messages and assignments within a second", async () => {
  const { workspace, id } = await conversation();
  const ben = await open(workspace, "Ben Lindqvist", `/inbox/${id}`);
  const userId = (await ben.locator("[data-member]").getAttribute("data-member")) ?? "";
  await expectWithinASecond(
    ["One", "Two", "Three", "Four", "Five"].map((number) => ({
      act: () => workspace.call("POST", "/messages", { to: "+14155550101", text: `${number} parcel` }),
      seen: () => whenShown(ben, ".message", `${number} parcel`),
    })),
  );
  await expectWithinASecond(
    [userId, null, userId, null, userId].map((assignee_id) => ({
      act: () => workspace.call("PATCH", `/conversations/${id}`, { assignee_id }),
      seen: () => whenShown(ben, ".conversations li .help", "Ben Lindqvist", assignee_id !== null),
    })),
  );
});

it("When the browser is online again, a page immediately shows all changes that it missed", async () => {
  const { workspace, id } = await conversation();
  const page = await open(workspace, "Ada Okafor", `/inbox/${id}`);
  await page.context().setOffline(true);
  await page.locator("html:not([data-live])").waitFor({ state: "attached" });
  await workspace.receive("+14155550101", "Hello?");
  await page.context().setOffline(false);
  await untilLive(page);
  await expect.poll(() => said(page, "Hello?").count()).toBe(1);
});

it("A removed member sees a notice and receives no later changes", async () => {
  const { workspace, id } = await conversation();
  const person = await workspace.member("agent");
  const page = await pageOf(person, workspace.path(`/inbox/${id}`));
  await untilLive(page);
  await workspace.remove(person.email);
  await expect.poll(() => page.locator("html[data-live]").count()).toBe(0);
  await page.getByText("You no longer have access to this page.").waitFor();
  await page.getByRole("button", { name: "Go to your workspaces" }).click();
  await page.waitForURL((url) => !url.pathname.includes(id));
});

it("If a page's WebSocket is slow to close, the page reconnects without waiting and keeps the typed text", async () => {
  const { workspace, id } = await conversation();
  const page = await newPage();
  await page.addInitScript(
    `WebSocket = class extends WebSocket { constructor(url) { super(url); globalThis.lastSocket = this; } }`,
  );
  const person = await workspace.member("agent");
  await useSession(page, person);
  await page.goto(workspace.path(`/inbox/${id}`));
  await untilLive(page);
  await page.evaluate(`lastSocket.close();
    const field = document.querySelector(".reply-form textarea");
    field.value = "It left";
    field.dispatchEvent(new Event("input", { bubbles: true }));`);
  await untilLive(page);
  expect(await page.getByLabel("Reply").inputValue()).toBe("It left");
});

/**
 * Makes a change that refreshes the page, and holds back the response. Returns a function that delivers the response.
 */
async function holdRefresh(page: Page, change: () => Promise<unknown>): Promise<() => Promise<void>> {
  const isRefresh = (request: Request) => request.headers()["x-refresh"] === "parts";
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/inbox**", async (route) => {
    if (isRefresh(route.request())) await released;
    await route.continue();
  });
  const requested = page.waitForRequest(isRefresh);
  await change();
  await requested;
  return async () => {
    const refreshed = page.waitForResponse((response) => isRefresh(response.request()));
    release();
    await (await refreshed).finished();
  };
}

it("A button that is pressed while the page refreshes still changes the record that the member saw", async () => {
  const { workspace, id } = await conversation();
  const page = await open(workspace, "Ada Okafor", `/inbox/${id}`);
  const label = () => workspace.call("PATCH", `/conversations/${id}`, { labels: ["Urgent"] });
  const letRefresh = await holdRefresh(page, label);
  const { x, y, width, height } = await boxOf(page.getByRole("button", { name: "Mark done" }));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await letRefresh();
  await page.mouse.up();
  await page.locator("#toasts").getByText("Conversation with Bruno Lima marked as done.").waitFor();
  await expect.poll(() => page.locator("#thread-marks").textContent()).toContain("Urgent");
});

it("If a member selects a conversation while the list refreshes, the conversation stays selected", async () => {
  const { workspace } = await conversation();
  const page = await open(workspace, "Ada Okafor", "/inbox");
  const letRefresh = await holdRefresh(page, () => workspace.receive("+14155550102", "Hello?", "Zoe Quist"));
  await page.getByLabel("Select Bruno Lima").check();
  await letRefresh();
  await page.getByRole("button", { name: "Mark done" }).click();
  await page.getByRole("link", { name: /Bruno Lima/ }).waitFor({ state: "detached" });
  await expect.poll(() => page.locator("#conversations li").count()).toBe(1); // Zoe Quist's conversation
});
