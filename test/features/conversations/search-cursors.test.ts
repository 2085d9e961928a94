import { expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, phoneEnding, World } from "../../support/world.ts";

it("An earlier version accepts the cursor of a search for a common text, and continues after the last result", async () => {
  stopClock();
  const customer = await new World().customer();
  const people = Array.from({ length: 60 }, (_, n) => ({ email: `globex${n}@example.com`, company: "Globex" }));
  await customer.call("POST", "/contacts/batch", { contacts: people });
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    customer.world.advance(1000);
    ids.unshift((await customer.send(phoneEnding("1234"), "Hello from Globex")).body.conversation_id);
  }
  const list = async (query: string) => {
    const { conversations, next_cursor } = (await customer.call("GET", `/conversations?${query}`)).body;
    return { next_cursor, found: conversations.map(({ id }: Answer["body"]) => id) };
  };
  const first = await list("search=globex&limit=1");
  expect(first.found).toEqual(ids.slice(0, 1));
  // The cursor of an earlier version is a time and an id, as in lists without a search.
  const position: unknown = JSON.parse(atob(first.next_cursor));
  expect(position).toEqual([expect.any(Number), expect.stringMatching(/^cnv_[^~]+~$/)]);
  expect((await list(`cursor=${first.next_cursor}`)).found).toEqual(ids.slice(1));
  expect((await list(`search=globex&cursor=${first.next_cursor}`)).found).toEqual(ids.slice(1));
});
