// Raw, because batches of hot paths combine these statements with the conditions of their effects, which the builder does not
// support.
import { lt, sql } from "drizzle-orm";
import * as z from "zod";
import { failOnOtherRevision } from "../../db/revisions.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { idempotency } from "../../db/schema/index.ts";
import type { Ctx, Database, Once } from "../../shared/context.ts";
import { daysWithRepeats, REPEATABLE_MS, utcDay } from "./idempotency.days.ts";

/** A request with an Idempotency-Key. */
export interface Attempt {
  /** The API key or member that owns the Idempotency-Key. */
  owner: string;
  /** Distinguishes this attempt's record from an earlier attempt's. */
  operation: string;
  once: Once;
}

const recordRow = z.object({ fingerprint: z.string(), operation: z.string(), result: z.string() });
const resultRow = recordRow.pick({ result: true });

/** `result` is JSON. Its shape is known after the fingerprint is compared. */
export type IdempotencyRecord = z.infer<typeof recordRow>;

function isRecordOf(ctx: Ctx, { owner, once }: Attempt): SQL {
  const now = ctx.now();
  const days = sql.join(
    daysWithRepeats(now).map((day) => sql`${day}`),
    sql`, `,
  );
  return sql`day IN (${days}) AND actor = ${owner} AND key = ${once.key} AND created_at > ${now - REPEATABLE_MS}`;
}

/** True in SQL if the request has no stored answer. */
const isUnanswered = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${isRecordOf(ctx, attempt)})`;

/** The request's record, if any. */
export const selectRecord = (ctx: Ctx, attempt: Attempt | null): Statement<IdempotencyRecord> =>
  statement(
    recordRow,
    attempt === null
      ? sql`SELECT 1 WHERE FALSE`
      : sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${isRecordOf(ctx, attempt)}`,
  );

/** Fails the batch if a request with this key has a stored answer. */
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

/** True in SQL if this attempt wrote the request's record. */
const isAnsweredBy = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM idempotency WHERE ${isRecordOf(ctx, attempt)} AND operation = ${attempt.operation})`;

export interface OnceStatements {
  /** No statement may change anything unless `guard` is true. */
  effects: (guard: SQL) => SQL[];
  /** One row with a JSON column `result`, or no row without an effect. */
  result: SQL;
  /**
   * Reads `result` before the effects. With an Idempotency-Key, they run only if this attempt wrote the record; otherwise their own
   * conditions decide.
   */
  isAnsweredFirst?: boolean;
  /** Selects the `revision` of the changed record. The batch fails unless the request expects it. */
  currentRevision?: SQL;
}

/** Fails a new request's batch if the request does not expect `currentRevision`. */
const expectRevision = (ctx: Ctx, attempt: Attempt | null, currentRevision: SQL): SQL[] =>
  ctx.expectedRevisions === null
    ? []
    : [failOnOtherRevision(currentRevision, ctx.expectedRevisions, isUnanswered(ctx, attempt))];

/** The statements that run the effects, store their answer and return the stored answer. */
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

/** The rows of `onceEntries`. */
export interface OnceRows {
  recorded: IdempotencyRecord[];
  unrecorded: z.infer<typeof resultRow>[];
}

/** Deletes the records of days before `day`. */
export const deleteRecordsBefore = (db: Database, day: number): Promise<void> =>
  deleteInChunks(db, idempotency, lt(idempotency.day, day));
