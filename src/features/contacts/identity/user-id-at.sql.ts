// The provider's id of a person that messages can be sent to. Raw, because conditions of other statements contain these subqueries.
import { sql } from "drizzle-orm";
import { columns, type ColumnsOf } from "../../../db/columns.ts";
import { connections, contactIdentities } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";

const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const o = columns(connections, "o");

const businessAccountOf = (connection: ColumnsOf<typeof connections, "config">): SQL =>
  sql`${connection.config} ->> '$.business_account_id'`;

/** A sandbox connection of no business account is a phone network of its own, and its ids of people hold there only. */
const isNetworkOfItsOwn = sql`(${k.provider} = 'sandbox' AND ${businessAccountOf(k)} IS NULL)`;

/**
 * True in SQL for identities `i` that people can be written to at through the connection `k`. WhatsApp's ids hold for one business, so
 * the connection that reported the id must be of the same business account; other providers have none, and their ids hold everywhere.
 * An id that two contacts have waits until they are merged, or the person would be written to twice.
 */
const isAddress = sql`(
  ${i.provider} = ${k.provider} AND ${i.replacedAt} IS NULL AND ${i.claimedBy} IS NULL
  AND (${i.connectionId} IS NULL OR ${i.connectionId} = ${k.id} OR EXISTS (SELECT 1 FROM connections o
    WHERE ${o.id} = ${i.connectionId} AND NOT ${isNetworkOfItsOwn} AND ${businessAccountOf(o)} IS ${businessAccountOf(k)})))`;

/**
 * The user id, or null in SQL, that the contact `seq` can be written to at through the connection: the one it last wrote from, if
 * that is one.
 */
export const userIdAt = (seq: SQL, connectionId: SQL): SQL => sql`(
  SELECT ${i.externalId} FROM contact_identities i CROSS JOIN connections k ON ${k.id} = ${connectionId} AND ${isAddress}
  WHERE ${i.contactSeq} = ${seq}
  ORDER BY ${i.externalId} IS NOT (SELECT wrote_from FROM conversations WHERE contact_seq = ${i.contactSeq} AND connection_id = ${k.id}),
    ${i.connectionId} IS NOT ${k.id}, ${i.externalId} LIMIT 1)`;

/** True in SQL for a contact `seq` that any provider has an id for. */
export const hasIdentity = (seq: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM contact_identities WHERE contact_seq = ${seq} AND replaced_at IS NULL)`;
