// Stores messages from people and from the account's phone. Raw, because each statement requires that the message is new.
import { sql } from "drizzle-orm";
import { insertSelect } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { clearUnreachable } from "../../connections/connection-status.sql.ts";
import { suppressionKeysBySeq } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { event } from "../../events/append-events.sql.ts";
import { PROVIDER_AGENT, state } from "../messages.states.ts";
import { partValues, type StoredParts } from "./message-parts.sql.ts";

/** True in SQL if no message has the key and `condition` holds for the workspace's connection. */
export const isNewMessage = (ctx: Ctx, connectionId: string, providerKey: string, condition = sql`TRUE`): SQL => sql`(
  NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerKey})
  AND EXISTS (SELECT 1 FROM connections WHERE id = ${connectionId} AND workspace_id = ${ctx.workspace.id} AND ${condition}))`;

export interface ProviderMessageRow {
  id: string;
  connectionId: string;
  contactSeq: SQL;
  /** E.164, or the provider's user id. */
  address: string;
  body: string;
  providerMessageId: string;
  providerKey: string;
  /** ms since the epoch. */
  at: number;
  parts: StoredParts | null;
  /** Sent or answered by the provider's own agent. */
  isStandby: boolean;
}

const insertProviderMessage = (
  ctx: Ctx,
  message: ProviderMessageRow,
  values: { fromContact: SQL; state: number; deliveredAt?: number; sentAt?: number; authorId?: string },
  condition: SQL,
): SQL => {
  const { id, connectionId, contactSeq, address, body, providerMessageId, providerKey, at, isStandby } = message;
  return insertSelect(
    messages,
    {
      id,
      workspaceId: ctx.workspace.id,
      contactSeq,
      connectionId,
      address,
      body,
      providerMessageId,
      providerKey,
      createdAt: at,
      ...values,
      ...partValues(message),
      isStandby: isStandby ? 1 : undefined,
    },
    sql`WHERE ${condition}`,
  );
};

export const insertInboundMessage = (ctx: Ctx, message: ProviderMessageRow, condition: SQL): SQL =>
  insertProviderMessage(
    ctx,
    message,
    { fromContact: sql`TRUE`, state: state.delivered, deliveredAt: message.at },
    condition,
  );

export const receivedMessageEvent = (id: string, condition: SQL): SQL =>
  sql`SELECT ${event("message.received", id, sql`'{"delivery":[null,"delivered"]}'`)} WHERE ${condition}`;

/** Stores a message from the account's phone or the provider's agent if `condition` holds. */
export const insertOwnMessage = (ctx: Ctx, message: ProviderMessageRow, condition: SQL): SQL =>
  insertProviderMessage(
    ctx,
    message,
    {
      fromContact: sql`FALSE`,
      state: state.sent,
      sentAt: message.at,
      ...(message.isStandby && { authorId: PROVIDER_AGENT }),
    },
    condition,
  );

/** Reactivates an unreachable connection: a message written since then proves that the provider is reachable. */
export const markReachableOnReceive = (ctx: Ctx, connectionId: string, at: number): SQL[] =>
  clearUnreachable(ctx, sql`${connectionId}`, sql`unreachable_since <= ${at}`);

/** The sender's opt-out keys, including a number that the contact does not have. */
export const optOutKeysOfSender = (seq: SQL, phoneKey: string | null): SQL =>
  sql`${suppressionKeysBySeq(seq)} ${phoneKey === null ? sql`` : sql`UNION ALL SELECT ${phoneKey}`}`;

export const unionOfKeys = (a: SQL, b: SQL): SQL => sql`SELECT key FROM (${a}) UNION SELECT key FROM (${b})`;

/** True in SQL for a stored message whose referenced message is unknown. */
export const isUnresolvedReply = (id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages WHERE id = ${id} AND reply_to IS NULL AND reply_to_key IS NOT NULL)`;
