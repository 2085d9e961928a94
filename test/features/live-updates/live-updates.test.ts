import { expect, test, vi } from "vitest";
import {
  MAX_MESSAGES_PER_SECOND,
  MAX_SOCKETS_OF_MEMBER,
} from "../../../src/features/live-updates/live-updates.limits.ts";
import { customerWithEmptyLog, logEvents } from "../../support/fill-log.ts";
import { contextOf } from "../../support/context.ts";
import { written } from "../../support/inbox.ts";
import { askForSocket, type LivePage, openLivePage } from "../../support/live.ts";
import { onShard } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const listeners = (customer: Customer) =>
  onShard(
    customer,
    "SELECT kind FROM event_listeners WHERE workspace_id = ? AND kind = 'live' AND until > ?",
    customer.workspaceId,
    Date.now(),
  );

/** Returns the changes that a page received. A later event proves that no further changes will arrive. */
async function toldOf(customer: Customer, page: LivePage): Promise<string[]> {
  await logEvents(await contextOf(customer), [{ type: "tag.created", id: "tag_last" }]);
  const changes = await page.changes("tag.created");
  return changes.map(({ type }) => type);
}

test("A console page receives the changes of its workspace immediately, without their content", async () => {
  const customer = await new World().customer();
  const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
  const conversation = await written(customer, "Is my order on its way?", "Bruno Lima");
  const changes = await page.changes("message.received");
  expect(changes).toContainEqual({
    type: "message.received",
    id: expect.stringMatching(/^msg_/),
    conversation_id: conversation,
    contact_id: expect.stringMatching(/^ct_/),
  });
  expect(JSON.stringify(page.messages)).not.toMatch(/order|Bruno/);
});

test("A pushed change contains the member who made the change", async () => {
  const customer = await new World().customer();
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const conversation = await written(customer);
  const page = await openLivePage(ben, customer.workspaceId);
  await ada.get(`/console/${customer.workspaceId}/inbox/${conversation}`);
  await ada.post(`/console/${customer.workspaceId}/inbox/${conversation}/change`, { status: "done" });
  const changes = await page.changes("conversation.done");
  expect(changes).toContainEqual(
    expect.objectContaining({ type: "conversation.done", id: conversation, actor_id: ada.userId }),
  );
});

test("A pushed note contains the ids of the mentioned members, but not its text", async () => {
  const customer = await new World().customer();
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const conversation = await written(customer);
  const page = await openLivePage(ben, customer.workspaceId);
  await ada.get(`/console/${customer.workspaceId}/inbox/${conversation}`);
  await ada.post(`/console/${customer.workspaceId}/inbox/${conversation}/note`, { body: "@Ben what do you think?" });
  expect(await page.changes("note.created")).toContainEqual(
    expect.objectContaining({ conversation_id: conversation, actor_id: ada.userId, mentions: [ben.userId] }),
  );
  expect(JSON.stringify(page.messages)).not.toContain("think");
});

test("Agents receive no changes of records that only admins can see", async () => {
  const customer = await customerWithEmptyLog();
  const [agent, admin] = [
    await openLivePage(await customer.member("agent"), customer.workspaceId),
    await openLivePage(await customer.member("admin"), customer.workspaceId),
  ];
  const types = ["campaign.started", "template.created", "webhook.disabled", "connection.updated", "api_key.revoked"];
  const ctx = await contextOf(customer);
  await logEvents(
    ctx,
    types.map((type) => ({ type, id: "x_1" })),
  );
  expect(await toldOf(customer, admin)).toEqual(expect.arrayContaining(types));
  expect(await toldOf(customer, agent)).toEqual(["tag.created"]);
});

test("A socket opens only for members and from our own pages", async () => {
  const world = new World();
  const [customer, other] = [await world.customer(), await world.customer()];
  const agent = await customer.member("agent");
  const status = async (workspaceId: string, headers = {}) => (await askForSocket(agent, workspaceId, headers)).status;
  expect(await status(customer.workspaceId, { Origin: "https://tidings.example" })).toBe(403);
  expect(await status(other.workspaceId)).toBe(404);
  expect(await status(customer.workspaceId, { Cookie: "tidings=forged.sum" })).toBe(401);
  expect(await status(customer.workspaceId, { Upgrade: "h2c" })).toBe(400);
});

test("A page receives no changes from another workspace", async () => {
  const world = new World();
  const [customer, other] = [await customerWithEmptyLog(world), await world.customer()];
  const page = await openLivePage(await customer.member("admin"), customer.workspaceId);
  await openLivePage(await other.member("admin"), other.workspaceId);
  await written(other);
  expect(await toldOf(customer, page)).not.toContain("message.received");
});

test("Members in a conversation see which other members view it, type or leave", { tags: "long" }, async () => {
  const customer = await new World().customer();
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const [of, second, at] = [
    await openLivePage(ada, customer.workspaceId),
    await openLivePage(ada, customer.workspaceId),
    await openLivePage(ben, customer.workspaceId),
  ];
  const members = async (page: LivePage, count: number) => (await page.heard("presence", count)).at(-1).members;
  at.view("cnv_1");
  expect(await members(at, 1)).toEqual([]);
  of.view("cnv_1");
  second.view("cnv_2");
  expect(await members(at, 2)).toEqual([{ id: ada.userId, name: "Ada", presence: "looking" }]);
  of.view("cnv_1", "typing");
  expect(await members(at, 3)).toEqual([{ id: ada.userId, name: "Ada", presence: "typing" }]);
  of.socket.close();
  expect(await members(at, 4)).toEqual([]);
  expect(second.messages.filter(({ type }) => type === "presence")).toMatchObject([
    { conversation_id: "cnv_2", members: [] },
  ]);
});

test.each([
  ["an unknown message", 1003, (page: LivePage) => page.socket.send('{"type":"shout"}')],
  ["bytes", 1003, (page: LivePage) => page.socket.send(new Uint8Array(3))],
  ["too much at once", 1009, (page: LivePage) => page.socket.send("x".repeat(1000))],
  [
    "too often",
    1008,
    (page: LivePage) => {
      for (let sent = 0; sent <= 2 * MAX_MESSAGES_PER_SECOND; sent++) page.view("cnv_1");
    },
  ],
])("A socket that sends %s is closed", async (_, code, send) => {
  const customer = await new World().customer();
  const page = await openLivePage(await customer.member("agent"), customer.workspaceId);
  send(page);
  expect(await page.closed()).toBe(code);
});

test("A member can have sockets on at most twenty open pages", { tags: "long" }, async () => {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  const pages: LivePage[] = [];
  for (let open = 0; open < MAX_SOCKETS_OF_MEMBER; open++) pages.push(await openLivePage(agent, customer.workspaceId));
  expect((await askForSocket(agent, customer.workspaceId)).status).toBe(429);
  await openLivePage(await customer.member("agent"), customer.workspaceId);
  pages[0]?.socket.close();
  await vi.waitFor(async () => expect((await askForSocket(agent, customer.workspaceId)).status).toBe(101), {
    timeout: 5000,
  });
});

test("A workspace is registered as a listener of its log only while pages are open", { tags: "long" }, async () => {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  expect(await listeners(customer)).toEqual([]);
  const [one, two] = [await openLivePage(agent, customer.workspaceId), await openLivePage(agent, customer.workspaceId)];
  expect(await listeners(customer)).toHaveLength(1);
  one.socket.close();
  two.socket.close();
  await vi.waitFor(async () => expect(await listeners(customer)).toEqual([]), { timeout: 20_000, interval: 500 });
});
