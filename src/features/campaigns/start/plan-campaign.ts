import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { AppError, type Fault, invalid, notFound } from "../../../shared/errors.ts";
import { fromJson } from "../../../shared/json.ts";
import { contactLayout, type ContactLayout } from "../../contacts/contacts.schemas.ts";
import { contactValueNames } from "../../contacts/contacts.values.ts";
import { recall } from "../../idempotency/idempotency.service.ts";
import { tagKey } from "../../tags/tags.service.ts";
import { missingVariables, refuseTemplate } from "../../templates/templates.fitting.ts";
import type { SendableTemplate } from "../../templates/templates.schemas.ts";
import { parseSendable } from "../../templates/templates.service.ts";
import type { ResolvedAudience, StartCampaign, StoredAudience } from "../campaigns.schemas.ts";
import { judgeVariables } from "../campaigns.variables.ts";
import { readAudience, resolveAudience, segmentQuery } from "./find-audience.ts";
import { read } from "./plan-campaign.sql.ts";
import { hasOwn } from "../../../shared/own.ts";

const YEAR_MS = 365 * DAY_MS;

/** A campaign that could start as it was asked for, if anybody can be reached. */
export interface Plan {
  template: SendableTemplate;
  connectionId: string;
  audience: StoredAudience;
  resolved: ResolvedAudience;
  variables: Record<string, string> | null;
  layout: ContactLayout;
  scheduledAt: number | null;
  sendBefore: number | null;
}

const connectionRows = z.array(z.object({ id: z.string(), status: z.string() }));
const layoutRows = z.tuple([z.object({ layout: fromJson(contactLayout) })]);

const timeOf = (value: string | undefined) => (value === undefined ? null : Date.parse(value));

function readTimes(ctx: Ctx, { scheduled_at, send_before }: StartCampaign) {
  const [scheduledAt, sendBefore] = [timeOf(scheduled_at), timeOf(send_before)];
  const faults: Fault[] = [];
  const judge = (path: string, at: number | null, after: number, message: string) => {
    if (at !== null && (at <= after || at > ctx.now() + YEAR_MS)) faults.push({ path, code: "out_of_range", message });
  };
  judge("scheduled_at", scheduledAt, ctx.now(), "Give a time in the future, within 365 days.");
  const message = "Give a time after the start, within 365 days.";
  judge("send_before", sendBefore, Math.max(ctx.now(), scheduledAt ?? 0), message);
  return { scheduledAt, sendBefore, faults };
}

/**
 * Judges a campaign before anybody is counted, in one trip; or gives what the request was answered before. Throws
 * `validation_failed`, `not_found`, `invalid_state`, `template_not_approved`, `channel_mismatch`, `missing_variable`.
 */
export async function planCampaign<R>(
  ctx: Ctx,
  order: StartCampaign,
  answered: z.ZodType<R>,
): Promise<{ plan: Plan } | { known: R }> {
  const found = await read(ctx, {
    templateId: order.template_id,
    channel: order.channel,
    connectionId: hasOwn(ctx.actor, "connectionId") ? ctx.actor.connectionId : null,
    tagKeys: (order.filter_tags ?? []).map(tagKey),
    segment: segmentQuery(ctx, order.segment_id ?? null),
  });
  const known = recall(ctx, found.record, answered);
  if (known !== null) return { known };

  const { scheduledAt, sendBefore, faults } = readTimes(ctx, order);
  const asked = readAudience(order, found.tags);
  const template = parseSendable(found.template);
  const [{ layout }] = layoutRows.parse(found.layout);
  const judged = template === null ? null : judgeVariables(template, order.variables, contactValueNames(layout));
  const allFaults = [...faults, ...asked.faults, ...(judged?.faults ?? [])];
  if (allFaults.length > 0) throw invalid(allFaults);
  if (template === null || judged === null) throw notFound("template");
  const resolved = resolveAudience(ctx, asked.audience, { tags: found.tags, segment: found.segments });

  const [connection] = connectionRows.parse(found.connections);
  if (connection === undefined) {
    const message = `The workspace has no default ${order.channel} connection, and the key's is not ${order.channel}.`;
    throw new AppError("channel_mismatch", message);
  }
  if (connection.status !== "active") {
    const message = "The connection cannot send now. Check it with a connection test.";
    throw new AppError("invalid_state", message, { status: connection.status });
  }
  const refusal = refuseTemplate(template, { id: connection.id, channel: order.channel });
  if (refusal !== null) throw refusal;
  if (judged.missing.length > 0) throw missingVariables(judged.missing);
  const { texts: variables } = judged;
  return {
    plan: {
      template,
      connectionId: connection.id,
      audience: asked.audience,
      resolved,
      variables,
      layout,
      scheduledAt,
      sendBefore,
    },
  };
}
