// The person that a message is for.
import { sql } from "drizzle-orm";
import { providersWithUserId } from "../../../channels/providers.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { seqByPhone } from "../../contacts/contacts.sql.ts";
import { userIdAt } from "../../contacts/identify-people.sql.ts";

/**
 * Selects `seq`, `contact_id`, `phone_key`, `connection_id`, `address`; no row where the contact or conversation is unknown. `fault`
 * is the reason why there can be no such person, or null.
 */
export type SendTarget = SQL;

/** The contact with this phone number, or the one that will be made with it. */
export const targetByPhone = (ctx: Ctx, connectionId: string, to: string, phoneKey: string): SendTarget => sql`
  SELECT known.seq AS seq, c.id AS contact_id, ${phoneKey} AS phone_key, ${connectionId} AS connection_id, ${to} AS address, NULL AS fault
  FROM (SELECT ${seqByPhone(ctx, phoneKey)} AS seq) known LEFT JOIN contacts c ON c.seq = known.seq`;

/** The provider of the connection `connectionId` in SQL; null where the workspace has no such connection. */
const providerOfConnection = (ctx: Ctx, connectionId: string): SQL =>
  sql`(SELECT provider FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id})`;

/** The `seq` of the contact that has this id of the connection's provider, or null. */
export const seqByUserId = (ctx: Ctx, connectionId: string, userId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
    AND provider = ${providerOfConnection(ctx, connectionId)} AND external_id = ${userId})`;

/**
 * The contact with this id of the provider, or the one that will be made with it: an id that nobody has must be written like the
 * provider's. An opt-out by the id counts as one by the number does.
 */
export const targetByUserId = (ctx: Ctx, connectionId: string, userId: string): SendTarget => sql`
  SELECT known.seq AS seq, c.id AS contact_id, coalesce(c.phone_key, known.provider || ':' || ${userId}) AS phone_key,
    ${connectionId} AS connection_id, ${userId} AS address,
    iif(known.seq IS NULL AND known.provider NOT IN (SELECT e.value FROM json_each(${JSON.stringify(providersWithUserId(userId))}) e),
      'malformed_user_id', NULL) AS fault
  FROM (SELECT ${seqByUserId(ctx, connectionId, userId)} AS seq, ${providerOfConnection(ctx, connectionId)} AS provider) known
  LEFT JOIN contacts c ON c.seq = known.seq`;

/** True in SQL while the contact `c` still has the address that it last wrote from in the conversation `v`. */
const hasAddress = sql`(v.wrote_from_key = c.phone_key OR v.wrote_from_key IS NULL
  AND EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq AND i.external_id = v.wrote_from AND i.replaced_at IS NULL))`;

/** In SQL: where the contact `c` of the conversation `v` last wrote from; else its number, else its id on the connection; or null. */
export const replyAddress = (connectionId: SQL): SQL =>
  sql`coalesce(iif(${hasAddress}, v.wrote_from, NULL), c.phone, ${userIdAt(sql`c.seq`, connectionId)})`;

/** The contact of a conversation. */
export const targetByConversation = (ctx: Ctx, conversationId: string): SendTarget => sql`
  SELECT v.contact_seq AS seq, c.id AS contact_id, c.phone_key AS phone_key, v.connection_id AS connection_id,
    ${replyAddress(sql`v.connection_id`)} AS address, NULL AS fault
  FROM conversations v JOIN contacts c ON c.seq = v.contact_seq
  WHERE v.id = ${conversationId} AND v.workspace_id = ${ctx.workspace.id}`;

/** A contact by its id, archived or not. */
export const targetByContact = (ctx: Ctx, connectionId: string, contactId: string): SendTarget => sql`
  SELECT c.seq AS seq, c.id AS contact_id, c.phone_key AS phone_key, ${connectionId} AS connection_id,
    ${replyAddress(sql`${connectionId}`)} AS address, NULL AS fault
  FROM contacts c LEFT JOIN conversations v ON v.contact_seq = c.seq AND v.connection_id = ${connectionId}
  WHERE c.id = ${contactId} AND c.workspace_id = ${ctx.workspace.id}`;
