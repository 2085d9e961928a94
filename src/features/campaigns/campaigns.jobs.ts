import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { grant } from "../pacing/pacing.schemas.ts";
import { advanceCampaign } from "./run/advance-campaign.ts";
import { wake } from "./campaigns.schemas.ts";
import { sendLease } from "./lease/send-lease.ts";

/** Does what is due for the campaign a queue message names; finding nothing is fine. */
export async function wakeUp(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, campaignId } = wake.parse(message);
  await advanceCampaign(forWorkspace(base, workspace), campaignId);
}

/** Uses what a pump granted. */
export async function useGrant(base: BaseCtx, message: unknown): Promise<void> {
  const granted = grant.parse(message);
  await sendLease(forWorkspace(base, granted.workspace), granted);
}
