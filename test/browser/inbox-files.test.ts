import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pageOf, useBrowser } from "./support/browser.ts";
import { PICTURE, VOICE } from "./support/files.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });

/** Opens the thread of a person who has written, as an agent. */
async function inThread(options = {}) {
  const workspace = await newWorkspace();
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  const id = await conversationWith(workspace, "Is my order on its way?");
  const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`), options);
  await said(page, "Is my order on its way?").waitFor();
  return { workspace, id, page };
}

const giveFile = (page: Page, how: "drop" | "paste", selector: string) =>
  page.evaluate(
    `(() => {
      const bytes = Uint8Array.from(atob("${PICTURE.buffer.toString("base64")}"), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "door.png", { type: "image/png" }));
      const place = document.querySelector(${JSON.stringify(selector)});
      const options = { bubbles: true, cancelable: true };
      if ("${how}" === "paste") place.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
      else for (const type of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: data }));
    })()`,
  );

const attached = (page: Page) => page.locator(".reply-form .attachment");
async function waitForUpload(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.reply-form [name="media_id"]').inputValue()).toMatch(/^med_/);
}

describe("Files in the inbox", () => {
  it("A file in the inbox can be chosen, previewed, removed, chosen again, and sent with a caption", async () => {
    const { page } = await inThread();
    await page.getByLabel("Attach a file").setInputFiles(PICTURE);
    await attached(page).getByText("door.png").waitFor();
    expect(await attached(page).locator("img").getAttribute("src")).toMatch(/^blob:/);
    await waitForUpload(page);
    await attached(page).getByRole("button", { name: "Remove the file" }).click();
    await attached(page).waitFor({ state: "hidden" });
    expect(await page.locator('.reply-form [name="media_id"]').inputValue()).toBe("");

    await page.getByLabel("Attach a file").setInputFiles(PICTURE);
    await waitForUpload(page);
    await page.getByLabel("Reply").fill("This is our door");
    await page.getByRole("button", { name: "Send" }).click();
    const message = said(page, "This is our door");
    await message.locator("img").waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('.message img').naturalWidth")).toBeGreaterThan(0);
    await expect.poll(() => attached(page).isVisible()).toBe(false);
    await message.getByText("Read").waitFor();
  });

  it("A file can be dropped on the thread or pasted into the reply", async () => {
    const { page } = await inThread();
    for (const [how, selector, caption] of [
      ["drop", "#thread", "Dropped"],
      ["paste", ".reply-form textarea", "Pasted"],
    ] as const) {
      await giveFile(page, how, selector);
      await attached(page).getByText("door.png").waitFor();
      await waitForUpload(page);
      await page.getByLabel("Reply").fill(caption);
      await page.getByLabel("Reply").press("Control+Enter");
      await said(page, caption).locator("img").waitFor();
      await expect.poll(() => attached(page).isVisible()).toBe(false);
    }
  });

  it("If a file is rejected, the reason is shown and the typed text stays", async () => {
    const { page } = await inThread();
    await page.getByLabel("Reply").fill("Look at this");
    const disguised = { name: "door.png", mimeType: "image/png", buffer: Buffer.from("<html>") };
    await page.getByLabel("Attach a file").setInputFiles(disguised);
    await page.getByText("The file does not match its type").waitFor();
    await attached(page).waitFor({ state: "hidden" });
    expect(await page.getByLabel("Reply").inputValue()).toBe("Look at this");
    await page.getByLabel("Attach a file").setInputFiles({ ...disguised, buffer: Buffer.from("") });
    await page.getByText("The file is empty. Choose another one.").waitFor();
    await page.getByLabel("Attach a file").setInputFiles(VOICE);
    await waitForUpload(page);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Audio can't have a caption.").waitFor();
    await page.getByLabel("Reply").fill("");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".message.out audio").waitFor();
    expect(await said(page, "Look at this").count()).toBe(0);
  });
});

describe("Message menu", () => {
  it("The message menu quotes a message in the reply, and the typed text stays", async () => {
    const { page } = await inThread();
    await page.getByLabel("Reply").fill("It left ");
    await said(page, "Is my order").getByRole("link", { name: "Message options" }).click();
    await page.locator("#message-menu").getByRole("link", { name: "Reply" }).click();
    await page.locator("#quote").getByText("Reply to Bruno Lima").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("text");
    await page.keyboard.press("End");
    await page.keyboard.type("today.");
    await page.getByRole("button", { name: "Send" }).click();
    const message = said(page, "It left today.");
    await message.locator(".quote").getByText("Is my order on its way?").waitFor();
    await expect.poll(() => page.locator("#quote .quote").count()).toBe(0);
    expect(page.url()).not.toContain("reply_to");
  });

  it("The message menu adds and removes a reaction by keyboard", async () => {
    const { page } = await inThread();
    const message = said(page, "Is my order");
    await message.getByRole("link", { name: "Message options" }).press("Enter");
    const menu = page.locator("#message-menu");
    await menu.getByRole("button", { name: "Heart" }).press("Enter");
    await message.locator(".reactions").getByText("❤️").waitFor();
    await message.getByRole("link", { name: "Message options" }).press("Enter");
    await menu.getByRole("button", { name: "Heart", pressed: true }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => menu.isVisible()).toBe(false);
    await message.getByRole("link", { name: "Message options" }).click();
    await menu.getByRole("button", { name: "Heart" }).click();
    await message.locator(".reactions").waitFor({ state: "detached" });
  });

  it("Without scripts, the message menu opens the details of the message, which offer every action", async () => {
    const { page } = await inThread({ javaScriptEnabled: false });
    await said(page, "Is my order").getByRole("link", { name: "Message options" }).click();
    await page.getByRole("heading", { level: 1, name: "Message" }).waitFor();
    await page.getByText("From the contact").waitFor();
    await page.getByRole("button", { name: "Thumbs up" }).click();
    // The reaction appears when the provider has accepted it. Without scripts, only a reload shows it.
    const reaction = page.locator(".reactions").getByText("👍");
    await expect
      .poll(async () => {
        await page.reload();
        return reaction.isVisible();
      })
      .toBe(true);
    await said(page, "Is my order").getByRole("link", { name: "Message options" }).click();
    await page.getByRole("link", { name: "Reply" }).click();
    await page.getByLabel("Reply").fill("Soon");
    await page.getByRole("button", { name: "Send" }).click();
    await said(page, "Soon").locator(".quote").waitFor();
    expect(page.url()).not.toContain("reply_to");
  });
});
