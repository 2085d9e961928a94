import { expect, it } from "vitest";
import { World } from "../support/world.ts";

it("An empty search text lists all contacts and conversations", async () => {
  const customer = await new World().customer();
  await customer.send("+14155550142");
  for (const list of ["contacts", "conversations"]) {
    const all = await customer.call("GET", `/${list}`);
    expect(all.body[list]).toHaveLength(1);
    for (const query of ["?search=", "?search=%20"])
      expect((await customer.call("GET", `/${list}${query}`)).body[list], query).toEqual(all.body[list]);
  }
});

it("A flag in a query accepts only true, false, 1 and 0", async () => {
  const customer = await new World().customer();
  await customer.receive("+14155550142", "Hello");
  const count = async (query: string) =>
    (await customer.call("GET", `/conversations?${query}`)).body.conversations.length;
  expect([await count("unread=1"), await count("unread=0"), await count("snoozed=1")]).toEqual([1, 1, 0]);
  const { status, body } = await customer.call("GET", "/conversations?unread=yes");
  expect([status, body.error.message]).toEqual([400, "`unread` must be one of 0, 1, true, false."]);
});
