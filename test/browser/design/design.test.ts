import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectGoodInBothThemes, newPage, useBrowser } from "../support/browser.ts";
import { renderDesign } from "./page.tsx";

useBrowser();

/** Opens the design page with the service's own scripts and styles. */
async function openDesign(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto("/console/sign-in");
  const stylesheet = (await page.locator("link[rel=stylesheet]").getAttribute("href")) ?? "";
  const style = `<style>${readFileSync("test/browser/design/design.css", "utf8")}</style></head>`;
  const body = (await renderDesign(stylesheet.replace("console.css", ""))).replace("</head>", style);
  await page.route("/console/design", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto("/console/design", { waitUntil: "load" });
  return page;
}

it("All console components fit phones and wide screens, and are accessible in light and dark mode", async () => {
  const page = await openDesign();
  expect(await page.locator("[data-theme=dark] button").count()).toBeGreaterThan(8);
  await expectGoodInBothThemes(page, "design");
});

it("All console components are visible without scripts", async () => {
  const page = await openDesign({ javaScriptEnabled: false });
  expect(await page.getByRole("heading", { level: 1, name: "Design" }).isVisible()).toBe(true);
});
