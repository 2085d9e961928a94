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

/** Each message id of a campaign is a ULID: this prefix, then the recipient's number with eight digits. */
export function newMessagePrefix(ctx: Ctx): string {
  const random = Array.from({ length: 8 }, () => ID_DIGITS[Math.floor(ctx.random() * 32)]).join("");
  return ctx.newId("msg").slice(0, "msg_".length + 10) + random;
}

export const noRecipientsError = ({ excluded }: AudienceCount): AppError =>
  new AppError("no_recipients", "No reachable contacts match.", { excluded });

export async function countForStart(
  ctx: Ctx,
  request: StartCampaign,
  plan: CampaignPlan,
  confirmation: Confirmation | null,
) {
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

export const runOf = (ctx: Ctx, { scheduledAt, resolved }: CampaignPlan): CampaignRun | null =>
  scheduledAt === null ? { messagePrefix: newMessagePrefix(ctx), resolved } : null;

export const startResponse = (
  id: string,
  { scheduledAt, recipientCount }: Pick<NewCampaign, "scheduledAt" | "recipientCount">,
): Started => ({
  campaign_id: id,
  recipient_count: recipientCount,
  status: scheduledAt === null ? "running" : "scheduled",
});

export async function followStart(ctx: Ctx, { id, fetched, scheduledAt, sendBefore }: NewCampaign): Promise<void> {
  await enqueueMediaFetch(ctx, fetched);
  await scheduleAdvance(ctx, id, [scheduledAt, sendBefore]);
  if (scheduledAt === null) ctx.waitUntil(enqueueAdvance(ctx, id));
}

export function startCampaign(ctx: Ctx, request: StartCampaign, confirmation: Confirmation | null): Promise<Started> {
  const id = ctx.newId("cmp");
  return decideAndCommit(ctx, {
    shape: started,
    reads: planReads(ctx, request),
    async decide(facts) {
      const plan = planCampaign(ctx, request, facts);
      const row = { ...plan, id, recipientCount: await countForStart(ctx, request, plan, confirmation) };
      const answer = startResponse(id, row);
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
