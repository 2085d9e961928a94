import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pageOf, useBrowser } from "./support/browser.ts";
import { conversationWith, writeFirst } from "./support/inbox.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

const rows = (page: Page) => page.locator(".conversations li");
const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });

/** Opens the thread of a person who has written, as an agent. */
async function inThread(channel: "official" | "unofficial" = "unofficial") {
  const workspace = await newWorkspace("Acme", channel);
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  const id = await conversationWith(workspace, "Is my order on its way?");
  const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
  await said(page, "Is my order on its way?").waitFor();
  return { workspace, id, page };
}

const writes = (workspace: Workspace, text: string) => workspace.receive("+14155550101", text);

describe("Inbox", () => {
  it("The inbox shows a new conversation without a page reload, and marks a reply as delivered and read", async () => {
    const workspace = await newWorkspace();
    const page = await pageOf(await workspace.member("agent"), workspace.path("/inbox"));
    await page.getByRole("heading", { name: "No open conversations" }).waitFor();
    await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
    const row = page.getByRole("link", { name: /Bruno Lima.*1 unread/s });
    await row.click();
    await page.getByRole("heading", { level: 1, name: "Bruno Lima" }).waitFor();
    await said(page, "Is my order on its way?").waitFor();
    await expect.poll(() => rows(page).getByText("1 unread").count()).toBe(0);

    await page.getByLabel("Reply").fill("It left today.");
    await page.getByRole("button", { name: "Send" }).click();
    const mine = said(page, "It left today.");
    await mine.getByText(/Queued|Sent|Delivered|Read/).waitFor();
    await expect.poll(() => page.getByLabel("Reply").inputValue()).toBe("");
    await mine.getByText("Delivered").or(mine.getByText("Read")).waitFor();
    await mine.getByText("Read").waitFor();
  });

  it("When a message arrives in an open conversation, the focus and the typed text stay", async () => {
    const { workspace, page } = await inThread();
    const field = page.getByLabel("Reply");
    await field.click();
    await page.keyboard.type("I am just wri");
    await writes(workspace, "Hello?");
    await said(page, "Hello?").waitFor();
    await page.keyboard.type("ting");
    expect(await field.inputValue()).toBe("I am just writing");
    expect(await page.getByRole("status").filter({ hasText: "New message. Bruno Lima: Hello?" }).count()).toBe(1);
    // A visible message counts as read.
    await expect.poll(() => rows(page).getByText("unread").count()).toBe(0);

    await page.getByRole("link", { name: "Edit", exact: true }).focus();
    await page.goto(workspace.path("/inbox"));
    await page.goBack();
    expect(await field.inputValue()).toBe("I am just writing");
    await field.press("Control+Enter");
    await said(page, "I am just writing").waitFor();
    await expect.poll(() => field.evaluate("document.activeElement.name")).toBe("text");
    await page.keyboard.type("And once more");
    await page.keyboard.press("Control+Enter");
    await said(page, "And once more").waitFor();
    await expect.poll(() => field.inputValue()).toBe("");
    await page.reload();
    expect(await field.inputValue()).toBe("");
  });

  it("A reply is sent once when its button is pressed twice", async () => {
    const { page } = await inThread();
    await page.getByLabel("Reply").fill("Only once");
    await page.getByRole("button", { name: "Send" }).dblclick();
    await said(page, "Only once").first().getByText("Read").waitFor();
    expect(await said(page, "Only once").count()).toBe(1);
  });

  it("The inbox can be searched while the user types, and filtered, by keyboard", async () => {
    const { workspace, page } = await inThread();
    await workspace.receive("+14155550102", "Good morning", "Zoe Quist");
    await rows(page).filter({ hasText: "Zoe Quist" }).waitFor();
    await page.getByLabel("Search by name, phone or message text").focus();
    await page.keyboard.type("quist");
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor({ state: "detached" });
    expect(await rows(page).count()).toBe(1);
    await page.getByLabel("Search by name, phone or message text").fill("");
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor();
    await page.getByLabel("Unread").check();
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor({ state: "detached" });
    await page.getByLabel("Unread").uncheck();
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor();
    await page.getByRole("button", { name: "Mark done" }).click();
    await page.getByText("Conversation with Bruno Lima marked as done.").waitFor();
    await page.getByRole("radio", { name: "Done" }).focus();
    await page.keyboard.press("Space");
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Mark done" }).waitFor();
  });

  it("On a narrow screen, the inbox shows either the list or a thread, and it works without scripts", async () => {
    const { workspace, id } = await inThread();
    const narrow = { viewport: { width: 375, height: 700 }, javaScriptEnabled: false };
    const page = await pageOf(await workspace.member("agent"), workspace.path("/inbox"), narrow);
    await page.getByRole("link", { name: /Bruno Lima/ }).click();
    await page.getByLabel("Reply").fill("Without a script");
    expect(await page.getByRole("region", { name: "Conversations" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Send" }).click();
    await said(page, "Without a script").waitFor();
    expect(page.url()).toContain(workspace.path(`/inbox/${id}`));
    await page.getByRole("link", { name: "Inbox", exact: true }).last().click();
    await rows(page).filter({ hasText: "Bruno Lima" }).waitFor();
  });
});

describe("24-hour window", () => {
  it("A conversation on an official connection shows how long free text is still allowed", async () => {
    const { page } = await inThread("official");
    expect(await page.locator("#window").textContent()).toMatch(/^2[34] h \d+ min left to reply with free text/);
  });

  it("After the 24-hour window, a member chooses, fills in, previews and sends a template", async () => {
    const workspace = await newWorkspace("Acme", "official");
    const id = await writeFirst(workspace, "+14155550101");
    const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
    await page.getByText("yet, so you can only send an approved template").waitFor();
    expect(await page.getByLabel("Reply").count()).toBe(0);
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "sandbox_order_update (en_US)" });
    await page.getByLabel("Value of {{1}}").fill("Bruno");
    const preview = page.locator(".preview .message");
    await preview.getByText("Bruno").waitFor();
    await page.getByLabel("Value of {{2}}").fill("0815");
    await preview.getByText("0815").waitFor();
    const text = (await preview.textContent())?.trim() ?? "";
    expect(text).toContain("0815");
    await page.getByRole("button", { name: "Send template" }).click();
    await said(page, text).and(page.locator(".thread-messages .message")).waitFor();
    await expect.poll(() => page.getByLabel("Template", { exact: true }).inputValue()).toBe("");
  });

  it("If the contact writes while a member fills in a template, the template stays, and free text is offered", async () => {
    const workspace = await newWorkspace("Acme", "official");
    const id = await writeFirst(workspace, "+14155550101");
    const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "sandbox_order_update (en_US)" });
    await page.getByLabel("Value of {{1}}").fill("Bruno");
    await workspace.receive("+14155550101", "Hello!");
    await page.getByText(/left to reply with free text/).waitFor();
    expect(await page.getByLabel("Value of {{1}}").inputValue()).toBe("Bruno");
    await page.getByRole("link", { name: "Write a message" }).click();
    await page.getByLabel("Reply").waitFor();
  });
});
