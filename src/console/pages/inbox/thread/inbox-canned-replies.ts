import { fillCannedReply } from "../../../../features/canned-replies/canned-replies.schemas.ts";
import { listCannedReplies } from "../../../../features/canned-replies/canned-replies.service.ts";
import { getContact } from "../../../../features/contacts/contacts.service.ts";
import { contactValues } from "../../../../features/contacts/contacts.values.ts";
import type { WorkspaceRequest } from "../../../kit/request.ts";

/** The newest canned replies; the composer offers no others. */
const MAX_LISTED = 500;

export interface Suggestion {
  id: string;
  name: string;
  text: string;
}

/** Canned replies with variables filled in for the conversation's contact. */
export async function loadCannedReplies({ ctx }: WorkspaceRequest, contactId: string): Promise<Suggestion[]> {
  const [replies, { contact, layout }] = await Promise.all([
    listCannedReplies(ctx, MAX_LISTED, undefined),
    getContact(ctx, contactId),
  ]);
  const values = contactValues(contact, layout);
  return replies.map(({ id, shortcut, body }) => ({
    id,
    name: shortcut,
    text: fillCannedReply(body, values),
  }));
}
