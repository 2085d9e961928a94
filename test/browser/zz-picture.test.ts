import { it } from "vitest";
import { capture, newPage, sessionOf, useBrowser } from "./support/browser.ts";
import { newAudience } from "./support/campaigns.ts";
import { conversationWith, furnishInbox } from "./support/inbox.ts";
import { newWorkspace } from "./support/people.ts";
import { stockContacts } from "./support/stock.ts";

useBrowser();

it("takes pictures", async () => {
  const workspace = await newWorkspace("Acme");
  const owner = await workspace.member("owner", "Ada Okafor");
  const audience = await newAudience(workspace, 240);
  await audience.start({ name: "Spring sale", variables: { day: "Monday" } });
  const inbox = await furnishInbox(workspace);
  await workspace.receive("+14155550110", "Do you deliver to Porto Alegre?", "Clara Souza");
  await workspace.receive("+14155550111", "The blue one, please.", "David Kim");
  await workspace.receive("+14155550112", "Thanks, it works now.", "Emil Novak");
  await conversationWith(workspace, "Thanks, it works now.");
  await stockContacts(workspace).catch(() => undefined);
  await audience.start({ name: "Last call", scheduled_at: new Date(Date.now() + 3 * 86_400_000).toISOString(), variables: { day: "Sunday" } });
  await new Promise((resolve) => setTimeout(resolve, 9000));
  const page = await newPage({ storageState: await sessionOf(owner), viewport: { width: 1280, height: 760 } });
  for (const [name, path] of [
    ["p-overview", "/overview"],
    ["p-inbox", `/inbox/${inbox.thread}?status=all`],
    ["p-campaigns", "/campaigns"],
    ["p-contacts", "/contacts"],
  ] as const) {
    await page.goto(workspace.path(path));
    await page.waitForTimeout(500);
    await capture(page, name);
  }
}, 120_000);
