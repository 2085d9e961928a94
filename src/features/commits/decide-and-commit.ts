import type * as z from "zod";
import { type FactsOf, haveFactsChanged, prepareFacts, type Reads } from "../../db/facts.ts";
import { isLate, type Late } from "../../db/late.ts";
import { readOwnJson } from "../../db/rows.ts";
import { type BuiltQuery, type SQL, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import type { NewEvent } from "../events/events.changes.ts";
import { currentAttempt, findReplay } from "../idempotency/idempotency.service.ts";
import { insertAnswer, insertEvents, insertOutboxEvents, selectAnswer, selectLateAnswer } from "./commits.sql.ts";

/** With these and the random waits between them, ten writers of one record are nearly all served. */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 40;

/** Parts of events and answer may be SQL, which is computed after the writes. */
export interface Decision<Answer> {
  writes: readonly (BuiltQuery | SQL)[];
  events: readonly NewEvent[];
  answer: Late<Answer>;
}

export interface Change<R extends Reads, Answer> {
  /** The shape of the answer, which is stored for repeats of the request. */
  shape: z.ZodType<Answer>;
  /** The rows that the decision needs, with the columns that it needs: any change of them makes it anew. */
  reads: R;
  /** Pure, because it may run several times. */
  decide(facts: FactsOf<R>): Decision<Answer> | AppError;
  /** True if the reads most likely return no rows. The first try then commits without reading. */
  expectsNothing?: boolean;
  /** The texts of the reads, see `prepareFacts`, if they were read before. The first try then commits without reading, too. */
  known?: readonly string[] | undefined;
  /** Where reads and writes run. The control database stores no answers for repeats. */
  database?: "shard" | "control";
}

/** The texts of reads. */
interface Known {
  facts: readonly string[];
  record: readonly string[];
}

/**
 * Reads, decides and commits in at most two round trips. The commit is one transaction that fails if a row of the reads has changed;
 * then everything runs again. A repeat of the request gets the stored answer. Throws the error that `decide` returns, and
 * `unavailable` after six tries.
 */
export async function decideAndCommit<const R extends Reads, Answer>(
  ctx: Ctx,
  { shape, reads, decide, expectsNothing = false, known: knownFacts, database = "shard" }: Change<R, Answer>,
): Promise<Answer> {
  const isShard = database === "shard";
  const db = isShard ? ctx.db : ctx.control;
  const attempt = isShard ? currentAttempt(ctx) : null;
  const facts = prepareFacts(reads);
  const record = prepareFacts({ answers: attempt === null ? undefined : selectAnswer(ctx, attempt) });

  const read = async (): Promise<Known> => {
    const rows = await transact(db, { facts: facts.queries, record: record.queries });
    return { facts: rows.facts.map((row) => row.rows), record: rows.record.map((row) => row.rows) };
  };

  /** Null if a read has changed. */
  const commit = async (known: Known, { writes, events, answer }: Decision<Answer>) => {
    const needsDatabase = writes.length > 0 || events.length > 0 || attempt !== null || isLate(answer);
    if (!needsDatabase) return { answer: readOwnJson(shape, JSON.stringify(answer), db.checksRows) };
    try {
      const { late } = await transact(db, {
        guard: [...facts.guard(known.facts), ...record.guard(known.record)],
        writes,
        events: events.length === 0 ? [] : [isShard ? insertEvents(ctx, events) : insertOutboxEvents(ctx, events)],
        record: attempt === null ? [] : [insertAnswer(ctx, attempt, answer)],
        late: isLate(answer) ? [selectLateAnswer(answer)] : [],
      });
      const json = late[0]?.answer ?? JSON.stringify(answer);
      return { answer: readOwnJson(shape, json, db.checksRows) };
    } catch (error) {
      if (haveFactsChanged(error)) return null;
      throw error;
    }
  };

  const expected = knownFacts ?? (expectsNothing ? facts.noRows : undefined);
  let known: Known = expected === undefined ? await read() : { facts: expected, record: record.noRows };
  for (let tries = 1; ; tries++) {
    const replay = findReplay(ctx, record.rowsOf(known.record).answers, shape);
    if (replay !== null) return replay;
    const decision = decide(facts.rowsOf(known.facts));
    if (!(decision instanceof AppError)) {
      const committed = await commit(known, decision);
      if (committed !== null) return committed.answer;
    } else if (expected === undefined || tries > 1) throw decision;
    if (tries === MAX_TRIES) break;
    if (expected === undefined || tries > 1) await ctx.wait(ctx.random() * FIRST_WAIT_MS * 2 ** tries);
    known = await read();
  }
  throw new AppError("unavailable", "Too many requests are changing this record. Try again in a moment.");
}
