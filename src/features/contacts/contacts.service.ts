import * as z from "zod";
import { fetchRow, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, merged, notFound } from "../../shared/errors.ts";
import { selectContact } from "./contacts.sql.ts";
import type { ContactAnswer } from "./contacts.schemas.ts";
import { contactMergedInto } from "./identity/identify-people.sql.ts";

const survivor = z.object({ id: z.string() });

/** The `not_found` for a contact's id. Names the contact into which this contact was merged. */
export async function contactNotFound(ctx: Ctx, id: string): Promise<AppError> {
  const into = await fetchRow(ctx.db, statement(survivor, contactMergedInto(ctx, id)));
  return into === undefined ? notFound("contact") : merged("contact", into.id);
}

/** Also returns archived contacts. Throws `not_found`. */
export async function getContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const row = await fetchRow(ctx.db, selectContact(ctx, id));
  if (row === undefined) throw await contactNotFound(ctx, id);
  return row.result;
}
