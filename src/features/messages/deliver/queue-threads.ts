import { type Ctx, MAX_QUEUE_DELAY_MS } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { createDeliverThreadJob, type ThreadKey } from "../../../shared/thread-jobs.ts";

export async function queueThreads(ctx: Ctx, threads: ThreadKey[], delayMs: number): Promise<void> {
  const jobs = threads.map((thread) => createDeliverThreadJob(ctx.workspace, thread));
  try {
    await ctx.queues.direct(jobs, { delayMs: Math.min(delayMs, MAX_QUEUE_DELAY_MS) });
  } catch (error) {
    for (const thread of threads) log.error("thread_not_queued", { ...thread, error });
  }
}

/**
 * The cron releases messages that are due later than this. The limit is two minutes, because the cron runs each minute
 * and can be late.
 */
export const RELEASED_WITHIN_MS = 120_000;

/** Queues a job for each message that is due soon. If the queue fails, the cron releases the messages. */
export async function queueScheduled(ctx: Ctx, messages: { thread: ThreadKey; sendAt: number }[]): Promise<void> {
  const soon = messages
    .map(({ thread, sendAt }) => ({ thread, delayMs: Math.max(0, sendAt - ctx.now()) }))
    .filter(({ delayMs }) => delayMs <= RELEASED_WITHIN_MS);
  for (const [second, due] of Map.groupBy(soon, ({ delayMs }) => Math.ceil(delayMs / 1000))) {
    const jobs = due.map(({ thread }) => createDeliverThreadJob(ctx.workspace, thread, { releases: true }));
    try {
      await ctx.queues.direct(jobs, { delayMs: second * 1000 });
    } catch (error) {
      for (const { thread } of due) log.error("thread_not_queued", { ...thread, error });
    }
  }
}
