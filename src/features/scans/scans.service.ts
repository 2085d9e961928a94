import type * as z from "zod";
import { actorKey } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { AppError, askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { CachedAnswer, TurnRequest } from "./scans.turn-queue.ts";
import { MAX_SLICES, nextSliceSize, type ReadCost, restAfter, type SliceSizes, workMs } from "./scans.slices.ts";

/** The maximum time that a request waits for its turn. A job can wait longer. */
const WAIT_MS = 10_000;
const JOB_WAIT_MS = MINUTE_MS;
const RETRY_SECONDS = 5;
const RENEW_MS = 1000;
/** The maximum time of a scan, because a request must end within 30 s. */
const SCAN_MS = 20_000;

type Turns = ReturnType<Env["SCAN_TURNS"]["getByName"]>;

async function callTurns<T>(ctx: Ctx, call: (turns: Turns) => Promise<T>): Promise<T> {
  try {
    return await askObject(() => call(ctx.scanTurns.getByName(ctx.workspace.id)));
  } catch (error) {
    log.error("scan_turns_unreachable", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, error });
    throw new AppError("unavailable", "Counts and searches are busy. Try again shortly.", null, 1);
  }
}

/** The turn of one request to read a large part of a workspace, in short statements. */
export class ScanTurn {
  reads = 0;
  private last = { worked: 0, startedAt: 0 };
  private renewedAt: number;

  constructor(
    readonly ctx: Ctx,
    private readonly id: string,
  ) {
    this.renewedAt = ctx.now();
  }

  async read<T extends ReadCost>(work: () => Promise<T>): Promise<T> {
    await this.rest();
    await this.renew();
    const startedAt = this.ctx.now();
    const result = await work();
    this.last = { worked: workMs(result), startedAt };
    this.reads++;
    return result;
  }

  async rest(): Promise<void> {
    const ms = restAfter(this.last.worked, this.ctx.now() - this.last.startedAt);
    if (ms > 0) await this.ctx.wait(ms);
  }

  private async renew(): Promise<void> {
    if (this.ctx.now() - this.renewedAt < RENEW_MS) return;
    this.renewedAt = this.ctx.now();
    if (await callTurns(this.ctx, async (turns) => turns.renew(this.id))) return;
    throw new AppError(
      "unavailable",
      "The operation took too long and was cancelled. Try again shortly.",
      null,
      RETRY_SECONDS,
    );
  }
}

export interface Question<T> {
  key: unknown;
  shape: z.ZodType<T>;
  /**
   * Answers that took at least this many reads are cached. Cheaper answers are always computed again, so they are never
   * outdated.
   */
  keptFrom?: number;
}

async function runTurn<T>(
  ctx: Ctx,
  question: { id: string; shape: z.ZodType<T>; keptFrom: number } | null,
  work: (turn: ScanTurn) => Promise<T>,
): Promise<T> {
  const waitMs = ctx.actor.type === "system" ? JOB_WAIT_MS : WAIT_MS;
  const request = { id: ctx.newId("turn"), owner: actorKey(ctx.actor), waitMs, question: question?.id ?? null };
  const decision = await callTurns(ctx, async (turns) => turns.take(request satisfies TurnRequest));
  if (decision.outcome === "busy") {
    const message = "Other counts and searches of this workspace are still running. Try again in a few seconds.";
    throw new AppError("rate_limited", message, null, RETRY_SECONDS);
  }
  if (decision.outcome === "answered" && question !== null) return question.shape.parse(JSON.parse(decision.answer));
  const turn = new ScanTurn(ctx, request.id);
  let answered: CachedAnswer | null = null;
  try {
    const answer = await work(turn);
    if (question !== null && turn.reads >= question.keptFrom)
      answered = { question: question.id, answer: JSON.stringify(answer) };
    return answer;
  } finally {
    // The caller does not wait for the end of the turn. A turn that is not ended expires.
    ctx.waitUntil(turn.rest().then(() => callTurns(ctx, async (turns) => turns.end(request.id, answered))));
  }
}

/**
 * Runs `work` when no other such work of the workspace is running. Throws `rate_limited` if the others take too long.
 */
export const runInTurn = <T>(ctx: Ctx, work: (turn: ScanTurn) => Promise<T>): Promise<T> => runTurn(ctx, null, work);

/** Computes an answer in a turn. Requests with the same question within seconds share the answer. */
export async function answerInTurn<T>(
  ctx: Ctx,
  { key, shape, keptFrom = 2 }: Question<T>,
  work: (turn: ScanTurn) => Promise<T>,
): Promise<T> {
  return runTurn(ctx, { id: await sha256Hex(JSON.stringify(key)), shape, keptFrom }, work);
}

interface Slice extends ReadCost {
  end: number;
  /** The part of `sqlMs` that a smaller slice would save. Default: all of `sqlMs`. */
  sliceMs?: number;
}

/** Reads a range in slices. `reached` is before the end if the scan would take too long. */
export async function scanSlices(
  turn: ScanTurn,
  { from, sizes }: { from: number; sizes: SliceSizes },
  readSlice: (from: number, to: number) => Promise<Slice>,
): Promise<{ reached: number; isComplete: boolean }> {
  const startedAt = turn.ctx.now();
  let [at, size] = [from, sizes.first];
  for (let slices = 1; ; slices++) {
    const { end, sqlMs, sliceMs = sqlMs } = await turn.read(() => readSlice(at, at + size));
    at += size;
    if (at >= end) return { reached: end, isComplete: true };
    if (turn.ctx.now() - startedAt > SCAN_MS) return { reached: at, isComplete: false };
    size = nextSliceSize({ size, sqlMs: sliceMs }, { left: end - at, slicesLeft: MAX_SLICES - slices }, sizes);
  }
}

/** Like `scanSlices`, but throws `unavailable` if the scan would take too long. */
export async function scanAll(...scan: Parameters<typeof scanSlices>): Promise<void> {
  const { isComplete } = await scanSlices(...scan);
  if (isComplete) return;
  throw new AppError("unavailable", "Storage is too busy to count this many contacts. Try again later.", null, 30);
}
