import { sql, type SQL } from "drizzle-orm";
import { providersWithUserId } from "../../../channels/providers.ts";
import { columns } from "../../../db/columns.ts";
import { connections, contactIdentities, contacts, conversations } from "../../../db/schema/index.ts";
import { requireSendingConnection } from "../../../shared/access/actor.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type AppError, notFound } from "../../../shared/errors.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import type { NewContact } from "../../contacts/contacts.sql.ts";
import { seqByPhone } from "../../contacts/identity/identify-people.sql.ts";
import { userIdAt } from "../../contacts/identity/provider-ids.sql.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import type { AddresseeInput } from "../input/message-input.schemas.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const v = columns(conversations, "v");
const connection = columns(connections);
const contact = columns(contacts);
const identity = columns(contactIdentities);

export type SendTarget = SQL;

interface TargetValues {
  seq: SQL;
  contactId: SQL;
  phoneKey: SQL | string;
  connectionId: SQL | string;
  address: SQL | string;
  hasMalformedUserId?: SQL;
}

export interface ContactIfMissing {
  contact: NewContact;
  identity: { userId: string; connectionId: string } | null;
}

export interface Addressee {
  target: SendTarget;
  contactIfMissing?: ContactIfMissing;
  explainMissing(): Promise<AppError>;
}

const target = (
  { seq, contactId, phoneKey: key, connectionId, address, hasMalformedUserId = sql`FALSE` }: TargetValues,
  from: SQL,
): SendTarget => sql`
  SELECT ${seq} AS seq, ${contactId} AS contact_id, ${key} AS phone_key, ${connectionId} AS connection_id, ${address} AS address,
    ${hasMalformedUserId} AS has_malformed_user_id ${from}`;

const targetByPhone = (ctx: Ctx, connectionId: string, to: string, key: string): SendTarget =>
  target(
    { seq: sql`found.seq`, contactId: c.id, phoneKey: key, connectionId, address: to },
    sql`FROM (SELECT ${seqByPhone(ctx, key)} AS seq) found LEFT JOIN contacts c ON ${c.seq} = found.seq`,
  );

const providerOfConnection = (ctx: Ctx, connectionId: string): SQL => sql`(
  SELECT ${connection.provider} FROM connections WHERE ${connection.id} = ${connectionId} AND ${connection.workspaceId} = ${ctx.workspace.id})`;

const seqByUserId = (ctx: Ctx, connectionId: string, userId: string): SQL => sql`(
  SELECT ${identity.contactSeq} FROM contact_identities WHERE ${identity.workspaceId} = ${ctx.workspace.id}
    AND ${identity.provider} = ${providerOfConnection(ctx, connectionId)} AND ${identity.externalId} = ${userId})`;

/** A person without a phone number can opt out too. The key of the opt-out is then `provider:userId`. */
const targetByUserId = (ctx: Ctx, connectionId: string, userId: string): SendTarget =>
  target(
    {
      seq: sql`found.seq`,
      contactId: c.id,
      phoneKey: sql`coalesce(${c.phoneKey}, found.provider || ':' || ${userId})`,
      connectionId,
      address: userId,
      hasMalformedUserId: sql`(found.seq IS NULL
        AND found.provider NOT IN (SELECT e.value FROM json_each(${JSON.stringify(providersWithUserId(userId))}) e))`,
    },
    sql`
      FROM (SELECT ${seqByUserId(ctx, connectionId, userId)} AS seq, ${providerOfConnection(ctx, connectionId)} AS provider) found
      LEFT JOIN contacts c ON ${c.seq} = found.seq`,
  );

const hasAddress = sql`(${v.wroteFromKey} = ${c.phoneKey} OR ${v.wroteFromKey} IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq} AND ${i.externalId} = ${v.wroteFrom} AND ${i.replacedAt} IS NULL))`;

/**
 * Prefers the address from which the contact last wrote, because the window is open there. Otherwise uses the contact's
 * number, and then its id on the connection.
 */
export const replyAddress = (connectionId: SQL): SQL =>
  sql`coalesce(iif(${hasAddress}, ${v.wroteFrom}, NULL), ${c.phone}, ${userIdAt(c.seq, connectionId)})`;

export const targetByConversation = (ctx: Ctx, conversationId: string): SendTarget =>
  target(
    {
      seq: v.contactSeq,
      contactId: c.id,
      phoneKey: c.phoneKey,
      connectionId: v.connectionId,
      address: replyAddress(v.connectionId),
    },
    sql`
      FROM conversations v JOIN contacts c ON ${c.seq} = ${v.contactSeq}
      WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id}`,
  );

const targetByContact = (ctx: Ctx, connectionId: string, contactId: string): SendTarget =>
  target(
    { seq: c.seq, contactId: c.id, phoneKey: c.phoneKey, connectionId, address: replyAddress(sql`${connectionId}`) },
    sql`
      FROM contacts c LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${connectionId}
      WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}`,
  );

export const addresseeOf = (ctx: Ctx, input: AddresseeInput): Addressee =>
  addresseeAt(ctx, requireSendingConnection(ctx), input);

export function addresseeAt(ctx: Ctx, connectionId: string, input: AddresseeInput): Addressee {
  if (hasOwn(input, "contact_id")) {
    const { contact_id: id } = input;
    return { target: targetByContact(ctx, connectionId, id), explainMissing: () => contactNotFound(ctx, id) };
  }
  const newContact = { id: ctx.newId("ct"), phone: null, phoneKey: null, name: null, source: "api" };
  const explainMissing = () => Promise.resolve(notFound("contact"));
  if (hasOwn(input, "user_id")) {
    const { user_id: userId } = input;
    const contactIfMissing = { contact: newContact, identity: { userId, connectionId } };
    return { target: targetByUserId(ctx, connectionId, userId), contactIfMissing, explainMissing };
  }
  const { to } = input;
  const key = phoneKey(to);
  const contactIfMissing = { contact: { ...newContact, phone: to, phoneKey: key }, identity: null };
  return { target: targetByPhone(ctx, connectionId, to, key), contactIfMissing, explainMissing };
}

export const addresseeOfConversation = (ctx: Ctx, conversationId: string): Addressee => ({
  target: targetByConversation(ctx, conversationId),
  explainMissing: () => conversationNotFound(ctx, conversationId),
});

export function selectAddresseeSeq(ctx: Ctx, connectionId: string, input: AddresseeInput): SQL {
  if (hasOwn(input, "contact_id"))
    return sql`SELECT ${contact.seq} FROM contacts WHERE ${contact.id} = ${input.contact_id} AND ${contact.workspaceId} = ${ctx.workspace.id}`;
  if (hasOwn(input, "user_id")) return sql`SELECT ${seqByUserId(ctx, connectionId, input.user_id)} AS seq`;
  return sql`SELECT ${seqByPhone(ctx, phoneKey(input.to))} AS seq`;
}

export const selectSeqOfConversation = (ctx: Ctx, conversationId: string): SQL =>
  sql`SELECT ${v.contactSeq} AS seq FROM conversations v WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id}`;
