import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { contactLayout } from "../../contacts/contacts.schemas.ts";
import { settleOrQueue } from "../../messages/settle/settle-or-queue.ts";
import { settlementsOf } from "../../messages/settle/settle-messages.ts";
import type { Grant } from "../../pacing/pacing.schemas.ts";
import { reportGrant } from "../../pacing/pacing.service.ts";
import { parseSendable } from "../../templates/templates.service.ts";
import { storedVariables } from "../campaigns.schemas.ts";
import { compileVariables } from "../campaigns.variables.ts";
import { claimLease, parseSituation, type Situation } from "./claim-lease.sql.ts";
import { holdAll, recipient, sendAll, UNAVAILABLE } from "./send-recipients.ts";
import { pauseBecause, settleLease } from "./settle-lease.sql.ts";
import { wakeCampaign } from "../run/wake-campaign.ts";

/** No call begins later than this after the lease was taken: with the longest call, a run ends within a minute. */
const SENDING_MS = 25_000;
/** A grant that waited so long in the queue is of no second that the pump still counts. */
const STALE_MS = 30_000;

const common = z.object({
  connection_id: z.string(),
  send_before: z.number().nullable(),
  provider: z.string(),
  ...storedSettings,
  variables: fromJson(storedVariables),
  layout: fromJson(contactLayout),
  recent: z.string(),
});

/**
 * Takes the lease that a grant allows, sends and settles it; gives what is then left to do. Where the queue has to settle the
 * messages, the lease stays open and the sweep closes it: that does without what it told of the campaign's health.
 */
async function useLease(ctx: Ctx, { campaignId, grantId, size }: Grant): Promise<Situation | null | "unsettled"> {
  const claim = { campaignId, grantId, size, holder: ctx.newId("lease") };
  const taken = await claimLease(ctx, claim);
  const [found] = z.array(common).parse(taken.common);
  const template = parseSendable(taken.template);
  if (found === undefined || template === null) return parseSituation(taken.situation);

  const recipients = z.array(recipient).parse(taken.recipients);
  const connection = await tryOpenConnection(ctx, { ...found, id: found.connection_id });
  const closesAt = Math.min(ctx.now() + SENDING_MS, found.send_before ?? Infinity);
  const { provider, layout, recent: earlier } = found;
  const variables = compileVariables(found.variables);
  const run =
    connection === null
      ? holdAll(ctx, recipients, UNAVAILABLE)
      : await sendAll(ctx, { provider, connection, template, variables, layout, closesAt, earlier }, recipients);
  const attempted = run.results.map(({ recipient: { id, attempts, contact_seq }, result }) => ({
    id,
    attempts: attempts + 1,
    contactSeq: contact_seq,
    connectionId: found.connection_id,
    campaign: true,
    ...result,
  }));
  const { statements } = settlementsOf(ctx, attempted);
  const { marks, failure, stop } = run;
  const { connection_id: connectionId } = found;
  const settled = await settleOrQueue(ctx, {
    connectionId,
    attempted,
    store: () => settleLease(ctx, claim, statements, { connectionId, marks, failure, stop }),
  });
  return settled === null ? "unsettled" : settled.stored;
}

/** Why a running campaign cannot go on, as its `last_error`; or null. */
function obstacleOf({ template_status, connection_status }: Situation): string | null {
  if (connection_status !== "active") return UNAVAILABLE;
  return template_status === "APPROVED" ? null : "template_not_approved";
}

function nextOf({ status, has_more, next_retry_at }: Situation, now: number): "more" | "nothing" | number {
  if (status !== "running") return "nothing";
  if (has_more === 1 || (next_retry_at !== null && next_retry_at <= now)) return "more";
  return next_retry_at ?? "nothing";
}

/**
 * Sends to the next recipients of a campaign, as many as a grant allows. Delivered again, a grant finds itself used; one that
 * came too late is left unused. Sending before the lease is settled and dying leaves at most that lease `unknown`.
 */
export async function sendLease(ctx: Ctx, grant: Grant): Promise<void> {
  if (ctx.now() - grant.at > STALE_MS) return;
  const { campaignId, connectionId, grantId } = grant;
  const situation = await useLease(ctx, grant);
  if (situation === "unsettled") return;
  const obstacle = situation === null ? null : obstacleOf(situation);
  const isLate = (situation?.send_before ?? Infinity) <= ctx.now();
  if (situation?.status === "running" && isLate) await wakeCampaign(ctx, campaignId);
  else if (situation?.status === "running" && obstacle !== null) await pauseBecause(ctx, campaignId, obstacle);
  await reportGrant(ctx, connectionId, {
    campaignId,
    grantId,
    messagesPerSecond: situation?.messages_per_second ?? 1,
    next: situation === null || obstacle !== null || isLate ? "nothing" : nextOf(situation, ctx.now()),
  });
}
