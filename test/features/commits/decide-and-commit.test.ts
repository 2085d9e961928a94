import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import * as z from "zod";
import { haveFactsChanged, prepareFacts } from "../../../src/db/facts.ts";
import { tags } from "../../../src/db/schema/index.ts";
import { statement, transact } from "../../../src/db/statement.ts";
import { decideAndCommit } from "../../../src/features/commits/decide-and-commit.ts";
import type { Ctx } from "../../../src/shared/context.ts";
import { fromJson } from "../../../src/shared/text/json.ts";
import { contextOf } from "../../support/context.ts";
import { World } from "../../support/world.ts";

async function newTag() {
  const customer = await new World().customer();
  const { body } = await customer.call("POST", "/tags", { name: "a", color: "#000000" });
  const { id }: { id: string } = body.tag;
  const ctx: Ctx = { ...(await contextOf(customer)), wait: async () => undefined };
  return { customer, ctx, id };
}

const selectName = (ctx: Ctx, id: string) => ctx.db.select({ name: tags.name }).from(tags).where(eq(tags.id, id));
const rename = (ctx: Ctx, id: string, name: string) => ctx.db.update(tags).set({ name }).where(eq(tags.id, id));

test("If a row that a decision has read changes before the commit, the decision runs again with the new row", async () => {
  const { ctx, id } = await newTag();
  const seen: (string | undefined)[] = [];
  const changed = { ...ctx, db: ctx.db };
  const answer = await decideAndCommit(changed, {
    shape: z.string(),
    reads: { tags: selectName(ctx, id) },
    decide({ tags: [tag] }) {
      seen.push(tag?.name);
      // This concurrent write commits first, because D1 runs batches in the order of arrival.
      if (seen.length === 1) void rename(ctx, id, "b").run();
      return { writes: [rename(ctx, id, `${tag?.name}!`)], events: [], answer: `${tag?.name}!` };
    },
  });
  expect(seen).toEqual(["a", "b"]);
  expect(answer).toBe("b!");
  expect(await selectName(ctx, id)).toEqual([{ name: "b!" }]);
});

test("If other requests change the rows before each of six tries, a change returns 503 and writes nothing", async () => {
  const { ctx, id } = await newTag();
  let tries = 0;
  const change = decideAndCommit(ctx, {
    shape: z.null(),
    reads: { tags: selectName(ctx, id) },
    decide() {
      tries++;
      void rename(ctx, id, `other ${tries}`).run();
      return { writes: [rename(ctx, id, "mine")], events: [], answer: null };
    },
  });
  await expect(change).rejects.toMatchObject({ code: "unavailable" });
  expect(tries).toBe(6);
  expect(await selectName(ctx, id)).toEqual([{ name: "other 6" }]);
});

test("A response can contain values that the database computes, even if the request writes nothing", async () => {
  const { ctx, id } = await newTag();
  const answer = await decideAndCommit(ctx, {
    shape: z.object({ length: z.number() }),
    reads: { tags: selectName(ctx, id) },
    decide: () => ({ writes: [], events: [], answer: { length: sql<number>`length('abc')` } }),
  });
  expect(answer).toEqual({ length: 3 });
});

test("A database error is thrown at the first try, unless it means that a row that was read has changed", async () => {
  const { ctx, id } = await newTag();
  for (const failing of [
    ctx.db
      .insert(tags)
      .values({ workspaceId: ctx.workspace.id, number: 1, id, name: "", nameKey: "", color: "", createdAt: 0 }),
    sql`SELECT json('no JSON')`,
    sql`SELECT json_extract('{}', 'another path')`,
  ]) {
    let tries = 0;
    const change = decideAndCommit(ctx, {
      shape: z.null(),
      reads: { tags: selectName(ctx, id) },
      decide: () => (tries++, { writes: [failing], events: [], answer: null }),
    });
    await expect(change).rejects.toThrow(/UNIQUE|malformed JSON|bad JSON path/);
    expect(tries).toBe(1);
  }
});

test("A guard detects if a row that was read is added, removed or changed, and if a null becomes a value", async () => {
  const { ctx, id } = await newTag();
  const reads = {
    tags: ctx.db.select({ name: tags.name, deletedAt: tags.deletedAt }).from(tags).where(eq(tags.nameKey, "k")),
  };
  const add = (number: number) =>
    ctx.db.insert(tags).values({
      workspaceId: `${id} ${number}`,
      number,
      id: `${id}${number}`,
      name: "n",
      nameKey: "k",
      color: "",
      createdAt: 0,
    });
  const steps = [
    add(1),
    add(2),
    ctx.db
      .update(tags)
      .set({ deletedAt: 1 })
      .where(eq(tags.id, `${id}1`)),
    ctx.db
      .update(tags)
      .set({ name: "1" })
      .where(eq(tags.id, `${id}2`)),
    ctx.db.delete(tags).where(eq(tags.id, `${id}1`)),
  ];
  for (const step of steps) {
    const facts = prepareFacts(reads);
    const { texts } = await transact(ctx.db, { texts: facts.queries });
    const read = texts.map(({ rows }) => rows);
    await transact(ctx.db, { guard: facts.guard(read) });
    await step.run();
    const failure = await transact(ctx.db, { guard: facts.guard(read) }).catch((error: unknown) => error);
    expect(haveFactsChanged(failure)).toBe(true);
  }
});

test("A select that reads the same column under two names returns both values", async () => {
  const { ctx, id } = await newTag();
  const facts = prepareFacts({
    pairs: ctx.db
      .select({ mine: tags.name, length: sql<number>`length(${tags.name})`, same: tags.name, id: tags.id })
      .from(tags)
      .where(eq(tags.id, id)),
  });
  const { texts } = await transact(ctx.db, { texts: facts.queries });
  expect(facts.rowsOf(texts.map(({ rows }) => rows)).pairs).toEqual([{ mine: "a", length: 1, same: "a", id }]);
});

test("A decision can read rows with raw SQL: they are guarded like those of a select, and their JSON is parsed", async () => {
  const { ctx, id } = await newTag();
  const row = z.object({ name: z.string(), both: fromJson(z.array(z.string())) });
  const raw = statement(row, sql`SELECT json_array(id, name) AS both, name FROM tags WHERE id = ${id}`);
  const built = ctx.db
    .select({ both: sql<string>`json_array(id, name)` })
    .from(tags)
    .where(eq(tags.id, id));
  const facts = prepareFacts({ raw, built });
  const { texts } = await transact(ctx.db, { texts: facts.queries });
  const read = texts.map(({ rows }) => rows);
  expect(facts.rowsOf(read)).toEqual({
    raw: [{ name: "a", both: [id, "a"] }],
    built: [{ both: JSON.stringify([id, "a"]) }],
  });
  await transact(ctx.db, { guard: facts.guard(read), write: rename(ctx, id, "b") });
  const failure = await transact(ctx.db, { guard: facts.guard(read) }).catch((error: unknown) => error);
  expect(haveFactsChanged(failure)).toBe(true);
});
