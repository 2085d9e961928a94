import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newAudience } from "./support/campaigns.ts";
import { expectAccessible, pageOf, useBrowser } from "./support/browser.ts";
import { newWorkspace, type Person } from "./support/people.ts";

useBrowser();

async function signInWithin(page: Page, { password }: Person): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
  await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
}

async function adminAt(below: string) {
  const workspace = await newWorkspace();
  const person = await workspace.member("owner");
  return { workspace, person, page: await pageOf(person, workspace.path(below)) };
}

const keys = z.object({ api_keys: z.array(z.object({ name: z.string() })) });

describe("Offline forms", () => {
  it("If a member submits settings offline, the page keeps them and saves them when the browser is online again", async () => {
    const { page } = await adminAt("/settings/workspace");
    await page.context().setOffline(true);
    await page.getByLabel("Name").fill("Acme");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("You're offline. Your changes are kept").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Name").fill("Acme & Sons");
    await page.context().setOffline(false);
    await page.locator("#toasts").getByText("saved").waitFor();
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Acme & Sons");
  });

  it("An invitation that is submitted offline is created when the browser is online again, and the page shows its link", async () => {
    const { page } = await adminAt("/settings/members");
    await page.context().setOffline(true);
    await page.getByLabel("Email").fill("new@example.com");
    await page.getByRole("button", { name: "Create invitation link" }).click();
    await page.getByText("You're offline. Your changes are kept").waitFor();
    await page.context().setOffline(false);
    expect(await page.getByLabel("Invitation link for new@example.com").inputValue()).toContain(
      "/console/invitations#",
    );
    await expectAccessible(page);
  });

  it("If a member deletes a record offline, a toast reports the delay, and the deletion runs when the browser is online again", async () => {
    const { workspace, page } = await adminAt("/settings/tags");
    await workspace.call("POST", "/tags", { name: "vip" });
    await page.reload();
    await page.getByRole("link", { name: "Delete" }).first().click();
    await page.getByRole("button", { name: /^Delete/ }).waitFor();
    await page.waitForLoadState();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: /^Delete/ }).click();
    await page.locator("#toasts").getByText("You're offline. Your changes are kept").waitFor();
    await page.context().setOffline(false);
    await page.getByText(/ deleted\.$/).waitFor();
    expect(await page.getByText("You're offline").count()).toBe(0);
  });
});

describe("Forms of ended sessions", () => {
  it("A canned reply that is submitted after the session ended is saved after a sign-in on the same page", async () => {
    const { person, page } = await adminAt("/settings/canned-replies");
    await page.getByLabel("Shortcut").fill("hours");
    await page.getByLabel("Text").fill("We are open.");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Create canned reply" }).click();
    await signInWithin(page, person);
    await page.locator("#toasts").getByText("hours").waitFor();
    await expect.poll(() => page.getByText("We are open.").count()).toBe(1);
  });

  it("Only one API key is created if the button is pressed twice after the session ended and a response is lost after the sign-in", async () => {
    const { workspace, person, page } = await adminAt("/settings/api-keys/new");
    await page.getByLabel("Name").fill("Web shop");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Create key" }).dblclick();
    await page.getByRole("dialog", { name: "Sign in to continue" }).waitFor(); // must come before the route below, which drops a response
    let lost = 0;
    await page.route("**/api-keys/new", async (route) => {
      const answer = await route.fetch();
      lost += answer.status() === 200 ? 1 : 0;
      await (lost === 1 ? route.abort() : route.fulfill({ response: answer }));
    });
    await signInWithin(page, person);
    await page.getByRole("heading", { level: 1, name: "API key for Web shop" }).waitFor();
    expect(await page.getByLabel("API key", { exact: true }).inputValue()).toMatch(/^tdg_/);
    expect(lost).toBe(2);
    const { api_keys } = keys.parse(await workspace.manage("GET", "/api-keys"));
    expect(api_keys.filter(({ name }) => name === "Web shop")).toHaveLength(1);
    await page.goBack();
    await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Web shop");
  });
});

it("The webhook form shows another member's changes next to the changed fields", async () => {
  const { workspace, page } = await adminAt("/settings/webhooks");
  const hook = { url: "https://hooks.example.org/", types: ["tag.*"], description: "Tags" };
  const made = z
    .object({ webhook: z.object({ id: z.string() }) })
    .parse(await workspace.call("POST", "/webhooks", hook));
  const { id } = made.webhook;
  await page.goto(workspace.path(`/settings/webhooks/${id}/edit`));
  await page.getByLabel("Description").fill("Tags of the shop");
  await workspace.call("PATCH", `/webhooks/${id}`, { description: "Tags, all" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Changed by someone else to “Tags, all”").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("Tags of the shop");
  await page.getByLabel("Use their value").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Tags, all" }).waitFor();
});

it("The browser's Back button returns from the preview of a new campaign to its form with all input", async () => {
  const workspace = await newWorkspace();
  await newAudience(workspace, 3);
  const page = await pageOf(await workspace.member("admin"), workspace.path("/campaigns/new"));
  await page.getByLabel("Campaign name").fill("Spring");
  await page.getByLabel("Template", { exact: true }).selectOption({ label: "Spring sale" });
  await page.getByLabel("{{day}}").fill("Monday");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
  const title = await page.title();
  await page.goBack();
  await expect.poll(() => page.getByLabel("Campaign name").inputValue()).toBe("Spring");
  await page.goForward();
  await expect.poll(() => page.title()).toBe(title);
});
