import { presentTemplateParts } from "../../../channels/templates/channel-templates.ts";
import type { Ctx } from "../../../shared/context.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import { parseTemplate } from "../../templates/model/parse-template.ts";
import type { TemplateRecord } from "../../templates/templates.schemas.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import { compileRequest, fillForContact } from "../campaigns.variables.ts";
import { fingerprintCampaign, signAudience } from "./confirm-audience.ts";
import { type AudienceCount, previewAudience } from "./find-audience.ts";
import { type KeptValues, readPlan } from "./plan-campaign.ts";

const MAX_SAMPLES = 5;
/** More contacts are read than returned, because contacts without a value for a variable are skipped. */
const MAX_EXAMPLES = 50;

export interface Preview extends AudienceCount {
  template: TemplateRecord;
  fingerprint: string;
  samples: {
    contact_id: string;
    phone: string | null;
    body: string;
    /** All parts of a provider's template except the text. Null for other templates. */
    content: ReturnType<typeof presentTemplateParts> | null;
  }[];
  names: ReadonlyMap<string, string>;
}

export async function previewCampaign(ctx: Ctx, request: StartCampaign, kept?: KeptValues): Promise<Preview> {
  const plan = await readPlan(ctx, request, kept);
  const { template, resolved, connectionId, layout } = plan;
  const {
    reachable,
    excluded,
    people: examples,
  } = await previewAudience(ctx, { audience: resolved, connectionId }, MAX_EXAMPLES);
  const { variables, parts } = compileRequest(plan.request);
  const parsed = parseTemplate(template);
  const samples = examples.flatMap(({ id, facts }) => {
    const filled = fillForContact(parsed, variables, contactValues(facts, layout), parts);
    if (filled.skip !== null) return [];
    const content = filled.form === null ? null : presentTemplateParts(filled.form);
    return [{ contact_id: id, phone: facts.phone, body: filled.text, content }];
  });
  const names = new Map(
    examples.map(({ id, user_id, facts: { name, phone } }) => {
      const named = [name, phone].filter((each) => each !== null);
      return [id, named.length === 0 ? (user_id ?? "No number") : named.join(", ")];
    }),
  );
  const fingerprint = await fingerprintCampaign(request, plan);
  return { template, fingerprint, reachable, excluded, samples: samples.slice(0, MAX_SAMPLES), names };
}

export async function previewForStart(ctx: Ctx, request: StartCampaign, kept?: KeptValues) {
  const preview = await previewCampaign(ctx, request, kept);
  return { ...preview, audienceToken: await signAudience(ctx, { request, template: preview.template }, preview) };
}
