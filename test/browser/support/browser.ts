import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  selectors,
} from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { z } from "zod";
import type { Person } from "./people.ts";

declare module "vitest" {
  interface ProvidedContext {
    chromium: string;
    url: string;
    demo: { workspaceId: string; email: string; password: string };
  }
}

const SCREENSHOTS = "test/browser/screenshots";

/** All test files of a process share one browser, because its start takes a second of CPU time. It ends with the process. */
let browser: Promise<Browser> | undefined;

/** Makes the process's browser available to the tests of a file. Call it once at the top. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser ??= launch();
    await browser;
  });
  afterAll(async () => {
    await Promise.all([...shared.values()].map(({ page }) => page.context().close()));
    shared.clear();
  });
}

async function launch(): Promise<Browser> {
  await selectors.register("loading", LOADING);
  const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  return chromium.launch({
    executablePath: inject("chromium"),
    chromiumSandbox: process.getuid?.() !== 0, // Chromium's sandbox does not work for root
    args: [...quiet, "--disable-sync", "--disable-component-update"],
  });
}

/** A selector engine. Its selectors match the root element while the page loads. */
const LOADING = `{
  queryAll: () => (document.readyState === "complete" ? [] : [...document.children]),
  query: () => (document.readyState === "complete" ? null : document.documentElement),
}`;

/** Delays clicks and keys until the page is loaded. After a navigation, a page is visible before its scripts listen. */
async function actOnceLoaded(page: Page): Promise<void> {
  await page.addLocatorHandler(page.locator("loading=page"), () => page.waitForLoadState());
  const { keyboard } = page;
  const [press, type] = [keyboard.press.bind(keyboard), keyboard.type.bind(keyboard)];
  keyboard.press = (...given) => page.waitForLoadState().then(() => press(...given));
  keyboard.type = (...given) => page.waitForLoadState().then(() => type(...given));
}

/** Errors that a page may log: rejections and outages that a test provokes. */
const EXPECTED =
  /the server responded with a status of (?:4\d\d|503)|net::ERR_(?:FAILED|INTERNET_DISCONNECTED)|WebSocket connection to .* failed/;

async function newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  if (browser === undefined) throw new Error("The test file does not call useBrowser.");
  const context = await (
    await browser
  ).newContext({
    baseURL: inject("url"),
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce", // without transitions, axe checks the final colours
    ...options,
  });
  context.setDefaultTimeout(30_000);
  return context;
}

function collectErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(String(error.error())));
  context.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) errors.push(message.text());
  });
  return errors;
}

/** Opens a page in a new browser profile. The test fails if the page breaks its security policy or throws an error. */
export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await newProfile(options);
  const errors = collectErrors(context);
  onTestFinished(async () => {
    // A response that a test delayed or dropped might still arrive.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
    await context.close();
    expect(errors).toEqual([]);
  });
  return newTab(context);
}

export async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await actOnceLoaded(page);
  return page;
}

export async function signIn(page: Page, { email, password }: Person, to = "/console"): Promise<void> {
  await page.goto(`/console/sign-in?next=${encodeURIComponent(to)}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
}

/**
 * Adds an existing session to a browser profile, because the sign-in form is slow on purpose. Replaces another user's
 * session.
 */
export async function useSession(page: Page, { session = [], email }: Person): Promise<void> {
  if (session.length === 0) throw new Error(`${email} has no session: use signIn.`);
  const domain = new URL(inject("url")).hostname;
  await page.context().addCookies(session.map((cookie) => ({ ...cookie, domain, httpOnly: true })));
}

/**
 * Waits until the WebSocket is open and the page's scripts listen for keys. Some scripts run after the WebSocket opens.
 */
export async function untilLive(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.locator("html[data-live]").waitFor({ state: "attached" });
}

export async function pageOf(person: Person, to = "/console", options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await useSession(page, person);
  await page.goto(to);
  return page;
}

/**
 * The position of an element. While a refresh replaces the element, it has no position, so the function tries again.
 */
export async function boxOf(element: Locator) {
  for (;;) {
    await element.waitFor();
    const box = await element.boundingBox();
    if (box !== null) return box;
  }
}

const shared = new Map<string, { page: Page; errors: string[] }>();

/** A tab that all tests of a file share. It caches scripts and styles, as a real tab does. */
export async function sharedPageOf(person: Person, options: BrowserContextOptions = {}): Promise<Page> {
  const key = JSON.stringify([person.email, options]);
  let known = shared.get(key);
  if (known === undefined) {
    const context = await newProfile(options);
    known = { errors: collectErrors(context), page: await newTab(context) };
    shared.set(key, known);
    await useSession(known.page, person);
  }
  const { page, errors } = known;
  onTestFinished(() => expect(errors.splice(0)).toEqual([]));
  return page;
}

const results = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
});

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Only violations, because the details of passed rules take as long again. */
const RUN_AXE = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => ({ violations }))`;

/** Fails if axe finds any violation. */
export async function expectAccessible(page: Page): Promise<void> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe);
  const { violations } = results.parse(await page.evaluate(RUN_AXE));
  expect(violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3) }))).toEqual([]);
}

/**
 * Clicks a copy button and waits for its notice. Tries again, because the notice can disappear too early on a busy
 * machine.
 */
export async function copyBy(button: Locator, copied: Locator): Promise<void> {
  await Promise.all([copied.waitFor(), button.click()]);
}

/** Fails if the page is wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  const root = "document.documentElement";
  const [inner, outer] = [await page.evaluate(`${root}.scrollWidth`), await page.evaluate(`${root}.clientWidth`)];
  expect(inner).toBeLessThanOrEqual(Number(outer));
}

/** Fails if a phone would zoom in on a focused field. */
async function expectNoZoom(page: Page): Promise<void> {
  const small = `[...document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea")]
    .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.name || field.id)`;
  expect(await page.evaluate(small)).toEqual([]);
}

/** Saves a screenshot of the page if the environment has `SCREENSHOTS=1`. */
export async function capture(page: Page, name: string): Promise<void> {
  if (process.env["SCREENSHOTS"] !== "1") return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Fails if a page does not fit a phone and a wide screen, or is not accessible in dark and light colours. */
export async function expectGoodInBothThemes(page: Page, name: string): Promise<void> {
  // axe is slow, so two runs cover both widths and both colour schemes.
  for (const [width, colorScheme] of [
    [375, "dark"],
    [1440, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectToFit(page);
    if (width === 375) await expectNoZoom(page);
    await capture(page, `${name}-${width}-${colorScheme}`);
    await expectAccessible(page);
  }
}
