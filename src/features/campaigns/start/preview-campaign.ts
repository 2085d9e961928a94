import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { contactValues } from "../../contacts/contacts.values.ts";
import type { StartCampaign } from "../campaigns.schemas.ts";
import { compileVariables, fillForPerson } from "../campaigns.variables.ts";
import { type AudienceCount, showAudience } from "./find-audience.ts";
import { planCampaign } from "./plan-campaign.ts";
import { hasOwn } from "../../../shared/own.ts";

const SHOWN = 5;
/** Some may lack a value, and get nothing. */
const LOOKED_AT = 50;

export interface Preview extends AudienceCount {
  samples: { contact_id: string; phone: string; body: string }[];
}

/** Whom a campaign would reach, and what the first of them would read. Stores nothing. Throws as `planCampaign` and `showAudience`. */
export async function previewCampaign(ctx: Ctx, order: StartCampaign): Promise<Preview> {
  const planned = await planCampaign({ ...ctx, once: null }, order, z.never());
  if (hasOwn(planned, "known")) return planned.known;
  const { template, variables, resolved, layout } = planned.plan;
  const { reachable, excluded, people } = await showAudience(ctx, resolved, LOOKED_AT);
  const compiled = compileVariables(variables);
  const samples = people.flatMap(({ id, facts }) => {
    const filled = fillForPerson(template, compiled, contactValues(facts, layout));
    if (filled.skip !== null || facts.phone === null) return [];
    return [{ contact_id: id, phone: facts.phone, body: filled.text }];
  });
  return { reachable, excluded, samples: samples.slice(0, SHOWN) };
}
