import type * as z from "zod";
import type { OpenConnection } from "../../../channels/channel.ts";
import type { Ctx } from "../../../shared/context.ts";
import { forEachConcurrently } from "../../../shared/chunks.ts";
import type { ContactLayout } from "../../contacts/contacts.schemas.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import { createProviderCaller, type CallProvider, applyProviderPause } from "../../messages/deliver/call-provider.ts";
import { isLastAttempt } from "../../messages/messages.delays.ts";
import type { MessageAttempt } from "../../messages/settle/settle-messages.ts";
import type { ParsedTemplate } from "../../templates/model/parse-template.ts";
import type { LeaseHealth, SendResults } from "../campaigns.circuit-breaker.ts";
import { type CompiledParts, type CompiledVariables, fillForContact } from "../campaigns.variables.ts";
import type { leaseRecipient } from "./claim-lease.sql.ts";
import { addSend, CONNECTION_UNAVAILABLE, NO_SENDS } from "./lease-outcome.ts";

/** The most concurrent calls of a lease. `createProviderCaller` also applies the providers' own limits. */
const CONCURRENT_CALLS = 25;

type LeaseRecipient = z.infer<typeof leaseRecipient>;

/** The common data of a lease's sends. */
export interface LeaseSending {
  provider: string;
  connection: OpenConnection;
  template: ParsedTemplate;
  variables: CompiledVariables;
  parts: CompiledParts | null;
  layout: ContactLayout;
  /** No send begins after this time, in ms since the epoch. */
  closesAt: number;
  /** The campaign's results before this lease. */
  earlierResults: SendResults;
}

/** The attempts of a lease, and their effect on the campaign's health. */
export interface LeaseRun {
  attempted: MessageAttempt[];
  health: LeaseHealth;
}

type SendResult = Pick<MessageAttempt, "outcome" | "sent">;

const toAttempted = (
  { id, attempts, contact_seq }: LeaseRecipient,
  connectionId: string,
  result: SendResult,
): MessageAttempt => ({ id, attempts: attempts + 1, contactSeq: contact_seq, connectionId, campaign: true, ...result });

/** Makes one call, or none if the recipient is skipped. */
async function sendOne(
  { provider, connection, template, variables, parts, layout }: LeaseSending,
  callProvider: CallProvider,
  { id, attempts, address, contact, skip }: LeaseRecipient,
): Promise<SendResult> {
  if (skip !== null) return { outcome: { kind: "skipped", reason: skip } };
  const filled = fillForContact(template, variables, contactValues(contact, layout), parts);
  if (filled.skip !== null) return { outcome: { kind: "skipped", reason: filled.skip } };
  if (address === null) {
    const message = "The contact no longer has an address on this connection.";
    return { outcome: { kind: "refused", error: { code: "unreachable", message, providerCode: null } } };
  }
  const { text: body, form } = filled;
  const message = { id, to: address, body, attempt: attempts + 1, ...(form !== null && { template: form }) };
  const outcome = await callProvider(provider, connection, message);
  return { outcome, sent: { address, body, templateForm: form === null ? null : JSON.stringify(form) } };
}

/** Sends to a lease's recipients until the campaign stops, the provider requests a pause, or the time is up. The rest is held. */
export async function sendRecipients(
  ctx: Ctx,
  sending: LeaseSending,
  recipients: readonly LeaseRecipient[],
): Promise<LeaseRun> {
  const { provider, connection, closesAt, earlierResults } = sending;
  const run: LeaseRun = { attempted: [], health: NO_SENDS };
  let pausedUntil = 0;
  const isOpen = () => run.health.stop === null && ctx.now() < closesAt && ctx.now() >= pausedUntil;
  const hold = (): SendResult => ({ outcome: { kind: "held", until: Math.max(ctx.now(), pausedUntil) } });
  const callProvider = createProviderCaller(ctx, isOpen);
  await forEachConcurrently(recipients, CONCURRENT_CALLS, async (recipient) => {
    const tried = isOpen() ? await sendOne(sending, callProvider, recipient) : hold();
    const result = tried.outcome.kind === "held" ? hold() : tried;
    const { outcome } = result;
    run.attempted.push(toAttempted(recipient, connection.id, result));
    run.health = addSend(run.health, { outcome, isLast: isLastAttempt(recipient.attempts + 1) }, earlierResults);
    if (outcome.kind !== "retry") return;
    const pauseMs = await applyProviderPause(
      ctx,
      connection.id,
      { provider, address: recipient.address ?? "" },
      outcome,
    );
    pausedUntil = Math.max(pausedUntil, ctx.now() + pauseMs);
  });
  return run;
}

/** Holds all recipients of a lease whose connection is unusable. */
export const holdRecipients = (ctx: Ctx, connectionId: string, recipients: readonly LeaseRecipient[]): LeaseRun => ({
  attempted: recipients.map((recipient) =>
    toAttempted(recipient, connectionId, { outcome: { kind: "held", until: ctx.now() } }),
  ),
  health: { ...NO_SENDS, stop: CONNECTION_UNAVAILABLE },
});
