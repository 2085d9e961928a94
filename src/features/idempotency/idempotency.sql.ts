import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement, transact } from "../../db/statement.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import type { Ctx, Database, Once } from "../../shared/context.ts";
import { daysWithRepeats, REPEATABLE_MS, utcDay } from "./idempotency.days.ts";

/** A request that carries an Idempotency-Key. */
export interface Attempt {
  /** The API key or member that the Idempotency-Key belongs to. */
  owner: string;
  /** Distinguishes the record of this attempt from that of an earlier one. */
  operation: string;
  once: Once;
}

const recordRow = z.object({ fingerprint: z.string(), operation: z.string(), result: z.string() });
const resultRow = recordRow.pick({ result: true });

/** `result` is JSON whose shape is known once the fingerprint has been compared. */
export type IdempotencyRecord = z.infer<typeof recordRow>;

function isRecordOf(ctx: Ctx, { owner, once }: Attempt): SQL {
  const now = ctx.now();
  const days = sql.join(
    daysWithRepeats(now).map((day) => sql`${day}`),
    sql`, `,
  );
  return sql`day IN (${days}) AND actor = ${owner} AND key = ${once.key} AND created_at > ${now - REPEATABLE_MS}`;
}

/** True in SQL while the request has no answer on record. */
export const isUnanswered = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${isRecordOf(ctx, attempt)})`;

/** The record of the request, if there is one. */
export const selectRecord = (ctx: Ctx, attempt: Attempt | null): Statement<IdempotencyRecord> =>
  statement(
    recordRow,
    attempt === null
      ? sql`SELECT 1 WHERE FALSE`
      : sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${isRecordOf(ctx, attempt)}`,
  );

function insertRecord(ctx: Ctx, attempt: Attempt, result: SQL): SQL {
  const { owner, operation, once } = attempt;
  const now = ctx.now();
  return sql`
    INSERT INTO idempotency (day, actor, key, operation, fingerprint, result, created_at)
    SELECT ${utcDay(now)}, ${owner}, ${once.key}, ${operation}, ${once.fingerprint}, done.result, ${now}
    FROM (${result}) AS done WHERE ${isUnanswered(ctx, attempt)}
    ON CONFLICT (day, actor, key) DO NOTHING`;
}

/** Runs effects and the record of their answer as one transaction; gives the answer then on record, and the facts asked for. */
export async function runOnce<Fact>(
  ctx: Ctx,
  attempt: Attempt | null,
  { effects, result, facts }: { effects: SQL[]; result: SQL; facts: Statement<Fact> | undefined },
): Promise<{ record: IdempotencyRecord | undefined; result: string | undefined; facts: Fact[] }> {
  const rows = await transact(ctx.db, {
    effects,
    write: attempt === null ? [] : [insertRecord(ctx, attempt, result)],
    recorded: attempt === null ? [] : [selectRecord(ctx, attempt)],
    unrecorded: attempt === null ? [statement(resultRow, result)] : [],
    facts: facts === undefined ? [] : [facts],
  });
  const [record] = rows.recorded;
  return { record, result: (record ?? rows.unrecorded[0])?.result, facts: rows.facts };
}

/** Deletes the records of days before `day`. */
export const deleteRecordsBefore = (db: Database, day: number): Promise<void> =>
  deleteInChunks(db, { table: "idempotency", key: "day, actor, key", condition: sql`day < ${day}` });
