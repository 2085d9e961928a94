import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { PASSWORD, Visitor } from "../support/visitor.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "log").mockReturnValue();
});

const separateWorld = () => {
  const databases = { DB: bindings.DB, CONTROL: bindings.SEPARATE_CONTROL };
  return new World(databases);
};

const countIn = (database: D1Database, table: string) =>
  database.prepare(`SELECT count(*) AS count FROM ${table}`).first<number>("count");

test("With a separate control database, workspaces, keys, connections and messages work, and shards contain no control rows", async () => {
  const world = separateWorld();
  const customers = [await world.createCustomer(), await world.createCustomer()];
  for (const customer of customers) {
    const sent = await customer.send(phoneEnding("1234"));
    expect(sent.status).toBe(202);
    await world.settle();
    expect(await customer.message(sent.body.message_id)).toMatchObject({ delivery: "read" });
    const messageId = await customer.receive(phoneEnding("1234"), "Hello?");
    expect(await customer.message(messageId)).toMatchObject({ from_contact: true });
    const revoked = await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    expect(revoked.status).toBe(200);
    expect((await customer.call("GET", "/me")).status).toBe(401);
  }
  await world.cron();
  await world.settle();

  expect((await world.manage("GET", "/workspaces")).body.workspaces).toHaveLength(2);
  const tables = ["workspaces", "api_keys", "connection_shards", "event_outbox"];
  for (const table of tables) {
    const counts = [bindings.DB, bindings.DB_SHARD_1].map((database) => countIn(database, table));
    expect(await Promise.all(counts), table).toEqual([0, 0]);
  }
  const shards = [bindings.DB, bindings.DB_SHARD_1].map((database) => countIn(database, "messages"));
  expect((await Promise.all(shards)).every((count) => Number(count) > 0)).toBe(true);
});

test("With a separate control database, members can accept invitations, sign in and use the console", async () => {
  const world = separateWorld();
  const customer = await world.createCustomer();
  const owner = await customer.invitedMember("owner");
  const visitor = new Visitor(world, owner.email);
  expect((await visitor.post("/console/sign-in", { email: owner.email, password: PASSWORD })).status).toBe(303);
  await customer.receive(phoneEnding("1234"), "Hello from the console test");
  const inbox = await visitor.get(`/console/${customer.workspaceId}/inbox`);
  expect(inbox.body).toContain("Hello from the console test");
  const members = await visitor.get(`/console/${customer.workspaceId}/settings/members`);
  expect(members.body).toContain(owner.email);
  const separate = ["users", "members", "sessions"].map((table) => countIn(bindings.SEPARATE_CONTROL, table));
  expect((await Promise.all(separate)).every((count) => Number(count) > 0)).toBe(true);
  const inShards = ["users", "members", "sessions"].map((table) => countIn(bindings.DB, table));
  expect(await Promise.all(inShards)).toEqual([0, 0, 0]);
});
