import * as z from "zod";
import type { OpenConnection } from "../../channels/channel.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { storedSettings } from "../connections/connections.schemas.ts";
import { tryOpenConnection } from "../connections/connections.service.ts";
import { contactFacts, contactLayout } from "../contacts/contacts.schemas.ts";
import { contactValues } from "../contacts/contacts.values.ts";
import { createHandOver, type HandOver, slowDown } from "../messages/hand-over.ts";
import { type Attempted, noticeOf, settlementsOf } from "../messages/settle-messages.ts";
import type { Grant } from "../pacing/pacing.schemas.ts";
import { reportGrant } from "../pacing/pacing.service.ts";
import type { SendableTemplate } from "../templates/templates.schemas.ts";
import { parseSendable } from "../templates/templates.service.ts";
import { storedVariables } from "./campaigns.schemas.ts";
import { type CompiledVariables, compileVariables, fillForPerson } from "./campaigns.variables.ts";
import { claimLease, parseSituation, type Situation } from "./claim-lease.repository.ts";
import { pauseBecause, settleLease } from "./settle-lease.repository.ts";
import { wakeCampaign } from "./wake-campaign.ts";

/** How many of a lease are on their way at a time; providers' own limit is at the way out. */
const AT_ONCE = 25;
/** No call begins later than this after the lease was taken: with the longest call, a run ends within a minute. */
const SENDING_MS = 25_000;
/** A grant that waited so long in the queue is of no second that the pump still counts. */
const STALE_MS = 30_000;

const UNAVAILABLE = "connection_unavailable";

const recipient = z.object({
  id: z.string(),
  contact_seq: z.number(),
  attempts: z.number(),
  phone: z.string().nullable(),
  contact: fromJson(contactFacts),
  skip: z.enum(["archived", "unsubscribed", "marketing_opt_out", "duplicate"]).nullable(),
});

type Recipient = z.infer<typeof recipient>;

const common = z.object({
  connection_id: z.string(),
  send_before: z.number().nullable(),
  provider: z.string(),
  ...storedSettings,
  variables: fromJson(storedVariables),
  layout: fromJson(contactLayout),
});

/** What one lease sends with. */
interface Sending {
  provider: string;
  connection: OpenConnection;
  template: SendableTemplate;
  variables: CompiledVariables;
  layout: z.infer<typeof contactLayout>;
  handOver: HandOver;
  /** No send begins from then on, in ms since the epoch. */
  closesAt: number;
}

type Outcome = Attempted["outcome"];
type Result = Pick<Attempted, "outcome" | "sent">;

/** Why a provider's answer means that the rest would fare alike, as the campaign's `last_error`; or null. */
function stopOf(outcome: Outcome): string | null {
  if (outcome.kind === "refused" && outcome.pauses === "campaign") return outcome.error.code;
  const notice = noticeOf(outcome);
  return notice === undefined || notice.status === null || notice.status === "active" ? null : UNAVAILABLE;
}

/** What becomes of one recipient; whatever needs no call makes none. */
async function sendOne(ctx: Ctx, sending: Sending, { id, attempts, phone, contact, skip }: Recipient): Promise<Result> {
  if (skip !== null) return { outcome: { kind: "skipped", reason: skip } };
  const filled = fillForPerson(sending.template, sending.variables, contactValues(contact, sending.layout));
  if (filled.skip !== null) return { outcome: { kind: "skipped", reason: filled.skip } };
  if (phone === null) {
    const error = {
      code: "invalid_recipient",
      message: "The contact has no phone any more.",
      providerCode: null,
    } as const;
    return { outcome: { kind: "refused", error } };
  }
  const { text: body, form } = filled;
  const message = { id, to: phone, body, attempt: attempts + 1, ...(form !== null && { template: form }) };
  const outcome = await sending.handOver(sending.provider, sending.connection, message);
  return { outcome, sent: { address: phone, body, templateForm: form === null ? null : JSON.stringify(form) } };
}

/** Sends to all recipients of a lease, some at a time; to none any more once the provider said to stop or to wait. */
async function sendAll(ctx: Ctx, connectionId: string, sending: Sending, recipients: Recipient[]) {
  const results: { recipient: Recipient; result: Result }[] = [];
  const waiting = recipients.values();
  let stop: string | null = null;
  let pausedUntil = 0;
  const sendSome = async () => {
    for (const each of waiting) {
      const isOver = stop !== null || ctx.now() >= sending.closesAt || ctx.now() < pausedUntil;
      const until = Math.max(ctx.now(), pausedUntil);
      const result = isOver ? { outcome: { kind: "held", until } as const } : await sendOne(ctx, sending, each);
      results.push({ recipient: each, result });
      stop ??= stopOf(result.outcome);
      if (result.outcome.kind !== "retry") continue;
      const { provider } = sending;
      const forMs = await slowDown(ctx, connectionId, { provider, address: each.phone ?? "" }, result.outcome);
      pausedUntil = Math.max(pausedUntil, ctx.now() + forMs);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return { results, stop };
}

/** Nothing can be sent now: what was claimed waits. */
const holdAll = (ctx: Ctx, recipients: Recipient[]) =>
  recipients.map((each) => ({ recipient: each, result: { outcome: { kind: "held", until: ctx.now() } } as const }));

/** For a send that came to something definite, 1 where it failed, else 0; nothing for one that is still to come, or was none. */
function digitOf({ kind }: Outcome, retryAt: number | null): string {
  if (kind === "accepted" || kind === "lost") return "0";
  return kind === "refused" || (kind === "retry" && retryAt === null) ? "1" : "";
}

/** Takes the lease that a grant allows, sends and settles it; gives what is then left to do. */
async function useLease(ctx: Ctx, { campaignId, grantId, size }: Grant): Promise<Situation | null> {
  const claim = { campaignId, grantId, size, holder: crypto.randomUUID() };
  const taken = await claimLease(ctx, claim);
  const [found] = z.array(common).parse(taken.common);
  const template = parseSendable(taken.template);
  if (found === undefined || template === null) return parseSituation(taken.situation);

  const recipients = z.array(recipient).parse(taken.recipients);
  const connection = await tryOpenConnection(ctx, { ...found, id: found.connection_id });
  const closesAt = Math.min(ctx.now() + SENDING_MS, found.send_before ?? Infinity);
  const sending = {
    provider: found.provider,
    template,
    variables: compileVariables(found.variables),
    layout: found.layout,
    handOver: createHandOver(ctx, closesAt),
    closesAt,
  };
  const { results, stop } =
    connection === null
      ? { results: holdAll(ctx, recipients), stop: UNAVAILABLE }
      : await sendAll(ctx, found.connection_id, { ...sending, connection }, recipients);
  const attempted = results.map(({ recipient: { id, attempts, contact_seq }, result }) => ({
    id,
    attempts: attempts + 1,
    contactSeq: contact_seq,
    connectionId: found.connection_id,
    campaign: true,
    ...result,
  }));
  const { statements, retryAts } = settlementsOf(ctx, attempted);
  const outcomes = attempted.map(({ outcome }, at) => digitOf(outcome, retryAts[at] ?? null)).join("");
  return settleLease(ctx, claim, statements, { outcomes, stop });
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
