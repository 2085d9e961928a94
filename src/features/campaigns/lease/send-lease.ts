import type { OpenConnection } from "../../../channels/channel.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { forEachConcurrently } from "../../../shared/chunks.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import { applyProviderPause, type CallProvider, createProviderCaller } from "../../messages/deliver/call-provider.ts";
import { isLastAttempt } from "../../messages/messages.delays.ts";
import { type MessageAttempt, planSettlements } from "../../messages/settle/settle-messages.ts";
import { parseTemplate } from "../../templates/model/parse-template.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { settleOrQueue } from "../../messages/settle/settle-or-queue.ts";
import { type Grant, grant } from "../../pacing/pacing.schemas.ts";
import { reportGrant } from "../../pacing/pacing.service.ts";
import type { LeaseHealth, SendResults } from "../campaigns.circuit-breaker.ts";
import { compileRequest, type FilledMessage, fillForContact } from "../campaigns.variables.ts";
import { enqueueAdvance } from "../run/enqueue-advance.ts";
import { type CampaignSnapshot, claimLease, type LeaseClaim } from "./claim-lease.sql.ts";
import { addSend, CONNECTION_UNAVAILABLE, decideNextStep, NO_SENDS } from "./lease-outcome.ts";
import { pauseRunningCampaign, settleLease } from "./settle-lease.sql.ts";

/** The limit of one lease. `createProviderCaller` also applies the limit of each provider. */
const CONCURRENT_CALLS = 25;

/**
 * A lease starts no call after this time. When Cloudflare updates the runtime, running code has 30 s to end. A lease
 * needs these 15 s, up to 12 s for its last call, and the rest for settling.
 */
const SENDING_MS = 15_000;
/**
 * Older grants are skipped, because the pacer expects a report within 60 s of the grant. A grant that waits for 30 s
 * leaves 15 s for sending, 12 s for the last call, and 3 s for settling.
 */
const STALE_GRANT_MS = 30_000;

type Lease = NonNullable<Awaited<ReturnType<typeof claimLease>>["lease"]>;
type LeaseRecipient = Lease["recipients"][number];

interface LeaseSending {
  provider: string;
  connection: OpenConnection;
  fill(contact: LeaseRecipient["contact"]): FilledMessage;
  closesAt: number;
  earlierResults: SendResults;
}

interface LeaseRun {
  attempted: MessageAttempt[];
  health: LeaseHealth;
}

type SendResult = Pick<MessageAttempt, "outcome" | "sent">;

const toAttempted = (
  { id, attempts, contact_seq }: LeaseRecipient,
  connectionId: string,
  result: SendResult,
): MessageAttempt => ({ id, attempts: attempts + 1, contactSeq: contact_seq, connectionId, campaign: true, ...result });

async function sendOne(
  { provider, connection, fill }: LeaseSending,
  callProvider: CallProvider,
  { id, attempts, address, contact, skip }: LeaseRecipient,
): Promise<SendResult> {
  if (skip !== null) return { outcome: { kind: "skipped", reason: skip } };
  const filled = fill(contact);
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

/**
 * Sends until the campaign stops, the provider requests a pause, or the time is over. The remaining recipients get the
 * outcome `held`, so that a later lease sends to them.
 */
async function sendRecipients(ctx: Ctx, sending: LeaseSending, recipients: readonly LeaseRecipient[]) {
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
    const target = { provider, address: recipient.address ?? "" };
    const pauseMs = await applyProviderPause(ctx, connection.id, target, outcome);
    pausedUntil = Math.max(pausedUntil, ctx.now() + pauseMs);
  });
  return run;
}

const holdRecipients = (ctx: Ctx, connectionId: string, recipients: readonly LeaseRecipient[]): LeaseRun => ({
  attempted: recipients.map((recipient) =>
    toAttempted(recipient, connectionId, { outcome: { kind: "held", until: ctx.now() } }),
  ),
  health: { ...NO_SENDS, stop: CONNECTION_UNAVAILABLE },
});

async function runLease(ctx: Ctx, { setup, template, recipients }: Lease): Promise<LeaseRun> {
  const { connection_id: connectionId, provider, config, secrets, recent: earlierResults } = setup;
  const connection = await tryOpenConnection(ctx, { id: connectionId, config, secrets });
  if (connection === null) return holdRecipients(ctx, connectionId, recipients);
  const closesAt = Math.min(ctx.now() + SENDING_MS, setup.send_before ?? Infinity);
  const { variables, parts } = compileRequest(setup.request);
  const parsed = parseTemplate(template);
  const fill: LeaseSending["fill"] = (contact) =>
    fillForContact(parsed, variables, contactValues(contact, setup.layout), parts);
  return sendRecipients(ctx, { provider, connection, fill, closesAt, earlierResults }, recipients);
}

/**
 * If settling fails, a queue consumer settles the messages later, and the sweep closes the lease. The circuit breaker
 * then does not count these results.
 */
async function useLease(ctx: Ctx, claim: LeaseClaim, lease: Lease): Promise<CampaignSnapshot | null | "unsettled"> {
  const { connection_id: connectionId } = lease.setup;
  const { attempted, health } = await runLease(ctx, lease);
  const { statements } = planSettlements(ctx, attempted);
  const settled = await settleOrQueue(ctx, {
    connectionId,
    attempted,
    store: () => settleLease(ctx, claim, statements, { connectionId, health }),
  });
  return settled === null ? "unsettled" : settled.stored;
}

async function takeNextStep(ctx: Ctx, granted: Grant, snapshot: CampaignSnapshot | null): Promise<void> {
  const { campaignId, connectionId, grantId } = granted;
  const step = snapshot === null ? null : decideNextStep(snapshot, ctx.now());
  if (step?.isExpired === true) await enqueueAdvance(ctx, campaignId);
  else if (typeof step?.pauseFor === "string") await pauseRunningCampaign(ctx, campaignId, step.pauseFor);
  await reportGrant(ctx, connectionId, {
    campaignId,
    grantId,
    messagesPerSecond: snapshot?.messages_per_second ?? 1,
    next: step?.next ?? "nothing",
  });
}

/**
 * Skips a grant that is repeated or too late. If the process crashes, only the messages of its unsettled lease become
 * `unknown`.
 */
export async function consumeGrant(base: BaseCtx, message: unknown): Promise<void> {
  const granted = grant.parse(message);
  const ctx = forWorkspace(base, granted.workspace);
  if (!ctx.sends || ctx.now() - granted.at > STALE_GRANT_MS) return;
  const { campaignId, grantId, size } = granted;
  const claim = { campaignId, grantId, size, holder: ctx.newId("lease") };
  const { lease, snapshot } = await claimLease(ctx, claim);
  const settled = lease === null ? snapshot : await useLease(ctx, claim, lease);
  if (settled !== "unsettled") await takeNextStep(ctx, granted, settled);
}
