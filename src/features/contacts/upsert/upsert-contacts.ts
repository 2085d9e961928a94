import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { invalid, type Fault } from "../../../shared/errors.ts";
import { formerKeys, phoneKey } from "../../../shared/text/phone.ts";
import { checkCustomFieldValues } from "../../custom-fields/custom-fields.values.ts";
import { type ContactInput, type ContactPatch, emailKey, toContactPatch } from "../contacts.patch.ts";
import { contactAnswer, upsertOutcome, type ContactAnswer, presentContact } from "../contacts.schemas.ts";
import { contactAsJson } from "../contacts.sql.ts";
import { UpsertPlan, type ExistingContact } from "./upsert-plan.ts";
import { type PlanData, type PlanQuery, planAndWrite } from "./write-contacts.ts";
import { firstSpellings, nameKey } from "../../../shared/text/folding.ts";
import { contactNotFound } from "../contacts.service.ts";

export interface UpsertInput extends ContactInput {
  custom_fields?: Record<string, unknown> | undefined;
  update?: boolean | undefined;
}

const sentTexts = (values: (string | null | undefined)[]) =>
  values.flatMap((value) => (typeof value === "string" ? [value] : []));

function planQuery(
  inputs: UpsertInput[],
  target: Pick<PlanQuery, "contactId" | "readsContact" | "assumed">,
): PlanQuery {
  const keys = sentTexts(inputs.map(({ phone }) => phone)).map(phoneKey);
  return {
    ...target,
    phoneKeys: keys.flatMap((key) => [key, ...formerKeys(key)]),
    emailKeys: sentTexts(inputs.map(({ email }) => email)).map(emailKey),
    tags: firstSpellings(inputs.flatMap(({ tags = [] }) => tags)),
    hasValues: inputs.some(({ custom_fields = {} }) => Object.keys(custom_fields).length > 0),
  };
}

/** `assumed` is empty, because the contacts are most likely new. */
export const upsertQuery = (inputs: UpsertInput[]): PlanQuery =>
  planQuery(inputs, { contactId: null, readsContact: false, assumed: [] });

/** Throws `validation_failed` for custom fields that do not match their definitions. */
export function readPatch(
  input: UpsertInput,
  { definitions }: PlanData,
  { replaceTags }: { replaceTags: boolean },
): ContactPatch {
  const { values, faults } = checkCustomFieldValues(definitions, input.custom_fields ?? {});
  if (faults.length > 0) throw invalid(faults);
  return toContactPatch({ ...input, values }, { replaceTags, tagKeys: (input.tags ?? []).map(nameKey) });
}

export const createUpsertPlan = (ctx: Ctx, { contacts, tagNumbers }: PlanData): UpsertPlan =>
  new UpsertPlan(contacts, tagNumbers, () => ctx.newId("ct"));

const upserted = contactAnswer.extend({ extra: z.object(upsertOutcome) });

/** Throws `conflict` if phone and email belong to two contacts, and `validation_failed` for custom fields. */
export function upsertContact(ctx: Ctx, input: UpsertInput): Promise<z.infer<typeof upserted>> {
  return planAndWrite(ctx, upsertQuery([input]), upserted, (data) => {
    const plan = createUpsertPlan(ctx, data);
    const { contactId, created, updated, restored, matchedBy } = plan.upsert(
      readPatch(input, data, { replaceTags: false }),
      input.update !== false,
    );
    return { plan, result: contactAsJson(ctx, contactId, { created, updated, restored, matched_by: matchedBy }) };
  });
}

/** Returns a fault for each read-only field whose value differs from the stored value. */
function findReadOnlyFaults({ contact, layout }: ContactAnswer, sent: [string, unknown][]): Fault[] {
  const presented = new Map<string, unknown>(Object.entries(presentContact(contact, layout)));
  return sent
    .filter(([name, value]) => JSON.stringify(presented.get(name)) !== JSON.stringify(value))
    .map(([path]) => ({ path, code: "read_only", message: "This field cannot be changed." }));
}

/**
 * A plan that is made before the contact is read uses this instead. The write checks that the contact exists and has a
 * phone, an email or a provider's id.
 */
const reachableContact = (id: string): ExistingContact => ({
  seq: null,
  id,
  phoneKey: null,
  emailKey: null,
  archivedAt: null,
  tagNumbers: [],
  hasExternalId: true,
});

/** `tags` replaces all tags. Throws `not_found`, `conflict`, `validation_failed`. */
export async function updateContact(
  ctx: Ctx,
  id: string,
  input: UpsertInput,
  readOnly: [string, unknown][],
): Promise<ContactAnswer> {
  const isPlain = input.phone === undefined && input.email === undefined && readOnly.length === 0;
  const assumed = isPlain ? [reachableContact(id)] : null;
  const query = planQuery([input], { contactId: id, readsContact: readOnly.length > 0, assumed });
  return planAndWrite(ctx, query, contactAnswer, async (data) => {
    if (!data.contacts.some((contact) => contact.id === id)) throw await contactNotFound(ctx, id);
    const faults = data.stored === null ? [] : findReadOnlyFaults(data.stored, readOnly);
    if (faults.length > 0) throw invalid(faults);
    const plan = createUpsertPlan(ctx, data);
    plan.update(id, readPatch(input, data, { replaceTags: true }));
    return { plan, result: contactAsJson(ctx, id) };
  });
}
