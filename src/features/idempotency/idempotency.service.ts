import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { oldestDayKept } from "./idempotency.days.ts";
import {
  type Attempt,
  deleteRecordsBefore,
  parseRecord,
  recordQuery,
  recordRow,
  runOnce,
  unanswered,
} from "./idempotency.sql.ts";

export interface Work<R, Fact = unknown> {
  /** Each statement must change nothing unless `guard` holds. */
  effects(guard: SQL): SQL[];
  /** One row with one JSON column `result`, only where the effect is there. */
  result: SQL;
  shape: z.ZodType<R>;
  /** Rows to explain from why there was no effect. */
  facts?: Statement<Fact>;
}

/** Whose keys these are: of software its API key's, of a person in the console their own. */
function holderOf({ actor }: Ctx): string | null {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : null;
}

function attemptOf(ctx: Ctx): Attempt | null {
  const holder = holderOf(ctx);
  if (ctx.once === null || holder === null) return null;
  return { actor: holder, operation: ctx.newId("op"), once: ctx.once };
}

function refuseReuse(attempt: Attempt, fingerprint: string): void {
  if (fingerprint === attempt.once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

/** What a batch that reads before it decides asks for, to give to `recall`. */
export const recallQuery = (ctx: Ctx): SQL => recordQuery(ctx, attemptOf(ctx));

type IdempotencyRecord = z.infer<typeof recordRow>;

/** The record of the request, for a batch that reads before it decides; to give to `findReplay`. */
export const selectIdempotencyRecord = (ctx: Ctx): Statement<IdempotencyRecord> =>
  statement(recordRow, recordQuery(ctx, attemptOf(ctx)));

/** The answer that the request was given before, or null. Throws `idempotency_key_reused`. */
export function findReplay<R>(ctx: Ctx, [record]: IdempotencyRecord[], shape: z.ZodType<R>): R | null {
  const attempt = attemptOf(ctx);
  if (record === undefined || attempt === null) return null;
  refuseReuse(attempt, record.fingerprint);
  attempt.once.replayed = true;
  return shape.parse(JSON.parse(record.result));
}

/** The answer that the request was given before, or null. Throws `idempotency_key_reused`. */
export function recall<R>(ctx: Ctx, rows: unknown, shape: z.ZodType<R>): R | null {
  const [record, attempt] = [parseRecord(rows), attemptOf(ctx)];
  if (record === undefined || attempt === null) return null;
  refuseReuse(attempt, record.fingerprint);
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
  work: Work<R, Fact>,
): Promise<{ result: R | null; replayed: boolean; facts: Fact[] }> {
  const attempt = attemptOf(ctx);
  const { record, result, facts } = await runOnce(
    ctx,
    attempt,
    work.effects(unanswered(ctx, attempt)),
    work.result,
    work.facts,
  );
  if (attempt !== null && record !== undefined) refuseReuse(attempt, record.fingerprint);
  const replayed = record !== undefined && record.operation !== attempt?.operation;
  if (ctx.once !== null) ctx.once.replayed = replayed;
  return { result: result === undefined ? null : work.shape.parse(JSON.parse(result)), replayed, facts };
}

/** Deletes the records that no request can be a repeat of any more. */
export const deleteOldRecords = (base: BaseCtx, shard: number): Promise<void> =>
  deleteRecordsBefore(base.shard(shard), oldestDayKept(base.now()));
