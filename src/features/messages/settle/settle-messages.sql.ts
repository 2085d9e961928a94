import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import { jsonLists } from "../../../db/idioms.ts";
import type { Ctx } from "../../../shared/context.ts";
import { state } from "../messages.states.ts";
import { countMoves } from "./campaign-counts.sql.ts";

/** What a claim came to, for the message. Times in ms since the epoch. */
export interface Fate {
  /** The state it comes to, if it is in a lower one than `below`. */
  to: number;
  below: number;
  /** 1 where no call was made, so that the attempt does not count. */
  uncounted: 0 | 1;
  retryAt: number | null;
  sentAt: number | null;
  failedAt: number | null;
  providerMessageId: string | null;
  providerKey: string | null;
  error: StoredError | null;
  /** Where the message was not taken: what it comes to if its claim was given up meanwhile. */
  late: { to: number; failedAt: number; retryAt: null; error: StoredError } | null;
}

interface StoredError {
  code: string;
  message: string | null;
  providerCode: string | null;
}

/** What was really sent. `templateForm` is JSON, null for what has none. */
export interface SentAs {
  address: string;
  body: string;
  templateForm: string | null;
}

export interface Settled extends Fate {
  id: string;
  connectionId: string;
  attempts: number;
  sent: SentAs | null;
}

/** A campaign's message is claimed by its lease, which does not touch the row; its repeated attempts and all others are. */
const isFirstOfLease = sql`m.campaign_id IS NOT NULL AND m.attempts = e.value ->> 'attempts' - 1`;
const isSameClaim = sql`m.attempts = e.value ->> 'attempts'`;
const inFlight = sql`(m.state = ${state.claimed} AND ${isSameClaim} OR m.state = ${state.queued} AND ${isFirstOfLease})`;

/** The claim was given up meanwhile, and the message had not been taken. */
const isLate = sql`(m.state = ${state.unknown} AND e.value ->> 'late' IS NOT NULL AND (${isSameClaim} OR ${isFirstOfLease}))`;

/** Messages beside what is to become of them in `told`. A definite end holds also where the claim was given up meanwhile. */
const judged = (ctx: Ctx, json: string): SQL => sql`
  SELECT m.*, iif(${isLate}, json_patch(e.value, e.value -> 'late'), e.value) AS told,
    ${isLate} OR m.state < e.value ->> 'below' AND (e.value ->> 'below' > ${state.unknown} OR ${inFlight}) AS moves
  FROM json_each(${json}) e CROSS JOIN messages m ON m.id = e.value ->> 'id' AND m.workspace_id = ${ctx.workspace.id}`;

/** The key where it is a new one for the message, and no other message of the connection has it. */
const newKey = sql`iif(provider_key IS NOT told ->> 'providerKey' AND NOT EXISTS (
  SELECT 1 FROM messages AS other WHERE other.connection_id = j.connection_id
  AND other.provider_key = told ->> 'providerKey' AND other.id <> j.id), told ->> 'providerKey', NULL)`;

/** What was sent, unless it has been changed or taken back since. */
const sentBody = sql`iif(edited_at IS NULL AND revoked_at IS NULL, coalesce(told ->> '$.sent.body', body), body)`;

/** State and times only move forward; what was sent is kept whatever a status said meanwhile. A repeat writes nothing. */
const apply = (ctx: Ctx, json: string): SQL => {
  const moved = (told: SQL, kept: SQL) => sql`iif(moves, ${told}, ${kept})`;
  const retryAt = sql`told ->> 'retryAt'`;
  return sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, created_at,
      state, attempts, next_attempt_at, retry_at, failed_at, error_code, error_message, provider_code,
      sent_at, provider_message_id, provider_key, address, body, template_form)
    SELECT id, workspace_id, contact_seq, connection_id, from_contact, created_at,
      ${moved(sql`told ->> 'to'`, sql`state`)},
      ${moved(sql`told ->> 'attempts' - told ->> 'uncounted'`, sql`attempts`)},
      ${moved(sql`iif(campaign_id IS NULL, ${retryAt}, NULL)`, sql`next_attempt_at`)},
      ${moved(sql`iif(campaign_id IS NULL, NULL, ${retryAt})`, sql`retry_at`)},
      ${moved(sql`told ->> 'failedAt'`, sql`failed_at`)},
      ${moved(sql`told ->> '$.error.code'`, sql`error_code`)},
      ${moved(sql`told ->> '$.error.message'`, sql`error_message`)},
      ${moved(sql`told ->> '$.error.providerCode'`, sql`provider_code`)},
      coalesce(sent_at, told ->> 'sentAt'),
      coalesce(told ->> 'providerMessageId', provider_message_id), new_key,
      coalesce(told ->> '$.sent.address', address), ${sentBody},
      coalesce(told ->> '$.sent.templateForm', template_form)
    FROM (SELECT *, ${newKey} AS new_key FROM (${judged(ctx, json)}) j)
    WHERE moves OR new_key IS NOT NULL
      OR coalesce(sent_at, told ->> 'sentAt') IS NOT sent_at
      OR coalesce(told ->> 'providerMessageId', provider_message_id) IS NOT provider_message_id
      OR ${sentBody} <> body
    ON CONFLICT (id) DO UPDATE SET
      state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at, retry_at = excluded.retry_at,
      failed_at = excluded.failed_at, error_code = excluded.error_code, error_message = excluded.error_message,
      provider_code = excluded.provider_code, sent_at = excluded.sent_at,
      provider_message_id = excluded.provider_message_id, provider_key = coalesce(excluded.provider_key, messages.provider_key),
      address = excluded.address, body = excluded.body, template_form = excluded.template_form`;
};

/** Settles messages. `counted`: whether there are campaigns' among them. */
export const settle = (ctx: Ctx, settled: Settled[], { counted }: { counted: boolean }): SQL[] => {
  const steps = settled.map(({ id, attempts, to, below, late }) => ({ id, attempts, to, below, late }));
  const moves = sql`
    SELECT campaign_id, state AS from_state, told ->> 'to' AS to_state FROM (${judged(ctx, JSON.stringify(steps))}) WHERE moves`;
  return [...(counted ? [countMoves(moves)] : []), ...jsonLists(settled).map((json) => apply(ctx, json))];
};

/**
 * Takes back the messages that were stored for the echoes of these, had they come before we knew the provider's ids.
 * `json` lists `{id, connectionId, providerKey}`.
 */
export const dropEchoes = (ctx: Ctx, json: string): SQL => sql`
  DELETE FROM messages WHERE id IN (
    SELECT echo.id FROM json_each(${json}) e
    CROSS JOIN messages echo ON echo.connection_id = e.value ->> 'connectionId' AND echo.provider_key = e.value ->> 'providerKey'
    WHERE echo.workspace_id = ${ctx.workspace.id} AND echo.id <> e.value ->> 'id' AND NOT echo.from_contact
      AND echo.attempts = 0 AND echo.campaign_id IS NULL)`;
