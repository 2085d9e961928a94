import { expect, test } from "vitest";
import { at, written } from "../support/inbox.ts";
import { recordedWorld } from "../support/recording.ts";
import type { Answer } from "../support/world.ts";

const countOn = ({ body }: Answer): string | undefined =>
  /id="unread"[^>]*data-count="([^"]*)"/.exec(String(body))?.[1];

test("Every page counts the unread conversations in one query that reads only their index", async () => {
  const { world, recording } = recordedWorld();
  const customer = await world.customer();
  const agent = await customer.member("agent");
  const contacts = `/console/${customer.workspaceId}/contacts`;
  expect(countOn(await agent.get(contacts))).toBe("");
  const [first] = [await written(customer), await written(customer, "Hello?", "Zoe Quist")];
  recording.take();
  expect(countOn(await agent.get(contacts))).toBe("2");
  const counts = recording.take().filter(({ sql }) => sql.includes("conversations_unread"));
  expect(counts.map(({ rowsRead, rowsWritten }) => [rowsRead, rowsWritten])).toEqual([[2, 0]]);
  expect(countOn(await agent.get(at(customer, `/${first}`)))).toBe("1"); // This request marked the conversation as read.
  await agent.post(at(customer, `/${first}/change`), { status: "done" });
  expect(countOn(await agent.get(at(customer, "/unread")))).toBe("1");
});
