import { describe, expect, it } from "vitest";
import { capture, copyBy, expectAccessible, expectToFit, newPage, useBrowser } from "./support/browser.ts";

useBrowser();

const pages = [
  { name: "overview", path: "/docs" },
  { name: "guide", path: "/docs/webhooks" },
  { name: "reference", path: "/docs/reference/conversations" },
  { name: "missing", path: "/docs/nothing" },
];

const screens = [
  { screen: "phone", viewport: { width: 375, height: 800 }, colorScheme: "dark" },
  { screen: "desk", viewport: { width: 1440, height: 900 }, colorScheme: "light" },
] as const;

describe.each(screens)("Documentation on a $screen, $colorScheme", ({ screen, viewport, colorScheme }) => {
  it.each(pages)("The documentation's $name page fits the screen and is accessible", async ({ name, path }) => {
    const page = await newPage({ viewport, colorScheme });
    const response = await page.goto(path);
    expect(response?.status()).toBe(name === "missing" ? 404 : 200);
    await expectToFit(page);
    await expectAccessible(page);
    await capture(page, `docs-${name}-${screen}`);
  });
});

describe("Documentation", () => {
  it("Commands in the documentation contain the address of the service that serves the documentation", async () => {
    const page = await newPage();
    await page.goto("/docs/quickstart");
    const { origin } = new URL(page.url());
    await page.getByText(`API=${origin}`).waitFor();
    expect(await page.locator("main").innerText()).not.toContain("localhost:8787");
  });

  it("The documentation can be searched by keyboard alone", async () => {
    const page = await newPage();
    await page.goto("/docs");
    await page.keyboard.press("/");
    const box = page.getByRole("combobox", { name: "Search" });
    await box.fill("not_found");
    await page
      .getByRole("option", { name: /not_found/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/errors#not_found");
    await page.keyboard.press("Control+k");
    await box.fill("messages.send");
    await page
      .getByRole("option", { name: /Send a message/ })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await box.waitFor({ state: "hidden" });
  });

  it("The documentation keeps the chosen theme and language, and copies the visible sample", async () => {
    const page = await newPage({ colorScheme: "light" });
    await page.goto("/docs/reference/tags");
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    await page.getByText("TypeScript", { exact: true }).first().click();
    await page.goto("/docs/reference/messages");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    const sample = page.locator("[id='messages.get'] .samples");
    await copyBy(sample.getByRole("button", { name: "Copy" }).first(), sample.getByRole("button", { name: "Copied" }));
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("await tidings.messages.get(");
  });

  it("Samples in the documentation contain the address of the service that serves the documentation", async () => {
    const page = await newPage();
    await page.goto("/docs/reference/tags");
    const sample = await page.locator("[id='tags.list'] pre").first().textContent();
    const { origin } = new URL(page.url());
    expect(sample).toContain(`${origin}/api/v1/tags`);
    await page.goto("/docs/mcp");
    const text = await page.locator("main").innerText();
    expect(text).toContain(`"url": "${origin}/mcp"`);
    expect(text).not.toMatch(/tidings\.example|:\d+\.com/);
  });

  it("On a phone, the navigation of the documentation is in a drawer", async () => {
    const page = await newPage({ viewport: { width: 375, height: 800 } });
    await page.goto("/docs");
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quickstart" });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await expectAccessible(page);
    await link.click();
    await page.waitForURL("**/docs/quickstart");
    expect(await link.isVisible()).toBe(false);
  });

  it("The printed documentation shows all fields, and each sample below the name of its language", async () => {
    const page = await newPage();
    await page.goto("/docs/reference/messages");
    const inside = page.locator("[id='messages.send'] details li").first();
    expect(await inside.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await inside.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))).toBe(true);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.panel pre'), '::before').content")).toBe(
      '"curl"',
    );
  });

  it("Without scripts, the documentation shows its navigation, all fields, and samples in every language", async () => {
    const page = await newPage({ javaScriptEnabled: false, viewport: { width: 375, height: 800 } });
    await page.goto("/docs/reference/tags");
    expect(await page.getByRole("button", { name: "Search" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quickstart" }).waitFor();
    await page.keyboard.press("Escape");
    const article = page.locator("[id='tags.create']");
    await article.getByText("TypeScript").click();
    await article.getByText("await tidings.tags.create(").waitFor();
  });
});
