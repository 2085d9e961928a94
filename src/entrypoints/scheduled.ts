import { sweepCampaigns } from "../features/campaigns/advance-campaign.ts";
import { retestConnections } from "../features/connections/retest-connections.ts";
import { cleanContacts } from "../features/contacts/clean-contacts.ts";
import { deleteOldRecords } from "../features/idempotency/idempotency.service.ts";
import { finishJoins } from "../features/messages/join-contacts.ts";
import { forgetEarlyStatuses } from "../features/messages/settle-statuses.ts";
import { sweepMessages } from "../features/messages/sweep-messages.ts";
import type { BaseCtx } from "../shared/context.ts";
import { log } from "../shared/logger.ts";
import { createBaseCtx } from "./base-context.ts";

/** Every minute, on every shard. Each may run twice or late. */
const jobs: ((base: BaseCtx, shard: number) => Promise<void>)[] = [
  sweepMessages,
  sweepCampaigns,
  retestConnections,
  cleanContacts,
  finishJoins,
  forgetEarlyStatuses,
  (base, shard) => deleteOldRecords(base.shard(shard), base.now()),
];

export async function scheduled(_: ScheduledController, env: Env, ctx: ExecutionContext): Promise<void> {
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const base = createBaseCtx(env, { requestId: crypto.randomUUID(), actor: { type: "system" }, waitUntil });
  const work = jobs.flatMap((job) => Array.from({ length: base.shardCount }, (_unused, shard) => job(base, shard)));
  const failed = (await Promise.allSettled(work)).filter((result) => result.status === "rejected");
  for (const { reason } of failed) log.error("scheduled_job_failed", { requestId: base.requestId, error: reason });
  // Errors that are thrown from here are logged by the platform as they are, with what statements were given.
  if (failed.length > 0) throw new Error(`${failed.length} scheduled jobs failed.`);
}
