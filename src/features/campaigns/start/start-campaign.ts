import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { ID_DIGITS } from "../../../shared/ids.ts";
import { hasOwn } from "../../../shared/own.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { enqueueMediaFetch } from "../../media/queue-media.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import { startedView } from "../campaigns.views.ts";
import { enqueueAdvance, scheduleAdvance } from "../run/enqueue-advance.ts";
import { checkAudience, checkFingerprint, type Confirmation, verifyAudienceToken } from "./confirm-audience.ts";
import { type AudienceCount, countAudience } from "./find-audience.ts";
import { type CampaignPlan, planCampaign } from "./plan-campaign.ts";
import { insertCampaign, type NewCampaign, startedAsJson } from "./start-campaign.sql.ts";

export const started = z.object(startedView);

export type Started = z.infer<typeof started>;

/** The beginning of the ids of a campaign's messages: a ULID without its last eight digits, which count the recipients. */
export function newMessagePrefix(ctx: Ctx): string {
  const random = Array.from({ length: 8 }, () => ID_DIGITS[Math.floor(ctx.random() * 32)]).join("");
  return ctx.newId("msg").slice(0, "msg_".length + 10) + random;
}

/** The refusal of a campaign that would reach nobody. */
export const refuseNobody = ({ excluded }: AudienceCount): AppError =>
  new AppError("no_recipients", "No contacts match and can be reached.", { excluded });

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
  if (counted.reachable === 0) throw refuseNobody(counted);
  return counted.reachable;
}

/** The values that a campaign has stored once it was planned and its audience counted. */
export function valuesOfPlan(
  id: string,
  request: StartCampaign,
  { template, resolved: _resolved, layout: _layout, ...planned }: CampaignPlan,
  recipientCount: number,
): NewCampaign {
  const name = request.name ?? template.name;
  return { id, name, templateId: template.id, channel: request.channel, recipientCount, ...planned };
}

/**
 * Starts or schedules a campaign, in three trips and one more for every few thousand contacts beyond the first; queues then
 * expand its audience and send. Throws as `planCampaign`, `verifyAudienceToken`, `countAudience` and `checkAudience`, and
 * `no_recipients`.
 */
export async function startCampaign(
  ctx: Ctx,
  request: StartCampaign,
  confirmation: Confirmation | null,
): Promise<Started> {
  const planned = await planCampaign(ctx, request, started);
  if (hasOwn(planned, "known")) return planned.known;
  const recipientCount = await countForStart(ctx, request, planned.plan, confirmation);
  const row = valuesOfPlan(ctx.newId("cmp"), request, planned.plan, recipientCount);
  const { resolved, fetched, scheduledAt, sendBefore } = planned.plan;
  const run = scheduledAt === null ? { messagePrefix: newMessagePrefix(ctx), resolved } : null;
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => insertCampaign(ctx, row, run, guard),
    result: startedAsJson(ctx, row.id),
    shape: started,
  });
  if (result === null) throw new Error("A new campaign was not stored.");
  if (replayed) return result;
  await enqueueMediaFetch(ctx, fetched);
  await scheduleAdvance(ctx, row.id, [scheduledAt, sendBefore]);
  if (run !== null) ctx.waitUntil(enqueueAdvance(ctx, row.id));
  return result;
}
