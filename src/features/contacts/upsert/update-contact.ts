import type { Ctx } from "../../../shared/context.ts";
import { type Fault, invalid } from "../../../shared/errors.ts";
import { type ContactAnswer, presentContact, contactAnswer } from "../contacts.schemas.ts";
import { contactNotFound } from "../contacts.service.ts";
import { contactAsJson } from "../contacts.sql.ts";
import type { KnownContact } from "./upsert-plan.ts";
import { createUpsertPlan, planQuery, readPatch, type UpsertInput } from "./upsert-contacts.ts";
import { planAndWrite } from "./write-contacts.ts";

/** Read-only fields are faults unless they equal the stored values. */
function findReadOnlyFaults({ contact, layout }: ContactAnswer, sent: [string, unknown][]): Fault[] {
  const shown = new Map<string, unknown>(Object.entries(presentContact(contact, layout)));
  return sent
    .filter(([name, value]) => JSON.stringify(shown.get(name)) !== JSON.stringify(value))
    .map(([path]) => ({ path, code: "read_only", message: "This field cannot be changed." }));
}

/**
 * Represents the stored contact in a change without phone and email. The guard checks that the contact exists and has a phone, an
 * email or a provider's id.
 */
const reachableContact = (id: string): KnownContact => ({
  seq: null,
  id,
  phoneKey: null,
  emailKey: null,
  archivedAt: null,
  tagNumbers: [],
  hasExternalId: true,
});

/** Changes the sent fields; `tags` replaces the set. Throws `not_found`, `conflict`, `validation_failed`. */
export async function updateContact(
  ctx: Ctx,
  id: string,
  input: UpsertInput,
  readOnly: [string, unknown][],
): Promise<ContactAnswer> {
  const isPlain = input.phone === undefined && input.email === undefined && readOnly.length === 0;
  const assumed = isPlain ? [reachableContact(id)] : null;
  const query = planQuery([input], { contactId: id, showsContact: readOnly.length > 0, assumed });
  return planAndWrite(ctx, query, contactAnswer, async (data) => {
    if (!data.contacts.some((contact) => contact.id === id)) throw await contactNotFound(ctx, id);
    const faults = data.shown === null ? [] : findReadOnlyFaults(data.shown, readOnly);
    if (faults.length > 0) throw invalid(faults);
    const plan = createUpsertPlan(ctx, data);
    plan.update(id, readPatch(input, data, { replaceTags: true }));
    return { plan, result: contactAsJson(ctx, id) };
  });
}
