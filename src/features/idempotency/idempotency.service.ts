import type * as z from "zod";
import { readOwnJson } from "../../db/rows.ts";
import { fetchRows, type Query, type SQL, type Statement, transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { oldestDayKept } from "./idempotency.days.ts";
import {
  type Attempt,
  deleteRecordsBefore,
  expectNoAnswer,
  type IdempotencyRecord,
  onceEntries,
  type OnceRows,
  type OnceStatements,
  selectRecord,
} from "./idempotency.sql.ts";

export interface OnceWork<R> extends OnceStatements {
  /** The shape of the answer. */
  shape: z.ZodType<R>;
}

/** `result` is null if the effects had nothing to do. Then no record is written and the key stays free. */
export interface OnceAnswer<R> {
  result: R | null;
  replayed: boolean;
}

/** The owner of a request's Idempotency-Key: an API key, or a console member. */
function keyOwner({ actor }: Ctx): string | null {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : null;
}

/** Null without an Idempotency-Key. */
export function currentAttempt(ctx: Ctx): Attempt | null {
  const owner = keyOwner(ctx);
  if (ctx.once === null || owner === null) return null;
  return { owner, operation: ctx.newId("op"), once: ctx.once };
}

/** Equal for all repeats of a request; null without an Idempotency-Key. */
export function requestKey(ctx: Ctx): string | null {
  const owner = keyOwner(ctx);
  return ctx.once === null || owner === null ? null : `${owner} ${ctx.once.fingerprint} ${ctx.once.key}`;
}

function assertSameRequest({ once }: Attempt, record: IdempotencyRecord): void {
  if (record.fingerprint === once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

/** The request's record, for a batch that reads before the decision. `findReplay` reads the row. */
export const selectIdempotencyRecord = (ctx: Ctx): Statement<IdempotencyRecord> =>
  selectRecord(ctx, currentAttempt(ctx));

/**
 * Begins a batch whose effects have no guard. The batch fails if a concurrent request with the same Idempotency-Key has stored an
 * answer.
 */
export const noAnswerPrecondition = (ctx: Ctx): SQL[] => expectNoAnswer(ctx, currentAttempt(ctx));

/** The stored answer of an earlier attempt, or null. Throws `idempotency_key_reused`. */
export function findReplay<R>(ctx: Ctx, [record]: IdempotencyRecord[], shape: z.ZodType<R>): R | null {
  const attempt = currentAttempt(ctx);
  if (record === undefined || attempt === null) return null;
  assertSameRequest(attempt, record);
  attempt.once.replayed = true;
  return shape.parse(JSON.parse(record.result));
}

interface InputWork<Input, R, A> {
  /** The shape of the answer. */
  shape: z.ZodType<R>;
  read: () => Input | Promise<Input>;
  act: (input: Input) => Promise<A>;
}

/** Reads the input and acts on it. A repeat returns the stored answer even if its input has become invalid. */
export async function actOnInput<Input, R, A>(ctx: Ctx, { shape, read, act }: InputWork<Input, R, A>): Promise<R | A> {
  let input: Input;
  try {
    input = await read();
  } catch (error) {
    if (!(error instanceof AppError) || currentAttempt(ctx) === null) throw error;
    const replay = findReplay(ctx, await fetchRows(ctx.db, selectIdempotencyRecord(ctx)), shape);
    if (replay === null) throw error;
    return replay;
  }
  return act(input);
}

/**
 * The statements of `commitOnce` for a larger batch. `read` returns the answer from their rows and throws `idempotency_key_reused`.
 */
export function prepareOnce<R>(ctx: Ctx, { shape, ...statements }: OnceWork<R>) {
  const attempt = currentAttempt(ctx);
  return {
    entries: onceEntries(ctx, attempt, statements),
    read({ recorded: [record], unrecorded }: OnceRows): OnceAnswer<R> {
      if (attempt !== null && record !== undefined) assertSameRequest(attempt, record);
      const replayed = record !== undefined && record.operation !== attempt?.operation;
      if (ctx.once !== null) ctx.once.replayed = replayed;
      const result = (record ?? unrecorded[0])?.result;
      // An earlier release may have stored the response in another shape.
      const readResult = (text: string) =>
        replayed ? shape.parse(JSON.parse(text)) : readOwnJson(shape, text, ctx.db.checksRows);
      return { result: result === undefined ? null : readResult(result), replayed };
    },
  };
}

/**
 * Commits effects and the record for repeats of the request in one batch. `facts` are rows that explain why there was no effect.
 * Throws `idempotency_key_reused` if the key belongs to another request.
 */
export async function commitOnce<R, Fact = unknown>(
  ctx: Ctx,
  { facts, ...work }: OnceWork<R> & { facts?: Query<Fact> },
): Promise<OnceAnswer<R> & { facts: Fact[] }> {
  const { entries, read } = prepareOnce(ctx, work);
  const rows = await transact(ctx.db, { ...entries, facts: facts === undefined ? [] : [facts] });
  return { ...read(rows), facts: rows.facts };
}

/** Deletes records that are too old for a repeat. */
export const deleteOldIdempotencyRecords = (base: BaseCtx, shard: number): Promise<void> =>
  deleteRecordsBefore(base.shard(shard), oldestDayKept(base.now()));
