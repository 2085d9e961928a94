import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/own.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { getTemplate } from "../../templates/templates.service.ts";
import { enqueueAdvance, scheduleAdvance } from "../run/enqueue-advance.ts";
import { type Confirmation, isTokenOf } from "../start/confirm-audience.ts";
import type { CampaignRequestRow } from "../start/describe-audience.sql.ts";
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

/** True where a campaign that has started is what was agreed to. A person agrees to one that has not. */
async function isAgreedTo(ctx: Ctx, confirmation: Confirmation | null, stored: CampaignRequestRow): Promise<boolean> {
  if (confirmation === null) return true;
  if (!hasOwn(confirmation, "token")) return false;
  const template = await getTemplate(ctx, stored.template_id);
  const { token } = confirmation;
  return isTokenOf(ctx, { request: requestOf(stored), template }, { token, recipients: stored.recipient_count });
}

/** The answer to the start of a campaign that has started. Throws `invalid_state` where it does not run any more, or is not what was agreed to. */
async function repeatStart(
  ctx: Ctx,
  id: string,
  confirmation: Confirmation | null,
  stored: CampaignRequestRow,
): Promise<Started> {
  const refusal = refuseStatus(stored.status, "started");
  if (!(await isAgreedTo(ctx, confirmation, stored))) throw refusal;
  const { result } = await commitOnce(ctx, { effects: () => [], result: startedAsJson(ctx, id), shape: started });
  if (result === null) throw refusal;
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
    const { status, requested } = read.stored;
    if (status !== "draft") return repeatStart(ctx, id, confirmation, read.stored);
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
