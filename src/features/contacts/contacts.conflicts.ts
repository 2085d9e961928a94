import { AppError } from "../../shared/errors.ts";

export const CONTACTS_CHANGE = "Too many requests are changing these contacts. Try again shortly.";

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

export function findContactConflict(
  contactId: string,
  { phoneHolderId, emailHolderId }: AddressHolders,
): AppError | null {
  if (phoneHolderId !== null && phoneHolderId !== contactId) return conflict("phone", phoneHolderId, contactId);
  if (emailHolderId !== null && emailHolderId !== contactId) return conflict("email", emailHolderId, contactId);
  return null;
}
