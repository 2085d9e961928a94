import type { BaseCtx } from "../../../shared/context.ts";
import { createDeliverThreadJob } from "../../../shared/thread-jobs.ts";
import { workspaceNumberFromSeq } from "../../contacts/contacts.sql.ts";
import { RELEASED_WITHIN_MS } from "./queue-threads.ts";
import { findScheduledThreads, findStrandedThreads, expireClaims } from "./sweep-messages.sql.ts";

const CLAIM_MS = 120_000;
/** Longer than a run after the response takes to reach a message. */
const GRACE_MS = 15_000;
const MAX_THREADS = 5000;

/** Queues direct messages of a shard that a dead process stranded. Repeating the sweep has no effect. */
export async function sweepMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await expireClaims(db, base.now() - CLAIM_MS, base.now());
  const threads = await findStrandedThreads(db, base.now() - GRACE_MS, MAX_THREADS);
  await base.queues.direct(
    threads.map(({ workspaceId, ...thread }) =>
      createDeliverThreadJob({ id: workspaceId, number: workspaceNumberFromSeq(thread.contactSeq), shard }, thread),
    ),
  );
  await queueReleases(base, shard);
}

/** Queues due and soon due scheduled messages. Duplicate jobs find nothing to do. */
async function queueReleases(base: BaseCtx, shard: number): Promise<void> {
  const due = await findScheduledThreads(base.shard(shard), base.now() + RELEASED_WITHIN_MS, MAX_THREADS);
  const bySecond = new Map<number, object[]>();
  for (const { workspaceId, sendAt, ...thread } of due) {
    const workspace = { id: workspaceId, number: workspaceNumberFromSeq(thread.contactSeq), shard };
    const second = Math.ceil(Math.max(0, sendAt - base.now()) / 1000);
    const jobs = bySecond.get(second) ?? [];
    jobs.push(createDeliverThreadJob(workspace, thread, { releases: true }));
    bySecond.set(second, jobs);
  }
  for (const [second, jobs] of bySecond) await base.queues.direct(jobs, { delayMs: second * 1000 });
}
