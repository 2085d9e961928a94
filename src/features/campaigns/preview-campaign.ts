import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { contactLayout, contactRecord } from "../contacts/contacts.schemas.ts";
import { contactValues } from "../contacts/contacts.values.ts";
import type { StartCampaign } from "./campaigns.schemas.ts";
import { compileVariables, fillForPerson } from "./campaigns.variables.ts";
import { type AudienceCount, readCount } from "./find-audience.ts";
import { countAndShow } from "./find-audience.repository.ts";
import { planCampaign } from "./plan-campaign.ts";
import { hasOwn } from "../../shared/own.ts";

const SHOWN = 5;
/** Some may lack a value, and get nothing. */
const LOOKED_AT = 50;

const people = z.array(z.object({ contact: fromJson(contactRecord), layout: fromJson(contactLayout) }));

export interface Preview extends AudienceCount {
  samples: { contact_id: string; phone: string; body: string }[];
}

/** Whom a campaign would reach, and what the first of them would read. Stores nothing. Throws as `planCampaign`. */
export async function previewCampaign(ctx: Ctx, order: StartCampaign): Promise<Preview> {
  const planned = await planCampaign({ ...ctx, once: null }, order, z.never());
  if (hasOwn(planned, "known")) return planned.known;
  const { template, variables, resolved } = planned.plan;
  const found = await countAndShow(ctx, resolved, LOOKED_AT);
  const compiled = compileVariables(variables);
  const samples = people.parse(found.people).flatMap(({ contact, layout }) => {
    const filled = fillForPerson(template, compiled, contactValues(contact, layout));
    if (filled.skip !== null || contact.phone === null) return [];
    return [{ contact_id: contact.id, phone: contact.phone, body: filled.text }];
  });
  return { ...readCount(found.counts), samples: samples.slice(0, SHOWN) };
}
