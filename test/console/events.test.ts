import { expect, test } from "vitest";
import { readEventsBefore } from "../../src/features/event-feed/read-events.ts";
import { contextOf } from "../support/context.ts";
import { fillLog, logEvents } from "../support/fill-log.ts";
import { textOf } from "../support/page-text.ts";
import { type Answer, phoneEnding, World } from "../support/world.ts";

async function visit() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  const at = `/console/${customer.workspaceId}/settings/events`;
  return { customer, admin, at, ctx: await contextOf(customer) };
}

const typesOn = ({ body }: Answer): string[] =>
  Array.from(String(body).matchAll(/id="evt_[^"]*"[^>]*>([^<]*)</g), ([, type = ""]) => type);

test("The event log shows events with object, actor and changed fields, newest first", async () => {
  const { customer, admin, at, ctx } = await visit();
  const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), name: "Ada <Okafor>" }))
    .body;
  await logEvents(ctx, [
    { type: "contact.updated", id: contact.id, changes: { name: ["Ada", "Ada <Okafor>"], tags: [[], ["vip", "new"]] } },
    { type: "tag.deleted", id: "tag_gone" },
  ]);
  const page = await admin.get(at);
  expect(typesOn(page).slice(0, 2)).toEqual(["tag.deleted", "contact.updated"]);
  expect(page.body).toContain(`href="/console/${customer.workspaceId}/contacts/${contact.id}"`);
  expect(page.body).toContain("Ada &lt;Okafor&gt;");
  expect(textOf(page)).toMatch(/name: Ada → Ada &lt;Okafor&gt; tags: nothing → vip, new/);
  expect(textOf(page)).toMatch(/tag_gone no longer exists/);
  expect(page.body).toMatch(/id="event-log" data-poll="5"/);

  const { events } = (await customer.call("GET", "/events")).body;
  const event = events.find(
    ({ object_id, type }: { object_id: string; type: string }) =>
      object_id === contact.id && type === "contact.updated",
  );
  const single = await admin.get(`${at}/${event.id}`);
  expect(textOf(single)).toMatch(/tags .*vip, new/);
  expect(single.body).toContain("&quot;sequence&quot;");
  expect((await admin.request("GET", `${at}/evt_unknown`)).status).toBe(404);
});

test("The event log can be filtered by type, and each page takes one query", async () => {
  const { admin, at, ctx } = await visit();
  await logEvents(ctx, [{ type: "tag.created", id: "tag_1" }]);
  await fillLog(ctx, 3, 40);
  const first = await admin.get(`${at}?types=message.*`);
  expect(typesOn(first)).toHaveLength(50);
  const next = /href="([^"]*)" rel="next"/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await admin.get(next);
  expect(typesOn(second)).toHaveLength(50);
  expect(second.body).not.toContain("data-poll");
  const third = await admin.get(/href="([^"]*)" rel="next"/.exec(second.body)?.[1]?.replaceAll("&amp;", "&") ?? "");
  expect(typesOn(third)).toHaveLength(20);
  expect(third.body).not.toContain('rel="next"');
  expect(typesOn(await admin.get(`${at}?types=tag.created`))).toEqual(["tag.created"]);
  expect((await admin.request("GET", `${at}?types=nothing`)).status).toBe(400);
});

test(
  "A page of the event log searches at most 5,000 events, and the next page continues after them",
  { tags: "long" },
  async () => {
    const { ctx } = await visit();
    const all = async (types: string[]) => {
      const pages: number[][] = [];
      for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
        const page: Awaited<ReturnType<typeof readEventsBefore>> = await readEventsBefore(ctx, {
          before,
          types,
          limit: 100,
        });
        pages.push(page.events.map(({ sequence }) => sequence));
        before = page.next;
      }
      return pages;
    };
    await logEvents(ctx, [{ type: "segment.created", id: "seg_1" }]);
    await fillLog(ctx, 101, 100);
    expect(await all(["segment.*"])).toEqual([[], [], [1]]);
    const sequences = (await all(["message.*"])).flat();
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a));
    expect(new Set(sequences).size).toBe(10_100);
  },
);

test("The event log is visible only to admins of the workspace", async () => {
  const { customer, at } = await visit();
  const stranger = await customer.world.customer();
  await logEvents(await contextOf(stranger), [{ type: "tag.created", id: "tag_secret" }]);
  const admin = await customer.member("admin");
  expect((await admin.get(at)).body).not.toContain("tag_secret");
  const { events } = (await stranger.call("GET", "/events")).body;
  expect((await admin.request("GET", `${at}/${events.at(-1).id}`)).status).toBe(404);
  expect((await (await customer.member("agent")).request("GET", at)).status).toBe(403);
});
