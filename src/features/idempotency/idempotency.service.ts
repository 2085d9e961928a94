import type * as z from "zod";
import type { SQL, Statement } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { oldestDayKept } from "./idempotency.days.ts";
import {
  type Attempt,
  deleteRecordsBefore,
  type IdempotencyRecord,
  isUnanswered,
  runOnce,
  selectRecord,
} from "./idempotency.sql.ts";

export interface OnceWork<R, Fact = unknown> {
  /** Each statement must change nothing unless `guard` holds. */
  effects: (guard: SQL) => SQL[];
  /** One row with one JSON column `result`, only where the effect is there. */
  result: SQL;
  shape: z.ZodType<R>;
  /** Rows that explain why there was no effect. */
  facts?: Statement<Fact>;
}

/** The owner of a request's Idempotency-Key: software's API key, or a member in the console. */
function keyOwner({ actor }: Ctx): string | null {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : null;
}

function currentAttempt(ctx: Ctx): Attempt | null {
  const owner = keyOwner(ctx);
  if (ctx.once === null || owner === null) return null;
  return { owner, operation: ctx.newId("op"), once: ctx.once };
}

function refuseReuse({ once }: Attempt, record: IdempotencyRecord): void {
  if (record.fingerprint === once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

/** The record of the request, for a batch that reads before it decides; `findReplay` reads it. */
export const selectIdempotencyRecord = (ctx: Ctx): Statement<IdempotencyRecord> =>
  selectRecord(ctx, currentAttempt(ctx));

/** The answer that the request was given before, or null. Throws `idempotency_key_reused`. */
export function findReplay<R>(ctx: Ctx, [record]: IdempotencyRecord[], shape: z.ZodType<R>): R | null {
  const attempt = currentAttempt(ctx);
  if (record === undefined || attempt === null) return null;
  refuseReuse(attempt, record);
  attempt.once.replayed = true;
  return shape.parse(JSON.parse(record.result));
}

/**
 * Commits effects in one batch together with the record that answers a repeat of the request.
 * `result` is null where the effects found nothing to do; then nothing is recorded and the key stays free.
 * Throws `idempotency_key_reused` when the key belongs to another request.
 */
export async function commitOnce<R, Fact = unknown>(
  ctx: Ctx,
  { effects, result, shape, facts }: OnceWork<R, Fact>,
): Promise<{ result: R | null; replayed: boolean; facts: Fact[] }> {
  const attempt = currentAttempt(ctx);
  const done = await runOnce(ctx, attempt, { effects: effects(isUnanswered(ctx, attempt)), result, facts });
  if (attempt !== null && done.record !== undefined) refuseReuse(attempt, done.record);
  const replayed = done.record !== undefined && done.record.operation !== attempt?.operation;
  if (ctx.once !== null) ctx.once.replayed = replayed;
  return {
    result: done.result === undefined ? null : shape.parse(JSON.parse(done.result)),
    replayed,
    facts: done.facts,
  };
}

/** Deletes the records that no request can be a repeat of any more. */
export const deleteOldIdempotencyRecords = (base: BaseCtx, shard: number): Promise<void> =>
  deleteRecordsBefore(base.shard(shard), oldestDayKept(base.now()));
