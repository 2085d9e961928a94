import * as z from "zod";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { jsonBytes } from "../../../shared/text/text.ts";
import { queueThreads } from "../deliver/queue-threads.ts";
import { type MessageAttempt, messageAttempt, planSettlements } from "./settle-messages.ts";

/** Waits between tries, in ms. A locked or restarting database usually recovers within seconds. */
const WAITS_MS = [500, 1500, 3000];
/** A queue accepts 128 KB for a message and its envelope, so we stay below this. */
const MAX_BYTES = 100_000;

/** Attempts that could not be stored in the database. `at` is the time when they ended, in ms since the epoch. */
export const queuedSettlement = z.object({ at: z.number(), attempted: z.array(messageAttempt) });

const shrinkToFit = (attempt: MessageAttempt): MessageAttempt =>
  attempt.sent === undefined || jsonBytes(attempt) <= MAX_BYTES
    ? attempt
    : { ...attempt, sent: { ...attempt.sent, templateForm: null } };

function splitForQueue(attempts: readonly MessageAttempt[]): MessageAttempt[][] {
  const parts: MessageAttempt[][] = [];
  let room = 0;
  for (const attempt of attempts.map(shrinkToFit)) {
    const bytes = jsonBytes(attempt) + 1;
    if (bytes > room) {
      parts.push([]);
      room = MAX_BYTES;
    }
    parts.at(-1)?.push(attempt);
    room -= bytes;
  }
  return parts;
}

/**
 * Sends attempts to the queue in parts. If the queue rejects a part, this throws, although other parts can already be
 * in the queue. This is harmless, because storing an outcome twice changes nothing.
 */
async function queueSettlement(
  ctx: Ctx,
  connectionId: string,
  attempts: readonly MessageAttempt[],
  at: number,
): Promise<void> {
  const { workspace } = ctx;
  await ctx.queues.events(
    splitForQueue(attempts).map((part) => ({ v: 1, workspace, connectionId, settlement: { at, attempted: part } })),
  );
}

interface Settling<T> {
  connectionId: string;
  attempted: readonly MessageAttempt[];
  /** Called again after it throws. The failed call can have committed, so another call must change nothing. */
  store: () => Promise<T>;
  until?: number;
}

/**
 * Calls `store` up to four times. If it always fails, sends the attempts to a queue, whose consumer stores the outcomes
 * later, and returns null. If the queue also fails, this throws, and the sweep later sets the messages to `unknown`.
 */
export async function settleOrQueue<T>(
  ctx: Ctx,
  { connectionId, attempted: attempts, store, until = Infinity }: Settling<T>,
): Promise<{ stored: T } | null> {
  const at = ctx.now();
  for (const waitMs of [...WAITS_MS, null]) {
    try {
      return { stored: await store() };
    } catch (error) {
      log.error("settlement_failed", { requestId: ctx.requestId, connectionId, count: attempts.length, error });
    }
    if (waitMs === null || ctx.now() + waitMs > until) break;
    await ctx.wait(waitMs);
  }
  await queueSettlement(ctx, connectionId, attempts, at);
  return null;
}

export async function settleFromQueue(
  ctx: Ctx,
  { at, attempted: attempts }: z.infer<typeof queuedSettlement>,
): Promise<void> {
  const { statements, retryAts } = planSettlements({ ...ctx, now: () => at }, attempts);
  await transact(ctx.db, { statements });
  for (const [index, { campaign, contactSeq, connectionId }] of attempts.entries()) {
    // The sweep wakes campaigns for their retries, so only the threads of direct messages are queued.
    if (campaign) continue;
    await queueThreads(ctx, [{ contactSeq, connectionId }], Math.max(0, (retryAts[index] ?? 0) - ctx.now()));
  }
}
