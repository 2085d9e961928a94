// Accepts a message. Statements of one batch, in order:
// 1. Insert the message, unless a condition of `send-refusal.ts` holds.
// 2. Append the events of the message and of a new contact and conversation.
// 3. Add the new contact, with the provider's id.
// 4. Restore an archived contact.
// 5. Open or update the conversation.
// 6. Add files to be fetched.
// Raw, because the later statements change nothing unless the first one inserted: a send takes one round trip.
import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { insertContact, nextSeq, unarchiveContact } from "../../contacts/contacts.sql.ts";
import { upsertContactIdentities } from "../../contacts/identity/provider-ids.sql.ts";
import {
  openConversationOfReaction,
  upsertOutboundConversation,
} from "../../conversations/upsert-conversations.sql.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import { appendAccepted, type Newcomer } from "./append-accepted.sql.ts";
import type { FetchedFile, NewMessageContent } from "./new-message.ts";
import { contactSeqOfMessage, insertMessage, isQueued, lacksContact } from "./send-message.sql.ts";
import type { SendTarget } from "./send-target.sql.ts";

export interface NewMessage {
  id: string;
  target: SendTarget;
  /** Set if the person may have no contact yet. */
  newcomer?: Newcomer | undefined;
  content: NewMessageContent;
}

/** Accepts a message if `guard` holds. If the first statement queues nothing, the others change nothing. */
export function acceptMessageStatements(ctx: Ctx, { id, target, newcomer, content }: NewMessage, guard: SQL): SQL[] {
  const conversationId = ctx.newId("cnv");
  const openConversation =
    content.content?.type === "reaction"
      ? openConversationOfReaction(ctx, conversationId, id)
      : upsertOutboundConversation(ctx, conversationId, id, content.test === undefined);
  return [
    insertMessage(ctx, { id, content, target, newSeq: nextSeq(ctx) }, guard),
    appendAccepted(ctx, id, { conversationId, newcomer, content }),
    ...(newcomer === undefined ? [] : addNewcomer(ctx, id, newcomer)),
    unarchiveContact(ctx, contactSeqOfMessage(id), null, isQueued(id)),
    openConversation,
    ...(content.fetched ?? []).map((file) => addFile(ctx, id, file)),
  ];
}

const addFile = (ctx: Ctx, messageId: string, { mediaId, url, type, filename }: FetchedFile): SQL =>
  insertPendingMedia(
    ctx,
    { id: mediaId, source: { url }, messageType: type, mimeType: null, filename },
    isQueued(messageId),
  );

function addNewcomer(ctx: Ctx, messageId: string, { contact, identity }: Newcomer): SQL[] {
  const seq = contactSeqOfMessage(messageId);
  const add = insertContact(ctx, contact, seq, lacksContact(messageId));
  if (identity === null) return [add];
  const person = { phone: null, userIds: [identity.userId], aliases: [], username: null };
  const isAdded = sql`EXISTS (SELECT 1 FROM contacts WHERE id = ${contact.id})`;
  return [add, ...upsertContactIdentities(ctx, identity.connectionId, person, seq, isAdded)];
}
