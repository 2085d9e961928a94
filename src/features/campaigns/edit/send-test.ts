import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/own.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text.ts";
import { contactValueNames, contactValues } from "../../contacts/contacts.values.ts";
import { type AcceptedMessage, acceptedMessage } from "../../messages/messages.schemas.ts";
import type { NewMessageContent } from "../../messages/send/send-message.sql.ts";
import { selectSeqByPhone, selectTemplateRecipient } from "../../messages/send/send-template.sql.ts";
import { acceptMessage } from "../../messages/send/send-message.ts";
import { findRecipientAt } from "../../messages/send/find-recipient.ts";
import { isMarketing } from "../../templates/templates.external.ts";
import { missingVariablesError } from "../../templates/templates.fitting.ts";
import { compileParts, compileVariables, fillForContact } from "../campaigns.variables.ts";
import { type CampaignPlan, planCampaign } from "../start/plan-campaign.ts";
import { readStoredCampaign } from "./read-stored-campaign.ts";
import { requestOf } from "./stored-request.ts";

const TOO_LONG = `With its variables filled in, the message has more than ${MAX_MESSAGE_CHARACTERS} characters.`;

/** Stands in for a value that the person at the number lacks. */
const sampleValue = (name: string) => `[${name}]`;

/**
 * The message as the person at the number would get it. Values that this person lacks are samples; all are where the number is not a
 * contact's. Throws `missing_variable`.
 */
async function testMessage(ctx: Ctx, plan: CampaignPlan, to: string): Promise<NewMessageContent> {
  const { template, layout } = plan;
  const { recipients } = await transact(ctx.db, {
    recipients: selectTemplateRecipient(ctx, selectSeqByPhone(ctx, phoneKey(to))),
  });
  const contact = recipients[0]?.contact ?? null;
  const samples = Array.from(contactValueNames(layout), (name) => [name, sampleValue(name)] as const);
  const [variables, parts] = [compileVariables(plan.variables), compileParts(plan.parts)];
  const fill = (own: ReadonlyMap<string, string | null>) => fillForContact(template, variables, own, parts);
  const own = contact === null ? new Map([...samples, ["phone", to]]) : contactValues(contact, layout);
  const real = fill(own);
  const lacking = real.skip === null ? [] : samples.filter(([name]) => real.names.includes(name));
  const filled = fill(new Map([...own, ...lacking]));
  if (filled.skip !== null) {
    if (filled.skip === "missing_variable") throw missingVariablesError(filled.names);
    throw invalid({ path: "variables", code: "too_big", message: TOO_LONG });
  }
  const { id, category } = template;
  return {
    text: filled.text,
    template: { id, form: filled.form, isMarketing: isMarketing(category) },
    isTest: true,
  };
}

/**
 * Sends the campaign's message to a number through its connection, as a direct message that no
 * count of the campaign has, and that answers nobody. Throws `not_found`, and what `startCampaign` and `acceptMessage` throw.
 */
export async function sendTestMessage(ctx: Ctx, id: string, to: string): Promise<AcceptedMessage> {
  const read = await readStoredCampaign(ctx, id, acceptedMessage);
  if (hasOwn(read, "known")) return read.known;
  const kept = { connectionId: read.stored.connection_id, scheduledAt: true, sendBefore: true };
  const planned = await planCampaign(ctx, requestOf(read.stored), acceptedMessage, kept);
  if (hasOwn(planned, "known")) return planned.known;
  const content = await testMessage(ctx, planned.plan, to);
  return acceptMessage(ctx, findRecipientAt(ctx, planned.plan.connectionId, { to }), content);
}
