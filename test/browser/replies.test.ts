import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { expectAccessible, newTab, pageOf, untilLive, useBrowser, useSession } from "./support/browser.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const withContact = z.object({ conversation: z.object({ contact: z.object({ id: z.string() }) }) });

const said = (page: Page, text: string) => page.locator(".message").filter({ hasText: text });

async function inThread() {
  const workspace = await newWorkspace();
  await workspace.receive("+14155550101", "Is my order on its way?", "Bruno Lima");
  const id = await conversationWith(workspace, "Is my order on its way?");
  const person = await workspace.member("agent");
  const page = await pageOf(person, workspace.path(`/inbox/${id}`));
  return { workspace, person, page, field: page.getByLabel("Reply") };
}

/** Sends requests to the server, but drops the responses. */
const loseAnswers = (page: Page) =>
  page.route("**/inbox/cnv_*", async (route) => {
    if (route.request().method() === "POST") await route.fetch().then(() => route.abort());
    else await route.continue();
  });

it("A reply that is written offline can be edited while it waits, and is sent once when the browser is online again", async () => {
  const { page, field } = await inThread();
  await page.context().setOffline(true);
  await field.fill("It left todya.");
  await field.press("Control+Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  const unsent = page.locator(".message.unsent");
  await unsent.getByText("You're offline. The message is sent when you're back online.").waitFor();
  await unsent.getByRole("button", { name: "Edit" }).click();
  await field.fill("It left today.");
  await field.press("Control+Enter");
  await field.fill("It comes tomorrow.");
  await field.press("Control+Enter");
  await unsent.filter({ hasText: "It comes tomorrow." }).getByText("Waiting for the previous message.").waitFor();
  await expectAccessible(page);
  await page.context().setOffline(false);
  await said(page, "It comes tomorrow.").getByText("Read").waitFor();
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
  await expect.poll(() => said(page, "todya").count()).toBe(0);
});

it("A reply whose response was lost can be neither edited nor cancelled, and the page sends it again by itself", async () => {
  const { page, field } = await inThread();
  await loseAnswers(page);
  await field.fill("It left today.");
  await field.press("Control+Enter");
  const unsent = page.locator(".message.unsent");
  await unsent.getByText("Waiting for a connection.").waitFor();
  expect(await unsent.getByRole("button", { name: "Edit" }).count()).toBe(0);
  await unsent.getByRole("button", { name: "Discard" }).click();
  await unsent.getByText("This message might already be sent, so you can't cancel it.").waitFor();
  await unsent.getByRole("button", { name: "Keep" }).click();
  await page.reload();
  await unsent.getByText("Waiting for a connection.").waitFor();
  await expectAccessible(page);
  await page.unrouteAll({ behavior: "wait" }); // a request might still run
  await unsent.waitFor({ state: "detached" });
  await said(page, "It left today.").getByText("Read").waitFor();
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
});

it("A reply is sent only once, even if the page reloads immediately after the member sends it", async () => {
  const { page, field } = await inThread();
  await field.fill("It left today.");
  await field.press("Control+Enter");
  await page.reload();
  await said(page, "It left today.").getByText("Read").waitFor();
  await page.locator("#outgoing > li").waitFor({ state: "detached" });
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
});

it("If a member leaves the page on a slow connection, the next page sends the reply and shows whether it was rejected", async () => {
  const { workspace, page, field } = await inThread();
  const address = page.url();
  await page.route("**/inbox/cnv_*", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await field.fill("It left today.");
  await field.press("Control+Enter");
  await field.fill("x".repeat(4097));
  await field.press("Control+Enter");
  await page.getByText("Waiting for the previous message.").waitFor();
  await page.goto(workspace.path("/contacts"));
  await page.unrouteAll({ behavior: "wait" }); // a request might still run
  await page.getByText("Must have at most 4096 characters.").waitFor();
  await page.getByRole("button", { name: "Open conversation" }).click();
  await page.waitForURL(address);
  await said(page, "It left today.").getByText("Read").waitFor();
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
  const refused = page.locator(".message.unsent");
  await refused.getByText("Not sent. Must have at most 4096 characters.").waitFor();
  await field.fill("And another");
  await field.press("Control+Enter");
  await said(page, "And another").getByText("Read").waitFor();
  await refused.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => field.inputValue()).toBe("x".repeat(4097));
  await page.getByText("1 character over the limit.").waitFor();
});

it("A second click on Send reports no error for the emptied field, and a long reply shows how many characters remain", async () => {
  const { page, field } = await inThread();
  const isFaulty = () =>
    page.evaluate(`(() => {
      const field = document.querySelector(".reply-form textarea");
      let isShown = false;
      field.addEventListener("invalid", (event) => (isShown = !event.defaultPrevented), { once: true });
      field.form.requestSubmit();
      return isShown;
    })()`);
  await field.fill("It left today.");
  await field.press("Control+Enter");
  expect(await isFaulty()).toBe(false);
  await field.fill("x".repeat(4000));
  await page.getByText("96 characters left").waitFor();
  await field.fill("");
  expect(await isFaulty()).toBe(true);
});

it("A reply by a removed member is not sent, and the page explains that the member has no access", async () => {
  const { workspace, person, page, field } = await inThread();
  await workspace.member("owner");
  await workspace.remove(person.email);
  await field.fill("It left today.");
  await field.press("Control+Enter");
  const unsent = page.locator(".message.unsent");
  await expect.poll(() => unsent.textContent()).toContain("Not sent. You are not a member of this workspace.");
});

it("If a reply fails because its conversation was merged, it can be sent in the remaining conversation", async () => {
  const { workspace, page, field } = await inThread();
  await workspace.receive("+14155550102", "And mine?", "Zoe Quist");
  const into = await conversationWith(workspace, "And mine?");
  const contactOf = async (id: string) =>
    withContact.parse(await workspace.call("GET", `/conversations/${id}`)).conversation.contact.id;
  const from = await conversationWith(workspace, "Is my order on its way?");
  await workspace.call("POST", `/contacts/${await contactOf(into)}/merge`, { from: await contactOf(from) });
  await untilLive(page);
  await page.getByText("This was deleted or merged.").waitFor();
  await field.fill("It left today.");
  await field.press("Control+Enter");
  const unsent = page.locator(".message.unsent");
  await unsent.getByText("Not sent. This conversation was merged into another conversation.").waitFor();
  await field.fill("It comes tomorrow.");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("link", { name: "Open conversation" }).click();
  await expect.poll(() => field.inputValue()).toBe("It comes tomorrow.");
  await unsent.getByRole("button", { name: "Try again" }).click();
  await said(page, "It left today.").getByText("Read").waitFor();
  expect(new URL(page.url()).pathname).toContain(into);
});

it("An unsent reply is hidden from another member in the same browser, and waits until its author signs in again", async () => {
  const { workspace, person, page, field } = await inThread();
  await useSession(page, await workspace.member("agent", "Ben Lindqvist"));
  await field.fill("It left today.");
  await field.press("Control+Enter");
  await page.getByText("Not sent. Your session ended.").waitFor();
  const other = await newTab(page.context());
  await other.goto(page.url());
  await said(other, "Is my order on its way?").waitFor();
  expect(await said(other, "It left today.").count()).toBe(0);
  await page.bringToFront();
  await page.getByRole("button", { name: "Try again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
  expect(await dialog.getByLabel("Email").inputValue()).toBe(person.email);
  await dialog.getByLabel("Password").fill(person.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await said(page, "It left today.").getByText("Read").waitFor();
});

it("A reply whose response was lost a day ago is not sent again", async () => {
  const { page, field } = await inThread();
  await loseAnswers(page);
  await field.fill("It left today.");
  await field.press("Control+Enter");
  await page.locator(".message.unsent").getByText("It left today.").waitFor();
  await page.evaluate(`for (const [key, kept] of Object.entries(localStorage)) if (key.startsWith("outbox:"))
    localStorage.setItem(key, JSON.stringify(JSON.parse(kept).map((reply) => ({ ...reply, at: reply.at - 24 * 60 * 60 * 1000 }))))`);
  await page.unrouteAll({ behavior: "wait" }); // a request might still run
  await page.reload();
  const unknown = page.locator(".message.unsent").filter({ hasText: "This message might have been sent." });
  await unknown.getByText("It left today.").waitFor();
  await page.evaluate(`dispatchEvent(new Event("online"))`);
  await field.fill("And another");
  await field.press("Control+Enter");
  await said(page, "And another").getByText("Read").waitFor();
  await expect.poll(() => said(page, "It left today.").count()).toBe(2); // the reply that was sent, and the reply without a result
  await unknown.getByRole("button", { name: "Edit" }).waitFor();
  await unknown.getByRole("button", { name: "Discard" }).click();
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
  await page.reload();
  await expect.poll(() => said(page, "It left today.").count()).toBe(1);
});

it("A reply can be edited after it is rejected, and its draft also appears in a new tab", async () => {
  const { page, field } = await inThread();
  let status = 503;
  await page.route("**/inbox/cnv_*", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status, body: "" }) : route.continue(),
  );
  await field.fill("Half a thought");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Couldn't send. Retrying automatically.").waitFor();
  expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  status = 422;
  await page.getByText("Not sent. Tidings rejected the message.").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => field.inputValue()).toBe("Half a thought");
  await page.locator(".message.unsent").waitFor({ state: "detached" });
  const other = await newTab(page.context());
  await other.goto(page.url());
  await expect.poll(() => other.getByLabel("Reply").inputValue()).toBe("Half a thought");
});

it("An unread message immediately changes the navigation, title and icon of every page", async () => {
  const { workspace } = await inThread();
  const page = await pageOf(await workspace.member("agent"), workspace.path("/contacts"));
  await untilLive(page);
  const before = await page.title();
  await workspace.receive("+14155550102", "Good morning", "Zoe Quist");
  await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor(); // through the WebSocket, because this page does not poll
  await expect.poll(() => page.title()).toBe(`(1) ${before}`);
  expect(await page.locator('link[rel="icon"]').getAttribute("href")).toContain("unread");
  await page.getByRole("link", { name: "Inbox 1 unread" }).click();
  await page.getByRole("link", { name: /Zoe Quist/ }).click();
  await page.locator("#unread").and(page.locator('[data-count=""]')).waitFor({ state: "attached" });
});
