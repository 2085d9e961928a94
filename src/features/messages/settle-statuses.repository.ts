import { sql } from "drizzle-orm";
import type { MessageError } from "../../channels/channel.ts";
import { batch, type SQL } from "../../db/client.ts";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { countMoves } from "./tallies.repository.ts";

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

const columns = sql`state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code`;

const told = sql`
  e.value ->> 'state' AS to_state, e.value ->> 'providerMessageId' AS provider_message_id,
  e.value ->> 'sentAt' AS sent_at, e.value ->> 'deliveredAt' AS delivered_at, e.value ->> 'readAt' AS read_at,
  e.value ->> 'failedAt' AS failed_at, e.value ->> '$.error.code' AS error_code,
  e.value ->> '$.error.message' AS error_message, e.value ->> '$.error.providerCode' AS provider_code`;

const ofMessage = sql`m.id, m.workspace_id, m.contact_seq, m.connection_id, m.from_contact, m.address, m.body, m.created_at,
  m.campaign_id, m.state AS from_state`;

/** Messages beside the progress told of them, where it is a step forward. */
const news = (json: string): SQL => sql`
  SELECT ${ofMessage}, ${told}
  FROM json_each(${json}) e
  CROSS JOIN messages m ON m.id = coalesce(e.value ->> 'id', (
      SELECT id FROM messages AS keyed
      WHERE keyed.connection_id = e.value ->> 'connectionId' AND keyed.provider_key = e.value ->> 'providerKey'))
    AND m.workspace_id = e.value ->> 'workspaceId'
    AND m.connection_id = e.value ->> 'connectionId' AND NOT m.from_contact
  WHERE m.state < e.value ->> 'state'`;

/** Messages beside the statuses that came before they had the key. `json` lists `{connectionId, providerKey}`. */
const oldNews = (ctx: Ctx, json: string): SQL => sql`
  SELECT ${ofMessage}, s.state AS to_state, s.provider_message_id, s.sent_at, s.delivered_at, s.read_at, s.failed_at,
    s.error_code, s.error_message, s.provider_code
  FROM json_each(${json}) e
  CROSS JOIN early_statuses s ON s.connection_id = e.value ->> 'connectionId' AND s.provider_key = e.value ->> 'providerKey'
  CROSS JOIN messages m ON m.connection_id = s.connection_id AND m.provider_key = s.provider_key
    AND m.workspace_id = ${ctx.workspace.id} AND NOT m.from_contact
  WHERE m.state < s.state`;

/** A message may be told of twice, by our id and by the provider's; it moves once. */
const movesIn = (steps: SQL): SQL =>
  sql`SELECT campaign_id, from_state, max(to_state) AS to_state FROM (${steps}) GROUP BY id`;

/** Counts and moves any number of messages forward in two statements; what is no step forward writes nothing. */
const moveForward = (steps: SQL): SQL[] => [
  countMoves(movesIn(steps)),
  sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at, ${columns})
    SELECT id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at,
      to_state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code
    FROM (${steps}) WHERE TRUE
    ON CONFLICT (id) DO UPDATE SET
      state = excluded.state, next_attempt_at = NULL, retry_at = NULL,
      provider_message_id = coalesce(messages.provider_message_id, excluded.provider_message_id),
      sent_at = coalesce(messages.sent_at, excluded.sent_at),
      delivered_at = coalesce(messages.delivered_at, excluded.delivered_at),
      read_at = coalesce(messages.read_at, excluded.read_at),
      failed_at = excluded.failed_at,
      error_code = excluded.error_code, error_message = excluded.error_message, provider_code = excluded.provider_code
    WHERE excluded.state > messages.state`,
];

/**
 * Applies the statuses that came before messages had these keys, and forgets them, once there is a message.
 * `json` lists `{connectionId, providerKey}`.
 */
export const mergeEarly = (ctx: Ctx, json: string): SQL[] => [
  ...moveForward(oldNews(ctx, json)),
  sql`
    DELETE FROM early_statuses
    WHERE (connection_id, provider_key) IN (SELECT value ->> 'connectionId', value ->> 'providerKey' FROM json_each(${json}))
      AND workspace_id = ${ctx.workspace.id}
      AND EXISTS (SELECT 1 FROM messages m
        WHERE m.connection_id = early_statuses.connection_id AND m.provider_key = early_statuses.provider_key)`,
];

/** Keeps the statuses of messages whose key is not known yet, for the settlement that will bring it. */
const keepEarly = (json: string, now: number): SQL => sql`
  INSERT INTO early_statuses (connection_id, provider_key, workspace_id, created_at, ${columns})
  SELECT k.id, e.value ->> 'providerKey', k.workspace_id, ${now}, ${told}
  FROM json_each(${json}) e
  CROSS JOIN connections k ON k.id = e.value ->> 'connectionId' AND k.workspace_id = e.value ->> 'workspaceId'
  WHERE NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = k.id AND provider_key = e.value ->> 'providerKey')
  ON CONFLICT (connection_id, provider_key) DO UPDATE SET
    state = excluded.state, sent_at = coalesce(early_statuses.sent_at, excluded.sent_at),
    delivered_at = coalesce(early_statuses.delivered_at, excluded.delivered_at),
    read_at = coalesce(early_statuses.read_at, excluded.read_at), failed_at = excluded.failed_at,
    error_code = excluded.error_code, error_message = excluded.error_message, provider_code = excluded.provider_code
  WHERE excluded.state > early_statuses.state`;

/** Applies progress in one transaction of at most three statements; a repeat writes nothing. */
export async function saveProgress(db: Database, progress: Progress[], now: number): Promise<void> {
  const nameless = progress.filter(({ id }) => id === null);
  await batch(db, [
    ...moveForward(news(JSON.stringify(progress))),
    ...(nameless.length === 0 ? [] : [keepEarly(JSON.stringify(nameless), now)]),
  ]);
}

/** As `saveProgress` keeps it, for one message among other statements. */
export const keepOneEarly = (progress: Progress, now: number): SQL => keepEarly(JSON.stringify([progress]), now);

/** Drops the early statuses of messages that never came. */
export const deleteEarly = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, {
    table: "early_statuses",
    key: "connection_id, provider_key",
    condition: sql`created_at < ${before}`,
  });
