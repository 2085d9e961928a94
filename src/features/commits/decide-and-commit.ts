import type * as z from "zod";
import { type FactsOf, haveFactsChanged, prepareFacts, type Reads } from "../../db/facts.ts";
import { isLate, type Late } from "../../db/late.ts";
import { readOwnJson, unchecked } from "../../db/rows.ts";
import { type BuiltQuery, type SQL, transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import type { NewEvent } from "../events/events.changes.ts";
import { currentAttempt, findReplay } from "../idempotency/idempotency.service.ts";
import { selectRecord } from "../idempotency/idempotency.sql.ts";
import { insertAnswer, insertEvents, insertOutboxEvents, selectLateAnswer } from "./commits.sql.ts";

/** With this many tries and random delays between them, nearly all of ten writers of one record succeed. */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 40;

/** Parts of events and answer may be SQL, evaluated after the writes. */
export interface Decision<Answer> {
  writes: readonly (BuiltQuery | SQL)[];
  events: readonly NewEvent[];
  answer: Late<Answer>;
  /** Runs after the commit, but not for a repeat of the request. */
  followUp?(): Promise<void>;
}

type MaybePromise<T> = T | Promise<T>;

interface Decider<R extends Reads, Answer> {
  /** The rows and columns that the decision needs. If any of them changes, the decision is made again. */
  reads: R;
  /**
   * Must not have side effects, because it may run several times. Most are pure; one that needs more than one batch reads by
   * itself.
   */
  decide(facts: FactsOf<R>): MaybePromise<Decision<NoInfer<Answer>> | AppError>;
  /** True if the reads most likely return no rows. The first try then commits without reading. */
  expectsNothing?: boolean;
  /** The texts of the reads from before, see `prepareFacts`. The first try then commits without reading. */
  known?: readonly string[] | undefined;
}

/** The texts of reads. */
interface Known {
  facts: readonly string[];
  record: readonly string[];
}

/**
 * Reads and writes run in the shard, which stores the answer for repeats of the request unless its shape is null, or in the control
 * database, which stores none.
 */
export type Change<R extends Reads, Answer> = Decider<R, Answer> &
  ({ database?: "shard"; shape: z.ZodType<Answer> | null } | { database: "control"; shape?: null });

/**
 * Reads, decides and commits in at most two round trips. The commit is one transaction that fails if a row of the reads has
 * changed; then everything runs again. A repeat of the request returns the stored answer. Throws the error that `decide` returns,
 * and `unavailable` after six tries.
 */
export const decideAndCommit = <const R extends Reads, Answer>(ctx: Ctx, change: Change<R, Answer>): Promise<Answer> =>
  commitChange(ctx, ctx, change);

/** Like `decideAndCommit`, on the control database, for callers outside any workspace: they have no events. */
export const decideOutsideWorkspaces = <const R extends Reads, Answer>(
  base: BaseCtx,
  decider: Decider<R, Answer>,
): Promise<Answer> => commitChange(base, null, { ...decider, database: "control" });

async function commitChange<R extends Reads, Answer>(
  base: BaseCtx,
  ctx: Ctx | null,
  { shape = null, reads, decide, expectsNothing = false, known: knownFacts, database = "shard" }: Change<R, Answer>,
): Promise<Answer> {
  const isShard = database === "shard";
  const db = ctx !== null && isShard ? ctx.db : base.control;
  const attempt = ctx !== null && isShard && shape !== null ? currentAttempt(ctx) : null;
  const answerShape = shape ?? unchecked;
  const facts = prepareFacts(reads, db.checksRows);
  const answers = ctx === null || attempt === null ? undefined : selectRecord(ctx, attempt);
  const record = prepareFacts({ answers }, db.checksRows);

  const read = async (): Promise<Known> => {
    const rows = await transact(db, { facts: facts.queries, record: record.queries });
    return { facts: rows.facts.map((row) => row.rows), record: rows.record.map((row) => row.rows) };
  };

  /** Null if a read has changed. */
  const commit = async (known: Known, { writes, events, answer }: Decision<Answer>) => {
    const needsDatabase = writes.length > 0 || events.length > 0 || attempt !== null || isLate(answer);
    if (!needsDatabase) return { answer: readOwnJson(answerShape, JSON.stringify(answer), db.checksRows) };
    try {
      const { late } = await transact(db, {
        guard: [...facts.guard(known.facts), ...record.guard(known.record)],
        writes,
        events: ctx === null || events.length === 0 ? [] : [(isShard ? insertEvents : insertOutboxEvents)(ctx, events)],
        record: ctx === null || attempt === null ? [] : [insertAnswer(ctx, attempt, answer)],
        late: isLate(answer) ? [selectLateAnswer(answer)] : [],
      });
      const json = late[0]?.answer ?? JSON.stringify(answer);
      return { answer: readOwnJson(answerShape, json, db.checksRows) };
    } catch (error) {
      if (haveFactsChanged(error)) return null;
      throw error;
    }
  };

  const expected = knownFacts ?? (expectsNothing ? facts.noRows : undefined);
  let known: Known = expected === undefined ? await read() : { facts: expected, record: record.noRows };
  for (let tries = 1; ; tries++) {
    const replay = ctx === null ? null : findReplay(ctx, record.rowsOf(known.record).answers, answerShape);
    if (replay !== null) return replay;
    const decision = await decide(facts.rowsOf(known.facts));
    if (!(decision instanceof AppError)) {
      const committed = await commit(known, decision);
      if (committed !== null) {
        await decision.followUp?.();
        return committed.answer;
      }
    } else if (expected === undefined || tries > 1) throw decision;
    if (tries === MAX_TRIES) break;
    if (expected === undefined || tries > 1) await base.wait(base.random() * FIRST_WAIT_MS * 2 ** tries);
    known = await read();
  }
  throw new AppError("unavailable", "Too many requests are changing this record. Try again in a moment.");
}
