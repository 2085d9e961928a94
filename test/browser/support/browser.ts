import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { z } from "zod";
import type { Person } from "./people.ts";

const SCREENSHOTS = "test/browser/screenshots";

let browser: Browser;

/** Gives the tests of a file a browser; call it once at the top. */
export function useBrowser(): void {
  beforeAll(async () => {
    const quiet = [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-sync",
    ];
    browser = await chromium.launch({
      executablePath: inject("chromium"),
      chromiumSandbox: process.getuid?.() !== 0, // Chromium's sandbox does not work for root
      args: [...quiet, "--disable-component-update"],
    });
  });
  afterAll(() => browser.close());
}

/** What a page may complain of: refusals that a test asks for. */
const EXPECTED = /the server responded with a status of 4\d\d/;

/** A page in a profile of its own. The test fails if it broke its security policy or threw. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: inject("url"),
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  context.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return context.newPage();
}

/** Signs in as somebody does, and waits for the page that follows. */
export async function signIn(page: Page, { email, password }: Person, to = "/console"): Promise<void> {
  await page.goto(`/console/sign-in?next=${encodeURIComponent(to)}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
}

/** A page of somebody who has signed in. */
export async function pageOf(person: Person, to = "/console", options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await signIn(page, person, to);
  return page;
}

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The cookies of somebody who has signed in, for `newPage({ storageState })`: signing in is slow by design. */
export async function sessionOf(person: Person): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: inject("url") });
  await signIn(await context.newPage(), person, "/console/password");
  const state = await context.storageState();
  await context.close();
  return state;
}

const results = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

/** Fails on what axe finds to be serious. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = results.parse(await page.evaluate("axe.run()"));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3) }))).toEqual([]);
}

/** Fails when the page is wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const root = "document.documentElement";
  const [inner, outer] = [await page.evaluate(`${root}.scrollWidth`), await page.evaluate(`${root}.clientWidth`)];
  expect(inner).toBeLessThanOrEqual(Number(outer));
}

export async function capture(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
