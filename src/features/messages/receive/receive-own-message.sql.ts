// Stores messages from the account's phone and recognizes echoes of ours. Raw, because each statement requires that the message is
// new.
import { sql } from "drizzle-orm";
import { columns, updateSet } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { event } from "../../events/append-events.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { recordMoves } from "../settle/record-moves.sql.ts";
import { isNewMessage, type ProviderMessageRow } from "./receive-message.sql.ts";

/** Like `isNewMessage`, but only for connections that are not deleted. */
export const isNewOwnMessage = (ctx: Ctx, connectionId: string, providerKey: string): SQL =>
  isNewMessage(ctx, connectionId, providerKey, sql`deleted_at IS NULL`);

/**
 * True in SQL for the oldest attempted message after `since` with the same person and text whose response is pending, lost or a
 * refusal. The echo proves that the provider accepted it.
 */
const isEchoed = (ctx: Ctx, message: ProviderMessageRow, since: string, condition: SQL): SQL => sql`
  id = (SELECT id FROM messages
    WHERE contact_seq = ${message.contactSeq} AND connection_id = ${message.connectionId} AND id > ${since}
      AND workspace_id = ${ctx.workspace.id} AND NOT from_contact
      AND (state IN (${state.claimed}, ${state.unknown}) OR (state = ${state.queued} AND attempts > 0))
      AND provider_key IS NULL AND body <> '' AND trim(body) = trim(${message.body})
    ORDER BY id LIMIT 1)
  AND ${condition}`;

/** The event of a conversation opened by a message from the phone, if `condition` holds. */
export const openedByOwnMessageEvent = (
  { contactSeq, connectionId }: ProviderMessageRow,
  newConversationId: string,
  condition: SQL,
): SQL =>
  sql`
    SELECT ${event("conversation.opened", newConversationId, sql`'{"status":[null,"open"]}'`)} WHERE ${condition}
      AND NOT EXISTS (SELECT 1 FROM conversations WHERE contact_seq = ${contactSeq} AND connection_id = ${connectionId})`;

export const ownMessageEvent = ({ id }: ProviderMessageRow, condition: SQL): SQL =>
  sql`SELECT ${event("message.sent", id, sql`'{"delivery":[null,"sent"]}'`)} WHERE ${condition}`;

/** Settles the send that `message` echoes as sent, if any, so that it is not sent again. */
export const settleEchoedMessage = (ctx: Ctx, message: ProviderMessageRow, since: string, condition: SQL): SQL[] => {
  const echoed = isEchoed(ctx, message, since, condition);
  return [
    ...recordMoves(
      sql`SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.sent} AS to_state,
          NULL AS error_code, error_code AS old_error_code FROM messages
        WHERE ${echoed} AND NOT ${isHiddenReaction(columns(messages))}`,
      { by: "provider", now: ctx.now() },
    ),
    updateSet(
      messages,
      {
        state: state.sent,
        nextAttemptAt: null,
        retryAt: null,
        sentAt: message.at,
        providerMessageId: message.providerMessageId,
        providerKey: message.providerKey,
      },
      sql`WHERE ${echoed}`,
    ),
  ];
};
