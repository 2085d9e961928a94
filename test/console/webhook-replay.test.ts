import { expect, test, vi } from "vitest";
import { textOf } from "../support/page-text.ts";
import { hookUp, objectIdsOf, startReceiving, tellOf } from "../support/receiver.ts";
import type { Answer } from "../support/world.ts";

test("A webhook page sends the events of a period again, and shows how many events it sends", async () => {
  const { world, customer, receiver } = await startReceiving();
  const admin = await customer.member("admin");
  const list = `/console/${customer.workspaceId}/settings/webhooks`;
  const follow = async ({ headers }: Answer) => admin.get(headers.get("Location") ?? "");
  const id = (await hookUp(customer, receiver)).id;
  const start = Date.now();
  for (const contact of ["ct_1", "ct_2", "ct_3"]) {
    vi.setSystemTime(start + 60_000 * Number(contact.at(-1)));
    await tellOf(customer, [contact]);
    await world.settle({ withinMs: 0 });
  }
  expect(receiver.events).toHaveLength(3);
  const minute = (n: number) => new Date(start + n * 60_000).toISOString().slice(0, 19);
  const replay = async (fields: Record<string, string>) => {
    const notice = textOf(await follow(await admin.post(`${list}/${id}/replay`, { only: "all", ...fields })));
    await world.settle({ withinMs: 0 });
    return notice;
  };
  expect(await replay({ from: minute(2) })).toContain("Sending matching events out of 2.");
  expect(objectIdsOf(receiver.events)).toEqual(["ct_1", "ct_2", "ct_3", "ct_2", "ct_3"]);
  expect(await replay({ from: minute(1.5), to: minute(3) })).toContain("Sending matching events out of 1.");
  expect(receiver.events.at(-1)?.object_id).toBe("ct_2");
  expect(await replay({ from: minute(4) })).toContain("No events in this period.");
  expect(await replay({ only: "failed" })).toContain("No failed deliveries in this period.");
  const refused = await admin.post(`${list}/${id}/replay`, { only: "all", from: minute(3), to: minute(1) });
  expect(textOf(refused)).toContain("Must be later than “From”.");
  expect(receiver.events).toHaveLength(6);
});
