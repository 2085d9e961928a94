import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type AppError, notFound } from "../../../shared/errors.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import type { Addressee } from "../input/message-input.schemas.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import type { Newcomer } from "./append-accepted.sql.ts";
import {
  type SendTarget,
  targetByContact,
  targetByConversation,
  targetByPhone,
  targetByUserId,
} from "./send-target.sql.ts";

export interface Recipient {
  target: SendTarget;
  /** Set if the person may have no contact yet. */
  newcomer?: Newcomer;
  /** The error if the contact or conversation does not exist. */
  explainMissing(): Promise<AppError>;
}

/** The person at the caller's sending connection. */
export const findRecipient = (ctx: Ctx, addressee: Addressee): Recipient =>
  findRecipientAt(ctx, requireSendingConnection(ctx), addressee);

export function findRecipientAt(ctx: Ctx, connectionId: string, addressee: Addressee): Recipient {
  if (hasOwn(addressee, "contact_id")) {
    const { contact_id: id } = addressee;
    return { target: targetByContact(ctx, connectionId, id), explainMissing: () => contactNotFound(ctx, id) };
  }
  const newContact = { id: ctx.newId("ct"), phone: null, phoneKey: null, name: null, source: "api" };
  const explainMissing = () => Promise.resolve(notFound("contact"));
  if (hasOwn(addressee, "user_id")) {
    const { user_id: userId } = addressee;
    const newcomer = { contact: newContact, identity: { userId, connectionId } };
    return { target: targetByUserId(ctx, connectionId, userId), newcomer, explainMissing };
  }
  const { to } = addressee;
  const key = phoneKey(to);
  const newcomer = { contact: { ...newContact, phone: to, phoneKey: key }, identity: null };
  return { target: targetByPhone(ctx, connectionId, to, key), newcomer, explainMissing };
}

export const findConversationPartner = (ctx: Ctx, conversationId: string): Recipient => ({
  target: targetByConversation(ctx, conversationId),
  explainMissing: () => conversationNotFound(ctx, conversationId),
});
