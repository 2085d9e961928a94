import type { Ctx } from "../../../shared/context.ts";
import { hasOwn } from "../../../shared/own.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import { type AcceptedMessage, acceptedMessage } from "../../messages/messages.schemas.ts";
import type { NewMessageContent } from "../../messages/send/send-message.sql.ts";
import { acceptMessage } from "../../messages/send/send-message.ts";
import { findRecipientAt } from "../../messages/send/find-recipient.ts";
import { isMarketing } from "../../templates/templates.external.ts";
import { refuseMissingVariables } from "../../templates/templates.fitting.ts";
import { compileParts, compileVariables, fillForContact } from "../campaigns.variables.ts";
import { countAudience, findFirstReachable } from "../start/find-audience.ts";
import { type CampaignPlan, planCampaign } from "../start/plan-campaign.ts";
import { refuseNobody } from "../start/start-campaign.ts";
import { readStoredCampaign } from "./read-stored-campaign.ts";
import { requestOf } from "./stored-request.ts";

/** Contacts that lack a value are skipped, so that the first recipient may not be the first contact. */
const MAX_LOOKED_AT = 50;

/** The message that the first recipient would get now. Throws `no_recipients`, `missing_variable`. */
async function firstMessage(ctx: Ctx, plan: CampaignPlan): Promise<NewMessageContent> {
  const { template, resolved, connectionId, layout } = plan;
  const reached = { audience: resolved, connectionId };
  const people = await findFirstReachable(ctx, reached, MAX_LOOKED_AT);
  const [variables, parts] = [compileVariables(plan.variables), compileParts(plan.parts)];
  const missing = new Set<string>();
  for (const { facts } of people) {
    const filled = fillForContact(template, variables, contactValues(facts, layout), parts);
    if (filled.skip === null) {
      const { id, category } = template;
      return {
        text: filled.text,
        template: { id, form: filled.form, isMarketing: isMarketing(category) },
        isTest: true,
      };
    }
    for (const name of filled.names) missing.add(name);
  }
  if (people.length === 0) throw refuseNobody(await countAudience(ctx, reached));
  throw refuseMissingVariables([...missing]);
}

/**
 * Sends a number the message that the campaign's first recipient would get, through its connection, as a direct message that no
 * count of the campaign has, and that answers nobody. Throws `not_found`, and what `startCampaign` and `acceptMessage` throw.
 */
export async function sendTestMessage(ctx: Ctx, id: string, to: string): Promise<AcceptedMessage> {
  const read = await readStoredCampaign(ctx, id, acceptedMessage);
  if (hasOwn(read, "known")) return read.known;
  const kept = { connectionId: read.stored.connection_id, scheduledAt: true, sendBefore: true };
  const planned = await planCampaign(ctx, requestOf(read.stored), acceptedMessage, kept);
  if (hasOwn(planned, "known")) return planned.known;
  const content = await firstMessage(ctx, planned.plan);
  return acceptMessage(ctx, findRecipientAt(ctx, planned.plan.connectionId, { to }), content);
}
