import { sql } from "drizzle-orm";
import type { MessageError } from "../../channels/channel.ts";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { state } from "./messages.state.ts";

const mine = (ctx: Ctx, id: string) => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

/** True in SQL while no other message of the connection has the key: a provider might give one id twice. */
const isFree = (providerKey: string | null): SQL => sql`NOT EXISTS (
  SELECT 1 FROM messages AS other WHERE other.connection_id = messages.connection_id
  AND other.provider_key = ${providerKey} AND other.id <> messages.id)`;

/** The provider took it. A status may have come before: state and times only move forward. */
export const settleSent = (ctx: Ctx, id: string, providerMessageId: string, providerKey: string | null): SQL =>
  sql`
    UPDATE messages SET state = max(state, ${state.sent}), next_attempt_at = NULL,
      provider_message_id = ${providerMessageId}, sent_at = coalesce(sent_at, ${ctx.now()}),
      provider_key = iif(${isFree(providerKey)}, ${providerKey}, provider_key)
    WHERE ${mine(ctx, id)}`;

/** Takes back the message that was stored for the echo of this one, had it come before we knew the provider's id. */
export const dropEcho = (ctx: Ctx, id: string, connectionId: string, providerKey: string): SQL =>
  sql`
    DELETE FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerKey}
      AND workspace_id = ${ctx.workspace.id} AND id <> ${id} AND NOT from_contact AND attempts = 0`;

/** Applies the statuses that came before a message had the key, and forgets them, once there is one. */
export const mergeEarly = (ctx: Ctx, connectionId: string, providerKey: string): SQL[] => [
  sql`
    UPDATE messages SET
      state = s.state, next_attempt_at = NULL,
      sent_at = coalesce(messages.sent_at, s.sent_at), delivered_at = coalesce(messages.delivered_at, s.delivered_at),
      read_at = coalesce(messages.read_at, s.read_at), failed_at = s.failed_at,
      error_code = s.error_code, error_message = s.error_message, provider_code = s.provider_code
    FROM early_statuses s
    WHERE s.connection_id = ${connectionId} AND s.provider_key = ${providerKey}
      AND messages.connection_id = ${connectionId} AND messages.provider_key = ${providerKey}
      AND messages.workspace_id = ${ctx.workspace.id} AND NOT messages.from_contact AND messages.state < s.state`,
  sql`
    DELETE FROM early_statuses WHERE connection_id = ${connectionId} AND provider_key = ${providerKey}
      AND workspace_id = ${ctx.workspace.id}
      AND EXISTS (SELECT 1 FROM messages WHERE connection_id = ${connectionId} AND provider_key = ${providerKey})`,
];

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
  /** Null where the provider names the message by its own id only. */
  id: string | null;
  workspaceId: string;
  connectionId: string;
  providerMessageId: string;
  providerKey: string;
  state: number;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  error: MessageError | null;
}

const reported = sql`
  e.value ->> 'state', e.value ->> 'providerMessageId',
  e.value ->> 'sentAt', e.value ->> 'deliveredAt', e.value ->> 'readAt', e.value ->> 'failedAt',
  e.value ->> '$.error.code', e.value ->> '$.error.message', e.value ->> '$.error.providerCode'`;

/** Moves any number of messages forward in one statement; what is no step forward writes nothing. */
const applyProgress = (json: string): SQL => sql`
  INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at,
    state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code)
  SELECT m.id, m.workspace_id, m.contact_seq, m.connection_id, m.from_contact, m.address, m.body, m.created_at, ${reported}
  FROM json_each(${json}) e
  CROSS JOIN messages m ON m.id = coalesce(e.value ->> 'id', (
      SELECT id FROM messages AS keyed
      WHERE keyed.connection_id = e.value ->> 'connectionId' AND keyed.provider_key = e.value ->> 'providerKey'))
    AND m.workspace_id = e.value ->> 'workspaceId'
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
  WHERE excluded.state > messages.state`;

/** Keeps the statuses of messages whose key is not known yet, for the settlement that will bring it. */
const keepEarly = (json: string, now: number): SQL => sql`
  INSERT INTO early_statuses (connection_id, provider_key, workspace_id, created_at,
    state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code)
  SELECT k.id, e.value ->> 'providerKey', k.workspace_id, ${now}, ${reported}
  FROM json_each(${json}) e
  CROSS JOIN connections k ON k.id = e.value ->> 'connectionId' AND k.workspace_id = e.value ->> 'workspaceId'
  WHERE NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = k.id AND provider_key = e.value ->> 'providerKey')
  ON CONFLICT (connection_id, provider_key) DO UPDATE SET
    state = excluded.state, sent_at = coalesce(early_statuses.sent_at, excluded.sent_at),
    delivered_at = coalesce(early_statuses.delivered_at, excluded.delivered_at),
    read_at = coalesce(early_statuses.read_at, excluded.read_at), failed_at = excluded.failed_at,
    error_code = excluded.error_code, error_message = excluded.error_message, provider_code = excluded.provider_code
  WHERE excluded.state > early_statuses.state`;

/** Applies progress in one transaction of at most two statements; a repeat writes nothing. */
export async function saveProgress(db: Database, progress: Progress[], now: number): Promise<void> {
  const nameless = progress.filter(({ id }) => id === null);
  await batch(db, [
    applyProgress(JSON.stringify(progress)),
    ...(nameless.length === 0 ? [] : [keepEarly(JSON.stringify(nameless), now)]),
  ]);
}

/** As `saveProgress` keeps it, for one message among other statements. */
export const keepOneEarly = (progress: Progress, now: number): SQL => keepEarly(JSON.stringify([progress]), now);

/** Drops the early statuses of messages that never came. */
export async function deleteEarly(db: Database, before: number): Promise<void> {
  await db.run(sql`DELETE FROM early_statuses WHERE created_at < ${before}`);
}
