import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, merged, notFound } from "../../shared/errors.ts";
import * as repository from "./contacts.sql.ts";
import { type ContactAnswer, contactAnswer } from "./contacts.schemas.ts";
import { intoContact } from "./merge-contact-rows.sql.ts";

/** A workspace's contacts are numbered from behind `base`. */
export const numbersOf = (ctx: Ctx): { base: number } => ({ base: repository.baseSeq(ctx) });

const ids = z.array(z.object({ id: z.string() }));

/** The refusal of a contact's id that is not there, or not any more. */
export async function missingContact(ctx: Ctx, id: string): Promise<AppError> {
  const [into] = ids.parse(await ctx.db.all(intoContact(ctx, id)));
  return into === undefined ? notFound("contact") : merged("contact", into.id);
}

/** An archived contact too. Throws `not_found`. */
export async function getContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const json = await repository.findAnswer(ctx, id);
  if (json === null) throw await missingContact(ctx, id);
  return contactAnswer.parse(JSON.parse(json));
}
