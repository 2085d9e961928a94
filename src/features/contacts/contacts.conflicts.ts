// The 409 that names two contacts: the one with the phone or email, and the one that should get it.
import { AppError } from "../../shared/errors.ts";

/** The message of `unavailable` after the last attempt. */
export const CONTACTS_CHANGE = "Too many requests are changing these contacts. Try again shortly.";

/** The active contacts that have a phone and an email. */
export interface AddressHolders {
  phoneHolderId: string | null;
  emailHolderId: string | null;
}

const conflict = (field: "phone" | "email", holderId: string, contactId: string): AppError =>
  new AppError("conflict", `Another active contact has this ${field}.`, {
    field,
    contact_id: holderId,
    matched_contact_id: contactId,
  });

/** The conflict if another contact has the phone or the email; phone first. */
export function findContactConflict(
  contactId: string,
  { phoneHolderId, emailHolderId }: AddressHolders,
): AppError | null {
  if (phoneHolderId !== null && phoneHolderId !== contactId) return conflict("phone", phoneHolderId, contactId);
  if (emailHolderId !== null && emailHolderId !== contactId) return conflict("email", emailHolderId, contactId);
  return null;
}
