import { sweepCampaigns } from "../features/campaigns/advance-campaign.ts";
import { cleanContacts } from "../features/contacts/clean-contacts.ts";
import { deleteOldRecords } from "../features/idempotency/idempotency.service.ts";
import { sweepRevisions } from "../features/messages/receive-revision.ts";
import { forgetEarlyStatuses } from "../features/messages/settle-statuses.ts";
import { sweepMessages } from "../features/messages/sweep-messages.ts";
import type { BaseCtx } from "../shared/context.ts";
import { createBaseCtx } from "./base-context.ts";

/** Every minute, on every shard. Each may run twice or late. */
const jobs: ((base: BaseCtx, shard: number) => Promise<void>)[] = [
  sweepMessages,
  sweepCampaigns,
  cleanContacts,
  forgetEarlyStatuses,
  sweepRevisions,
  (base, shard) => deleteOldRecords(base.shard(shard), base.now()),
];

export async function scheduled(_: ScheduledController, env: Env, ctx: ExecutionContext): Promise<void> {
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const base = createBaseCtx(env, { requestId: crypto.randomUUID(), actor: { type: "system" }, waitUntil });
  const work = jobs.flatMap((job) => Array.from({ length: base.shardCount }, (_unused, shard) => job(base, shard)));
  const failed = (await Promise.allSettled(work)).filter((result) => result.status === "rejected");
  if (failed.length > 0)
    throw new AggregateError(
      failed.map(({ reason }) => reason),
      "Scheduled jobs failed.",
    );
}
