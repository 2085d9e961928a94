// The first statement inserts the message, unless it is refused. The other statements change nothing if the message
// does not exist. Raw SQL, so that one round trip is enough.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts, conversations, messages } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { createdContactEvents, externalIdsJson } from "../../contacts/contact-events.sql.ts";
import { contactDefaults } from "../../contacts/contact-fields.schemas.ts";
import {
  insertContact,
  type NewContact,
  newContactRow,
  nextSeq,
  unarchiveContact,
  unarchiving,
} from "../../contacts/contacts.sql.ts";
import { upsertContactIdentities } from "../../contacts/identity/provider-ids.sql.ts";
import { optedOutAt } from "../../contacts/opt-outs/opt-outs.sql.ts";
import {
  openConversationOfReaction,
  upsertOutboundConversation,
} from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { insertPendingMedia } from "../../media/media.sql.ts";
import type { ContactIfMissing, SendTarget } from "./find-addressee.ts";
import type { FetchedFile, NewMessage } from "./new-message.ts";
import { contactSeqOfMessage, insertMessage, lacksContact, messageExists } from "./send-message.sql.ts";

const m = columns(messages, "m");
const storedContact = columns(contacts, "contacts");
const v = columns(conversations, "v");

export interface AddressedMessage {
  id: string;
  target: SendTarget;
  contactIfMissing?: ContactIfMissing | undefined;
  message: NewMessage;
}

const changes = (fields: Record<string, [before: unknown, after: unknown]>): SQL => sql`${JSON.stringify(fields)}`;

const changesWith = (fields: SQL, condition: SQL, name: string, pair: SQL): SQL =>
  sql`json_patch(${fields}, iif(${condition}, json_object(${name}, ${pair}), '{}'))`;

function contactWithPhoneCreatedEvent(ctx: Ctx, messageId: string, { id, phone, phoneKey, source }: NewContact): SQL {
  const { status, lifecycle_stage } = contactDefaults;
  const fields = { phone, source, status, lifecycle_stage };
  const isOptedOut = sql`${optedOutAt(ctx, sql`${id}`, sql`${phoneKey}`, "marketing_suppressions")} IS NOT NULL`;
  const all = changesWith(
    changes(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [null, value]]))),
    isOptedOut,
    "marketing_opt_out",
    sql`json('[null,true]')`,
  );
  return sql`SELECT ${event("contact.created", id, all)} WHERE ${lacksContact(messageId)}`;
}

const contactWithUserIdCreatedEvent = (
  ctx: Ctx,
  messageId: string,
  { contact, userId, connectionId }: { contact: NewContact; userId: string; connectionId: string },
): SQL =>
  createdContactEvents(
    ctx,
    newContactRow(contact, lacksContact(messageId)),
    externalIdsJson(sql`
      SELECT provider, ${userId} AS external_id, id AS connection_id, NULL AS username FROM connections
      WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id}`),
  );

function contactRestoredEvent(messageId: string): SQL {
  const restoring = unarchiving(storedContact, storedContact.phoneKey, null);
  const all = changesWith(
    changes({ is_archived: [true, false] }),
    restoring.emailTaken,
    "email",
    sql`json_array(contacts.email, NULL)`,
  );
  return sql`
    SELECT ${event("contact.restored", sql`contacts.id`, all)}
    FROM contacts WHERE seq = ${contactSeqOfMessage(messageId)} AND ${restoring.changes}`;
}

const conversationOpenedEvent = (messageId: string, id: string): SQL => sql`
  SELECT ${event("conversation.opened", id, changes({ status: [null, "open"] }))} FROM messages m
  WHERE ${m.id} = ${messageId} AND NOT EXISTS (
    SELECT 1 FROM conversations v WHERE ${v.contactSeq} = ${m.contactSeq} AND ${v.connectionId} = ${m.connectionId})`;

const messageQueuedEvent = (id: string, { sendAt = null }: NewMessage): SQL =>
  sql`SELECT ${event("message.queued", id, changes({ delivery: [null, sendAt === null ? "queued" : "scheduled"] }))} WHERE ${messageExists(id)}`;

const contactCreatedEvent = (ctx: Ctx, messageId: string, { contact, identity }: ContactIfMissing): SQL =>
  identity === null
    ? contactWithPhoneCreatedEvent(ctx, messageId, contact)
    : contactWithUserIdCreatedEvent(ctx, messageId, { contact, ...identity });

/**
 * Must run before the contact and conversation are inserted, to see whether they are new. A reaction gets its event
 * later, when the provider accepts it.
 */
const appendAccepted = (
  ctx: Ctx,
  messageId: string,
  {
    conversationId,
    contactIfMissing,
    message,
  }: { conversationId: string; contactIfMissing: ContactIfMissing | undefined; message: NewMessage },
): SQL =>
  appendEvents(
    ctx,
    eventsOf([
      ...(contactIfMissing === undefined ? [] : [contactCreatedEvent(ctx, messageId, contactIfMissing)]),
      contactRestoredEvent(messageId),
      conversationOpenedEvent(messageId, conversationId),
      ...(message.content?.type === "reaction" ? [] : [messageQueuedEvent(messageId, message)]),
    ]),
  );

const addFile = (ctx: Ctx, messageId: string, { mediaId, url, type, filename }: FetchedFile): SQL =>
  insertPendingMedia(
    ctx,
    { id: mediaId, source: { url }, messageType: type, mimeType: null, filename },
    messageExists(messageId),
  );

function addMissingContact(ctx: Ctx, messageId: string, { contact, identity }: ContactIfMissing): SQL[] {
  const seq = contactSeqOfMessage(messageId);
  const add = insertContact(ctx, contact, seq, lacksContact(messageId));
  if (identity === null) return [add];
  const person = { phone: null, userIds: [identity.userId], aliases: [], username: null };
  const isAdded = sql`EXISTS (SELECT 1 FROM contacts WHERE id = ${contact.id})`;
  return [add, ...upsertContactIdentities(ctx, identity.connectionId, person, seq, isAdded)];
}

export function acceptMessageStatements(
  ctx: Ctx,
  { id, target, contactIfMissing, message }: AddressedMessage,
  guard: SQL,
): SQL[] {
  const conversationId = ctx.newId("cnv");
  const openConversation =
    message.content?.type === "reaction"
      ? openConversationOfReaction(ctx, conversationId, id)
      : upsertOutboundConversation(ctx, conversationId, id, { isAnswer: message.test === undefined });
  return [
    insertMessage(ctx, { id, message, target, newSeq: nextSeq(ctx) }, guard),
    appendAccepted(ctx, id, { conversationId, contactIfMissing, message }),
    ...(contactIfMissing === undefined ? [] : addMissingContact(ctx, id, contactIfMissing)),
    unarchiveContact(ctx, contactSeqOfMessage(id), null, messageExists(id)),
    openConversation,
    ...(message.fetched ?? []).map((file) => addFile(ctx, id, file)),
  ];
}
