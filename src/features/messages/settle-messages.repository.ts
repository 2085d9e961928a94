import { sql } from "drizzle-orm";
import type { MessageError } from "../../channels/channel.ts";
import type { SQL } from "../../db/client.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { state } from "./messages.state.ts";

const mine = (ctx: Ctx, id: string) => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** The provider took it. A status may have come before: state and times only move forward. */
export const settleSent = (ctx: Ctx, id: string, providerMessageId: string): SQL =>
  sql`
    UPDATE messages SET state = max(state, ${state.sent}), next_attempt_at = NULL,
      provider_message_id = ${providerMessageId}, sent_at = coalesce(sent_at, ${ctx.now()})
    WHERE ${mine(ctx, id)}`;

/** It will never arrive. */
export const settleFailed = (ctx: Ctx, id: string, error: MessageError): SQL =>
  sql`
    UPDATE messages SET state = ${state.failed}, next_attempt_at = NULL, failed_at = ${ctx.now()},
      error_code = ${error.code}, error_message = ${error.message}, provider_code = ${error.providerCode}
    WHERE ${mine(ctx, id)} AND state < ${state.failed}`;

/** It was certainly not taken, and goes back into the queue until `at`. */
export const settleRetry = (ctx: Ctx, id: string, at: number): SQL =>
  sql`
    UPDATE messages SET state = ${state.queued}, next_attempt_at = ${at}
    WHERE ${mine(ctx, id)} AND state = ${state.claimed}`;

/** It was not even tried, and waits until `at`, when its turn comes. */
export const settleHeld = (ctx: Ctx, id: string, at: number): SQL =>
  sql`
    UPDATE messages SET state = ${state.queued}, next_attempt_at = ${at}, attempts = attempts - 1
    WHERE ${mine(ctx, id)} AND state = ${state.claimed}`;

/** The provider may have it or not; only a status can tell. */
export const settleUnknown = (ctx: Ctx, id: string): SQL =>
  sql`
    UPDATE messages SET state = ${state.unknown}, next_attempt_at = NULL
    WHERE ${mine(ctx, id)} AND state = ${state.claimed}`;

/** The furthest that statuses say a message has come. Times in ms since the epoch, null where not reached. */
export interface Progress {
  id: string;
  workspaceId: string;
  connectionId: string;
  providerMessageId: string;
  state: number;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  error: MessageError | null;
}

/** Moves any number of messages forward in one statement; what is no step forward writes nothing. */
export async function applyProgress(db: Database, progress: Progress[]): Promise<void> {
  await db.run(sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at,
      state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code)
    SELECT m.id, m.workspace_id, m.contact_seq, m.connection_id, m.from_contact, m.address, m.body, m.created_at,
      e.value ->> 'state', e.value ->> 'providerMessageId',
      e.value ->> 'sentAt', e.value ->> 'deliveredAt', e.value ->> 'readAt', e.value ->> 'failedAt',
      e.value ->> '$.error.code', e.value ->> '$.error.message', e.value ->> '$.error.providerCode'
    FROM json_each(${JSON.stringify(progress)}) e
    CROSS JOIN messages m ON m.id = e.value ->> 'id' AND m.workspace_id = e.value ->> 'workspaceId'
      AND m.connection_id = e.value ->> 'connectionId' AND NOT m.from_contact
    WHERE m.state < e.value ->> 'state'
    ON CONFLICT (id) DO UPDATE SET
      state = excluded.state, next_attempt_at = NULL,
      provider_message_id = coalesce(messages.provider_message_id, excluded.provider_message_id),
      sent_at = coalesce(messages.sent_at, excluded.sent_at),
      delivered_at = coalesce(messages.delivered_at, excluded.delivered_at),
      read_at = coalesce(messages.read_at, excluded.read_at),
      failed_at = excluded.failed_at,
      error_code = excluded.error_code, error_message = excluded.error_message, provider_code = excluded.provider_code
    WHERE excluded.state > messages.state`);
}
