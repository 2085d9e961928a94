import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { pageOf, useBrowser } from "./support/browser.ts";
import { newAudience } from "./support/campaigns.ts";
import { newWorkspace } from "./support/people.ts";

useBrowser();

const expectExplained = async (page: Page, text: string) => {
  await page.getByText(text).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain(text);
};

it("If a colleague changes a draft campaign's text before it is confirmed, the page shows the new text and sends nothing yet", async () => {
  const workspace = await newWorkspace();
  const audience = await newAudience(workspace, 2);
  const first = await audience.start({ variables: { day: "Monday" } });
  const copy = z.object({ campaign: z.object({ campaign_id: z.string() }) });
  const draft = copy.parse(await audience.api("POST", `/campaigns/${first}/duplicate`, {})).campaign.campaign_id;
  const page = await pageOf(await workspace.member("admin"), workspace.path(`/campaigns/${draft}/start`));
  await page.getByText("our sale begins on Monday").first().waitFor();
  await audience.api("PATCH", `/campaigns/${draft}`, { variables: { day: "Friday" } });
  await page.getByRole("button", { name: "Send to 2 people" }).click();
  await expectExplained(page, "Review the changes, then confirm.");
  await page.getByText("our sale begins on Friday").first().waitFor();
  expect(await page.getByText("our sale begins on Monday").count()).toBe(0);
  await page.getByRole("button", { name: "Send to 2 people" }).click();
  await page.getByText("Campaign started. It reaches 2 people.").waitFor();
});

it("If a contact joins the audience after the preview, the page shows the new number of people before it sends the campaign", async () => {
  const workspace = await newWorkspace();
  await newAudience(workspace, 2);
  const page = await pageOf(await workspace.member("admin"), workspace.path("/campaigns/new"));
  await page.getByLabel("Template", { exact: true }).selectOption({ label: "Spring sale" });
  await page.getByLabel("{{day}}").fill("Monday");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await page.getByRole("button", { name: "Send to 2 people" }).waitFor();
  await workspace.call("POST", "/contacts", { phone: "+14155550777", name: "Newcomer" });
  await page.getByRole("button", { name: "Send to 2 people" }).click();
  await expectExplained(page, "Review the changes, then confirm.");
  await page.getByText("3 people will get this.").waitFor();
  await page.getByRole("button", { name: "Send to 3 people" }).click();
  await page.getByText("Campaign started. It reaches 3 people.").waitFor();
});

it("If one of two contacts changes after the merge preview, the page shows its new values before it merges the contacts", async () => {
  const workspace = await newWorkspace();
  const made = z.object({ contact: z.object({ id: z.string() }) });
  const contact = async (name: string, phone: string) =>
    made.parse(await workspace.call("POST", "/contacts", { name, phone, email: `${name}@example.com` })).contact.id;
  const [kept, removed] = [await contact("ada", "+14155550101"), await contact("countess", "+14155550102")];
  const at = workspace.path(`/contacts/${kept}/merge?from=${removed}`);
  const page = await pageOf(await workspace.member("agent"), at);
  await page.getByText("countess@example.com").waitFor();
  await workspace.call("PATCH", `/contacts/${removed}`, { email: "lovelace@example.com" });
  await page.getByRole("button", { name: "Merge" }).click();
  await expectExplained(page, "Review the changes, then confirm.");
  await page.getByText("lovelace@example.com").waitFor();
  await page.getByRole("button", { name: "Merge" }).click();
  await page.getByRole("heading", { level: 1, name: "ada" }).waitFor();
});
