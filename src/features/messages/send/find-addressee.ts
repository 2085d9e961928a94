// Selects the person that a message is for. Raw SQL, because the target is part of the statement that accepts the message.
import { sql } from "drizzle-orm";
import { providersWithUserId } from "../../../channels/providers.ts";
import { columns } from "../../../db/columns.ts";
import { contactIdentities, contacts, conversations } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
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

/** Selects `seq`, `contact_id`, `phone_key`, `connection_id`, `address`, `has_malformed_user_id`. No row for an unknown person. */
export type SendTarget = SQL;

/** A person, by number or provider id, who might not have a contact yet. */
export interface Newcomer {
  contact: NewContact;
  identity: { userId: string; connectionId: string } | null;
}

export interface Addressee {
  target: SendTarget;
  newcomer?: Newcomer;
  explainMissing(): Promise<AppError>;
}

const targetByPhone = (ctx: Ctx, connectionId: string, to: string, key: string): SendTarget => sql`
  SELECT found.seq AS seq, ${c.id} AS contact_id, ${key} AS phone_key, ${connectionId} AS connection_id, ${to} AS address, FALSE AS has_malformed_user_id
  FROM (SELECT ${seqByPhone(ctx, key)} AS seq) found LEFT JOIN contacts c ON ${c.seq} = found.seq`;

const providerOfConnection = (ctx: Ctx, connectionId: string): SQL =>
  sql`(SELECT provider FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id})`;

const seqByUserId = (ctx: Ctx, connectionId: string, userId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
    AND provider = ${providerOfConnection(ctx, connectionId)} AND external_id = ${userId})`;

/** Checks the format of an unknown id. An opt-out by id has the same effect as an opt-out by number. */
const targetByUserId = (ctx: Ctx, connectionId: string, userId: string): SendTarget => sql`
  SELECT found.seq AS seq, ${c.id} AS contact_id, coalesce(${c.phoneKey}, found.provider || ':' || ${userId}) AS phone_key,
    ${connectionId} AS connection_id, ${userId} AS address,
    found.seq IS NULL AND found.provider NOT IN (SELECT e.value FROM json_each(${JSON.stringify(providersWithUserId(userId))}) e)
      AS has_malformed_user_id
  FROM (SELECT ${seqByUserId(ctx, connectionId, userId)} AS seq, ${providerOfConnection(ctx, connectionId)} AS provider) found
  LEFT JOIN contacts c ON ${c.seq} = found.seq`;

/** True in SQL if contact `c` still has the address that it last wrote from in conversation `v`. */
const hasAddress = sql`(${v.wroteFromKey} = ${c.phoneKey} OR ${v.wroteFromKey} IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq} AND ${i.externalId} = ${v.wroteFrom} AND ${i.replacedAt} IS NULL))`;

/** In SQL: the address from which contact `c` last wrote in `v`; otherwise its number, otherwise its id on the connection. */
export const replyAddress = (connectionId: SQL): SQL =>
  sql`coalesce(iif(${hasAddress}, ${v.wroteFrom}, NULL), ${c.phone}, ${userIdAt(c.seq, connectionId)})`;

export const targetByConversation = (ctx: Ctx, conversationId: string): SendTarget => sql`
  SELECT ${v.contactSeq} AS seq, ${c.id} AS contact_id, ${c.phoneKey} AS phone_key, ${v.connectionId} AS connection_id,
    ${replyAddress(v.connectionId)} AS address, FALSE AS has_malformed_user_id
  FROM conversations v JOIN contacts c ON ${c.seq} = ${v.contactSeq}
  WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id}`;

const targetByContact = (ctx: Ctx, connectionId: string, contactId: string): SendTarget => sql`
  SELECT ${c.seq} AS seq, ${c.id} AS contact_id, ${c.phoneKey} AS phone_key, ${connectionId} AS connection_id,
    ${replyAddress(sql`${connectionId}`)} AS address, FALSE AS has_malformed_user_id
  FROM contacts c LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${connectionId}
  WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}`;

export const findAddressee = (ctx: Ctx, input: AddresseeInput): Addressee =>
  findAddresseeAt(ctx, requireSendingConnection(ctx), input);

export function findAddresseeAt(ctx: Ctx, connectionId: string, input: AddresseeInput): Addressee {
  if (hasOwn(input, "contact_id")) {
    const { contact_id: id } = input;
    return { target: targetByContact(ctx, connectionId, id), explainMissing: () => contactNotFound(ctx, id) };
  }
  const newContact = { id: ctx.newId("ct"), phone: null, phoneKey: null, name: null, source: "api" };
  const explainMissing = () => Promise.resolve(notFound("contact"));
  if (hasOwn(input, "user_id")) {
    const { user_id: userId } = input;
    const newcomer = { contact: newContact, identity: { userId, connectionId } };
    return { target: targetByUserId(ctx, connectionId, userId), newcomer, explainMissing };
  }
  const { to } = input;
  const key = phoneKey(to);
  const newcomer = { contact: { ...newContact, phone: to, phoneKey: key }, identity: null };
  return { target: targetByPhone(ctx, connectionId, to, key), newcomer, explainMissing };
}

export const findAddresseeOfConversation = (ctx: Ctx, conversationId: string): Addressee => ({
  target: targetByConversation(ctx, conversationId),
  explainMissing: () => conversationNotFound(ctx, conversationId),
});

export function selectAddresseeSeq(ctx: Ctx, connectionId: string, input: AddresseeInput): SQL {
  if (hasOwn(input, "contact_id"))
    return sql`SELECT seq FROM contacts WHERE id = ${input.contact_id} AND workspace_id = ${ctx.workspace.id}`;
  if (hasOwn(input, "user_id")) return sql`SELECT ${seqByUserId(ctx, connectionId, input.user_id)} AS seq`;
  return sql`SELECT ${seqByPhone(ctx, phoneKey(input.to))} AS seq`;
}

export const selectSeqOfConversation = (ctx: Ctx, conversationId: string): SQL =>
  sql`SELECT contact_seq AS seq FROM conversations WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}`;
