import { expect, test } from "vitest";
import { readEvents, readEventsAt, readEventsBefore } from "../../../src/features/event-feed/read-events.ts";
import { contextOf } from "../../support/context.ts";
import { customerWithEmptyLog, logEvents } from "../../support/fill-log.ts";
import { onShard } from "../../support/storage.ts";
import { phoneEnding, World } from "../../support/world.ts";

test("Reading the event log starts with the oldest stored event and continues after the last examined event", async () => {
  const ctx = await contextOf(await customerWithEmptyLog());
  expect(await readEvents(ctx, { after: 0, types: ["*"], limit: 1 })).toMatchObject({
    events: [],
    lastExamined: { sequence: 0 },
  });
  for (let batch = 0; batch < 3; batch++)
    await logEvents(
      ctx,
      ["tag.created", "tag.updated"].map((type) => ({ type, id: "tag_1" })),
    );
  await ctx.db.$client
    .prepare("DELETE FROM event_chunks WHERE first = 1 AND workspace_id = ?")
    .bind(ctx.workspace.id)
    .run();
  const page = await readEvents(ctx, { after: 0, types: ["tag.updated"], limit: 1 });
  expect(page).toMatchObject({ events: [{ sequence: 4 }], lastExamined: { sequence: 4 }, hasMore: true });
  const next = await readEvents(ctx, { after: 4, types: ["tag.updated"], limit: 1 });
  expect(next).toMatchObject({ events: [{ sequence: 6 }], lastExamined: { sequence: 6 }, hasMore: false });
  const { events: at } = await readEventsAt(ctx, [6, 1, 900, 3, 6, 5]);
  expect(at.map(({ sequence, type }) => [sequence, type])).toEqual([
    [3, "tag.created"],
    [5, "tag.created"],
    [6, "tag.updated"],
    [6, "tag.updated"],
  ]);
  expect(await readEventsAt(ctx, [])).toEqual({ events: [], left: [] });
});

test("The event about a skipped campaign message contains the message and the reason, although the API hides the message", async () => {
  const customer = await new World().customer();
  const { message_id: id } = (await customer.send(phoneEnding("1234"))).body;
  await onShard(
    customer,
    "UPDATE messages SET state = 7, campaign_id = 'cmp_1', error_code = 'duplicate' WHERE id = ?",
    id,
  );
  await logEvents(await contextOf(customer), [{ type: "message.failed", id }]);
  const [event] = (await customer.call("GET", "/events")).body.events;
  expect(event.data.message).toMatchObject({
    id,
    campaign_id: "cmp_1",
    delivery: "failed",
    error: { code: "duplicate" },
  });
  expect((await customer.call("GET", `/messages/${id}`)).status).toBe(404);
});

test(
  "A page of events has a maximum size but contains at least one event, and short pages omit no event",
  { tags: "long" },
  async () => {
    const customer = await customerWithEmptyLog();
    const ctx = await contextOf(customer);
    const changes = (size: number): Record<string, [unknown, unknown]> => ({ note: [null, "😀".repeat(size)] });
    // The sizes are 1.6, 1.6, 1.9, 0.4 and 1.9 MB.
    const sizes = [400_000, 400_000, 475_000, 100_000, 475_000];
    for (const size of sizes) await logEvents(ctx, [{ type: "contact.updated", id: "ct_1", changes: changes(size) }]);
    const pages: number[][] = [];
    for (let [after, hasMore] = ["", true]; hasMore && pages.length < 9;) {
      const { body } = await customer.call("GET", `/events?limit=100${after}`);
      pages.push(body.events.map(({ sequence }: { sequence: number }) => sequence));
      expect(body.next_after).toBe(body.events.at(-1).id);
      [after, hasMore] = [`&after=${body.next_after}`, body.has_more];
    }
    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
    const before = await readEventsBefore(ctx, { before: 6, types: ["*"], limit: 100 });
    expect([before.events.map(({ sequence }) => sequence), before.next]).toEqual([[5, 4], 4]);
    const { events, left } = await readEventsAt(ctx, [1, 2, 3, 4]);
    expect([events.map(({ sequence }) => sequence), left]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  },
);
