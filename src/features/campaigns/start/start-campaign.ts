import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import { countAudience } from "./find-audience.ts";
import { planCampaign } from "./plan-campaign.ts";
import { startedView } from "../campaigns.views.ts";
import * as repository from "./start-campaign.sql.ts";
import { setClock, wakeCampaign } from "../run/wake-campaign.ts";
import { hasOwn } from "../../../shared/own.ts";

const started = z.object(startedView);

export type Started = z.infer<typeof started>;

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** What the ids of a campaign's messages begin with: a ULID less its last eight digits, which count the recipients. */
export function newMessagePrefix(ctx: Ctx): string {
  const random = Array.from({ length: 8 }, () => DIGITS[Math.floor(ctx.random() * 32)]).join("");
  return ctx.newId("msg").slice(0, "msg_".length + 10) + random;
}

/** In a large workspace people come and go all the time: a hundredth more or less is still what somebody confirmed. */
const CONFIRMED_WITHIN = 0.01;

function checkConfirmed(reachable: number, confirmed: number | undefined): void {
  if (confirmed === undefined || Math.abs(reachable - confirmed) <= confirmed * CONFIRMED_WITHIN) return;
  const message = `The audience has changed: ${reachable} can be reached now, not ${confirmed}.`;
  throw new AppError("conflict", message, { recipient_count: reachable });
}

/**
 * Starts or schedules a campaign, in three trips, and one more for every few thousand contacts beyond the first; its recipients are found and sent to from the queues.
 * `confirmed` is how many people somebody agreed to send to, where somebody did.
 * Throws as `planCampaign` and `countAudience`, `no_recipients`, and `conflict` where there are markedly more or fewer than confirmed.
 */
export async function startCampaign(ctx: Ctx, order: StartCampaign, confirmed?: number): Promise<Started> {
  const planned = await planCampaign(ctx, order, started);
  if (hasOwn(planned, "known")) return planned.known;
  const { plan } = planned;
  const { reachable, excluded } = await countAudience(ctx, plan.resolved);
  if (reachable === 0) {
    throw new AppError("no_recipients", "Nobody fits these filters and can be reached.", { excluded });
  }
  checkConfirmed(reachable, confirmed);
  const { template, connectionId, audience, variables, scheduledAt, sendBefore } = plan;
  const row: repository.NewCampaign = {
    id: ctx.newId("cmp"),
    name: order.name ?? template.name,
    templateId: template.id,
    channel: order.channel,
    connectionId,
    audience,
    variables,
    recipientCount: reachable,
    scheduledAt,
    sendBefore,
  };
  const beginning = scheduledAt === null ? { messagePrefix: newMessagePrefix(ctx), resolved: plan.resolved } : null;
  const { result, replayed } = await commitOnce(ctx, {
    effects: (guard) => [repository.insert(ctx, row, beginning, guard)],
    result: repository.startedAsJson(ctx, row.id),
    shape: started,
  });
  if (result === null) throw new Error("A new campaign was not stored.");
  if (replayed) return result;
  await setClock(ctx, row.id, [scheduledAt, sendBefore]);
  if (beginning !== null) ctx.waitUntil(wakeCampaign(ctx, row.id));
  return result;
}
