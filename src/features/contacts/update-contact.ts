import * as z from "zod";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type Fault, invalid } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { taken } from "./contacts.plan.ts";
import * as repository from "./contacts.sql.ts";
import { type ContactAnswer, contactAnswer, presentContact } from "./contacts.schemas.ts";
import { missingContact } from "./contacts.service.ts";
import { needsOf, planOver, toWish, type UpsertInput } from "./upsert-contacts.ts";
import { decideAndWrite } from "./write-contacts.ts";

/** Read-only fields may come back as they are shown; anything else is a fault. */
async function findReadOnlyFaults(ctx: Ctx, id: string, sent: [string, unknown][]): Promise<Fault[]> {
  const json = sent.length === 0 ? null : await repository.findAnswer(ctx, id);
  if (json === null) return [];
  const { contact, layout } = contactAnswer.parse(JSON.parse(json));
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
  return decideAndWrite(ctx, needsOf([input], id), contactAnswer, async (knowledge) => {
    if (!knowledge.contacts.some((contact) => contact.id === id)) throw await missingContact(ctx, id);
    // Only here, since a repeat is given its answer though the contact may show something else by now.
    if (faults.length > 0) throw invalid(faults);
    const plan = planOver(ctx, knowledge);
    plan.update(id, toWish(input, knowledge, { replaceTags: true }));
    return { plan, result: repository.contactAnswer(ctx, id) };
  });
}

/** Hides a contact from lists and campaigns; its history stays. Again is fine. */
export async function archiveContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [repository.archive(ctx, id, guard)],
    result: repository.contactAnswer(ctx, id),
    shape: contactAnswer,
  });
  if (result === null) throw await missingContact(ctx, id);
  return result;
}

const holders = z.object({ phone: z.string().nullable(), email: z.string().nullable() });

/** Brings an archived contact back. Throws `conflict` if its phone or email has been taken since. */
export async function restoreContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => [repository.restore(ctx, id, guard)],
    result: repository.activeContactAnswer(ctx, id),
    shape: contactAnswer,
    facts: statement(holders, repository.holders(ctx, id)),
  });
  if (result !== null) return result;
  if (facts[0] === undefined) throw await missingContact(ctx, id);
  const { phone, email } = facts[0];
  throw phone === null ? taken("email", email ?? "", id) : taken("phone", phone, id);
}
