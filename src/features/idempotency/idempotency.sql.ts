// Raw, because batches of hot paths hold these statements with the conditions of their effects, which the builder has no place for.
import { lt, sql } from "drizzle-orm";
import * as z from "zod";
import { failOnOtherRevision } from "../../db/revisions.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { idempotency } from "../../db/schema/index.ts";
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
const isUnanswered = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${isRecordOf(ctx, attempt)})`;

/** The record of the request, if there is one. */
export const selectRecord = (ctx: Ctx, attempt: Attempt | null): Statement<IdempotencyRecord> =>
  statement(
    recordRow,
    attempt === null
      ? sql`SELECT 1 WHERE FALSE`
      : sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${isRecordOf(ctx, attempt)}`,
  );

/** Fails the batch where the request, or another with its key, has been answered meanwhile. */
export const expectNoAnswer = (ctx: Ctx, attempt: Attempt | null): SQL[] =>
  attempt === null ? [] : [sql`SELECT iif(${isUnanswered(ctx, attempt)}, 0, json('answered'))`];

function insertRecord(ctx: Ctx, attempt: Attempt, result: SQL): SQL {
  const { owner, operation, once } = attempt;
  const now = ctx.now();
  return sql`
    INSERT INTO idempotency (day, actor, key, operation, fingerprint, result, created_at)
    SELECT ${utcDay(now)}, ${owner}, ${once.key}, ${operation}, ${once.fingerprint}, done.result, ${now}
    FROM (${result}) AS done WHERE ${isUnanswered(ctx, attempt)}
    ON CONFLICT (day, actor, key) DO NOTHING`;
}

/** True in SQL where this attempt has made the record of the request. */
const isAnsweredBy = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM idempotency WHERE ${isRecordOf(ctx, attempt)} AND operation = ${attempt.operation})`;

export interface OnceStatements {
  /** Each statement must change nothing unless `guard` holds. */
  effects: (guard: SQL) => SQL[];
  /** One row with one JSON column `result`, only where the effect is there. */
  result: SQL;
  /**
   * `result` is read before the effects. With an Idempotency-Key they run only where this attempt made the record; without one
   * they have to check for themselves.
   */
  isAnsweredFirst?: boolean;
  /** Selects the `revision` of the record that is changed: the batch fails unless it is one that the request expects. */
  currentRevision?: SQL;
}

/** Fails a batch of a new request where `currentRevision`, as `OnceStatements` has it, gives another than the request expects. */
const expectRevision = (ctx: Ctx, attempt: Attempt | null, currentRevision: SQL): SQL[] =>
  ctx.expectedRevisions === null
    ? []
    : [failOnOtherRevision(currentRevision, ctx.expectedRevisions, isUnanswered(ctx, attempt))];

/** The statements that run effects and record their answer, and give the answer then on record. */
export function onceEntries(
  ctx: Ctx,
  attempt: Attempt | null,
  { effects, result, isAnsweredFirst = false, currentRevision }: OnceStatements,
) {
  const isNew = isUnanswered(ctx, attempt);
  return {
    precondition: currentRevision === undefined ? [] : expectRevision(ctx, attempt, currentRevision),
    effects: isAnsweredFirst ? [] : effects(isNew),
    write: attempt === null ? [] : [insertRecord(ctx, attempt, result)],
    recorded: attempt === null ? [] : [selectRecord(ctx, attempt)],
    unrecorded: attempt === null ? [statement(resultRow, result)] : [],
    effectsAfter: isAnsweredFirst ? effects(isAnsweredBy(ctx, attempt)) : [],
  };
}

/** The rows that `onceEntries` gives. */
export interface OnceRows {
  recorded: IdempotencyRecord[];
  unrecorded: z.infer<typeof resultRow>[];
}

/** Deletes the records of days before `day`. */
export const deleteRecordsBefore = (db: Database, day: number): Promise<void> =>
  deleteInChunks(db, idempotency, lt(idempotency.day, day));
