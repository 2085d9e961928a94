import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { settleOrQueue } from "../../messages/settle/settle-or-queue.ts";
import { planSettlements } from "../../messages/settle/settle-messages.ts";
import { type Grant, grant } from "../../pacing/pacing.schemas.ts";
import { reportGrant } from "../../pacing/pacing.service.ts";
import { parseTemplate } from "../../templates/model/parse-template.ts";
import { compileRequest } from "../campaigns.variables.ts";
import { enqueueAdvance } from "../run/enqueue-advance.ts";
import { type CampaignSnapshot, claimLease, type LeaseClaim } from "./claim-lease.sql.ts";
import { decideNextStep } from "./lease-outcome.ts";
import { holdRecipients, type LeaseRun, sendRecipients } from "./send-recipients.ts";
import { pauseRunningCampaign, settleLease } from "./settle-lease.sql.ts";

/** The last call starts at most this long after the claim. With the longest call, a run ends within a minute. */
const SENDING_MS = 25_000;
/** After this time in the queue, the pump no longer counts the second of a grant. */
const STALE_GRANT_MS = 30_000;

type Lease = NonNullable<Awaited<ReturnType<typeof claimLease>>["lease"]>;

async function runLease(ctx: Ctx, { setup, template, recipients }: Lease): Promise<LeaseRun> {
  const { connection_id: connectionId, provider, config, secrets, layout, recent: earlierResults } = setup;
  const connection = await tryOpenConnection(ctx, { id: connectionId, config, secrets });
  if (connection === null) return holdRecipients(ctx, connectionId, recipients);
  const closesAt = Math.min(ctx.now() + SENDING_MS, setup.send_before ?? Infinity);
  const { variables, parts } = compileRequest(setup.request);
  return sendRecipients(
    ctx,
    {
      provider,
      connection,
      template: parseTemplate(template),
      variables,
      parts,
      layout,
      closesAt,
      earlierResults,
    },
    recipients,
  );
}

/**
 * Sends and settles a lease and returns the campaign's state. If the queue settles the messages, the sweep closes the lease, and
 * the circuit breaker does not see its results.
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

/** Continues, pauses or completes the campaign after a lease, and reports to the pump. */
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
 * Sends to as many of a campaign's next recipients as a grant allows, and skips a repeated or late grant. After a crash, only the
 * messages of the unsettled lease become `unknown`.
 */
export async function consumeGrant(base: BaseCtx, message: unknown): Promise<void> {
  const granted = grant.parse(message);
  const ctx = forWorkspace(base, granted.workspace);
  if (ctx.now() - granted.at > STALE_GRANT_MS) return;
  const { campaignId, grantId, size } = granted;
  const claim = { campaignId, grantId, size, holder: ctx.newId("lease") };
  const { lease, snapshot } = await claimLease(ctx, claim);
  const settled = lease === null ? snapshot : await useLease(ctx, claim, lease);
  if (settled !== "unsettled") await takeNextStep(ctx, granted, settled);
}
