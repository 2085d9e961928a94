import { expect, it } from "vitest";
import { readLog } from "../../support/read-log.ts";
import { faultyWorld } from "../../support/storage.ts";
import { type Customer, phoneEnding } from "../../support/world.ts";

async function start() {
  const { world, faults } = faultyWorld();
  const customer = await world.customer();
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) ids.push((await customer.send(phoneEnding("1234"), "platypus")).body.conversation_id);
  const before = (await readLog(customer)).length;
  const since = async () => (await readLog(customer)).slice(before).map(({ type, id }) => `${type} ${id}`);
  return { customer, faults, ids, since };
}

const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
const statusesOf = async (customer: Customer, ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await customer.call("GET", `/conversations/${id}`)).body.conversation.status));

it("A conversation search reports that storage is busy or fails, and returns the same results afterwards", async () => {
  const { customer, faults, ids } = await start();
  const find = () => customer.call("GET", "/conversations?search=platypus");
  for (const message of ["D1_ERROR: D1 DB is overloaded. Too many requests queued.", undefined]) {
    faults.next(/message_search/, "before", message);
    const busy = await find();
    expect([busy.status, busy.body.error.code]).toEqual([503, "unavailable"]);
  }
  faults.next(/message_search/, "before", "D1_ERROR: near 'secret': syntax error");
  const failed = await find();
  expect([failed.status, JSON.stringify(failed.body).includes("secret")]).toEqual([500, false]);
  expect((await find()).body.conversations).toHaveLength(ids.length);
  expect(faults.spent).toBe(true);
});

it("A bulk change of conversations that fails changes nothing and emits no event", async () => {
  const { customer, faults, ids, since } = await start();
  faults.next(/UPDATE conversations/, "before", "D1_ERROR: disk I/O error");
  const failed = await customer.call("POST", "/conversations/bulk", { ids, status: "done" }, once());
  expect(failed.status).toBe(500);
  expect(await statusesOf(customer, ids)).toEqual(["open", "open"]);
  expect(await since()).toEqual([]);
});

it.each([true, false])(
  "A bulk change of conversations is applied once if the response is lost and the request is repeated (Idempotency-Key: %s)",
  async (hasKey) => {
    const { customer, faults, ids, since } = await start();
    faults.next(/UPDATE conversations/, "after", "D1_ERROR: disk I/O error");
    const options = hasKey ? once() : {};
    const change = () => customer.call("POST", "/conversations/bulk", { ids, status: "done" }, options);
    expect((await change()).status).toBe(500);
    const expected = hasKey ? { updated: 2, unchanged: 0, failed: 0 } : { updated: 0, unchanged: 2, failed: 0 };
    for (let n = 0; n < 2; n++) expect((await change()).body.counts).toEqual(expected);
    expect(await statusesOf(customer, ids)).toEqual(["done", "done"]);
    expect((await since()).toSorted()).toEqual(ids.map((id) => `conversation.done ${id}`).toSorted());
  },
);

it("A note is added once if its response is lost and the request is repeated with its Idempotency-Key", async () => {
  const { customer, faults, ids } = await start();
  const options = once();
  const add = () => customer.call("POST", `/conversations/${ids[0]}/notes`, { body: "Call back" }, options);
  faults.next(/INSERT INTO notes/, "after", "D1_ERROR: disk I/O error");
  expect((await add()).status).toBe(500);
  expect((await add()).status).toBe(201);
  expect(faults.spent).toBe(true);
  const { messages } = (await customer.call("GET", `/conversations/${ids[0]}/messages?include=notes`)).body;
  expect(messages.filter(({ type }: { type: string }) => type === "note")).toHaveLength(1);
});
