import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectGoodInBothThemes, newPage, sharedPageOf, useBrowser } from "./support/browser.ts";
import { furnish } from "./support/settings.ts";
import { newAudience } from "./support/campaigns.ts";
import { furnishInbox, type Furnished } from "./support/inbox.ts";
import { accept, newWorkspace, type Person, type Workspace } from "./support/people.ts";
import { stockContacts } from "./support/contacts.ts";
import { furnishWebhooks } from "./support/webhooks.ts";
import { load, printHeaviest, transferred, type Weight } from "./support/weights.ts";

useBrowser();

let workspace: Workspace;
let second: Workspace;
let people: Record<"owner" | "agent", Person>;
let invitation: string;
let reset: string;
let things: Awaited<ReturnType<typeof furnish>>;
let empty: Workspace;
let template: string;
let campaigns: Record<"completed" | "paused" | "scheduled", string>;
let webhooks: Awaited<ReturnType<typeof furnishWebhooks>>;
let inbox: Furnished;
let stock: Awaited<ReturnType<typeof stockContacts>>;

/** All pages of the console. Add new pages here. `as` is the user. Null means no session. */
const pages: { name: string; path(): string; as: "owner" | "agent" | null; status?: number }[] = [
  { name: "sign-in", path: () => "/console/sign-in", as: null },
  { name: "invitation", path: () => invitation, as: null },
  { name: "invitation-without-link", path: () => "/console/invitations", as: null },
  { name: "reset", path: () => reset, as: null },
  { name: "workspaces", path: () => "/console/workspaces", as: "owner" },
  { name: "name", path: () => "/console/name", as: "owner" },
  { name: "password", path: () => "/console/password", as: "owner" },
  { name: "search", path: () => workspace.path("/search?q=ada"), as: "agent" },
  { name: "search-empty", path: () => workspace.path("/search"), as: "agent" },
  { name: "overview", path: () => workspace.path("/overview"), as: "owner" },
  { name: "campaigns", path: () => workspace.path("/campaigns"), as: "owner" },
  { name: "campaigns-empty", path: () => second.path("/campaigns"), as: "owner" },
  { name: "campaign-new-empty", path: () => second.path("/campaigns/new"), as: "owner" },
  { name: "campaign-new", path: () => workspace.path(`/campaigns/new?template_id=${template}`), as: "owner" },
  { name: "campaign", path: () => workspace.path(`/campaigns/${campaigns.completed}`), as: "owner" },
  { name: "campaign-paused", path: () => workspace.path(`/campaigns/${campaigns.paused}`), as: "owner" },
  { name: "campaign-scheduled", path: () => workspace.path(`/campaigns/${campaigns.scheduled}`), as: "owner" },
  { name: "inbox", path: () => workspace.path("/inbox"), as: "agent" },
  { name: "inbox-thread", path: () => workspace.path(`/inbox/${inbox.thread}?status=all`), as: "agent" },
  { name: "inbox-person", path: () => workspace.path(`/inbox/${inbox.thread}/person`), as: "agent" },
  {
    name: "inbox-message",
    path: () => workspace.path(`/inbox/${inbox.thread}/messages/${inbox.picture}`),
    as: "agent",
  },
  {
    name: "inbox-template",
    path: () => workspace.path(`/inbox/${inbox.closed}?template=${inbox.template}`),
    as: "owner",
  },
  { name: "inbox-nothing-found", path: () => workspace.path("/inbox?search=nobody"), as: "agent" },
  { name: "inbox-empty", path: () => second.path("/inbox"), as: "owner" },
  { name: "overview-empty", path: () => second.path("/overview"), as: "owner" },
  { name: "members", path: () => workspace.path("/settings/members"), as: "owner" },
  { name: "api-keys", path: () => workspace.path("/settings/api-keys"), as: "owner" },
  { name: "api-keys-empty", path: () => empty.path("/settings/api-keys"), as: "owner" },
  { name: "api-key-new", path: () => workspace.path("/settings/api-keys/new"), as: "owner" },
  { name: "connections", path: () => workspace.path("/settings/connections"), as: "owner" },
  { name: "connection-new", path: () => workspace.path("/settings/connections/new"), as: "owner" },
  ...["sandbox", "whatsapp_cloud", "waha"].map((provider) => ({
    name: `connection-new-${provider}`,
    path: () => workspace.path(`/settings/connections/new?provider=${provider}`),
    as: "owner" as const,
  })),
  {
    name: "connection-sandbox",
    path: () => workspace.path(`/settings/connections/${workspace.connectionId}`),
    as: "owner",
  },
  { name: "connection-waha", path: () => workspace.path(`/settings/connections/${things.waha}`), as: "owner" },
  { name: "webhooks", path: () => workspace.path("/settings/webhooks"), as: "owner" },
  { name: "webhooks-empty", path: () => empty.path("/settings/webhooks"), as: "owner" },
  { name: "webhook-new", path: () => workspace.path("/settings/webhooks/new"), as: "owner" },
  { name: "webhook", path: () => workspace.path(`/settings/webhooks/${webhooks.working}`), as: "owner" },
  { name: "webhook-disabled", path: () => workspace.path(`/settings/webhooks/${webhooks.disabled}`), as: "owner" },
  { name: "webhook-edit", path: () => workspace.path(`/settings/webhooks/${webhooks.working}/edit`), as: "owner" },
  { name: "events", path: () => workspace.path("/settings/events"), as: "owner" },
  { name: "events-none", path: () => empty.path("/settings/events?types=segment.deleted"), as: "owner" },
  { name: "event", path: () => workspace.path(`/settings/events/${webhooks.event}`), as: "owner" },
  { name: "custom-fields", path: () => workspace.path("/settings/custom-fields"), as: "owner" },
  { name: "custom-fields-empty", path: () => empty.path("/settings/custom-fields"), as: "owner" },
  { name: "custom-field-new", path: () => workspace.path("/settings/custom-fields/new"), as: "owner" },
  { name: "custom-field", path: () => workspace.path(`/settings/custom-fields/${things.field}`), as: "owner" },
  {
    name: "custom-field-delete",
    path: () => workspace.path(`/settings/custom-fields/${things.field}/delete`),
    as: "owner",
  },
  { name: "tags", path: () => workspace.path("/settings/tags"), as: "owner" },
  { name: "tags-empty", path: () => empty.path("/settings/tags"), as: "owner" },
  { name: "templates", path: () => workspace.path("/templates"), as: "owner" },
  { name: "templates-empty", path: () => empty.path("/templates"), as: "owner" },
  { name: "template-new", path: () => workspace.path("/templates/new"), as: "owner" },
  { name: "template-editor", path: () => workspace.path("/templates/new/whatsapp"), as: "owner" },
  { name: "template-editor-none", path: () => empty.path("/templates/new/whatsapp"), as: "owner" },
  { name: "template", path: () => workspace.path(`/templates/${things.template}`), as: "owner" },
  { name: "template-edit", path: () => workspace.path(`/templates/${things.template}/edit`), as: "owner" },
  { name: "contacts", path: () => workspace.path("/contacts"), as: "agent" },
  {
    name: "contacts-columns",
    path: () => workspace.path("/contacts?columns=name,company,created_at,tags"),
    as: "agent",
  },
  { name: "contacts-none", path: () => workspace.path("/contacts?search=nobody"), as: "agent" },
  { name: "contact", path: () => workspace.path(`/contacts/${stock.contactId}`), as: "agent" },
  { name: "contact-new", path: () => workspace.path("/contacts/new"), as: "agent" },
  { name: "contact-merge", path: () => workspace.path(`/contacts/${stock.contactId}/merge?search=a`), as: "agent" },
  { name: "contact-write", path: () => workspace.path(`/contacts/${stock.contactId}/conversation`), as: "agent" },
  { name: "contact-edit", path: () => workspace.path(`/contacts/${stock.contactId}/edit`), as: "agent" },
  { name: "contacts-import", path: () => workspace.path("/contacts/import"), as: "agent" },
  { name: "contacts-export", path: () => workspace.path("/contacts/export"), as: "owner" },
  { name: "segments", path: () => workspace.path("/segments"), as: "owner" },
  { name: "segment", path: () => workspace.path(`/segments/${stock.segmentId}`), as: "owner" },
  { name: "segment-invalid", path: () => workspace.path(`/segments/${stock.brokenId}`), as: "agent" },
  { name: "segment-new", path: () => workspace.path("/segments/new"), as: "owner" },
  { name: "segment-edit", path: () => workspace.path(`/segments/${stock.segmentId}/edit`), as: "owner" },
  { name: "segment-mend", path: () => workspace.path(`/segments/${stock.brokenId}/edit`), as: "owner" },
  { name: "campaigns-calendar", path: () => workspace.path("/campaigns/calendar"), as: "owner" },
  { name: "campaign-test", path: () => workspace.path(`/campaigns/${campaigns.completed}/test`), as: "owner" },
  { name: "campaign-edit", path: () => workspace.path(`/campaigns/${campaigns.scheduled}/edit`), as: "owner" },
  { name: "workspace", path: () => workspace.path("/settings/workspace"), as: "owner" },
  { name: "requests", path: () => workspace.path("/settings/requests"), as: "owner" },
  { name: "canned-replies", path: () => workspace.path("/settings/canned-replies"), as: "agent" },
  { name: "forgot-password", path: () => "/console/forgot-password", as: null },
  { name: "forbidden", path: () => workspace.path("/settings/members"), as: "agent", status: 403 },
  { name: "not-found", path: () => "/console/nothing/here", as: "owner", status: 404 },
];

beforeAll(async () => {
  workspace = await newWorkspace("Acme & Söhne");
  second = await newWorkspace("Second workspace");
  people = { owner: await workspace.member("owner"), agent: await workspace.member("agent", "Ben Lima") };
  await joinSecond();
  [things, empty] = [await furnish(workspace), second];
  invitation = await workspace.invite("newcomer@example.com", "admin");
  reset = await workspace.resetLink(people.agent.email);
  await workspace.receive(
    "+14155550101",
    "Hi! Is my order on its way? I have been waiting since Monday.",
    "Ada Okafor",
  );
  await workspace.receive("+14155550102", "Thanks!", "Bruno Lima");
  await startCampaigns();
  inbox = await furnishInbox(workspace);
  stock = await stockContacts(workspace);
  webhooks = await furnishWebhooks(workspace);
});

/** A completed, a paused and a scheduled campaign. */
async function startCampaigns(): Promise<void> {
  const audience = await newAudience(workspace, 240);
  template = audience.templateId;
  const completed = await audience.start({ filter_tags: ["Newsletter"], variables: { day: "Monday" } });
  await audience.untilCompleted(completed);
  // With this rate, the campaign still runs when the test pauses it.
  await workspace.manage("PATCH", `/connections/${workspace.connectionId}`, { messages_per_second: 1 });
  const paused = await audience.start({ name: "Second reminder", filter_tags: ["VIP"], variables: { day: "Friday" } });
  await audience.api("POST", `/campaigns/${paused}/pause`);
  const scheduled_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const scheduled = await audience.start({ name: "Last call", scheduled_at, variables: { day: "{{company|Sunday}}" } });
  campaigns = { completed, paused, scheduled };
}

/** Adds the owner to a second workspace, so that pages show the menu of workspaces. */
async function joinSecond(): Promise<void> {
  const link = await second.invite(people.owner.email, "admin");
  await accept(link, "sign-in", { password: people.owner.password });
}

const KILOBYTE = 1024;

const open = (as: (typeof pages)[number]["as"], options: BrowserContextOptions = {}): Promise<Page> =>
  as === null ? newPage(options) : sharedPageOf(people[as], options);

const weights: Weight[] = [];
afterAll(() => printHeaviest(weights));

describe.each(pages)("Page $name", ({ name, path, as, status = 200 }) => {
  it(`The page ${name} fits phones and wide screens, is accessible, and loads at most 150 KB (100 KB if assets are cached)`, async () => {
    const page = await open(as);
    const { answer, loaded } = await load(page, path());
    expect(answer?.status()).toBe(status);
    if (path().includes("#")) await page.locator("#link").waitFor({ state: "detached" }); // the page's script redirects
    const [first, warm] = [transferred(loaded), transferred(loaded.filter(({ url }) => !url.includes("/assets/")))];
    weights.push({ name, first, warm });
    expect(first).toBeLessThan(150 * KILOBYTE);
    expect(warm).toBeLessThan(100 * KILOBYTE);
    await expectGoodInBothThemes(page, name);
  });

  it(`The page ${name} works without scripts, in less than 100 KB`, async () => {
    const page = await open(as, { javaScriptEnabled: false });
    const { loaded } = await load(page, path());
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    expect(transferred(loaded)).toBeGreaterThan(0);
    expect(transferred(loaded)).toBeLessThan(100 * KILOBYTE);
  });
});
