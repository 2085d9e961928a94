import type { Ctx } from "../../../shared/context.ts";
import { HOUR_MS } from "../../../shared/durations.ts";
import { log } from "../../../shared/logger.ts";
import { createDeliverThreadJob, type ThreadKey } from "../../../shared/thread-jobs.ts";

/** Queues delay no further. The sweep finds what is due later. */
const MAX_DELAY_MS = 12 * HOUR_MS;

/** Has the due messages of threads sent in `delayMs`. Jobs that the queue does not take are left to the sweep. */
export async function queueThreads(ctx: Ctx, threads: ThreadKey[], delayMs: number): Promise<void> {
  const jobs = threads.map((thread) => createDeliverThreadJob(ctx.workspace, thread));
  try {
    await ctx.queues.direct(jobs, { delayMs: Math.min(delayMs, MAX_DELAY_MS) });
  } catch (error) {
    for (const thread of threads) log.error("thread_not_queued", { ...thread, error });
  }
}

/** Threads whose scheduled messages are further away are left to the cron, which runs each minute. */
const RELEASED_WITHIN_MS = 120_000;

/** Has a message that is scheduled for soon sent at that time. A job that the queue does not take is left to the cron. */
export async function queueRelease(ctx: Ctx, thread: ThreadKey, sendAt: number): Promise<void> {
  const delayMs = sendAt - ctx.now();
  if (delayMs > RELEASED_WITHIN_MS) return;
  try {
    await ctx.queues.direct([createDeliverThreadJob(ctx.workspace, thread, { releases: true })], {
      delayMs: Math.max(0, delayMs),
    });
  } catch (error) {
    log.error("thread_not_queued", { ...thread, error });
  }
}
