// Selects the person that a message is for. Raw, as part of the statement that accepts the message.
import { sql } from "drizzle-orm";
import { providersWithUserId } from "../../../channels/providers.ts";
import { columns } from "../../../db/columns.ts";
import { contactIdentities, contacts, conversations } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { seqByPhone } from "../../contacts/identity/identify-people.sql.ts";
import { userIdAt } from "../../contacts/identity/provider-ids.sql.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const v = columns(conversations, "v");

/**
 * Selects `seq`, `contact_id`, `phone_key`, `connection_id`, `address`, `has_malformed_user_id`; no row if the contact or
 * conversation is unknown.
 */
export type SendTarget = SQL;

/** The contact with this phone number, or the new one. */
export const targetByPhone = (ctx: Ctx, connectionId: string, to: string, phoneKey: string): SendTarget => sql`
  SELECT known.seq AS seq, ${c.id} AS contact_id, ${phoneKey} AS phone_key, ${connectionId} AS connection_id, ${to} AS address, FALSE AS has_malformed_user_id
  FROM (SELECT ${seqByPhone(ctx, phoneKey)} AS seq) known LEFT JOIN contacts c ON ${c.seq} = known.seq`;

/** In SQL: the provider of a connection; null if the workspace has no such connection. */
const providerOfConnection = (ctx: Ctx, connectionId: string): SQL =>
  sql`(SELECT provider FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id})`;

/** The `seq` of the contact with this id at the connection's provider, or null. */
export const seqByUserId = (ctx: Ctx, connectionId: string, userId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
    AND provider = ${providerOfConnection(ctx, connectionId)} AND external_id = ${userId})`;

/**
 * The contact with this provider id, or the new one. An unknown id must have the provider's format; an opt-out by id counts like
 * one by number.
 */
export const targetByUserId = (ctx: Ctx, connectionId: string, userId: string): SendTarget => sql`
  SELECT known.seq AS seq, ${c.id} AS contact_id, coalesce(${c.phoneKey}, known.provider || ':' || ${userId}) AS phone_key,
    ${connectionId} AS connection_id, ${userId} AS address,
    known.seq IS NULL AND known.provider NOT IN (SELECT e.value FROM json_each(${JSON.stringify(providersWithUserId(userId))}) e)
      AS has_malformed_user_id
  FROM (SELECT ${seqByUserId(ctx, connectionId, userId)} AS seq, ${providerOfConnection(ctx, connectionId)} AS provider) known
  LEFT JOIN contacts c ON ${c.seq} = known.seq`;

/** True in SQL if contact `c` still has the address that it last wrote from in conversation `v`. */
const hasAddress = sql`(${v.wroteFromKey} = ${c.phoneKey} OR ${v.wroteFromKey} IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq} AND ${i.externalId} = ${v.wroteFrom} AND ${i.replacedAt} IS NULL))`;

/**
 * In SQL: the address that contact `c` of conversation `v` last wrote from; else its number, else its id on the connection; or
 * null.
 */
export const replyAddress = (connectionId: SQL): SQL =>
  sql`coalesce(iif(${hasAddress}, ${v.wroteFrom}, NULL), ${c.phone}, ${userIdAt(c.seq, connectionId)})`;

export const targetByConversation = (ctx: Ctx, conversationId: string): SendTarget => sql`
  SELECT ${v.contactSeq} AS seq, ${c.id} AS contact_id, ${c.phoneKey} AS phone_key, ${v.connectionId} AS connection_id,
    ${replyAddress(v.connectionId)} AS address, FALSE AS has_malformed_user_id
  FROM conversations v JOIN contacts c ON ${c.seq} = ${v.contactSeq}
  WHERE ${v.id} = ${conversationId} AND ${v.workspaceId} = ${ctx.workspace.id}`;

/** A contact by id, including archived ones. */
export const targetByContact = (ctx: Ctx, connectionId: string, contactId: string): SendTarget => sql`
  SELECT ${c.seq} AS seq, ${c.id} AS contact_id, ${c.phoneKey} AS phone_key, ${connectionId} AS connection_id,
    ${replyAddress(sql`${connectionId}`)} AS address, FALSE AS has_malformed_user_id
  FROM contacts c LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${connectionId}
  WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}`;
