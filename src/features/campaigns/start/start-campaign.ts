import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { ID_DIGITS } from "../../../shared/ids.ts";
import { isoOrNull } from "../../../shared/time/iso-times.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { createdEvent } from "../../events/events.changes.ts";
import { enqueueMediaFetch } from "../../media/store/queue-media.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import { startedView } from "../campaigns.views.ts";
import { enqueueAdvance, scheduleAdvance } from "../run/enqueue-advance.ts";
import { checkAudience, checkFingerprint, type Confirmation, verifyAudienceToken } from "./confirm-audience.ts";
import { type AudienceCount, countAudience } from "./find-audience.ts";
import { type CampaignPlan, planCampaign, planReads } from "./plan-campaign.ts";
import { type CampaignRun, insertCampaign, type NewCampaign, startEventType } from "./start-campaign.sql.ts";

export const started = z.object(startedView);

export type Started = z.infer<typeof started>;

/** The beginning of the ids of a campaign's messages: a ULID without its last eight digits, which count the recipients. */
export function newMessagePrefix(ctx: Ctx): string {
  const random = Array.from({ length: 8 }, () => ID_DIGITS[Math.floor(ctx.random() * 32)]).join("");
  return ctx.newId("msg").slice(0, "msg_".length + 10) + random;
}

/** The refusal of a campaign that would reach nobody. */
export const noRecipientsError = ({ excluded }: AudienceCount): AppError =>
  new AppError("no_recipients", "No reachable contacts match.", { excluded });

/** How many people a planned campaign reaches. Throws `no_recipients`, as `countAudience`, and where something else was agreed to. */
export async function countForStart(
  ctx: Ctx,
  request: StartCampaign,
  plan: CampaignPlan,
  confirmation: Confirmation | null,
): Promise<number> {
  const { template, resolved, connectionId } = plan;
  if (confirmation !== null && hasOwn(confirmation, "fingerprint"))
    await checkFingerprint(request, plan, confirmation.fingerprint);
  const expected =
    confirmation !== null && hasOwn(confirmation, "token")
      ? { count: await verifyAudienceToken(ctx, { request, template }, confirmation.token) }
      : confirmation;
  const counted = await countAudience(ctx, { audience: resolved, connectionId });
  if (expected !== null) checkAudience(counted, expected);
  if (counted.reachable === 0) throw noRecipientsError(counted);
  return counted.reachable;
}

/** The values that a campaign has stored once it was planned and its audience counted. */
export function valuesOfPlan(
  id: string,
  { template: _template, resolved: _resolved, layout: _layout, ...planned }: CampaignPlan,
  recipientCount: number,
): NewCampaign {
  return { id, recipientCount, ...planned };
}

/** How a planned campaign runs; null if it is scheduled. */
export const runOf = (ctx: Ctx, { scheduledAt, resolved }: CampaignPlan): CampaignRun | null =>
  scheduledAt === null ? { messagePrefix: newMessagePrefix(ctx), resolved } : null;

/** The answer to a start, which puts the campaign at work or on the calendar. */
export const startedAnswer = (
  id: string,
  { scheduledAt, recipientCount }: Pick<NewCampaign, "scheduledAt" | "recipientCount">,
): Started => ({
  campaign_id: id,
  recipient_count: recipientCount,
  status: scheduledAt === null ? "running" : "scheduled",
});

/** Has the files of a campaign that was started fetched, and its audience expanded, now or at its time. */
export async function followStart(ctx: Ctx, { id, fetched, scheduledAt, sendBefore }: NewCampaign): Promise<void> {
  await enqueueMediaFetch(ctx, fetched);
  await scheduleAdvance(ctx, id, [scheduledAt, sendBefore]);
  if (scheduledAt === null) ctx.waitUntil(enqueueAdvance(ctx, id));
}

/**
 * Starts or schedules a campaign, in three trips and one more for every few thousand contacts beyond the first; queues then
 * expand its audience and send. Throws as `planCampaign`, `verifyAudienceToken`, `countAudience` and `checkAudience`, and
 * `no_recipients`.
 */
export function startCampaign(ctx: Ctx, request: StartCampaign, confirmation: Confirmation | null): Promise<Started> {
  const id = ctx.newId("cmp");
  return decideAndCommit(ctx, {
    shape: started,
    reads: planReads(ctx, request),
    async decide(facts) {
      const plan = planCampaign(ctx, request, facts);
      const row = valuesOfPlan(id, plan, await countForStart(ctx, request, plan, confirmation));
      const answer = startedAnswer(id, row);
      return {
        writes: insertCampaign(ctx, row, runOf(ctx, plan)),
        events: [
          createdEvent(startEventType(row), id, { status: answer.status, scheduled_at: isoOrNull(row.scheduledAt) }),
        ],
        answer,
        followUp: () => followStart(ctx, row),
      };
    },
  });
}
