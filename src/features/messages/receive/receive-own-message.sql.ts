import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { state } from "../messages.states.ts";
import { countMoves } from "../settle/campaign-counts.sql.ts";

export interface OwnMessage {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  address: string;
  body: string;
  providerMessageId: string;
  providerKey: string;
  at: number;
}

/** True in SQL until a message with the key is stored, and only for a live connection of the workspace. */
export const isNew = (ctx: Ctx, connectionId: string, providerKey: string): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerKey})
  AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND deleted_at IS NULL))`;

/**
 * The oldest message to the person with the same text that a call was made for, made after the id `since`: it has no answer
 * yet, lost it, or waits for another attempt because the provider said that it had not taken it, which its echo disproves.
 */
const echoed = (ctx: Ctx, message: OwnMessage, since: string, condition: SQL): SQL => sql`
  id = (SELECT id FROM messages
    WHERE contact_seq = ${message.contactSeq} AND connection_id = ${message.connectionId} AND id > ${since}
      AND workspace_id = ${ctx.workspace.id} AND NOT from_contact
      AND (state IN (${state.claimed}, ${state.unknown}) OR state = ${state.queued} AND attempts > 0)
      AND provider_key IS NULL AND body <> '' AND trim(body) = trim(${message.body})
    ORDER BY id LIMIT 1)
  AND ${condition}`;

/** Where one of our sends to this person is open, this is its echo: proof that it went out. It is not sent again. */
export const adoptEcho = (ctx: Ctx, message: OwnMessage, since: string, condition: SQL): SQL[] => {
  const isEchoed = echoed(ctx, message, since, condition);
  return [
    countMoves(sql`SELECT campaign_id, state AS from_state, ${state.sent} AS to_state FROM messages WHERE ${isEchoed}`),
    sql`
      UPDATE messages SET state = ${state.sent}, next_attempt_at = NULL, retry_at = NULL, sent_at = ${message.at},
        provider_message_id = ${message.providerMessageId}, provider_key = ${message.providerKey}
      WHERE ${isEchoed}`,
  ];
};

export const insertOwn = (ctx: Ctx, message: OwnMessage, condition: SQL): SQL =>
  sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state,
      provider_message_id, provider_key, created_at, sent_at)
    SELECT ${message.id}, ${ctx.workspace.id}, ${message.contactSeq}, ${message.connectionId}, FALSE, ${message.address},
      ${message.body}, ${state.sent}, ${message.providerMessageId}, ${message.providerKey}, ${message.at}, ${message.at}
    WHERE ${condition}`;
