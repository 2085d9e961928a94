import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { updatedEvents } from "../../events/events.changes.ts";
import { getTemplate } from "../../templates/templates.service.ts";
import { type Confirmation, isTokenOf } from "../start/confirm-audience.ts";
import { readStoredCampaign, selectCampaignRequest } from "../read-stored-campaign.ts";
import { readPlan } from "../start/plan-campaign.ts";
import { previewForStart } from "../start/preview-campaign.ts";
import { countForStart, followStart, runOf, type Started, started, startResponse } from "../start/start-campaign.ts";
import { startDraftRow, startEventType } from "../start/start-campaign.sql.ts";
import { type CampaignRequestRow, statusError, requestOf } from "./stored-request.ts";

/**
 * A draft is checked like a new campaign, but with its own connection instead of the connection of the caller's key.
 */
const keptBy = ({ connection_id: connectionId }: { connection_id: string }) => ({
  connectionId,
  scheduledAt: false,
  sendBefore: false,
});

/**
 * Checks the confirmation of a repeated start. A confirmation without a token is from the console, and applies only to
 * a campaign that has not started.
 */
async function isConfirmed(ctx: Ctx, confirmation: Confirmation | null, stored: CampaignRequestRow): Promise<boolean> {
  if (confirmation === null) return true;
  if (!hasOwn(confirmation, "token")) return false;
  const template = await getTemplate(ctx, stored.request.template_id);
  const { token } = confirmation;
  return isTokenOf(ctx, { request: requestOf(stored), template }, { token, recipients: stored.recipient_count });
}

async function repeatStart(ctx: Ctx, id: string, confirmation: Confirmation | null, stored: CampaignRequestRow) {
  const { status, recipient_count } = stored;
  const isUnderWay = status === "scheduled" || status === "running";
  if (!isUnderWay || !(await isConfirmed(ctx, confirmation, stored))) return statusError(status, "started");
  return { writes: [], events: [], answer: { campaign_id: id, recipient_count, status } };
}

export function startDraft(ctx: Ctx, id: string, confirmation: Confirmation | null): Promise<Started> {
  return decideAndCommit(ctx, {
    shape: started,
    reads: { campaigns: selectCampaignRequest(ctx, id) },
    async decide({ campaigns: [stored] }) {
      if (stored === undefined) return notFound("campaign");
      if (stored.status !== "draft") return repeatStart(ctx, id, confirmation, stored);
      const request = requestOf(stored);
      const plan = await readPlan(ctx, request, keptBy(stored));
      const values = { ...plan, id, recipientCount: await countForStart(ctx, request, plan, confirmation) };
      const after = startResponse(id, values);
      return {
        writes: [startDraftRow(ctx, values, runOf(ctx, plan))],
        events: updatedEvents(startEventType(values), id, { status: "draft" }, { status: after.status }),
        answer: after,
        followUp: () => followStart(ctx, values),
      };
    },
  });
}

export async function previewDraft(live: Ctx, id: string, { checksTimes }: { checksTimes: boolean }) {
  const ctx = { ...live, once: null };
  const read = await readStoredCampaign(ctx, id, started);
  if (hasOwn(read, "replay")) throw new Error("A preview cannot be a repeat.");
  if (read.stored.status !== "draft") throw statusError(read.stored.status, checksTimes ? "started" : "previewed");
  const kept = { ...keptBy(read.stored), scheduledAt: !checksTimes, sendBefore: !checksTimes };
  return previewForStart(ctx, requestOf(read.stored), kept);
}
