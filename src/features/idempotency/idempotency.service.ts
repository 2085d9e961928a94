// Replays: stored responses, which repeats of a request with an Idempotency-Key return.
// Raw, because batches of hot paths combine these statements with the conditions of their effects, which the builder does not
// support.
import { lt, sql } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { failBatchUnless, failOnOtherRevision } from "../../db/guards.ts";
import { readOwnJson } from "../../db/rows.ts";
import { idempotency } from "../../db/schema/index.ts";
import { fetchRows, type Query, type SQL, statement, type Statement, transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx, Once } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { daysWithReplays, oldestDayKept, REPEATABLE_MS, utcDay } from "./idempotency.days.ts";

/** A request with an Idempotency-Key. */
export interface Attempt {
  /** The API key or member that owns the Idempotency-Key. */
  owner: string;
  /** Distinguishes this attempt's replay from an earlier attempt's. */
  operation: string;
  once: Once;
}

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

const replayRow = z.object({ fingerprint: z.string(), operation: z.string(), result: z.string() });
const resultRow = replayRow.pick({ result: true });

/** `result` is JSON. Its shape is known after the fingerprint is compared. */
export type StoredReplay = z.infer<typeof replayRow>;

function isReplayOf(ctx: Ctx, { owner, once }: Attempt): SQL {
  const now = ctx.now();
  const days = sql.join(
    daysWithReplays(now).map((day) => sql`${day}`),
    sql`, `,
  );
  return sql`day IN (${days}) AND actor = ${owner} AND key = ${once.key} AND created_at > ${now - REPEATABLE_MS}`;
}

const hasNoReplay = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${isReplayOf(ctx, attempt)})`;

/** True in SQL if this attempt stored the replay. */
const hasStoredReplay = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM idempotency WHERE ${isReplayOf(ctx, attempt)} AND operation = ${attempt.operation})`;

const selectReplayOf = (ctx: Ctx, attempt: Attempt | null): Statement<StoredReplay> =>
  statement(
    replayRow,
    attempt === null
      ? sql`SELECT 1 WHERE FALSE`
      : sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${isReplayOf(ctx, attempt)}`,
  );

/** For a batch that reads before the decision. `findReplay` reads the row. */
export const selectReplay = (ctx: Ctx): Statement<StoredReplay> => selectReplayOf(ctx, currentAttempt(ctx));

/** Begins a batch whose effects have no guard. Fails it if a concurrent request with the same Idempotency-Key stored a replay. */
export function failIfReplayExists(ctx: Ctx): SQL[] {
  const attempt = currentAttempt(ctx);
  return attempt === null ? [] : [failBatchUnless(hasNoReplay(ctx, attempt), "replay exists")];
}

function insertReplay(ctx: Ctx, attempt: Attempt, result: SQL): SQL {
  const { owner, operation, once } = attempt;
  const now = ctx.now();
  return sql`
    INSERT INTO idempotency (day, actor, key, operation, fingerprint, result, created_at)
    SELECT ${utcDay(now)}, ${owner}, ${once.key}, ${operation}, ${once.fingerprint}, done.result, ${now}
    FROM (${result}) AS done WHERE ${hasNoReplay(ctx, attempt)}
    ON CONFLICT (day, actor, key) DO NOTHING`;
}

function assertSameRequest({ once }: Attempt, replay: StoredReplay): void {
  if (replay.fingerprint === once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

/** Null unless the request is a repeat. Throws `idempotency_key_reused`. */
export function findReplay<R>(ctx: Ctx, [replay]: StoredReplay[], shape: z.ZodType<R>): R | null {
  const attempt = currentAttempt(ctx);
  if (replay === undefined || attempt === null) return null;
  assertSameRequest(attempt, replay);
  attempt.once.replayed = true;
  return shape.parse(JSON.parse(replay.result));
}

interface InputWork<Input, R, A> {
  shape: z.ZodType<R>;
  read: () => Input | Promise<Input>;
  act: (input: Input) => Promise<A>;
}

/** Reads the input and acts on it. A repeat returns its replay even if its input has become invalid. */
export async function actOnInput<Input, R, A>(ctx: Ctx, { shape, read, act }: InputWork<Input, R, A>): Promise<R | A> {
  let input: Input;
  try {
    input = await read();
  } catch (error) {
    if (!(error instanceof AppError) || currentAttempt(ctx) === null) throw error;
    const replay = findReplay(ctx, await fetchRows(ctx.db, selectReplay(ctx)), shape);
    if (replay === null) throw error;
    return replay;
  }
  return act(input);
}

interface OnceWork<R> {
  /** No statement may change anything unless `guard` is true. */
  effects: (guard: SQL) => SQL[];
  /** One row with a JSON column `result`, or no row without an effect. */
  result: SQL;
  /** The shape of `result`. */
  shape: z.ZodType<R>;
  /**
   * Reads `result` before the effects. With an Idempotency-Key, they run only if this attempt stored the replay; otherwise their own
   * conditions decide.
   */
  storesReplayFirst?: boolean;
  /** Selects the `revision` of the changed record. The batch fails unless the request expects it. */
  currentRevision?: SQL;
}

/** `result` is null if the effects had nothing to do. Then no replay is stored and the key stays free. */
interface OnceDone<R> {
  result: R | null;
  replayed: boolean;
}

interface OnceRows {
  replays: StoredReplay[];
  results: z.infer<typeof resultRow>[];
}

/** The statements of `commitOnce` for a larger batch. `read` reads the result from their rows and throws `idempotency_key_reused`. */
export function prepareOnce<R>(
  ctx: Ctx,
  { effects, result, shape, storesReplayFirst = false, currentRevision }: OnceWork<R>,
) {
  const attempt = currentAttempt(ctx);
  const isNew = hasNoReplay(ctx, attempt);
  const revisions = ctx.expectedRevisions;
  return {
    entries: {
      precondition:
        currentRevision === undefined || revisions === null
          ? []
          : [failOnOtherRevision(currentRevision, revisions, isNew)],
      effects: storesReplayFirst ? [] : effects(isNew),
      store: attempt === null ? [] : [insertReplay(ctx, attempt, result)],
      replays: attempt === null ? [] : [selectReplayOf(ctx, attempt)],
      results: attempt === null ? [statement(resultRow, result)] : [],
      effectsAfter: storesReplayFirst ? effects(hasStoredReplay(ctx, attempt)) : [],
    },
    read({ replays: [replay], results }: OnceRows): OnceDone<R> {
      if (attempt !== null && replay !== undefined) assertSameRequest(attempt, replay);
      const replayed = replay !== undefined && replay.operation !== attempt?.operation;
      if (ctx.once !== null) ctx.once.replayed = replayed;
      const text = (replay ?? results[0])?.result;
      if (text === undefined) return { result: null, replayed };
      // An earlier release may have stored the replay in another shape.
      const parsed = replayed ? shape.parse(JSON.parse(text)) : readOwnJson(shape, text, ctx.db.checksRows);
      return { result: parsed, replayed };
    },
  };
}

/**
 * Commits effects and the replay in one batch. `facts` are rows that explain a missing effect. Throws
 * `idempotency_key_reused`.
 */
export async function commitOnce<R, Fact = unknown>(
  ctx: Ctx,
  { facts, ...work }: OnceWork<R> & { facts?: Query<Fact> },
): Promise<OnceDone<R> & { facts: Fact[] }> {
  const { entries, read } = prepareOnce(ctx, work);
  const rows = await transact(ctx.db, { ...entries, facts: facts === undefined ? [] : [facts] });
  return { ...read(rows), facts: rows.facts };
}

export const deleteOldReplays = (base: BaseCtx, shard: number): Promise<void> =>
  deleteInChunks(base.shard(shard), idempotency, lt(idempotency.day, oldestDayKept(base.now())));
