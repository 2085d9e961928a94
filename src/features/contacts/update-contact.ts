import { fetchRow } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type Fault, invalid } from "../../shared/errors.ts";
import { type ContactAnswer, contactAnswer, presentContact } from "./contacts.schemas.ts";
import { contactNotFound } from "./contacts.service.ts";
import { contactAsJson, selectContact } from "./contacts.sql.ts";
import { createUpsertPlan, planQuery, readPatch, type UpsertInput } from "./upsert-contacts.ts";
import { planAndWrite } from "./write-contacts.ts";

/** Read-only fields may be sent with the values they show; others are faults. */
async function findReadOnlyFaults(ctx: Ctx, id: string, sent: [string, unknown][]): Promise<Fault[]> {
  const row = sent.length === 0 ? undefined : await fetchRow(ctx.db, selectContact(ctx, id));
  if (row === undefined) return [];
  const { contact, layout } = row.result;
  const shown = new Map<string, unknown>(Object.entries(presentContact(contact, layout)));
  return sent
    .filter(([name, value]) => JSON.stringify(shown.get(name)) !== JSON.stringify(value))
    .map(([path]) => ({ path, code: "read_only", message: "This field cannot be changed." }));
}

/** Changes what was sent; `tags` replaces the set. Throws `not_found`, `conflict`, `validation_failed`. */
export async function updateContact(
  ctx: Ctx,
  id: string,
  input: UpsertInput,
  readOnly: [string, unknown][],
): Promise<ContactAnswer> {
  const faults = await findReadOnlyFaults(ctx, id, readOnly);
  return planAndWrite(ctx, planQuery([input], id), contactAnswer, async (data) => {
    if (!data.contacts.some((contact) => contact.id === id)) throw await contactNotFound(ctx, id);
    // Only here: a repeated request gets its first answer, whatever the contact shows by now.
    if (faults.length > 0) throw invalid(faults);
    const plan = createUpsertPlan(ctx, data);
    plan.update(id, readPatch(input, data, { replaceTags: true }));
    return { plan, result: contactAsJson(ctx, id) };
  });
}
