import { mergeSearchSegments } from "../db/merge-search-segments.ts";
import { sweepCampaigns } from "../features/campaigns/run/advance-campaign.ts";
import { retestConnections } from "../features/connections/retest-connections.ts";
import { deleteOldJobs, sweepJobs } from "../features/contacts/bulk/queue-jobs.ts";
import { cleanContacts } from "../features/contacts/clean-contacts.ts";
import { endSnoozes } from "../features/conversations/team/end-snoozes.ts";
import { indexOldMessages } from "../features/conversations/search/index-messages.ts";
import { unassignRemovedMembers } from "../features/conversations/team/reassign-conversations.ts";
import { deleteOldEvents } from "../features/events/delete-old-events.ts";
import { forgetDoneOutbox, sweepOutbox } from "../features/events/empty-outbox.ts";
import { deleteOldReplays } from "../features/idempotency/idempotency.service.ts";
import { deleteOldDeadEvents } from "../features/inbound/dead-events.service.ts";
import { expireMedia, sweepMediaFetches } from "../features/media/store/sweep-media.ts";
import {
  deleteEndedInvitations,
  deleteEndedResetLinks,
  deleteEndedSessions,
  deleteEndedSignInAttempts,
  deleteUnusedNetworks,
} from "../features/members/delete-ended.ts";
import { finishMerges } from "../features/people/merge/merge-contacts.ts";
import { sweepRevisions } from "../features/messages/receive/receive-revision.ts";
import { forgetEarlyStatuses } from "../features/messages/settle/settle-statuses.ts";
import { sweepMessages } from "../features/messages/deliver/sweep-messages.ts";
import { deleteOldDeliveries } from "../features/sandbox/sandbox.service.ts";
import { sweepStatistics } from "../features/statistics/count-events.ts";
import { logStatus, sendHeartbeat } from "../features/status/report-status.ts";
import { moveWorkOfMergedUsers } from "../features/user-merges/move-work.ts";
import { sweepWebhooks } from "../features/webhooks/sweep-webhooks.ts";
import { sweepTemplates } from "../features/templates/sync/sync-templates.ts";
import type { BaseCtx } from "../shared/context.ts";
import { isSearchMissing } from "../shared/errors.ts";
import { log } from "../shared/logger.ts";
import { createBaseCtx } from "./base-context.ts";
import { isConfigured } from "./configuration.ts";

const shardJobs: ((base: BaseCtx, shard: number) => Promise<void>)[] = [
  sweepMessages,
  sweepCampaigns,
  retestConnections,
  cleanContacts,
  finishMerges,
  endSnoozes,
  unassignRemovedMembers,
  sweepJobs,
  deleteOldJobs,
  indexOldMessages,
  mergeSearchSegments,
  forgetEarlyStatuses,
  sweepRevisions,
  deleteOldReplays,
  deleteOldDeadEvents,
  deleteOldDeliveries,
  sweepMediaFetches,
  expireMedia,
  deleteOldEvents,
  forgetDoneOutbox,
  sweepWebhooks,
  sweepTemplates,
  sweepStatistics,
];

const controlJobs: ((base: BaseCtx) => Promise<void>)[] = [
  deleteEndedSessions,
  deleteEndedSignInAttempts,
  deleteUnusedNetworks,
  deleteEndedInvitations,
  deleteEndedResetLinks,
  sweepOutbox,
  moveWorkOfMergedUsers,
  logStatus,
];

export async function scheduled(_: ScheduledController, env: Env, ctx: ExecutionContext): Promise<void> {
  if (!isConfigured(env)) return;
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const base = createBaseCtx(env, { actor: { type: "system" }, waitUntil });
  const work = [
    ...shardJobs.flatMap((job) => Array.from({ length: base.shardCount }, (_unused, shard) => job(base, shard))),
    ...controlJobs.map((job) => job(base)),
  ];
  const results = await Promise.allSettled(work);
  const errors: unknown[] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  // A backup or a rebuild deletes the search indexes for some minutes. After a crash, they stay missing until an
  // operator rebuilds them, and the jobs that need them fail each minute.
  const missing = errors.find(isSearchMissing);
  if (missing !== undefined) log.error("search_index_missing", { requestId: base.requestId, error: missing });
  const failed = errors.filter((error) => !isSearchMissing(error));
  for (const error of failed) log.error("scheduled_job_failed", { requestId: base.requestId, error });
  // The platform logs this error. It omits the original errors, because they can contain SQL parameters, which must
  // not be logged.
  if (failed.length > 0) throw new Error(`${failed.length} scheduled jobs failed.`);
  if (env.HEARTBEAT_URL) await sendHeartbeat(base, env.HEARTBEAT_URL);
}
