import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement, transact } from "../../db/statement.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import type { Ctx, Database, Once } from "../../shared/context.ts";
import { dayOf, daysOfRepeats, REPEATABLE_MS } from "./idempotency.days.ts";

export interface Attempt {
  actor: string;
  operation: string;
  once: Once;
}

export const recordRow = z.object({ fingerprint: z.string(), operation: z.string(), result: z.string() });
const resultRow = z.object({ result: z.string() });

function live(ctx: Ctx, { actor, once }: Attempt): SQL {
  const now = ctx.now();
  const days = sql.join(
    daysOfRepeats(now).map((day) => sql`${day}`),
    sql`, `,
  );
  return sql`day IN (${days}) AND actor = ${actor} AND key = ${once.key} AND created_at > ${now - REPEATABLE_MS}`;
}

/** True in SQL while the request has no answer on record. */
export const unanswered = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${live(ctx, attempt)})`;

const answered = (ctx: Ctx, attempt: Attempt): SQL =>
  sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${live(ctx, attempt)}`;

/** The record of the request, if there is one; for a batch that reads before it decides. */
export const recordQuery = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`SELECT 1 WHERE FALSE` : answered(ctx, attempt);

export const parseRecord = (rows: unknown): z.infer<typeof recordRow> | undefined => z.array(recordRow).parse(rows)[0];

function record(ctx: Ctx, attempt: Attempt, result: SQL): SQL {
  const { actor, operation, once } = attempt;
  const now = ctx.now();
  return sql`
    INSERT INTO idempotency (day, actor, key, operation, fingerprint, result, created_at)
    SELECT ${dayOf(now)}, ${actor}, ${once.key}, ${operation}, ${once.fingerprint}, done.result, ${now}
    FROM (${result}) AS done WHERE ${unanswered(ctx, attempt)}
    ON CONFLICT (day, actor, key) DO NOTHING`;
}

/** Runs effects and the record of their answer as one transaction; gives what is then on record, and the facts asked for. */
export async function runOnce<Fact>(
  ctx: Ctx,
  attempt: Attempt | null,
  effects: SQL[],
  result: SQL,
  facts: Statement<Fact> | undefined,
) {
  const rows = await transact(ctx.db, {
    effects,
    record: attempt === null ? [] : [record(ctx, attempt, result)],
    recorded: attempt === null ? [] : [statement(recordRow, answered(ctx, attempt))],
    fresh: attempt === null ? [statement(resultRow, result)] : [],
    facts: facts === undefined ? [] : [facts],
  });
  return {
    record: rows.recorded[0],
    result: (rows.recorded[0] ?? rows.fresh[0])?.result,
    facts: rows.facts,
  };
}

/** Deletes the records of days before `day`. */
export const deleteRecordsBefore = (db: Database, day: number): Promise<void> =>
  deleteInChunks(db, { table: "idempotency", key: "day, actor, key", condition: sql`day < ${day}` });
