import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { insertContact, nextSeq, unarchiveContact } from "../../contacts/contacts.sql.ts";
import { missingConversation } from "../../conversations/conversations.service.ts";
import { upsertOutboundConversation } from "../../conversations/conversations.sql.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { deliverThread } from "../deliver/deliver-thread.ts";
import { type AcceptedMessage, acceptedMessage } from "../messages.schemas.ts";
import { explainRefusal } from "./explain-refusal.ts";
import {
  acceptedMessageAsJson,
  contactSeqOfMessage,
  insertMessage,
  isQueued,
  lacksContact,
  type MessageContent,
  selectSendCheck,
  type SendTarget,
  targetByConversation,
  targetByPhone,
} from "./send-message.sql.ts";

interface NewMessage {
  id: string;
  content: MessageContent;
  target: SendTarget;
  /** The conversation that the message replies in, if it is a reply. */
  conversationId?: string;
  /** Makes the person's contact, where the person may be none yet. */
  addContact?: SQL;
}

/** Queues a message in one batch and has it delivered right after the answer. */
async function acceptMessage(
  ctx: Ctx,
  { id, conversationId, content, target, addContact }: NewMessage,
): Promise<AcceptedMessage> {
  const { result, replayed, facts } = await commitOnce(ctx, {
    // The statements after the insert change nothing where it queued nothing.
    effects: (guard) => [
      insertMessage(ctx, { id, content, target, newSeq: nextSeq(ctx) }, guard),
      ...(addContact === undefined ? [] : [addContact]),
      unarchiveContact(ctx, contactSeqOfMessage(id), null, isQueued(id)),
      upsertOutboundConversation(ctx, ctx.newId("cnv"), id),
    ],
    result: acceptedMessageAsJson(id),
    shape: acceptedMessage,
    facts: selectSendCheck(ctx, target, content),
  });
  if (result === null) {
    const [check] = facts;
    throw check === undefined ? await missingConversation(ctx, conversationId ?? "") : explainRefusal(check);
  }
  if (!replayed) {
    ctx.waitUntil(deliverThread(ctx, { contactSeq: result.contact_seq, connectionId: result.connection_id }));
  }
  return result;
}

/** The connection that the caller's key sends through, or that the member has chosen. Throws `forbidden` where there is none. */
export function requireSendingConnection({ actor }: Ctx): string {
  if (actor.type === "api_key") return actor.connectionId;
  if (actor.type === "member" && actor.connectionId !== null) return actor.connectionId;
  throw new AppError("forbidden", "Choose a connection to send through.");
}

/**
 * Sends to a number (E.164) through the key's connection; makes the contact and the conversation where needed.
 * Throws `invalid_state`, `unsubscribed`, and for free text `window_closed`.
 */
export function sendToPhone(ctx: Ctx, to: string, content: MessageContent): Promise<AcceptedMessage> {
  const connectionId = requireSendingConnection(ctx);
  const id = ctx.newId("msg");
  const key = phoneKey(to);
  const contact = { id: ctx.newId("ct"), phone: to, phoneKey: key, name: null, source: "api" };
  return acceptMessage(ctx, {
    id,
    content,
    target: targetByPhone(ctx, connectionId, to, key),
    addContact: insertContact(ctx, contact, contactSeqOfMessage(id), lacksContact(id)),
  });
}

/** Replies in a conversation, through its connection. Throws `not_found` besides what `sendToPhone` throws. */
export function replyInConversation(
  ctx: Ctx,
  conversationId: string,
  content: MessageContent,
): Promise<AcceptedMessage> {
  const target = targetByConversation(ctx, conversationId);
  return acceptMessage(ctx, { id: ctx.newId("msg"), conversationId, content, target });
}
