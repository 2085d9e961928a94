import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { capture, expectAccessible, expectToFit, pageOf, useBrowser } from "./support/browser.ts";
import { PICTURE } from "./support/files.ts";
import { writeFirst } from "./support/inbox.ts";
import { newWorkspace, type Workspace } from "./support/people.ts";

useBrowser();

const made = z.object({ template: z.object({ id: z.string(), status: z.string() }) });
const listed = z.object({ templates: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })) });

/** Creates a template with an image and buttons, which the sandbox approves. */
async function promotion(workspace: Workspace): Promise<string> {
  const media_id = await workspace.upload(PICTURE);
  const buttons = [
    { type: "QUICK_REPLY", text: "More" },
    { type: "URL", text: "Shop now", url: "https://shop.example/{{1}}", example: ["spring"] },
  ];
  const { template } = made.parse(
    await workspace.call("POST", "/templates", {
      connection_id: workspace.connectionId,
      name: "spring_sale",
      language: "en_US",
      category: "MARKETING",
      components: [
        { type: "HEADER", format: "IMAGE", example: { media_id } },
        { type: "BODY", text: "Our sale begins on {{1}}, come by.", example: { body_text: [["Monday"]] } },
        { type: "BUTTONS", buttons },
      ],
    }),
  );
  const status = async () => made.parse(await workspace.call("GET", `/templates/${template.id}`)).template.status;
  await expect.poll(status).toBe("APPROVED");
  return template.id;
}

async function captureAll(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [375, "dark"],
    [1440, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectToFit(page);
    await capture(page, `${name}-${width}-${colorScheme}`);
    await expectAccessible(page);
  }
}

const preview = (page: Page) => page.locator("#preview .message");

async function uploadTo(page: Page, label: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).setInputFiles(PICTURE);
  await expect.poll(() => page.locator('[name="header.media_id"]').inputValue()).toMatch(/^med_/);
}

describe("Templates with an image", () => {
  it("A template with an image can be filled in, previewed and sent in a conversation", async () => {
    const workspace = await newWorkspace("Acme", "official");
    await promotion(workspace);
    const id = await writeFirst(workspace, "+14155550101");
    const page = await pageOf(await workspace.member("agent"), workspace.path(`/inbox/${id}`));
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "spring_sale (en_US)" });
    await page.getByLabel("Value of {{1}}").fill("Friday");
    await preview(page).getByText("Our sale begins on Friday").waitFor();
    await uploadTo(page, "Header image");
    await preview(page).locator("img").waitFor();
    await page.getByRole("button", { name: "Remove the file" }).click();
    await expect.poll(() => page.getByLabel("Header image: a stored file").inputValue()).toBe("");
    await preview(page).getByText("Image").waitFor();
    await page.getByLabel("Header image: a stored file").selectOption({ index: 1 });
    await preview(page).locator("img").waitFor();
    const chosen = await page.getByLabel("Header image: a stored file").inputValue();
    await expect.poll(() => page.locator('[name="header.media_id"]').inputValue()).toBe(chosen);
    await page.getByLabel("Link ending of “Shop now”").fill("spring");
    await captureAll(page, "inbox-template-picture");
    await page.getByRole("button", { name: "Send template" }).click();
    const sent = page.locator(".thread-messages .message").filter({ hasText: "Our sale begins on Friday" });
    await sent.locator("img").waitFor();
    await sent.getByText("Shop now").waitFor();
    expect(await sent.getByText("More").count()).toBe(1);
  });

  it("A template with an image and buttons can be sent as a campaign, and the campaign's page shows both", async () => {
    const workspace = await newWorkspace("Acme", "official");
    await promotion(workspace);
    const contacts = [1, 2, 3].map((at) => ({ phone: `+1415555123${at}`, name: `Person ${at}` }));
    await workspace.call("POST", "/contacts/batch", { contacts });
    const page = await pageOf(await workspace.member("admin"), workspace.path("/campaigns/new"));
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "spring_sale (en_US)" });
    await page.getByLabel("{{1}}").fill("Friday");
    await page.getByLabel("Link ending of “Shop now”").fill("spring");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.getByText("Choose a file.").first().waitFor();
    expect(await page.getByLabel("{{1}}").inputValue()).toBe("Friday");
    await uploadTo(page, "Header image");
    await preview(page).locator("img").waitFor();
    await page.getByText("Button payloads").click();
    await page.getByLabel("Payload of “More”").fill("more-spring");
    await captureAll(page, "campaign-new-picture");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.locator(".samples img").first().waitFor();
    await captureAll(page, "campaign-preview-picture");
    await page.getByRole("button", { name: "Send to 3 people" }).click();
    await page.getByText("3 of 3 done").waitFor();
    await page.getByText("more-spring").waitFor();
    await page.locator(".phone img").waitFor();
    await page.getByText(/billed messages?, \d+ free/).waitFor();
    await captureAll(page, "campaign-picture");
  });
});

describe("WhatsApp template editor", () => {
  it("A template is written and submitted by keyboard, and its approval appears without a page reload", async () => {
    const workspace = await newWorkspace("Acme", "official");
    const page = await pageOf(await workspace.member("admin"), workspace.path("/templates"));
    await page.getByRole("link", { name: "New template" }).click();
    await page.getByRole("link", { name: /WhatsApp template/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Spring");
    await page.getByLabel("Text", { exact: true }).fill("Hello {{1}}, our sale begins on {{2}}, come by.");
    await page.getByLabel("Example of {{2}}").fill("Monday");
    await page.getByLabel("Example of {{1}}").fill("Ada");
    await preview(page).getByText("Hello Ada, our sale begins on Monday, come by.").waitFor();
    await page.getByLabel("Above the text").selectOption("Image");
    await page.getByLabel("Example file").waitFor();
    await uploadTo(page, "Example file");
    await preview(page).locator("img").waitFor();
    await page.getByLabel("Another button").selectOption("Link");
    await page.getByRole("button", { name: "Add the button" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("buttons.0.text");
    await page.keyboard.type("Shop now");
    await page.getByLabel("Address").fill("https://shop.example/{{1}}");
    const example = page.locator('[name="buttons.0.example"]');
    await example.fill("spring");
    await preview(page).getByText("Shop now").waitFor();
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toContain("come by.");
    await captureAll(page, "template-editor-filled");

    await page.getByRole("button", { name: "Submit for review" }).press("Enter");
    await page.getByText("Must contain only lowercase a–z").waitFor();
    expect(await example.inputValue()).toBe("spring");
    expect(await page.locator('[name="header.media_id"]').inputValue()).toMatch(/^med_/);
    await page.getByLabel("Name", { exact: true }).fill("spring_sale");
    await page.getByRole("button", { name: "Submit for review" }).press("Enter");
    await page.getByText("spring_sale submitted.").waitFor();
    // The review takes three seconds, so a slow machine might never show the pending state.
    await page.getByText("Pending").or(page.getByText("Approved")).waitFor();
    await page.getByText("Approved").waitFor();
    await page.getByRole("button", { name: "Send test" }).waitFor();
    const { templates } = listed.parse(await workspace.call("GET", "/templates?source=external"));
    expect(templates.find(({ name }) => name === "spring_sale")).toMatchObject({ status: "APPROVED" });
    await captureAll(page, "template-approved");
  });

  it("The template editor keeps the keyboard focus after choices, moves, removals and rejections", async () => {
    const workspace = await newWorkspace("Acme", "official");
    const at = workspace.path("/templates/new/whatsapp");
    const page = await pageOf(await workspace.member("admin"), at);
    const focused = () => page.evaluate("[document.activeElement.name, document.activeElement.value].join(' ')");
    await page.getByRole("radio", { name: "One message" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("group", { name: "Cards" }).waitFor();
    await expect.poll(focused).toBe("layout carousel");
    await page.keyboard.press("ArrowUp");
    await page.getByRole("group", { name: "Buttons" }).waitFor();
    await expect.poll(focused).toBe("layout message");
    for (const words of ["First", "Second"]) {
      await page.getByRole("button", { name: "Add the button" }).press("Enter");
      await expect.poll(focused).toMatch(/^buttons\.\d\.text $/);
      await page.keyboard.type(words);
    }
    await page.getByRole("button", { name: "Move up" }).press("Enter");
    await expect.poll(focused).toBe("buttons.0.text Second");
    await page.getByRole("button", { name: "Remove button 1" }).press("Enter");
    await expect.poll(focused).toBe("buttons.0.text First");
    await page.getByRole("button", { name: "Remove button 1" }).press("Enter");
    await expect.poll(focused).toBe("new_button QUICK_REPLY");

    await page.getByLabel("Name", { exact: true }).fill("spring_sale");
    await page.getByLabel("Text", { exact: true }).fill("Our sale begins on Monday.");
    await page.getByLabel("Above the text").selectOption("Image");
    await page.getByLabel("Example file").waitFor();
    await page.getByRole("button", { name: "Submit for review" }).press("Enter");
    await page.getByText("Choose a file.").first().waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("file--header-media_id");
    expect(await page.getByLabel("Example file").getAttribute("aria-invalid")).toBe("true");
    await uploadTo(page, "Example file");
    await expect.poll(() => page.getByLabel("Example file").getAttribute("aria-invalid")).toBe(null);
  });

  it("Without scripts, the template editor can create a carousel", async () => {
    const workspace = await newWorkspace("Acme", "official");
    await workspace.upload(PICTURE);
    const options = { javaScriptEnabled: false };
    const page = await pageOf(await workspace.member("admin"), workspace.path("/templates/new/whatsapp"), options);
    await page.getByLabel("Name", { exact: true }).fill("spring_cards");
    await page.getByLabel("Text", { exact: true }).fill("Look at what is new.");
    await page.getByLabel("A carousel").check();
    await page.getByRole("button", { name: "Show the fields and the preview" }).click();
    await page.getByLabel("First button of each card").selectOption("Quick reply");
    await page.getByRole("button", { name: "Add a card" }).click();
    await expect.poll(() => page.getByRole("group", { name: /^Card \d$/ }).count()).toBe(3);
    for (const place of [0, 1, 2]) {
      await page.locator(`[name="cards.${place}.header.stored"]`).selectOption({ index: 1 });
      await page.locator(`[name="cards.${place}.buttons.0.text"]`).fill(`Take ${place + 1}`);
    }
    await page.getByRole("button", { name: "Show the fields and the preview" }).click();
    await expect.poll(() => page.locator("#preview .bubble-card img").count()).toBe(3);
    await page.getByRole("button", { name: "Submit for review" }).last().click();
    await page.getByText("spring_cards submitted.").waitFor();
  });
});
