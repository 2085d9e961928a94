import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { AppError } from "../../../shared/errors.ts";
import { contactValueNames } from "../../contacts/contacts.values.ts";
import { selectSegment } from "../../segments/segments.sql.ts";
import { CAMPAIGN_WAIT } from "../../scans/scans.service.ts";
import { selectTagsByNumber } from "../../tags/tags.sql.ts";
import { isAuthentication, parseTemplate } from "../../templates/model/parse-template.ts";
import { findUnsupportedFault } from "../../templates/templates.fitting.ts";
import { selectTemplate } from "../../templates/templates.sql.ts";
import type { ResolvedAudience } from "../campaigns.schemas.ts";
import { findUnfillable } from "../campaigns.variables.ts";
import { countAudience, resolveAudience } from "./find-audience.ts";
import { selectContactLayout } from "../../contacts/contacts.sql.ts";
import { selectConnectionStatus } from "./plan-campaign.ts";
import { newMessagePrefix } from "./start-campaign.ts";
import { markFailed, markRunning, type NewCampaign } from "./start-campaign.sql.ts";

/**
 * A campaign that is this late fails instead of starting, because its content might be outdated. A campaign with
 * `send_before` may start later than this, because the user has set the limit.
 */
const MAX_DELAY_MS = DAY_MS;

interface DueCampaign extends Pick<NewCampaign, "id" | "request" | "connectionId" | "audience"> {
  revision: number;
  scheduledAt: number;
}

function tryResolveAudience(...args: Parameters<typeof resolveAudience>): ResolvedAudience | null {
  try {
    return resolveAudience(...args);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns the audience and its size. If the campaign cannot start, returns the reason, which becomes `last_error`. */
async function checkLaunch(ctx: Ctx, due: DueCampaign) {
  const { request } = due;
  if (request.send_before === undefined && ctx.now() - due.scheduledAt > MAX_DELAY_MS) return "missed_schedule";
  const { filter, segmentId } = due.audience;
  const found = await transact(ctx.db, {
    template: selectTemplate(ctx, request.template_id),
    connection: selectConnectionStatus(ctx, due.connectionId),
    tags: selectTagsByNumber(
      ctx,
      (filter?.tags ?? []).map(({ number }) => number),
    ),
    segment: selectSegment(ctx, segmentId ?? ""),
    layout: selectContactLayout(ctx),
  });
  const template = found.template[0];
  if (template?.status !== "APPROVED") return "template_not_approved";
  const parsed = parseTemplate(template);
  if (findUnsupportedFault(parsed) !== null || isAuthentication(template.category)) return "template_not_sendable";
  // The template or a field can have changed since the campaign was scheduled, so the variables are checked again.
  const own = contactValueNames(found.layout[0]?.layout ?? []);
  if (findUnfillable(parsed, request, own).length > 0) return "missing_variable";
  if (found.connection[0]?.status !== "active") return "connection_unavailable";
  const resolved = tryResolveAudience(ctx, due.audience, found);
  if (resolved === null) return "audience_invalid";
  const reached = { audience: resolved, connectionId: due.connectionId };
  const { reachable } = await countAudience(ctx, reached, CAMPAIGN_WAIT);
  return reachable === 0 ? "no_recipients" : { resolved, reachable };
}

/**
 * If two jobs launch the campaign at once, only one of them starts it. If the campaign has changed in the meantime,
 * neither does. Throws the errors of `runInTurn`.
 */
export async function launchCampaign(ctx: Ctx, due: DueCampaign): Promise<void> {
  const checked = await checkLaunch(ctx, due);
  if (typeof checked === "string") {
    await transact(ctx.db, { failed: markFailed(ctx, due, checked) });
    return;
  }
  const run = { messagePrefix: newMessagePrefix(ctx), resolved: checked.resolved };
  await transact(ctx.db, { running: markRunning(ctx, due, run, checked.reachable) });
}
