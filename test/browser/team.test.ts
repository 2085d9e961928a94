import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { newPage, newTab, pageOf, untilLive, useBrowser } from "./support/browser.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });
const focused = (page: Page) => page.evaluate("document.activeElement.closest('[id]')?.id");

async function conversation() {
  const workspace = await newWorkspace();
  await workspace.receive("+14155550102", "And mine?", "Zoe Quist");
  await conversationWith(workspace, "And mine?");
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  const id = await conversationWith(workspace, "Is my order on its way?");
  return { workspace, id, at: workspace.path(`/inbox/${id}`) };
}

it("If two tabs have the same conversation open, a reply that is written offline is sent once", async () => {
  const { workspace, at } = await conversation();
  const page = await pageOf(await workspace.member("agent"), at);
  const other = await newTab(page.context());
  await other.goto(at);
  await page.context().setOffline(true);
  await page.getByLabel("Reply").fill("It left today.");
  await page.getByLabel("Reply").press("Control+Enter");
  await other.locator(".message.unsent").getByText("It left today.").waitFor();
  await page.context().setOffline(false);
  for (const tab of [page, other]) {
    await tab.locator("#thread").getByText("It left today.").waitFor();
    await tab.locator("#outgoing > li").waitFor({ state: "detached" });
    expect(await said(tab, "It left today.").count()).toBe(1);
  }
});

it("A reply written after the session ended is sent after a sign-in on the same page", async () => {
  const { workspace, at } = await conversation();
  const person = await workspace.member("agent");
  const page = await pageOf(person, at);
  await page.context().clearCookies();
  await page.getByLabel("Reply").fill("It left today.");
  await page.getByLabel("Reply").press("Control+Enter");
  await page.locator(".message.unsent").getByText("Your session ended.").waitFor();
  await page.getByLabel("Reply").fill("Half a thought");
  await page.getByRole("button", { name: "Try again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
  await dialog.getByLabel("Password").fill(person.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await page.locator("#thread").getByText("It left today.").waitFor();
  expect(await page.getByLabel("Reply").inputValue()).toBe("Half a thought");
});

it("A draft of a note is kept when its author leaves the page, and the mentioned member sees a notice until the member opens it", async () => {
  const { workspace, at } = await conversation();
  const ben = await workspace.member("agent", "Ben Lindqvist");
  const page = await pageOf(await workspace.member("agent"), at);
  const benAt = await pageOf(ben, workspace.path("/contacts"));
  await untilLive(benAt);
  await page.keyboard.press("n");
  const note = page.getByRole("textbox", { name: "Note" });
  await note.pressSequentially("@Be");
  await page.getByRole("option", { name: "Ben Lindqvist" }).waitFor();
  await note.press("Tab");
  await note.pressSequentially("knows this");
  await page.goto(workspace.path("/inbox"));
  await page.getByRole("link", { name: /Bruno Lima/ }).click();
  await page.locator(".composer-tabs [data-draft]").getByText("Note").click();
  await expect.poll(() => note.inputValue()).toBe("@Ben Lindqvist knows this");
  const told = benAt.getByText("A note mentions you.").waitFor(); // through the WebSocket, because this page does not poll
  await Promise.all([told, note.press("Control+Enter")]);
  await said(page, "knows this").waitFor();
  await expect.poll(() => note.inputValue()).toBe("");

  await benAt.getByText("@1").waitFor();
  await benAt.goto(workspace.path("/inbox?mentioned=true"));
  await benAt.getByRole("link", { name: /Bruno Lima/ }).click();
  await said(benAt, "knows this").waitFor();
  await benAt.locator(".mention-count").waitFor({ state: "detached" });
});

it("After Done, the focus moves to the next conversation; after other actions, it stays on the row or menu that was used", async () => {
  const { workspace, id } = await conversation();
  const page = await pageOf(await workspace.member("agent"), workspace.path("/inbox"));
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Bruno Lima" }).waitFor();
  await expect.poll(() => focused(page)).toBe(`row-${id}`);
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await page.getByText("assigned to you.").waitFor();
  await expect.poll(() => focused(page)).toBe("assign-menu");
  await page.keyboard.press("e");
  await page.getByText("Conversation with Bruno Lima marked as done.").waitFor();
  const next = await page.getByRole("link", { name: /Zoe Quist/ }).getAttribute("id");
  await expect.poll(() => focused(page)).toBe(next);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Conversation with Bruno Lima reopened.").waitFor();
  await expect.poll(() => focused(page)).toBe(`row-${id}`);
});

it("Enter in the command palette runs no action until an option is selected", async () => {
  const { workspace, at } = await conversation();
  const page = await pageOf(await workspace.member("agent"), at);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /Search people/ });
  await field.fill("mark d");
  await page.getByRole("option", { name: /Conversations with/ }).waitFor();
  const options = page.getByRole("option");
  expect((await options.allTextContents())[0]).toContain("Mark done");
  expect(await page.locator("[role=option][aria-selected=true]").count()).toBe(0);
  await page.keyboard.press("Enter");
  expect(await field.isVisible()).toBe(true);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("Conversation with Bruno Lima marked as done.").waitFor();
});

it("A page that cannot open a WebSocket polls for changes", async () => {
  const { workspace, at } = await conversation();
  const page = await pageOf(await workspace.member("agent"));
  await page.routeWebSocket(/\/live$/, (socket) => socket.close({ code: 1013 }));
  await page.goto(at);
  await workspace.receive("+14155550101", "Hello?");
  await said(page, "Hello?").waitFor();
  expect(await page.locator("html[data-live]").count()).toBe(0);
});

it("A member answers a conversation by keyboard alone, from sign-in to Done", async () => {
  const { workspace } = await conversation();
  const { email, password } = await workspace.member("agent");
  const page = await newPage();
  await page.goto(`/console/sign-in?next=${encodeURIComponent(workspace.path("/inbox"))}`);
  await page.keyboard.press("Tab");
  while ((await focused(page)) !== (await page.getByLabel("Email").getAttribute("id")))
    await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  await untilLive(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Bruno Lima" }).waitFor();
  await untilLive(page);
  await page.keyboard.press("r");
  await page.keyboard.type("It left today.");
  await page.keyboard.press("Control+Enter");
  await page.locator("#thread").getByText("It left today.").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  await page.getByText("Conversation with Bruno Lima marked as done.").waitFor();
  expect(await said(page, "It left today.").count()).toBe(1);
});

it("Text that is typed while the form for notes loads is not sent as a reply, and appears in the note", async () => {
  const { workspace, at } = await conversation();
  const page = await pageOf(await workspace.member("agent"), at);
  const held = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/inbox/cnv_*", async (route) => {
    if (route.request().method() === "POST") sent++;
    await held.promise;
    await route.continue();
  });
  await page.getByLabel("Reply").press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.type("refund hem");
  await page.keyboard.press("Control+Enter");
  held.resolve();
  const note = page.getByRole("textbox", { name: "Note" });
  await expect.poll(() => note.inputValue()).toBe("refund hem");
  await note.pressSequentially("!");
  expect([await note.inputValue(), sent]).toEqual(["refund hem!", 0]);
});
