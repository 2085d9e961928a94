// Appends the events of an accepted message and its new contact and conversation, as one row. Raw, because the events depend on
// rows that the same batch inserts.
import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts, conversations, messages } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { contactDefaults } from "../../contacts/contact-fields.schemas.ts";
import { createdContactEvents, externalIdsJson } from "../../contacts/contact-events.sql.ts";
import { type NewContact, newContactRow, unarchiving } from "../../contacts/contacts.sql.ts";
import { optedOutAt } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import type { NewMessageContent } from "./new-message.ts";
import { contactSeqOfMessage, isQueued, lacksContact } from "./send-message.sql.ts";

const m = columns(messages, "m");
const storedContact = columns(contacts, "contacts");
const v = columns(conversations, "v");

const changes = (fields: Record<string, [before: unknown, after: unknown]>): SQL => sql`${JSON.stringify(fields)}`;

const changesWith = (fields: SQL, condition: SQL, name: string, pair: SQL): SQL =>
  sql`json_patch(${fields}, iif(${condition}, json_object(${name}, ${pair}), '{}'))`;

/** Unsubscribed people receive no messages, so a contact that a message creates is subscribed. */
function contactWithPhoneCreated(ctx: Ctx, messageId: string, { id, phone, phoneKey, source }: NewContact): SQL {
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

/** Like `contactWithPhoneCreated`, for a person known only by the provider's id. */
const contactWithUserIdCreated = (
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

function contactRestored(messageId: string): SQL {
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

const conversationOpened = (messageId: string, id: string): SQL => sql`
  SELECT ${event("conversation.opened", id, changes({ status: [null, "open"] }))} FROM messages m
  WHERE ${m.id} = ${messageId} AND NOT EXISTS (
    SELECT 1 FROM conversations v WHERE ${v.contactSeq} = ${m.contactSeq} AND ${v.connectionId} = ${m.connectionId})`;

const messageQueued = (id: string, { sendAt = null }: NewMessageContent): SQL =>
  sql`SELECT ${event("message.queued", id, changes({ delivery: [null, sendAt === null ? "queued" : "scheduled"] }))} WHERE ${isQueued(id)}`;

/** A person who may have no contact yet, by number or by the provider's id. */
export interface Newcomer {
  contact: NewContact;
  identity: { userId: string; connectionId: string } | null;
}

/**
 * Runs after the message insert, so that the message exists if it was accepted. Runs before the contact and conversation inserts,
 * so that new ones are still missing; a reaction has no event until the provider accepts it.
 */
export const appendAccepted = (
  ctx: Ctx,
  messageId: string,
  {
    conversationId,
    newcomer,
    content,
  }: { conversationId: string; newcomer: Newcomer | undefined; content: NewMessageContent },
): SQL =>
  appendEvents(
    ctx,
    eventsOf([
      ...(newcomer === undefined ? [] : [contactCreated(ctx, messageId, newcomer)]),
      contactRestored(messageId),
      conversationOpened(messageId, conversationId),
      ...(content.content?.type === "reaction" ? [] : [messageQueued(messageId, content)]),
    ]),
  );

const contactCreated = (ctx: Ctx, messageId: string, { contact, identity }: Newcomer): SQL =>
  identity === null
    ? contactWithPhoneCreated(ctx, messageId, contact)
    : contactWithUserIdCreated(ctx, messageId, { contact, ...identity });
