import { describe, expect, it } from "vitest";
import { expectAccessible, expectToFit, pageOf, useBrowser } from "./support/browser.ts";
import { PICTURE } from "./support/files.ts";
import { conversationWith } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";
import { someMonthsAhead } from "./support/times.ts";

useBrowser();

describe("Scheduled replies", () => {
  it("A member schedules two replies in the member's time zone, and cancels both", async () => {
    const workspace = await newWorkspace();
    await workspace.receive("+14155550101", "Are you open tomorrow?", "Bruno Lima");
    const id = await conversationWith(workspace, "Are you open tomorrow?");
    const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
    const { local } = someMonthsAhead();
    for (const text of ["We are.", "From nine on."]) {
      await page.getByLabel("Reply").fill(text);
      await page.getByText("Send later").click();
      await page.getByLabel("Send at").fill(local);
      await page.getByText(/^In your time zone, Europe\/Berlin. That is .* UTC.$/).waitFor();
      await expectToFit(page);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.locator(".message").filter({ hasText: text }).getByText("10:30").waitFor();
      await expect.poll(() => page.getByLabel("Reply").inputValue()).toBe("");
    }
    await expectAccessible(page);
    const first = page.locator(".message").filter({ hasText: "We are." });
    await first.getByRole("button", { name: "Cancel" }).click();
    await first.getByText("Cancelled").waitFor();
    await page
      .locator(".message")
      .filter({ hasText: "From nine on." })
      .getByRole("button", { name: "Cancel" })
      .waitFor();
  });
});

describe("Sandboxes", () => {
  it("A sandbox can simulate messages other than text", async () => {
    const workspace = await newWorkspace();
    const at = workspace.path(`/settings/connections/${workspace.connectionId}`);
    const page = await pageOf(await workspace.member("admin"), at);
    await page.getByLabel("Kind").selectOption("Location");
    await page.getByLabel("Message", { exact: true }).waitFor({ state: "hidden" });
    await page.getByLabel("Location name").fill("Our shop");
    await expectToFit(page);
    await page.getByRole("button", { name: "Simulate message" }).click();
    await page.getByText("is on its way to the inbox.").waitFor();
    await page.getByLabel("Kind").selectOption("Image");
    await page.getByLabel("File", { exact: true }).setInputFiles(PICTURE);
    await expect.poll(() => page.locator('[name="media.media_id"]').inputValue()).toMatch(/^med_/);
    await page.getByLabel("Caption").fill("Look");
    await page.getByRole("button", { name: "Simulate message" }).click();
    await page.getByLabel("Caption").waitFor({ state: "hidden" }); // an earlier toast could be visible
    await page.goto(workspace.path("/inbox"));
    await page.getByRole("link", { name: /Alex Example/ }).click();
    await page.locator(".message.in").filter({ hasText: "Our shop" }).waitFor();
    await page.locator(".message.in").filter({ hasText: "Look" }).locator("img").waitFor();
  });
});
