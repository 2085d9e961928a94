// Stores a long list in parts, each in its own transaction, so that other requests wait only for one part.
import { withRunBatch } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError, isOutOfSubrequests } from "../../shared/errors.ts";
import { forPart, readStoredParts } from "../idempotency/idempotency.service.ts";
import { runInTurn, type ScanTurn } from "../scans/scans.service.ts";
import type { TurnKind } from "../scans/scans.turns.ts";

export interface Part<Row> {
  rows: readonly Row[];
  /** The index of the first row. */
  first: number;
  /** True if the request has no other part. The part is then stored with the answer of the request. */
  isWhole: boolean;
}

interface PartedRequest<Row, Result> {
  rows: readonly Row[];
  /** Can differ between versions, because a repeat of an interrupted request continues after the stored rows. */
  rowsPerPart: number;
  turns: TurnKind;
  /** Stores the rows and the replay of `ctx` in one transaction. */
  storePart(ctx: Ctx, part: Part<Row>): Promise<Result[]>;
  /** Returns the results of a stored replay of a part, or of the whole request. */
  readStored(replay: unknown): Result[];
  /** Called if the request fails after it has stored some rows. Returns all results, or throws. */
  onInterrupted(error: unknown, results: Result[]): Result[];
}

/**
 * `stored` is the number of rows before the interruption. With an Idempotency-Key, a repeat of the request stores only
 * the rows after these. Without a key, it would store all rows again.
 */
export function interruptedError({ once }: Ctx, error: unknown, stored: number, rows: string): unknown {
  if (!(error instanceof AppError) || error.code !== "unavailable") return error;
  const advice =
    once === null ? "Send only the others again." : "Repeat it with the same Idempotency-Key to store the others.";
  const message = `The request was cancelled after ${stored} of ${rows}. ${advice}`;
  return new AppError("unavailable", message, null, error.retryAfter);
}

/** D1 runs 1,000 statements per invocation. The others are for the request's key and for earlier parts. */
export const MAX_STATEMENTS = 950;

const outOfStatements = () =>
  new AppError("unavailable", "The request needed too many database queries. Try again shortly.", null, 1);

/** Rejects a transaction beyond `MAX_STATEMENTS` before it starts, so that the caller knows that it did not run. */
function withStatementLimit(ctx: Ctx): Ctx {
  let used = 0;
  const db = withRunBatch(ctx.db, async (statements) => {
    used += statements.length;
    if (used > MAX_STATEMENTS) throw outOfStatements();
    return ctx.db.runBatch(statements).catch((error: unknown) => {
      throw isOutOfSubrequests(error) ? outOfStatements() : error;
    });
  });
  return { ...ctx, db };
}

/**
 * Stores the parts in order. With an Idempotency-Key, each transaction also stores the results of its part, so that
 * a repeat of an interrupted request stores only the remaining parts. If there are several parts, they take a turn.
 * Throws the errors of `runInTurn`, and `unavailable` if the parts need more than `MAX_STATEMENTS`.
 */
export async function storeInParts<Row, Result>(
  ctx: Ctx,
  { rows, rowsPerPart, turns, storePart, readStored, onInterrupted }: PartedRequest<Row, Result>,
): Promise<Result[]> {
  const whole = rows.length <= rowsPerPart ? await storePart(ctx, { rows, first: 0, isWhole: true }) : null;
  // A version with smaller parts may have stored only the first rows.
  if (whole?.length === rows.length) return whole;
  const results = await readStoredParts(ctx, rows.length, readStored);
  let isReplayed = true;
  const storeRest = async (turn: ScanTurn) => {
    while (results.length < rows.length) {
      const first = results.length;
      const part = { rows: rows.slice(first, first + rowsPerPart), first, isWhole: false };
      const partCtx = forPart(turn.ctx, first);
      turn.addRecords(part.rows.length);
      results.push(...(await storePart(partCtx, part)));
      isReplayed &&= partCtx.once?.replayed === true;
    }
  };
  try {
    if (results.length < rows.length) await runInTurn(withStatementLimit(ctx), storeRest, { kind: turns });
  } catch (error) {
    if (results.length === 0) throw error;
    return onInterrupted(error, results);
  }
  if (ctx.once !== null) ctx.once.replayed = isReplayed;
  return results;
}
