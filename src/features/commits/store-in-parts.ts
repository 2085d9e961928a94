// Stores a long list in parts, each in its own transaction, so that other requests wait only for one part.
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { forPart, readStoredParts } from "../idempotency/idempotency.service.ts";
import { runInTurn } from "../scans/scans.service.ts";

export interface Part<Row> {
  rows: readonly Row[];
  /** The index of the first row. */
  first: number;
  /** True if the request has no other part. The part is then stored with the answer of the request. */
  isWhole: boolean;
}

interface PartedRequest<Row, Result> {
  rows: readonly Row[];
  /** Must be constant, because a repeat of an interrupted request must divide the rows in the same way. */
  rowsPerPart: number;
  /** Stores the rows and the replay of `ctx` in one transaction. */
  storePart(ctx: Ctx, part: Part<Row>): Promise<Result[]>;
  /** Returns the results of a stored replay of a part, or of the whole request. */
  readStored(replay: unknown): Result[];
  /** Called if the request fails after it has stored some rows. Returns all results, or throws. */
  onInterrupted(error: unknown, results: Result[]): Result[];
}

/** `stored` is the number of rows before the interruption. A repeat of the request stores only the rows after these. */
export const interruptedError = (error: unknown, stored: number, rows: string): unknown =>
  error instanceof AppError && error.code === "unavailable"
    ? new AppError(
        "unavailable",
        `The request was cancelled after ${stored} of ${rows}. Repeat the request to store the others.`,
        null,
        error.retryAfter,
      )
    : error;

/**
 * Stores the parts in order. Each transaction also stores the results of its part, so that a repeat of an interrupted
 * request stores only the remaining parts. If there are several parts, they take a turn. Throws the errors of
 * `runInTurn`.
 */
export async function storeInParts<Row, Result>(
  ctx: Ctx,
  { rows, rowsPerPart, storePart, readStored, onInterrupted }: PartedRequest<Row, Result>,
): Promise<Result[]> {
  if (rows.length <= rowsPerPart) return storePart(ctx, { rows, first: 0, isWhole: true });
  const starts = rows.flatMap((_, row) => (row % rowsPerPart === 0 ? [row] : []));
  const results = await readStoredParts(ctx, starts, readStored);
  let isReplayed = true;
  const storeRest = async () =>
    runInTurn(ctx, async (turn) => {
      while (results.length < rows.length) {
        const first = results.length;
        const part = { rows: rows.slice(first, first + rowsPerPart), first, isWhole: false };
        const partCtx = forPart(turn.ctx, first);
        turn.addRecords(part.rows.length);
        results.push(...(await storePart(partCtx, part)));
        isReplayed &&= partCtx.once?.replayed === true;
      }
    });
  try {
    if (results.length < rows.length) await storeRest();
  } catch (error) {
    if (results.length === 0) throw error;
    return onInterrupted(error, results);
  }
  if (ctx.once !== null) ctx.once.replayed = isReplayed;
  return results;
}
