import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { MAX_CHANGES, MAX_CHANGES_PUSHED, REST_MS } from "../../../src/features/live-updates/live-updates.limits.ts";
import { contextOf } from "../../support/context.ts";
import { customerWithEmptyLog, fillLog, logEvents } from "../../support/fill-log.ts";
import { written } from "../../support/inbox.ts";
import { openLivePage } from "../../support/live.ts";
import { recordedWorld } from "../../support/recording.ts";
import { faultyWorld } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";
import { soon } from "../../support/soon.ts";

/** Changes arrive within a fraction of a second, but machines that run tests can be slow. */

const objectOf = ({ workspaceId }: Customer) => env.LIVE_UPDATES.getByName(workspaceId);
const wake = ({ world, workspaceId }: Customer) => world.env.LIVE_UPDATES.getByName(workspaceId).wake();

const log = async (customer: Customer, ...ids: string[]) =>
  logEvents(
    await contextOf(customer),
    ids.map((id) => ({ type: "tag.created", id })),
  );

test("A change costs one statement for any number of open console pages, and none if no page is open", async () => {
  const { world, recording } = recordedWorld();
  const customer = await customerWithEmptyLog(world);
  const [one, two] = [await customer.member("agent"), await customer.member("admin")];
  const ofReading = () => recording.take().filter(({ sql }) => sql.includes("AS related"));

  await log(customer, "tag_1");
  expect(ofReading()).toEqual([]);

  const pages = [await openLivePage(one, customer.workspaceId), await openLivePage(two, customer.workspaceId)];
  recording.take();
  await log(customer, "tag_2");
  for (const page of pages) await page.changes("tag.created");
  const [read, ...more] = ofReading();
  expect(more).toEqual([]);
  expect(read?.rowsRead).toBeLessThanOrEqual(5);
  expect(pages.map(({ messages }) => messages.length)).toEqual([2, 2]);
});

test("Opening a second console page, or opening one again soon, costs only the query for the session", async () => {
  const { world, recording } = recordedWorld();
  const customer = await customerWithEmptyLog(world);
  const agent = await customer.member("agent");
  const first = await openLivePage(agent, customer.workspaceId);
  recording.take();
  await openLivePage(agent, customer.workspaceId);
  first.socket.close();
  await openLivePage(agent, customer.workspaceId);
  expect(recording.take().map(({ sql }) => /FROM sessions/.test(sql))).toEqual([true, true]);
});

test(
  "A console page receives each change once, however often the Durable Object of live updates is woken",
  { tags: "long" },
  async () => {
    const customer = await customerWithEmptyLog();
    const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
    await log(customer, "tag_1");
    await page.changes("tag.created");
    for (let time = 0; time < 5; time++) await wake(customer);
    await log(customer, "tag_2", "tag_3");
    await soon(() => {
      const ids = page.messages.flatMap(({ changes }) => changes ?? []).map(({ id }) => id);
      expect(ids).toEqual(["tag_1", "tag_2", "tag_3"]);
    });
  },
);

test(
  "Open console pages receive many changes in few messages, and for very many changes a message to load everything again",
  { tags: "long" },
  async () => {
    const customer = await customerWithEmptyLog();
    const ctx = await contextOf(customer);
    const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, index) => log(customer, `tag_${index}`)));
    await soon(() => expect(page.messages.flatMap(({ changes }) => changes ?? [])).toHaveLength(20));
    expect(page.messages.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / REST_MS);
    await logEvents(
      ctx,
      Array.from({ length: MAX_CHANGES_PUSHED + 1 }, (_, index) => ({ type: "tag.created", id: `tag_x${index}` })),
    );
    await page.heard("resync");
    await fillLog(ctx, 2, MAX_CHANGES, "tag.updated");
    await wake(customer);
    await page.heard("resync", 2);
    await log(customer, "tag_after");
    await soon(() => expect(page.messages.at(-1)).toMatchObject({ changes: [{ id: "tag_after" }] }));
  },
);

test("Admins' pages receive campaign messages to people without a conversation as one change, and agents' pages nothing", async () => {
  const customer = await new World().customer();
  const { body } = await customer.call("POST", "/templates", { name: "News", body: "Hello" });
  await customer.call("POST", "/contacts/batch", {
    contacts: ["+14155551234", "+14155561234", "+14155571234"].map((phone) => ({ phone })),
  });
  const [admin, agent] = [
    await openLivePage(await customer.member("admin"), customer.workspaceId),
    await openLivePage(await customer.member("agent"), customer.workspaceId),
  ];
  const started = await customer.call("POST", "/campaigns", { template_id: body.template.id, channel: "unofficial" });
  await customer.world.settle({ withinMs: 60_000 }); // the object closes sockets that send no ping for this time
  await admin.changes("campaign.completed");
  const changes = admin.messages.flatMap((message) => message.changes ?? []);
  expect(changes).toContainEqual({ type: "message.sent", campaign_id: started.body.campaign_id });
  expect(changes.filter(({ id, type }) => type === "message.sent" && id !== undefined)).toEqual([]);
  expect(agent.messages).toHaveLength(1);
});

test("Live updates continue on all open pages after the Durable Object lost its memory", { tags: "long" }, async () => {
  const customer = await customerWithEmptyLog();
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const [one, two] = [await openLivePage(ada, customer.workspaceId), await openLivePage(ben, customer.workspaceId)];
  one.view("cnv_1", "typing");
  await one.heard("presence");
  await log(customer, "tag_1");
  await one.changes("tag.created");
  await evictDurableObject(objectOf(customer));
  await log(customer, "tag_2");
  await soon(() => expect(one.messages.at(-1)).toMatchObject({ changes: [{ id: "tag_2" }] }));
  two.view("cnv_1");
  expect((await two.heard("presence"))[0].members).toMatchObject([{ name: "Ada", presence: "typing" }]);
});

test("If the log cannot be read, console pages receive a message to load everything again, and later changes as usual", async () => {
  const { world, faults } = faultyWorld();
  const customer = await world.customer();
  const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
  faults.next(/AS related/);
  const conversation = await written(customer);
  await page.heard("resync");
  await written(customer, "Hello?", "Zoe Quist");
  const changes = await page.changes("message.received");
  expect(changes).toContainEqual(expect.objectContaining({ conversation_id: conversation }));
});
