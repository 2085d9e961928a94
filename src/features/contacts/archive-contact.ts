import type { Ctx } from "../../shared/context.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { markContactArchived, markContactRestored, selectAddressHolders } from "./archive-contact.sql.ts";
import { findContactConflict } from "./contacts.conflicts.ts";
import { type ContactAnswer, contactAnswer } from "./contacts.schemas.ts";
import { contactNotFound } from "./contacts.service.ts";
import { activeContactAsJson, contactAsJson, contactRevision } from "./contacts.sql.ts";

/** Hides a contact from lists and campaigns; its history stays. An archived contact stays archived. Throws `not_found`. */
export async function archiveContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => markContactArchived(ctx, id, guard),
    result: contactAsJson(ctx, id),
    shape: contactAnswer,
    currentRevision: contactRevision(ctx, id),
  });
  if (result === null) throw await contactNotFound(ctx, id);
  return result;
}

/** Makes an archived contact active again. Throws `not_found`, and `conflict` if its phone or email has been taken since. */
export async function restoreContact(ctx: Ctx, id: string): Promise<ContactAnswer> {
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => markContactRestored(ctx, id, guard),
    result: activeContactAsJson(ctx, id),
    shape: contactAnswer,
    facts: selectAddressHolders(ctx, id),
  });
  if (result !== null) return result;
  const [holders] = facts;
  if (holders === undefined) throw await contactNotFound(ctx, id);
  const { phone_holder_id: phoneHolderId, email_holder_id: emailHolderId } = holders;
  const conflict = findContactConflict(id, { phoneHolderId, emailHolderId });
  throw conflict ?? new Error("A contact whose phone and email are free was not restored.");
}
