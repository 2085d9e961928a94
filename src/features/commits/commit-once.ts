// One batch commits a request's writes and its replay, which is the stored answer for its Idempotency-Key. A guard in
// each statement makes sure that a repeated request changes nothing.
import type { SQL } from "drizzle-orm";
import * as z from "zod";
import { failOnOtherRevision } from "../../db/guards.ts";
import { readOwnJson } from "../../db/rows.ts";
import { fetchRows, type Query, statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import {
  assertSameRequest,
  currentAttempt,
  findReplay,
  hasNoReplay,
  hasStoredReplay,
  insertReplay,
  selectReplay,
  selectReplayOf,
  type StoredReplay,
} from "../idempotency/idempotency.service.ts";

interface InputWork<Input, R, A> {
  shape: z.ZodType<R>;
  read: () => Input | Promise<Input>;
  act: (input: Input) => Promise<A>;
}

/**
 * A repeated request gets its replay even if its input is not valid any more, for example because a tag was deleted.
 */
export async function readOrReplay<Input, R, A>(
  ctx: Ctx,
  { shape, read, act }: InputWork<Input, R, A>,
): Promise<R | A> {
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
  /** Every statement must contain `guard`, so that it changes nothing if the guard is false. */
  effects: (guard: SQL) => SQL[];
  /** Selects one row with a JSON column `result`, or no row if nothing changed. */
  result: SQL;
  shape: z.ZodType<R>;
  /**
   * True if the effects would change the rows that `result` reads. The batch then selects and stores `result` before
   * the effects run. With an Idempotency-Key, the effects run only if this attempt stored the replay.
   */
  storesReplayFirst?: boolean;
  /** Selects the record's revision. The batch fails if the request expects a different revision. */
  currentRevision?: SQL;
}

/**
 * `result` is null if nothing changed. No replay is then stored, so the client can use its Idempotency-Key for another
 * request.
 */
interface OnceDone<R> {
  result: R | null;
  replayed: boolean;
}

const resultRow = z.object({ result: z.string() });

interface OnceRows {
  replays: StoredReplay[];
  results: z.infer<typeof resultRow>[];
}

/**
 * For callers that run the statements of `commitOnce` in a larger batch. `read` converts the rows of `entries` to the
 * result, or throws `idempotency_key_reused`.
 */
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
      // A replay is always parsed with `shape`, because an earlier version can have stored it in a different shape.
      const parsed = replayed ? shape.parse(JSON.parse(text)) : readOwnJson(shape, text, ctx.db.checksRows);
      return { result: parsed, replayed };
    },
  };
}

/** `explains` selects rows that show the caller why nothing changed. */
export async function commitOnce<R, Fact = unknown>(
  ctx: Ctx,
  { explains, ...work }: OnceWork<R> & { explains?: Query<Fact> },
): Promise<OnceDone<R> & { explains: Fact[] }> {
  const { entries, read } = prepareOnce(ctx, work);
  const rows = await transact(ctx.db, { ...entries, explains: explains === undefined ? [] : [explains] });
  return { ...read(rows), explains: rows.explains };
}
