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

/** `result` is null where the effects found nothing to do; then nothing is recorded and the key stays free. */
export interface OnceAnswer<R> {
  result: R | null;
  replayed: boolean;
}

/** The owner of a request's Idempotency-Key: software's API key, or a member in the console. */
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

/** The same for all repeats of a request; null without an Idempotency-Key. */
export function requestKey(ctx: Ctx): string | null {
  const owner = keyOwner(ctx);
  return ctx.once === null || owner === null ? null : `${owner} ${ctx.once.fingerprint} ${ctx.once.key}`;
}

function assertSameRequest({ once }: Attempt, record: IdempotencyRecord): void {
  if (record.fingerprint === once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

/** The record of the request, for a batch that reads before it decides; `findReplay` reads it. */
export const selectIdempotencyRecord = (ctx: Ctx): Statement<IdempotencyRecord> =>
  selectRecord(ctx, currentAttempt(ctx));

/** Begins a batch whose effects have no guard: it fails where the Idempotency-Key has got an answer since it was looked at. */
export const noAnswerPrecondition = (ctx: Ctx): SQL[] => expectNoAnswer(ctx, currentAttempt(ctx));

/** The answer that the request was given before, or null. Throws `idempotency_key_reused`. */
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

/** Reads the input and acts on it. A repeat of a request gets its answer also where time has made the input one to refuse. */
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
 * The statements of `commitOnce` for a batch that holds others too. `read` turns their rows into the answer; it throws
 * `idempotency_key_reused`.
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
      // An earlier version may have stored what is replayed.
      const readResult = (text: string) =>
        replayed ? shape.parse(JSON.parse(text)) : readOwnJson(shape, text, ctx.db.checksRows);
      return { result: result === undefined ? null : readResult(result), replayed };
    },
  };
}

/**
 * Commits effects in one batch together with the record that answers a repeat of the request. `facts` are rows that explain why
 * there was no effect. Throws `idempotency_key_reused` when the key belongs to another request.
 */
export async function commitOnce<R, Fact = unknown>(
  ctx: Ctx,
  { facts, ...work }: OnceWork<R> & { facts?: Query<Fact> },
): Promise<OnceAnswer<R> & { facts: Fact[] }> {
  const { entries, read } = prepareOnce(ctx, work);
  const rows = await transact(ctx.db, { ...entries, facts: facts === undefined ? [] : [facts] });
  return { ...read(rows), facts: rows.facts };
}

/** Deletes the records that no request can be a repeat of any more. */
export const deleteOldIdempotencyRecords = (base: BaseCtx, shard: number): Promise<void> =>
  deleteRecordsBefore(base.shard(shard), oldestDayKept(base.now()));
