import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { BuiltQuery } from "../../db/drizzle-internals.ts";
import { type FactsOf, haveFactsChanged, prepareFacts, type Reads } from "../../db/facts.ts";
import { isLate, type Late, lateJson } from "../../db/late.ts";
import { readOwnJson } from "../../db/rows.ts";
import { statement, type Statement, transact } from "../../db/statement.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import type { NewEvent } from "../events/events.changes.ts";
import { insertEvents, insertOutboxEvents } from "../events/insert-events.ts";
import { currentAttempt, findReplay, insertLateReplay, selectReplay } from "../idempotency/idempotency.service.ts";
import { retryOnContention } from "./retry-on-contention.ts";

/**
 * Events and `answer` can contain SQL, which the database evaluates after the writes, for example to return a new
 * number.
 */
export interface Decision<Answer> {
  writes: readonly (BuiltQuery | SQL)[];
  events: readonly NewEvent[];
  answer: Late<Answer>;
  /** Runs after the commit, but not if the request was a repeat. */
  followUp?(): Promise<void>;
}

type MaybePromise<T> = T | Promise<T>;

interface Decider<R extends Reads, Answer> {
  /**
   * Select only the columns that the decision needs: if another request changes a selected value before the commit, the
   * decision runs again.
   */
  reads: R;
  /**
   * Must not have side effects, because it runs again if another request changes the rows before the commit. It can
   * read other data.
   */
  decide(facts: FactsOf<R>): MaybePromise<Decision<NoInfer<Answer>> | AppError>;
  /** True if the reads most likely return no rows. The first try then assumes this and commits without reading. */
  expectsNothing?: boolean;
  /**
   * The results of `reads` as text, if an earlier batch has already read them (see `prepareFacts`). The first try then
   * uses these results and commits without reading again.
   */
  earlierReads?: readonly string[] | undefined;
}

interface ReadTexts {
  facts: readonly string[];
  replay: readonly string[];
}

/**
 * If `shape` is null, no replay is stored. A change of the control database stores none, because only shards have
 * replays.
 */
export type Change<R extends Reads, Answer> = Decider<R, Answer> &
  ({ database?: "shard"; shape: z.ZodType<Answer> | null } | { database: "control"; shape?: null });

/** Takes at most two round trips, unless other requests change the same rows. After six tries, throws `unavailable`. */
export const decideAndCommit = <const R extends Reads, Answer>(ctx: Ctx, change: Change<R, Answer>): Promise<Answer> =>
  commitChange(ctx, ctx, change);

/** For callers outside any workspace: uses the control database and logs no events. */
export const decideOutsideWorkspaces = <const R extends Reads, Answer>(
  base: BaseCtx,
  decider: Decider<R, Answer>,
): Promise<Answer> => commitChange(base, null, { ...decider, database: "control" });

const answerRow = z.object({ answer: z.string() });

/** Must run after all writes, because its SQL can read the written rows. */
const selectLateAnswer = (answer: unknown): Statement<z.infer<typeof answerRow>> =>
  statement(answerRow, sql`SELECT ${lateJson(answer)} AS answer`);

async function commitChange<R extends Reads, Answer>(
  base: BaseCtx,
  ctx: Ctx | null,
  { shape = null, reads, decide, expectsNothing = false, earlierReads, database = "shard" }: Change<R, Answer>,
): Promise<Answer> {
  const isShard = database === "shard";
  const db = ctx !== null && isShard ? ctx.db : base.control;
  const attempt = ctx !== null && isShard && shape !== null ? currentAttempt(ctx) : null;
  const facts = prepareFacts(reads, db.checksRows);
  const replays = ctx === null || attempt === null ? undefined : selectReplay(ctx);
  const replayFacts = prepareFacts({ replays }, db.checksRows);

  const read = async (): Promise<ReadTexts> => {
    const rows = await transact(db, { facts: facts.queries, replay: replayFacts.queries });
    return { facts: rows.facts.map((row) => row.rows), replay: rows.replay.map((row) => row.rows) };
  };

  const commit = async (texts: ReadTexts, { writes, events, answer }: Decision<Answer>): Promise<Answer> => {
    const needsDatabase = writes.length > 0 || events.length > 0 || attempt !== null || isLate(answer);
    if (!needsDatabase) return readOwnJson(shape, JSON.stringify(answer), db.checksRows);
    const { late } = await transact(db, {
      guard: [...facts.guard(texts.facts), ...replayFacts.guard(texts.replay)],
      writes,
      events: ctx === null || events.length === 0 ? [] : [(isShard ? insertEvents : insertOutboxEvents)(ctx, events)],
      replay: ctx === null || attempt === null ? [] : [insertLateReplay(ctx, attempt, answer)],
      late: isLate(answer) ? [selectLateAnswer(answer)] : [],
    });
    return readOwnJson(shape, late[0]?.answer ?? JSON.stringify(answer), db.checksRows);
  };

  const decideFrom = async (texts: ReadTexts): Promise<{ answer: Answer } | AppError> => {
    const replay =
      ctx === null || shape === null ? null : findReplay(ctx, replayFacts.rowsOf(texts.replay).replays, shape);
    if (replay !== null) return { answer: replay };
    const decision = await decide(facts.rowsOf(texts.facts));
    if (decision instanceof AppError) return decision;
    const answer = await commit(texts, decision);
    await decision.followUp?.();
    return { answer };
  };

  const expected = earlierReads ?? (expectsNothing ? facts.noRows : undefined);
  if (expected !== undefined) {
    const first = await decideFrom({ facts: expected, replay: replayFacts.noRows }).catch((error: unknown) => {
      if (haveFactsChanged(error)) return null;
      throw error;
    });
    // This try has assumed which rows exist. An error can come from a wrong assumption, so we read the rows and decide
    // again.
    if (first !== null && !(first instanceof AppError)) return first.answer;
  }
  const message = "Too many requests are changing this record. Try again in a moment.";
  const done = await retryOnContention(base, { message, isRepeatable: haveFactsChanged }, async () =>
    decideFrom(await read()),
  );
  if (done instanceof AppError) throw done;
  return done.answer;
}
