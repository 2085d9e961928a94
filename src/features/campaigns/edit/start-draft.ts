import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/own.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { enqueueAdvance, scheduleAdvance } from "../run/enqueue-advance.ts";
import { type Confirmation, mayBeConfirmed } from "../start/confirm-audience.ts";
import { planCampaign } from "../start/plan-campaign.ts";
import { type Preview, previewForStart } from "../start/preview-campaign.ts";
import { countForStart, newMessagePrefix, type Started, started } from "../start/start-campaign.ts";
import { markDraftStarted, startedAsJson } from "../start/start-campaign.sql.ts";
import { readStoredCampaign } from "./read-stored-campaign.ts";
import { refuseStatus, requestOf } from "./stored-request.ts";

const MAX_ATTEMPTS = 4;

/** Everything of a draft is checked as of a new campaign, but that its connection is preferred to the caller's. */
const keptBy = ({ connection_id: connectionId }: { connection_id: string }) => ({
  connectionId,
  scheduledAt: false,
  sendBefore: false,
});

/** The answer to the start of a campaign that has started; null where it has not, or does not run any more. */
async function repeatStart(ctx: Ctx, id: string): Promise<Started | null> {
  const { result } = await commitOnce(ctx, { effects: () => [], result: startedAsJson(ctx, id), shape: started });
  return result;
}

/**
 * Starts a draft, or schedules it where it has a time; one that was started already is no error. Throws `not_found`, `invalid_state`,
 * `conflict`, and what `startCampaign` throws.
 */
export async function startDraft(ctx: Ctx, id: string, confirmation: Confirmation | null): Promise<Started> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const read = await readStoredCampaign(ctx, id, started);
    if (hasOwn(read, "known")) return read.known;
    const { status, requested, recipient_count: startedFor } = read.stored;
    if (status !== "draft") {
      const repeated = mayBeConfirmed(confirmation, startedFor) ? await repeatStart(ctx, id) : null;
      if (repeated === null) throw refuseStatus(status, "started");
      return repeated;
    }
    const request = requestOf(read.stored);
    const planned = await planCampaign(ctx, request, started, keptBy(read.stored));
    if (hasOwn(planned, "known")) return planned.known;
    const { resolved, connectionId, audience, scheduledAt, sendBefore } = planned.plan;
    const recipientCount = await countForStart(ctx, request, planned.plan, confirmation);
    const run = scheduledAt === null ? { messagePrefix: newMessagePrefix(ctx), resolved } : null;
    const draft = { id, requested, audience, connectionId, recipientCount, scheduledAt };
    const { result, replayed } = await commitOnce(ctx, {
      effects: (guard) => markDraftStarted(ctx, draft, run, guard),
      result: startedAsJson(ctx, id),
      shape: started,
    });
    if (result === null) continue;
    if (replayed) return result;
    await scheduleAdvance(ctx, id, [scheduledAt, sendBefore]);
    if (run !== null) ctx.waitUntil(enqueueAdvance(ctx, id));
    return result;
  }
  throw new AppError("unavailable", "This campaign is being changed by many requests at once. Try again shortly.");
}

/** The audience of a draft, and the token that starts it for this audience only. Throws `not_found`, `invalid_state`, and as `previewForStart`. */
export async function previewDraft(
  live: Ctx,
  id: string,
  { checksTimes }: { checksTimes: boolean },
): Promise<Preview & { audienceToken: string }> {
  const ctx = { ...live, once: null };
  const read = await readStoredCampaign(ctx, id, started);
  if (hasOwn(read, "known")) throw new Error("A preview is no repeat.");
  if (read.stored.status !== "draft") throw refuseStatus(read.stored.status, "started");
  const kept = { ...keptBy(read.stored), scheduledAt: !checksTimes, sendBefore: !checksTimes };
  return previewForStart(ctx, requestOf(read.stored), kept);
}
