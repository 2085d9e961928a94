import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { grant } from "../pacing/pacing.schemas.ts";
import { advanceCampaignJob } from "./campaigns.schemas.ts";
import { sendLease } from "./lease/send-lease.ts";
import { advanceCampaign } from "./run/advance-campaign.ts";

/** Advances the campaign of a queue message. Deleted campaigns and those with nothing due are skipped. */
export async function consumeAdvanceJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, campaignId } = advanceCampaignJob.parse(message);
  await advanceCampaign(forWorkspace(base, workspace), campaignId);
}

/** Sends the lease that a pump granted. */
export async function consumeGrant(base: BaseCtx, message: unknown): Promise<void> {
  const granted = grant.parse(message);
  await sendLease(forWorkspace(base, granted.workspace), granted);
}
