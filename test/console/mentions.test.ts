import { expect, test } from "vitest";
import { at, listed, written } from "../support/inbox.ts";
import { costOf } from "../support/storage.ts";
import { type Answer, type Customer, World } from "../support/world.ts";
import type { Visitor } from "../support/visitor.ts";

const MENTIONED = "?mentioned=true";

const mentionsOn = ({ body }: Answer): string =>
  /class="mention-count">\s*@([^<]*)</.exec(String(body))?.[1]?.trim() ?? "";

async function start(world = new World()) {
  const customer = await world.customer();
  const [ada, ben] = [await customer.member("agent", "Ada"), await customer.member("agent", "Ben")];
  const id = await written(customer);
  await ada.get(at(customer, `/${id}`));
  return { customer, ada, ben, id };
}

const note = (customer: Customer, author: Visitor, id: string, body: string) =>
  author.post(at(customer, `/${id}/note`), { body });

test("A mention is counted and listed until the mentioned member opens the conversation, even if the conversation is done", async () => {
  const { customer, ada, ben, id } = await start();
  await written(customer, "Another", "Zoe Quist");
  await note(customer, ada, id, "@Ben can you help? @Ada");
  await note(customer, ada, id, "@ben please");
  await customer.call("PATCH", `/conversations/${id}`, { status: "done" });
  const contacts = `/console/${customer.workspaceId}/contacts`;
  expect(mentionsOn(await ben.get(contacts))).toBe("1");
  expect(mentionsOn(await ada.get(contacts))).toBe("");
  const list = await ben.get(at(customer, MENTIONED));
  expect(listed(list)).toEqual(["Bruno Lima"]);
  expect(listed(await ben.get(at(customer, `${MENTIONED}&search=zoe`)))).toEqual([]);
  expect(listed(await ada.get(at(customer, MENTIONED)))).toEqual([]);
  await ada.get(at(customer, `/${id}`));
  expect(mentionsOn(await ben.get(contacts))).toBe("1");
  const opened = await ben.get(at(customer, `/${id}`));
  expect(mentionsOn(opened)).toBe("");
  expect(costOf(opened)["trips"]).toBe(3);
  const empty = await ben.get(at(customer, MENTIONED));
  expect(listed(empty)).toEqual([]);
  expect(empty.body).toContain("No new mentions");
});

test("A mention stays with its conversation after two contacts are merged", async () => {
  const { customer, ada, ben, id } = await start();
  const other = await written(customer, "It is me again", "Bruno L.");
  for (const each of [id, other]) await note(customer, ada, each, "@Ben the same person?");
  const contactOf = async (each: string) =>
    (await customer.call("GET", `/conversations/${each}`)).body.conversation.contact.id;
  const [kept, from] = [await contactOf(id), await contactOf(other)];
  expect((await customer.call("POST", `/contacts/${kept}/merge`, { from })).status).toBe(200);
  await customer.world.settle();
  expect(mentionsOn(await ben.get(at(customer)))).toBe("1");
  await ben.get(at(customer, `/${id}`));
  expect(mentionsOn(await ben.get(at(customer)))).toBe("");
});

test("A note to another workspace's conversation mentions no member of either workspace", async () => {
  const world = new World();
  const [mine, theirs] = [await start(world), await start(world)];
  await note(mine.customer, mine.ada, theirs.id, "@Ben are you there?");
  expect(mentionsOn(await theirs.ben.get(at(theirs.customer)))).toBe("");
  expect(mentionsOn(await mine.ben.get(at(mine.customer)))).toBe("");
});
