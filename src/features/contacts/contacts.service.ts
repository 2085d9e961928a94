import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import * as repository from "./contacts.repository.ts";
import { type ContactAnswer, contactAnswer } from "./contacts.schemas.ts";

export {
  contactJson,
  firstMatch,
  insertContact,
  insertIdentity,
  keepIdentities,
  layoutJson,
  nextSeq,
  numberOfSeq,
  optedOutAt,
  SEQ_RANGE,
  seqByExternalId,
  seqByPhone,
  suppress,
  suppressionKeys,
  unsuppress,
  valuesJson,
  welcomeBack,
} from "./contacts.repository.ts";

/** An archived contact too. Throws `not_found`. */
export async function getContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const json = await repository.findAnswer(ctx, id);
  if (json === null) throw notFound("contact");
  return contactAnswer.parse(JSON.parse(json));
}
