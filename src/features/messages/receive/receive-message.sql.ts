import { sql } from "drizzle-orm";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { liftUnreachable } from "../../connections/connection-status.sql.ts";
import { suppressionKeys } from "../../contacts/contacts.sql.ts";
import { state } from "../messages.states.ts";

export interface ReceivedMessage {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  address: string;
  body: string;
  providerMessageId: string;
  at: number;
}

/** True in SQL until the provider's message has been stored, and only for a connection of the workspace. */
export const isNew = (ctx: Ctx, connectionId: string, providerMessageId: string): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerMessageId})
  AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id}))`;

export const insertReceived = (ctx: Ctx, message: ReceivedMessage, condition: SQL): SQL =>
  sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state,
      provider_message_id, provider_key, created_at, delivered_at)
    SELECT ${message.id}, ${ctx.workspace.id}, ${message.contactSeq}, ${message.connectionId}, TRUE, ${message.address}, ${message.body},
      ${state.delivered}, ${message.providerMessageId}, ${message.providerMessageId}, ${message.at}, ${message.at}
    WHERE ${condition}`;

/** A message written since the provider could not be reached shows that it can be. */
export const noteReachable = (ctx: Ctx, connectionId: string, at: number): SQL =>
  liftUnreachable(ctx, sql`${connectionId}`, sql`unreachable_since <= ${at}`);

export const contactSeqOf = (match: SQL, newContactId: string): SQL =>
  sql`coalesce(${match}, (SELECT seq FROM contacts WHERE id = ${newContactId}))`;

export const isUnknown = (match: SQL): SQL => sql`${match} IS NULL`;

/** What an opt-out is kept under: the number that the message came from counts also where the contact is known by another. */
export const optOutKeys = (seq: SQL, phoneKey: string | null): SQL =>
  sql`${suppressionKeys(seq)} ${phoneKey === null ? sql`` : sql`UNION ALL SELECT ${phoneKey}`}`;

export const keysInAny = (a: SQL, b: SQL): SQL => sql`SELECT key FROM (${a}) UNION SELECT key FROM (${b})`;

export const both = (a: SQL, b: SQL): SQL => sql`${a} AND ${b}`;

/** Gives the rows of the last statement. */
export async function store(ctx: Ctx, statements: SQL[]): Promise<unknown[]> {
  return (await batch(ctx.db, statements)).at(-1) ?? [];
}
