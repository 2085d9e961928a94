import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import {
  capture,
  expectAccessible,
  expectToFit,
  newPage,
  sessionOf,
  type StorageState,
  useBrowser,
} from "./support/browser.ts";
import { newWorkspace, type Person, type Workspace } from "./support/people.ts";
import { stockContacts } from "./support/stock.ts";

useBrowser();

let workspace: Workspace;
let people: Record<"owner" | "agent", Person>;
let sessions: Record<"owner" | "agent", StorageState>;
let invitation: string;
let stock: Awaited<ReturnType<typeof stockContacts>>;

/** Every page of the console, as somebody sees it: a new page is added here. `as`: null for somebody not signed in. */
const pages: { name: string; path(): string; as: "owner" | "agent" | null; status?: number }[] = [
  { name: "sign-in", path: () => "/console/sign-in", as: null },
  { name: "invitation", path: () => new URL(invitation).pathname, as: null },
  { name: "workspaces", path: () => "/console/workspaces", as: "owner" },
  { name: "password", path: () => "/console/password", as: "owner" },
  { name: "overview", path: () => workspace.path("/overview"), as: "owner" },
  { name: "members", path: () => workspace.path("/settings/members"), as: "owner" },
  { name: "contacts", path: () => workspace.path("/contacts"), as: "agent" },
  { name: "contacts-none", path: () => workspace.path("/contacts?search=nobody"), as: "agent" },
  { name: "contact", path: () => workspace.path(`/contacts/${stock.contactId}`), as: "agent" },
  { name: "contact-new", path: () => workspace.path("/contacts/new"), as: "agent" },
  { name: "contact-edit", path: () => workspace.path(`/contacts/${stock.contactId}/edit`), as: "agent" },
  { name: "contacts-import", path: () => workspace.path("/contacts/import"), as: "agent" },
  { name: "contacts-export", path: () => workspace.path("/contacts/export"), as: "agent" },
  { name: "segments", path: () => workspace.path("/segments"), as: "owner" },
  { name: "segment", path: () => workspace.path(`/segments/${stock.segmentId}`), as: "owner" },
  { name: "segment-invalid", path: () => workspace.path(`/segments/${stock.brokenId}`), as: "agent" },
  { name: "segment-new", path: () => workspace.path("/segments/new"), as: "owner" },
  { name: "segment-edit", path: () => workspace.path(`/segments/${stock.segmentId}/edit`), as: "owner" },
  { name: "segment-mend", path: () => workspace.path(`/segments/${stock.brokenId}/edit`), as: "owner" },
  { name: "forbidden", path: () => workspace.path("/settings/members"), as: "agent", status: 403 },
  { name: "not-found", path: () => "/console/nothing/here", as: "owner", status: 404 },
];

beforeAll(async () => {
  workspace = await newWorkspace("Acme & Söhne");
  const second = await newWorkspace("Second workspace");
  people = { owner: await workspace.member("owner"), agent: await workspace.member("agent", "Ben Lima") };
  await joinSecond(second);
  sessions = { owner: await sessionOf(people.owner), agent: await sessionOf(people.agent) };
  invitation = await workspace.invite("newcomer@example.com", "admin");
  await workspace.receive(
    "+14155550101",
    "Hi! Is my order on its way? I have been waiting since Monday.",
    "Ada Okafor",
  );
  await workspace.receive("+14155550102", "Thanks!", "Bruno Lima");
  stock = await stockContacts(workspace);
});

/** The owner belongs to a second workspace, so that there is something to switch to. */
async function joinSecond(second: Workspace): Promise<void> {
  const link = await second.invite(people.owner.email, "admin");
  const accepted = await fetch(`${link}/sign-in`, {
    method: "POST",
    headers: { Origin: inject("url") },
    body: new URLSearchParams({ password: people.owner.password }),
    redirect: "manual",
  });
  expect(accepted.status).toBe(303);
}

const KILOBYTE = 1024;

/** The page as its people see it, who signed in once for all tests. */
async function open(as: (typeof pages)[number]["as"], options: BrowserContextOptions = {}): Promise<Page> {
  return newPage({ ...options, ...(as !== null && { storageState: sessions[as] }) });
}

describe.each(pages)("the page $name", ({ name, path, as, status = 200 }) => {
  it("fits a phone and a wide screen, and is accessible, in light and dark", async () => {
    const page = await open(as);
    const answer = await page.goto(path());
    expect(answer?.status()).toBe(status);
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectToFit(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await capture(page, `${name}-${width}-${colorScheme}`);
        await expectAccessible(page);
      }
    }
  });

  it("is there without scripts, in less than 100 KB", async () => {
    const page = await open(as, { javaScriptEnabled: false });
    const sizes: Promise<number>[] = [];
    page.on("response", (response) => sizes.push(response.body().then((body) => body.length)));
    await page.goto(path());
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(100 * KILOBYTE);
  });
});
