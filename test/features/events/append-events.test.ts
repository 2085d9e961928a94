import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { transact } from "../../../src/db/statement.ts";
import {
  appendEvents,
  appendEventsOfWorkspaces,
  appendLongEvents,
  changedFields,
  event,
  eventsOf,
} from "../../../src/features/events/append-events.sql.ts";
import type { Ctx } from "../../../src/shared/context.ts";
import { contextOf } from "../../support/context.ts";
import { World } from "../../support/world.ts";

async function emptyLog(): Promise<Ctx> {
  const ctx = await contextOf(await new World().customer());
  return { ...ctx, workspace: { ...ctx.workspace, id: ctx.newId("ws") } };
}

const chunksOf = async (ctx: Ctx) =>
  (
    await ctx.db.$client
      .prepare(
        "SELECT first, count, actor_type, actor_id, body FROM event_chunks WHERE workspace_id = ? ORDER BY first",
      )
      .bind(ctx.workspace.id)
      .all<{ first: number; count: number; actor_type: string; actor_id: string | null; body: string }>()
  ).results.map(({ body, ...chunk }) => ({ ...chunk, events: JSON.parse(body) }));

test("Concurrent batches number their events without gaps, and each batch appends one row", async () => {
  const ctx = await emptyLog();
  const two = eventsOf([
    sql`SELECT ${event("tag.created", "tag_1", changedFields({ name: [sql`NULL`, sql`'VIP'`], color: [sql`1`, sql`1`] }))}`,
    sql`SELECT ${event("tag.deleted", "tag_2")}`,
  ]);
  await Promise.all(Array.from({ length: 20 }, () => transact(ctx.db, { append: appendEvents(ctx, two) })));
  const chunks = await chunksOf(ctx);
  expect(chunks.map(({ first }) => first)).toEqual(Array.from({ length: 20 }, (_, index) => 1 + 2 * index));
  expect(chunks[0]).toEqual({
    first: 1,
    count: 2,
    actor_type: "system",
    actor_id: null,
    events: [
      ["tag.created", "tag_1", { name: [null, "VIP"] }],
      ["tag.deleted", "tag_2", null],
    ],
  });
});

test("Events that are too long for one row fill several rows in order", async () => {
  const ctx = await emptyLog();
  const bytes = { a: 1, b: 500_000, c: 1, d: 500_000, e: 1, f: 300_000, g: 300_000 };
  const changes = changedFields({ name: [sql`NULL`, sql`hex(zeroblob(each.value / 2))`] });
  const events = sql`
    SELECT ${event("tag.created", sql`each.key`, changes)} FROM json_each(${JSON.stringify(bytes)}) each`;
  await transact(ctx.db, { append: appendLongEvents(ctx, events) });
  const chunks = await chunksOf(ctx);
  expect(chunks.flatMap(({ events: own }) => own.map(([, id]: [string, string]) => id)).join("")).toBe("abcdefg");
  const ends = chunks.map(({ first, count }) => first + count);
  expect(chunks.map(({ first }) => first)).toEqual([1, ...ends.slice(0, -1)]);
  expect([ends.at(-1), chunks.length > 4]).toEqual([8, true]);
});

test("A change that has no effect logs no event", async () => {
  const ctx = await emptyLog();
  await transact(ctx.db, { append: appendEvents(ctx, sql`SELECT ${event("tag.created", "tag_1")} WHERE FALSE`) });
  expect(await chunksOf(ctx)).toEqual([]);
});

test("A batch appends events to the log of each workspace, in separate rows for each actor", async () => {
  const [a, b] = [await emptyLog(), await emptyLog()];
  const row = (ctx: Ctx, actorId: string, id: string) =>
    sql`SELECT ${ctx.workspace.id} AS workspace_id, 'provider' AS actor_type, ${actorId} AS actor_id, ${event("message.read", id)}`;
  const events = eventsOf([
    row(a, "conn_1", "msg_1"),
    row(b, "conn_2", "msg_2"),
    row(a, "conn_3", "msg_3"),
    row(a, "conn_1", "msg_4"),
  ]);
  for (let times = 0; times < 2; times++) await transact(a.db, { append: appendEventsOfWorkspaces(events, 1) });
  const summary = (await chunksOf(a)).map(({ first, actor_id, events: [[, id]] }) => [first, actor_id, id]);
  expect(summary).toEqual([
    [1, "conn_1", "msg_1"],
    [3, "conn_3", "msg_3"],
    [4, "conn_1", "msg_1"],
    [6, "conn_3", "msg_3"],
  ]);
});

test("A committed batch of events wakes only the Durable Objects that are registered as listeners of the log", async () => {
  const ctx = await emptyLog();
  const woken: unknown[] = [];
  ctx.db.wake = (objects) => woken.push(...objects);
  const append = appendEvents(ctx, sql`SELECT ${event("tag.created", "tag_1")}`);
  await transact(ctx.db, { append });
  expect(woken).toEqual([]);
  await ctx.db.run(sql`INSERT INTO event_listeners (workspace_id, kind, id, until) VALUES
    (${ctx.workspace.id}, 'webhook', 'wh_1', ${ctx.now() + 60_000}), (${ctx.workspace.id}, 'feed', 'x', 0),
    ('another', 'webhook', 'wh_2', ${ctx.now() + 60_000})`);
  await transact(ctx.db, { append });
  expect(woken).toEqual([["webhook", "wh_1"]]);
  const reported = sql`
    SELECT ${ctx.workspace.id} AS workspace_id, 'system' AS actor_type, NULL AS actor_id, ${event("tag.created", "tag_1")}`;
  await transact(ctx.db, { append: appendEventsOfWorkspaces(reported, ctx.now()) });
  expect(woken).toEqual([
    ["webhook", "wh_1"],
    ["webhook", "wh_1"],
  ]);
});
