// Raw SQL, because large batches use these conditions inside their own raw statements.
import { lt, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { failBatchUnless } from "../../db/guards.ts";
import { isOneOf } from "../../db/idioms.ts";
import { lateJson } from "../../db/late.ts";
import { idempotency } from "../../db/schema/index.ts";
import { fetchRows, statement, type Statement, transact } from "../../db/statement.ts";
import { actorId } from "../../shared/access/actor.ts";
import type { BaseCtx, Ctx, Once } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { daysWithReplays, oldestDayKept, REPEATABLE_MS, utcDay } from "./idempotency.days.ts";

export interface Attempt {
  owner: string;
  /**
   * Identifies this attempt. If a replay exists after the batch, its `operation` shows whether this attempt or an
   * earlier one stored it.
   */
  operation: string;
  once: Once;
}

export function currentAttempt(ctx: Ctx): Attempt | null {
  const owner = actorId(ctx.actor);
  if (ctx.once === null || owner === null) return null;
  return { owner, operation: ctx.newId("op"), once: ctx.once };
}

/** An Idempotency-Key cannot contain a line break, so the key of a part never equals a key from a client. */
const partKey = (key: string, row: number): string => (row === 0 ? key : `${key}\n${row}`);

/**
 * A large request is stored in parts, each with its own replay. Returns the context for the part that starts at `row`.
 */
export const forPart = (ctx: Ctx, row: number): Ctx =>
  ctx.once === null ? ctx : { ...ctx, once: { ...ctx.once, key: partKey(ctx.once.key, row), replayed: false } };

/** Equal for all repeats of a request. Null without an Idempotency-Key. */
export function requestKey(ctx: Ctx): string | null {
  const owner = actorId(ctx.actor);
  return ctx.once === null || owner === null ? null : `${owner} ${ctx.once.fingerprint} ${ctx.once.key}`;
}

const replayRow = z.object({ fingerprint: z.string(), operation: z.string(), result: z.string() });

/** `result` is JSON of unknown shape. Use it only if `fingerprint` equals the fingerprint of the current request. */
export type StoredReplay = z.infer<typeof replayRow>;

function isReplayOf(ctx: Ctx, { owner, once }: Attempt): SQL {
  const now = ctx.now();
  const days = sql.join(
    daysWithReplays(now).map((day) => sql`${day}`),
    sql`, `,
  );
  return sql`day IN (${days}) AND actor = ${owner} AND key = ${once.key} AND created_at > ${now - REPEATABLE_MS}`;
}

export const hasNoReplay = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null ? sql`TRUE` : sql`NOT EXISTS (SELECT 1 FROM idempotency WHERE ${isReplayOf(ctx, attempt)})`;

export const hasStoredReplay = (ctx: Ctx, attempt: Attempt | null): SQL =>
  attempt === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM idempotency WHERE ${isReplayOf(ctx, attempt)} AND operation = ${attempt.operation})`;

export const selectReplayOf = (ctx: Ctx, attempt: Attempt | null): Statement<StoredReplay> =>
  statement(
    replayRow,
    attempt === null
      ? sql`SELECT 1 WHERE FALSE`
      : sql`SELECT fingerprint, operation, result FROM idempotency WHERE ${isReplayOf(ctx, attempt)}`,
  );

/** Add this statement to the batch that reads the records before the change, and pass its rows to `findReplay`. */
export const selectReplay = (ctx: Ctx): Statement<StoredReplay> => selectReplayOf(ctx, currentAttempt(ctx));

/**
 * Must be first in a batch whose writes do not check for a replay themselves. The batch then fails if a concurrent
 * request with the same key has stored a replay.
 */
export function failIfReplayExists(ctx: Ctx): SQL[] {
  const attempt = currentAttempt(ctx);
  return attempt === null ? [] : [failBatchUnless(hasNoReplay(ctx, attempt), "replay exists")];
}

export function insertReplay(ctx: Ctx, attempt: Attempt, result: SQL): SQL {
  const { owner, operation, once } = attempt;
  const now = ctx.now();
  return sql`
    INSERT INTO idempotency (day, actor, key, operation, fingerprint, result, created_at)
    SELECT ${utcDay(now)}, ${owner}, ${once.key}, ${operation}, ${once.fingerprint}, done.result, ${now}
    FROM (${result}) AS done WHERE ${hasNoReplay(ctx, attempt)}
    ON CONFLICT (day, actor, key) DO NOTHING`;
}

export function assertSameRequest({ once }: Attempt, replay: StoredReplay): void {
  if (replay.fingerprint === once.fingerprint) return;
  throw new AppError("idempotency_key_reused", "This Idempotency-Key was used for a different request. Use a new one.");
}

export function findReplay<R>(ctx: Ctx, [replay]: StoredReplay[], shape: z.ZodType<R>): R | null {
  const attempt = currentAttempt(ctx);
  if (replay === undefined || attempt === null) return null;
  assertSameRequest(attempt, replay);
  attempt.once.replayed = true;
  return shape.parse(JSON.parse(replay.result));
}

const partRow = replayRow.extend({ key: z.string(), created_at: z.number() });

type StoredPart = z.infer<typeof partRow>;

const daysWithParts = (ctx: Ctx): string => JSON.stringify([...daysWithReplays(ctx.now()), oldestDayKept(ctx.now())]);

/**
 * Selects all parts of the request, because an earlier version may have divided its rows differently. Keys from clients
 * have no control characters, so none is in this range. Sorts the newest replay of a key last, because the caller keeps
 * only the last replay of each key.
 */
const selectParts = (ctx: Ctx, { owner, once }: Attempt): Statement<StoredPart> =>
  statement(
    partRow,
    sql`
      SELECT key, fingerprint, operation, result, created_at FROM idempotency
      WHERE day IN (SELECT value FROM json_each(${daysWithParts(ctx)})) AND actor = ${owner}
        AND key >= ${once.key} AND key < ${`${once.key}\v`}
      ORDER BY created_at`,
  );

/** Ignores a part that another repeat has stored anew on the same day. The builder has no OR IGNORE. */
const renewParts = (ctx: Ctx, { owner }: Attempt, parts: StoredPart[]): SQL => sql`
  UPDATE OR IGNORE idempotency SET day = ${utcDay(ctx.now())}, created_at = ${ctx.now()}
  WHERE day IN (SELECT value FROM json_each(${daysWithParts(ctx)})) AND actor = ${owner}
    AND ${isOneOf(
      idempotency.key,
      parts.map(({ key }) => key),
    )}
    AND ${isOneOf(
      idempotency.operation,
      parts.map(({ operation }) => operation),
    )}`;

/**
 * If an earlier attempt stored the first parts of the request, returns their rows, up to the first part that is
 * missing. `count` is the number of rows of the request. The stored parts stay valid as long as the newest of them is
 * valid. If a part is missing, the stored parts become as new as the part that the request stores next, so that all
 * parts expire together. Throws if a valid part belongs to a different request.
 */
export async function readStoredParts<R>(ctx: Ctx, count: number, toRows: (result: unknown) => R[]): Promise<R[]> {
  const attempt = currentAttempt(ctx);
  if (attempt === null) return [];
  const validFrom = ctx.now() - REPEATABLE_MS;
  const found = await fetchRows(ctx.db, selectParts(ctx, attempt));
  for (const part of found) if (part.created_at > validFrom) assertSameRequest(attempt, part);
  const parts = new Map(found.map((part) => [part.key, part]));
  const rows: R[] = [];
  const kept: StoredPart[] = [];
  let newest = -Infinity;
  while (rows.length < count) {
    const part = parts.get(partKey(attempt.once.key, rows.length));
    if (part === undefined || part.fingerprint !== attempt.once.fingerprint) break;
    // A part that is older than its predecessor belongs to an earlier run of the request.
    if (part.created_at < newest) break;
    newest = part.created_at;
    kept.push(part);
    rows.push(...toRows(JSON.parse(part.result)));
  }
  if (newest <= validFrom) return [];
  if (rows.length < count) await transact(ctx.db, { renew: renewParts(ctx, attempt, kept) });
  return rows;
}

export const insertLateReplay = (ctx: Ctx, { owner, operation, once }: Attempt, answer: unknown) =>
  ctx.db.insert(idempotency).values({
    day: utcDay(ctx.now()),
    actor: owner,
    key: once.key,
    operation,
    fingerprint: once.fingerprint,
    result: lateJson(answer),
    createdAt: ctx.now(),
  });

export const deleteOldReplays = (base: BaseCtx, shard: number): Promise<void> =>
  deleteInChunks(base.shard(shard), idempotency, lt(idempotency.day, oldestDayKept(base.now())));
