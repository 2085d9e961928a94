import { beforeEach, expect, test } from "vitest";
import { finishedJob } from "../../support/bulk.ts";
import { stopClock } from "../../support/clock.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const tagNames = async (customer: Customer): Promise<string[]> =>
  (await customer.call("GET", "/tags")).body.tags.map(({ name }: Answer["body"]) => name).toSorted();

test("A tag keeps the first spelling of its name, whichever call creates it", async () => {
  const customer = await new World().customer();
  const add = (tags: string[]) => customer.call("POST", "/contacts", { phone: phoneEnding("1234"), tags });
  const { contact } = (await add(["One", "ONE", "one"])).body;
  await customer.call("PATCH", `/contacts/${contact.id}`, { tags: ["Two", { name: "TWO" }, "two"] });
  await customer.call("POST", "/contacts/batch", {
    contacts: ["Three", "THREE", "three"].map((tag) => ({
      phone: phoneEnding("1235"),
      tags: [tag, tag.toUpperCase()],
    })),
  });
  await finishedJob(customer, { ids: [contact.id], action: "add_tags", tags: ["Four", "FOUR", "four"] });
  expect(await tagNames(customer)).toEqual(["Four", "One", "Three", "Two"]);
  await add(["ONE"]);
  expect(await tagNames(customer)).toContain("One");
});
