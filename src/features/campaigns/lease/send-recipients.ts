import * as z from "zod";
import type { OpenConnection } from "../../../channels/channel.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { contactFacts, type contactLayout } from "../../contacts/contacts.schemas.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import { createHandOver, type HandOver, slowDown } from "../../messages/deliver/call-provider.ts";
import { isLastAttempt } from "../../messages/messages.retries.ts";
import { type Attempted, noticeOf } from "../../messages/settle/settle-messages.ts";
import type { SendableTemplate } from "../../templates/templates.schemas.ts";
import { type Failure, failureOf, hasRow, type Marks, markOf } from "../campaigns.health.ts";
import { type CompiledVariables, fillForPerson } from "../campaigns.variables.ts";

/** How many of a lease are on their way at a time; providers' own limit is at the way out. */
const AT_ONCE = 25;

/** Why a campaign stops whose connection cannot be used. */
export const UNAVAILABLE = "connection_unavailable";

export const recipient = z.object({
  id: z.string(),
  contact_seq: z.number(),
  attempts: z.number(),
  phone: z.string().nullable(),
  contact: fromJson(contactFacts),
  skip: z.enum(["archived", "unsubscribed", "marketing_opt_out", "duplicate"]).nullable(),
});

export type Recipient = z.infer<typeof recipient>;

/** What one lease sends with. */
export interface Sending {
  provider: string;
  connection: OpenConnection;
  template: SendableTemplate;
  variables: CompiledVariables;
  layout: z.infer<typeof contactLayout>;
  /** No send begins from then on, in ms since the epoch. */
  closesAt: number;
  /** How the campaign's sends ended before. */
  earlier: Marks;
}

type Outcome = Attempted["outcome"];
type Result = Pick<Attempted, "outcome" | "sent">;

/** What became of a lease's recipients. */
export interface LeaseRun {
  results: { recipient: Recipient; result: Result }[];
  marks: Marks;
  /** The last failure among the marks. */
  failure: Failure | null;
  /** Why the campaign is to stop, or null. */
  stop: string | null;
}

/** Why a provider's answer means that the rest would fare alike, as the campaign's `last_error`; or null. */
function stopOf(outcome: Outcome): string | null {
  if (outcome.kind === "refused" && outcome.pauses === "campaign") return outcome.error.code;
  const notice = noticeOf(outcome);
  return notice === undefined || notice.status === null || notice.status === "active" ? null : UNAVAILABLE;
}

/** What becomes of one recipient; whatever needs no call makes none. */
async function sendOne(
  sending: Sending,
  handOver: HandOver,
  { id, attempts, phone, contact, skip }: Recipient,
): Promise<Result> {
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
  const outcome = await handOver(sending.provider, sending.connection, message);
  return { outcome, sent: { address: phone, body, templateForm: form === null ? null : JSON.stringify(form) } };
}

/**
 * Sends to all recipients of a lease, some at a time; to none any more once the provider said to stop or to wait, or failed
 * too often in a row.
 */
export async function sendAll(ctx: Ctx, sending: Sending, recipients: Recipient[]): Promise<LeaseRun> {
  const run: LeaseRun = { results: [], marks: "", failure: null, stop: null };
  const waiting = recipients.values();
  let pausedUntil = 0;
  const isOpen = () => run.stop === null && ctx.now() < sending.closesAt && ctx.now() >= pausedUntil;
  const hold = (): Result => ({ outcome: { kind: "held", until: Math.max(ctx.now(), pausedUntil) } });
  const handOver = createHandOver(ctx, isOpen);
  const note = (outcome: Outcome, attempts: number) => {
    const ended = { outcome, isLast: isLastAttempt(attempts) };
    run.marks += markOf(ended);
    run.failure = failureOf(ended) ?? run.failure;
    run.stop ??= stopOf(outcome) ?? (hasRow(sending.earlier, run.marks) ? run.failure : null);
  };
  const sendSome = async () => {
    for (const each of waiting) {
      const tried = isOpen() ? await sendOne(sending, handOver, each) : hold();
      const result = tried.outcome.kind === "held" ? hold() : tried;
      run.results.push({ recipient: each, result });
      note(result.outcome, each.attempts + 1);
      if (result.outcome.kind !== "retry") continue;
      const { provider, connection } = sending;
      const forMs = await slowDown(ctx, connection.id, { provider, address: each.phone ?? "" }, result.outcome);
      pausedUntil = Math.max(pausedUntil, ctx.now() + forMs);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return run;
}

/** Nothing can be sent now: what was claimed waits. */
export const holdAll = (ctx: Ctx, recipients: Recipient[], stop: string): LeaseRun => ({
  results: recipients.map((each) => ({ recipient: each, result: { outcome: { kind: "held", until: ctx.now() } } })),
  marks: "",
  failure: null,
  stop,
});
