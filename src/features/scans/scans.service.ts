import type * as z from "zod";
import { actorKey } from "../../shared/access/actor.ts";
import { withRunBatch } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { AppError } from "../../shared/errors.ts";
import type { CachedAnswer, TurnRequest } from "./scans.turn-queue.ts";
import { callTurns, requireCaller, takeTurn, type TurnKind } from "./scans.turns.ts";
import { ReadShares, RecentWorkspaces } from "./scans.heavy-use.ts";
import {
  MAX_SLICES,
  nextSliceSize,
  presentingMs,
  restAfter,
  type SliceSizes,
  WORK_SHARE,
  WORK_SHARE_ALONE,
} from "./scans.slices.ts";

/** Who waits for a turn, and how long. */
export type TurnWait = Pick<TurnRequest, "owner" | "waitMs" | "maxWaiting">;

const WAIT_MS = 10_000;
const BULK_EDIT_WAIT_MS = MINUTE_MS;
/**
 * A job of a campaign waits briefly and then runs again later, because it occupies a consumer that other workspaces
 * need.
 */
export const CAMPAIGN_WAIT: TurnWait = { owner: "campaigns", waitMs: 2000, maxWaiting: 2 };
/** A waiting request asks again after this time, so that one whose isolate died loses its place. */
const ASK_MS = 1000;
const RETRY_SECONDS = 5;
const RENEW_MS = 1000;
/** A request must end within 30 s, so a scan stops after `SCAN_MS`, and a turn ends after `MAX_WORK_MS`. */
const SCAN_MS = 20_000;
const MAX_WORK_MS = 25_000;

const recentWorkspaces = new RecentWorkspaces();
const shares = new ReadShares();

/** Every request to this isolate calls this, so that a scan knows whether other workspaces are active. */
export const noteRequest = ({ workspace, now }: Ctx): void => recentWorkspaces.note(workspace.id, now());

const delaysOthers = ({ workspace, now }: Ctx): boolean => recentWorkspaces.hasOther(workspace.id, now());

/** Counts the work of a page towards the workspace's share. */
export const noteRead = (ctx: Ctx, work: { rowsRead: number; contacts: number }): void =>
  shares.note(ctx.workspace.id, { ...work, delaysOthers: delaysOthers(ctx) }, ctx.now());

/** True if the workspace has used its share, so that its next pages need a turn. */
export const needsTurn = ({ workspace, now }: Ctx): boolean => shares.isExceeded(workspace.id, now());

/**
 * The turn allows one request to do large work in short statements. Before each batch, `ctx.db` pauses so that
 * statements of other workspaces can run.
 */
export class ScanTurn {
  readonly ctx: Ctx;
  batches = 0;
  /** The time that the last batch took in the database. */
  lastSqlMs = 0;
  private worked = 0;
  private startedAt = 0;
  private readonly takenAt: number;
  /** The first batch always renews the turn, because the request must confirm that it still runs. */
  private renewedAt = -Infinity;

  constructor(
    ctx: Ctx,
    private readonly id: string,
    private readonly kind: TurnKind,
  ) {
    this.takenAt = ctx.now();
    const db = withRunBatch(ctx.db, (statements) => this.run(() => ctx.db.runBatch(statements)));
    this.ctx = { ...ctx, db };
  }

  /** Adds the time that the Worker needs for these records, if other workspaces' requests wait for this isolate. */
  addRecords(count: number): void {
    if (delaysOthers(this.ctx)) this.worked += presentingMs(count);
  }

  async rest(): Promise<void> {
    const share = delaysOthers(this.ctx) ? WORK_SHARE : WORK_SHARE_ALONE;
    const ms = restAfter(this.worked, this.ctx.now() - this.startedAt, share);
    this.worked = 0;
    if (ms > 0) await this.ctx.wait(ms);
  }

  private async run(runBatch: () => Promise<D1Result[]>): Promise<D1Result[]> {
    await this.rest();
    // A renewal would take the turn again.
    requireCaller(this.ctx);
    await this.renew();
    this.startedAt = this.ctx.now();
    const results = await runBatch();
    this.lastSqlMs = results.reduce((sum, { meta }) => sum + meta.duration, 0);
    this.worked += this.lastSqlMs;
    this.batches++;
    return results;
  }

  private async renew(): Promise<void> {
    if (this.ctx.now() - this.renewedAt < RENEW_MS) return;
    this.renewedAt = this.ctx.now();
    const isOver = this.renewedAt - this.takenAt > MAX_WORK_MS;
    if (!isOver && (await callTurns(this.ctx, this.kind, true, async (turns) => turns.renew(this.id)))) return;
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
   * Answers that took at least this many batches are cached. Cheaper answers are always computed again, so they are never
   * outdated.
   */
  keptFrom?: number;
}

const defaultWait = ({ actor }: Ctx): TurnWait => ({
  owner: actorKey(actor),
  waitMs: actor.type === "system" ? BULK_EDIT_WAIT_MS : WAIT_MS,
});

const BUSY: Record<TurnKind, string> = {
  messages: "Other batches of messages of this workspace are still running. Try again in a few seconds.",
  shared: "Other large operations of this workspace are still running. Try again in a few seconds.",
};

interface TurnOptions {
  kind?: TurnKind;
  wait?: TurnWait | undefined;
}

async function runTurn<T>(
  ctx: Ctx,
  { kind = "shared", wait = defaultWait(ctx) }: TurnOptions,
  question: { id: string; shape: z.ZodType<T>; keptFrom: number } | null,
  work: (turn: ScanTurn) => Promise<T>,
): Promise<T> {
  const request: TurnRequest = {
    ...wait,
    id: ctx.newId("turn"),
    question: question?.id ?? null,
    confirms: true,
    askMs: ASK_MS,
  };
  const end = async (answered: CachedAnswer | null) =>
    callTurns(ctx, kind, undefined, async (turns) => turns.end(request.id, answered));
  // The runtime cancels the request of a caller who has disconnected, and then does not run `finally`.
  const leave = () => ctx.waitUntil(end(null));
  ctx.signal?.addEventListener("abort", leave);
  try {
    const decision = await takeTurn(ctx, kind, request);
    if (decision.outcome === "busy") throw new AppError("rate_limited", BUSY[kind], null, RETRY_SECONDS);
    if (decision.outcome === "answered" && question !== null) return question.shape.parse(JSON.parse(decision.answer));
    const turn = new ScanTurn(ctx, request.id, kind);
    let answered: CachedAnswer | null = null;
    try {
      const answer = await work(turn);
      if (question !== null && turn.batches >= question.keptFrom)
        answered = { question: question.id, answer: JSON.stringify(answer) };
      return answer;
    } finally {
      // The caller does not wait for the end of the turn. A turn that is not ended expires.
      ctx.waitUntil(turn.rest().then(() => end(answered)));
    }
  } finally {
    ctx.signal?.removeEventListener("abort", leave);
  }
}

/** Waits until no other request of the workspace has a turn of this kind. Throws `rate_limited` if that takes too long. */
export const runInTurn = <T>(ctx: Ctx, work: (turn: ScanTurn) => Promise<T>, options: TurnOptions = {}): Promise<T> =>
  runTurn(ctx, options, null, work);

/** Runs `work` in the turn that the caller has, or in a new one. Throws the errors of `runInTurn`. */
export const inTurn = <T>(ctx: Ctx, current: ScanTurn | undefined, work: (turn: ScanTurn) => Promise<T>): Promise<T> =>
  current === undefined ? runInTurn(ctx, work) : work(current);

/** Computes an answer in a turn. Requests with the same question within seconds share the answer. */
export async function answerInTurn<T>(
  ctx: Ctx,
  { key, shape, keptFrom = 2 }: Question<T>,
  work: (turn: ScanTurn) => Promise<T>,
): Promise<T> {
  return runTurn(ctx, {}, { id: await sha256Hex(JSON.stringify(key)), shape, keptFrom }, work);
}

interface Slice {
  end: number;
  /** True if a smaller slice would not be faster. */
  isCheap?: boolean;
}

/** Reads a range in slices, with one batch per slice. Stops before the end if the scan takes longer than `SCAN_MS`. */
export async function scanSlices(
  turn: ScanTurn,
  { from, sizes }: { from: number; sizes: SliceSizes },
  readSlice: (from: number, to: number) => Promise<Slice>,
): Promise<{ reached: number; isComplete: boolean }> {
  const startedAt = turn.ctx.now();
  let [at, size] = [from, sizes.first];
  for (let slices = 1; ; slices++) {
    const { end, isCheap = false } = await readSlice(at, at + size);
    at += size;
    if (at >= end) return { reached: end, isComplete: true };
    if (turn.ctx.now() - startedAt > SCAN_MS) return { reached: at, isComplete: false };
    const sqlMs = isCheap ? 0 : turn.lastSqlMs;
    size = nextSliceSize({ size, sqlMs }, { left: end - at, slicesLeft: MAX_SLICES - slices }, sizes);
  }
}

/** Like `scanSlices`, but throws `unavailable` if the scan takes too long. */
export async function scanAll(...scan: Parameters<typeof scanSlices>): Promise<void> {
  const { isComplete } = await scanSlices(...scan);
  if (isComplete) return;
  throw new AppError("unavailable", "Storage is too busy to count this many contacts. Try again later.", null, 30);
}
