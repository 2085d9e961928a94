import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import * as repository from "./contacts.repository.ts";
import { type ContactAnswer, contactAnswer } from "./contacts.schemas.ts";

export { contactPage } from "./list-contacts.repository.ts";
export {
  baseSeq,
  contactJson,
  firstMatch,
  insertContact,
  insertIdentity,
  isWithin,
  keepIdentities,
  lastSeq,
  layoutJson,
  nextSeq,
  numbersGiven,
  numberOfSeq,
  optedOutAt,
  seqByExternalId,
  seqByPhone,
  suppress,
  suppressionKeys,
  unsuppress,
  valuesJson,
  welcomeBack,
} from "./contacts.repository.ts";

/** A workspace's contacts are numbered from behind `base`. */
export const numbersOf = (ctx: Ctx): { base: number } => ({ base: repository.baseSeq(ctx) });

/** An archived contact too. Throws `not_found`. */
export async function getContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const json = await repository.findAnswer(ctx, id);
  if (json === null) throw notFound("contact");
  return contactAnswer.parse(JSON.parse(json));
}
