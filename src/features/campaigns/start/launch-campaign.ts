import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { AppError } from "../../../shared/errors.ts";
import { refuseIncomplete } from "../../templates/templates.fitting.ts";
import { parseSendable } from "../../templates/templates.service.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";
import { countAudience, resolveAudience, segmentQuery } from "./find-audience.ts";
import { read, run } from "./launch-campaign.sql.ts";
import { newMessagePrefix } from "./start-campaign.ts";
import { begin, fail } from "./start-campaign.sql.ts";

/** A scheduled campaign whose time has come. Times in ms since the epoch. */
export interface DueCampaign {
  id: string;
  templateId: string;
  connectionId: string;
  channel: string;
  audience: StoredAudience;
  scheduledAt: number;
  sendBefore: number | null;
}

const connections = z.array(z.object({ status: z.string() }));

/** How the audience is understood now; null where it asks for what is gone. */
function resolveNow(...asked: Parameters<typeof resolveAudience>): ResolvedAudience | null {
  try {
    return resolveAudience(...asked);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Who a due campaign is for, or the code of what stands in its way now. */
async function judge(ctx: Ctx, due: DueCampaign) {
  if (due.sendBefore === null && ctx.now() - due.scheduledAt > DAY_MS) return "missed_schedule";
  const { filter, segmentId } = due.audience;
  const tagNumbers = (filter?.tags ?? []).map(({ number }) => number);
  const found = await read(ctx, { ...due, tagNumbers, segment: segmentQuery(ctx, segmentId) });
  const template = parseSendable(found.template);
  if (template?.status !== "APPROVED") return "template_not_approved";
  if (refuseIncomplete(template) !== null) return "template_not_sendable";
  if (connections.parse(found.connection)[0]?.status !== "active") return "connection_unavailable";
  const resolved = resolveNow(ctx, due.audience, { tags: found.tags, segment: found.segments });
  if (resolved === null) return "audience_invalid";
  // Where it gets no turn, the queue brings it back later.
  const { reachable } = await countAudience(ctx, resolved);
  return reachable === 0 ? "no_recipients" : { resolved, reachable };
}

/** Lets a scheduled campaign run, or fails it with the reason. Twice, or at once from two sides, starts it once. */
export async function launchCampaign(ctx: Ctx, due: DueCampaign): Promise<void> {
  const judged = await judge(ctx, due);
  await run(
    ctx,
    typeof judged === "string"
      ? fail(ctx, due.id, judged)
      : begin(
          ctx,
          due.id,
          due.audience,
          { messagePrefix: newMessagePrefix(ctx), resolved: judged.resolved },
          judged.reachable,
        ),
  );
}
