import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { boxOf, capture, expectAccessible, expectToFit, pageOf, useBrowser } from "./support/browser.ts";
import { newAudience } from "./support/campaigns.ts";
import { newWorkspace } from "./support/people.ts";
import { someMonthsAhead } from "./support/times.ts";

useBrowser();

const listed = z.object({
  campaigns: z.array(z.object({ campaign_id: z.string(), status: z.string(), scheduled_at: z.string().nullable() })),
});

async function office(people: number, at: string, messages_per_second?: number) {
  const workspace = await newWorkspace();
  const audience = await newAudience(workspace, people);
  if (messages_per_second !== undefined)
    await workspace.manage("PATCH", `/connections/${workspace.connectionId}`, { messages_per_second });
  const page = await pageOf(await workspace.member("admin"), workspace.path(at));
  const campaigns = async () => listed.parse(await audience.api("GET", "/campaigns")).campaigns;
  return { workspace, audience, page, campaigns };
}

/** Marks the page. The mark disappears if the page reloads. */
const mark = (page: Page) => page.evaluate("window.isMarked = true");
const isMarked = (page: Page) => page.evaluate("window.isMarked === true");

async function chooseTemplate(page: Page): Promise<void> {
  await page.getByLabel("Template", { exact: true }).selectOption({ label: "Spring sale" });
  await page.getByText("our sale begins on {{day}}").waitFor();
}

describe("New campaigns", () => {
  it("An admin writes, previews, confirms and follows a new campaign without a page reload", async () => {
    const { page, campaigns } = await office(40, "/campaigns");
    await page.getByRole("link", { name: "New campaign" }).click();
    await page.getByLabel("Campaign name").fill("To the newsletter");
    await chooseTemplate(page);
    expect(await page.getByLabel("Campaign name").inputValue()).toBe("To the newsletter");
    await page.getByLabel("Newsletter").check();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    expect(await page.getByLabel("{{day}}").and(page.locator(":invalid")).count()).toBe(1);

    await page.getByLabel("{{day}}").fill("Monday");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByRole("heading", { name: "To the newsletter" }).waitFor();
    await page.getByText("Contacts tagged “Newsletter”").waitFor();
    await page.getByText("our sale begins on Monday").first().waitFor();
    expect(await campaigns()).toEqual([]);
    for (const [width, colorScheme] of [
      [375, "dark"],
      [375, "light"],
      [1440, "dark"],
      [1440, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expectToFit(page);
      await capture(page, `campaign-preview-${width}-${colorScheme}`);
      await expectAccessible(page);
    }

    await page.getByRole("button", { name: "Send to 20 people" }).click();
    await page.getByText("Campaign started. It reaches 20 people.").waitFor();
    await mark(page);
    await page.getByText("20 of 20 done").waitFor();
    await page.getByText("Completed", { exact: true }).first().waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.getByRole("button", { name: "Pause" }).waitFor({ state: "detached" });
    await page.getByRole("img", { name: /^Read/ }).waitFor();
    expect(await isMarked(page)).toBe(true);
    await page
      .getByRole("row", { name: /Read opened/ })
      .getByRole("link")
      .click();
    await page.waitForURL(/state=read#recipients/);
    expect(await campaigns()).toMatchObject([{ status: "completed" }]);
  });

  it("If a required field of a campaign is empty, the page scrolls to it, and on a phone the bar does not cover it", async () => {
    const { page } = await office(3, "/campaigns/new");
    await page.setViewportSize({ width: 375, height: 600 });
    await chooseTemplate(page);
    await page.getByRole("button", { name: "Preview", exact: true }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("variables.day");
    const [bar, label] = [page.locator(".side"), page.locator('[for="field-variables-day"]')];
    const distance = async () => (await boxOf(label)).y - ((await boxOf(bar)).y + (await boxOf(bar)).height);
    await expect.poll(distance).toBeGreaterThanOrEqual(0);
  });

  it("A campaign is scheduled in the reader's time zone, and the page also shows the time in UTC", async () => {
    const { page, campaigns } = await office(3, "/campaigns/new");
    await chooseTemplate(page);
    await page.getByLabel("{{day}}").fill("Monday");
    expect(await page.getByLabel("Start at").isVisible()).toBe(false);
    await page.getByLabel("Later").check();
    const { local, utc } = someMonthsAhead();
    await page.getByLabel("Start at").fill(local);
    await page
      .getByText(`In your time zone, Europe/Berlin. That is`)
      .filter({ hasText: `${utc} UTC` })
      .waitFor();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByText(`${utc} UTC`).first().waitFor();
    await page.getByText("Europe/Berlin").first().waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await expect.poll(() => page.getByLabel("Start at").inputValue()).toBe(local);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByRole("button", { name: "Schedule for 3 people" }).click();
    await page.getByText("Campaign scheduled. It currently reaches 3 people.").waitFor();
    const at = `${local.slice(0, 10)}T${utc}:00.000Z`;
    expect(await campaigns()).toMatchObject([{ status: "scheduled", scheduled_at: at }]);
  });

  it("Without scripts, a campaign is scheduled in UTC, because the server does not know the member's time zone", async () => {
    const { workspace, campaigns } = await office(3, "/campaigns");
    const options = { javaScriptEnabled: false };
    const page = await pageOf(await workspace.member("admin"), workspace.path("/campaigns/new"), options);
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "Spring sale" });
    await page.getByRole("button", { name: "Show template" }).click();
    await page.getByLabel("{{day}}").fill("Monday");
    await page.getByText("Enter it in UTC.").last().waitFor();
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByRole("button", { name: "Send to 3 people" }).click();
    await page.getByText("Campaign started. It reaches 3 people.").waitFor();
    expect(await campaigns()).toHaveLength(1);
  });
});

describe("Running campaigns", () => {
  it("A running campaign can be paused, resumed and, after a confirmation, cancelled by keyboard", async () => {
    const { audience, page, workspace, campaigns } = await office(200, "/campaigns", 1);
    const id = await audience.start({ variables: { day: "Monday" } });
    await page.goto(workspace.path(`/campaigns/${id}`));
    await page.getByText(/^[1-9]\d* of 180 done/).waitFor();
    await page.getByText("per second").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Campaign paused. Sending stops within two seconds.").waitFor();
    expect(await campaigns()).toMatchObject([{ status: "paused" }]);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Campaign resumed.").waitFor();
    await mark(page);
    const before = await page.getByText(/of 180 done/).innerText();
    await page
      .getByText(/of 180 done/)
      .filter({ hasNotText: before })
      .waitFor();

    const ask = page.getByRole("button", { name: "Cancel campaign" });
    await ask.first().focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Cancel this campaign?" });
    await dialog.waitFor();
    const rest = await dialog.getByText("not received it yet").innerText();
    await dialog.getByText("not received it yet").filter({ hasNotText: rest }).waitFor();
    await dialog.getByRole("button", { name: "Keep campaign" }).press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await isMarked(page)).toBe(true);
    expect(await campaigns()).toMatchObject([{ status: "running" }]);
    await ask.first().press("Enter");
    await dialog.getByRole("button", { name: "Cancel campaign" }).press("Enter");
    await page.getByText("Campaign cancelled. Remaining contacts are skipped.").waitFor();
    expect(await campaigns()).toMatchObject([{ status: "cancelled" }]);
    await page.getByRole("link", { name: "Skipped" }).click();
    await page.getByText("The campaign was cancelled").first().waitFor();
  });
});

describe("Sent campaigns", () => {
  it("A member can copy a sent campaign from its report, then edit, test and start the copy", async () => {
    const { audience, workspace, page, campaigns } = await office(12, "/campaigns");
    const id = await audience.start({ name: "May news", variables: { day: "Monday" } });
    await page.goto(new URL(`${workspace.path("/campaigns")}/${id}`, page.url()).href);
    await page.getByText("Completed", { exact: true }).first().waitFor();
    await page.getByRole("heading", { name: "Funnel" }).waitFor();
    await page.getByRole("img", { name: /^Messages per/ }).waitFor();
    await page.getByText("Check the numbers").waitFor();
    for (const [width, colorScheme] of [
      [375, "dark"],
      [1440, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expectToFit(page);
      await capture(page, `campaign-report-${width}-${colorScheme}`);
      await expectAccessible(page);
    }

    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: "May news (copy)" }).waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Campaign name").fill("June news");
    expect(await page.getByLabel("{{day}}").inputValue()).toBe("Monday");
    await page.getByLabel("{{day}}").fill("Friday");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "June news" }).waitFor();
    await page.getByText("Saved.").waitFor();

    await page.getByRole("link", { name: "Send test" }).click();
    await page.getByLabel("Send to").fill("12");
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Must be a phone number in international format").waitFor();
    await page.getByLabel("Send to").fill("+1 415 555 0188");
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Test to +14155550188 is on its way.").waitFor();

    await page.getByRole("link", { name: "Start" }).click();
    await page.getByText("our sale begins on Friday").first().waitFor();
    await page.getByRole("button", { name: /^Send to \d+ people/ }).click();
    await page.getByText(/^Campaign started. It reaches/).waitFor();
    await page.getByText("Completed", { exact: true }).first().waitFor();
    await expect.poll(async () => (await campaigns()).map(({ status }) => status)).toEqual(["completed", "completed"]);
  });
});
