import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { invalid } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { MAX_MESSAGE_CHARACTERS } from "../../../shared/text/text.ts";
import { contactValueNames, contactValues } from "../../contacts/contacts.values.ts";
import { type AcceptedMessage, acceptedMessage } from "../../messages/messages.schemas.ts";
import type { NewMessage } from "../../messages/send/new-message.ts";
import { selectTemplateAddressee } from "../../messages/send/send-template.ts";
import { acceptMessage } from "../../messages/send/send-message.ts";
import { addresseeAt, selectAddresseeSeq } from "../../messages/send/find-addressee.ts";
import { parseTemplate, templateKind } from "../../templates/model/parse-template.ts";
import type { OwnValues } from "../../templates/model/fill-template.ts";
import { missingVariablesError } from "../../templates/templates.fitting.ts";
import { compileRequest, type FilledMessage, fillForContact } from "../campaigns.variables.ts";
import { type CampaignPlan, readPlan } from "../start/plan-campaign.ts";
import { readStoredCampaign } from "../read-stored-campaign.ts";
import { requestOf } from "./stored-request.ts";

const TOO_LONG = `The rendered message has more than ${MAX_MESSAGE_CHARACTERS} characters.`;

const findMissing = (filled: FilledMessage) => (filled.skip === null ? [] : filled.names);

export const sampleValue = (name: string) => `[${name}]`;

function withSamples(own: OwnValues, lacking: ReadonlySet<string>): { values: OwnValues; used: ReadonlySet<string> } {
  const used = new Set<string>();
  const get = (name: string) => {
    const value = own.get(name) ?? null;
    if (value !== null || !lacking.has(name)) return value;
    used.add(name);
    return sampleValue(name);
  };
  return { values: { get }, used };
}

async function testMessage(ctx: Ctx, plan: CampaignPlan, to: string): Promise<NewMessage> {
  const { template, layout } = plan;
  const { addressees } = await transact(ctx.db, {
    addressees: selectTemplateAddressee(ctx, selectAddresseeSeq(ctx, plan.connectionId, { to })),
  });
  const contact = addressees[0]?.contact ?? null;
  const { variables, parts } = compileRequest(plan.request);
  const parsed = parseTemplate(template);
  const fill = (own: OwnValues) => fillForContact(parsed, variables, own, parts);
  const fields = contactValueNames(layout);
  const own = contact === null ? new Map([["phone", to]]) : contactValues(contact, layout);
  const lacking = contact === null ? fields : fields.intersection(new Set(findMissing(fill(own))));
  const { values, used } = withSamples(own, lacking);
  const filled = fill(values);
  if (filled.skip !== null) {
    if (filled.skip === "missing_variable") throw missingVariablesError(filled.names);
    throw invalid({ path: "variables", code: "too_big", message: TOO_LONG });
  }
  const { id, category } = template;
  return {
    text: filled.text,
    template: { id, form: filled.form, ...templateKind(category) },
    test: { samples: [...used].toSorted() },
  };
}

export async function sendTestMessage(ctx: Ctx, id: string, to: string): Promise<AcceptedMessage> {
  const read = await readStoredCampaign(ctx, id, acceptedMessage);
  if (hasOwn(read, "replay")) return read.replay;
  const kept = { connectionId: read.stored.connection_id, scheduledAt: true, sendBefore: true };
  const plan = await readPlan(ctx, requestOf(read.stored), kept);
  const message = await testMessage(ctx, plan, to);
  return acceptMessage(ctx, addresseeAt(ctx, plan.connectionId, { to }), message);
}
