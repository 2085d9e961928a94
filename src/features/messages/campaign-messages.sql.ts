// Statements of a campaign's messages, for the stages of campaigns. Their first attempts are claimed by leases without touching
// the rows: such a message stays `queued`, without `retry_at`. Retries are claimed row by row.
import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { state } from "./messages.states.ts";
import { recordMoves } from "./settle/record-moves.sql.ts";

/** Queues a message for each row of `people`: `id, contact_seq, connection_id, campaign_id, template_id, address`. */
export const insertCampaignMessages = (ctx: Ctx, people: SQL): SQL => sql`
  INSERT INTO messages (id, workspace_id, contact_seq, connection_id, campaign_id, template_id, from_contact, address, body, state, created_at)
  SELECT id, ${ctx.workspace.id}, contact_seq, connection_id, campaign_id, template_id, FALSE, address, '', ${state.queued}, ${ctx.now()}
  FROM (${people}) WHERE TRUE`;

/** True in SQL for messages `m` whose retry is due. */
export const isRetryDue = (now: number): SQL => sql`m.retry_at <= ${now} AND m.state = ${state.queued}`;

/** Claims the retries of the messages that `ids` selects. */
export const claimRetries = (ctx: Ctx, ids: SQL): SQL => sql`
  UPDATE messages SET state = ${state.claimed}, attempts = attempts + 1, claimed_at = ${ctx.now()} WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`;

/** True in SQL for messages `m` of a lease whose first attempt it has not settled. */
export const isUnsettledFirstAttempt: SQL = sql`m.state = ${state.queued} AND m.retry_at IS NULL`;

/** True in SQL for messages `m` whose retry was claimed before `before` and has not been settled. */
export const isUnsettledRetry = (before: number): SQL =>
  sql`m.retry_at IS NOT NULL AND m.state = ${state.claimed} AND m.claimed_at <= ${before}`;

/** Makes the messages that `ids` selects `unknown`: the provider may have them, only a status can say so. */
export const markMessagesUnknown = (ctx: Ctx, ids: SQL): SQL[] => [
  ...recordMoves(
    sql`
      SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.unknown} AS to_state,
        NULL AS error_code, error_code AS old_error_code FROM messages
      WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
    { by: "system", now: ctx.now() },
  ),
  sql`
    UPDATE messages SET state = ${state.unknown}, retry_at = NULL
    WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
];

/**
 * True in SQL for messages `m` that campaign `p` will not send any more: it ended early, and no lease covers them. Their rows
 * still say `queued`, since an end rewrites no rows.
 */
export const isLeftUnsent = (p: SQL): SQL => sql`(${p}.rest IS NOT NULL AND m.state = ${state.queued}
  AND (m.retry_at IS NOT NULL OR CAST(substr(m.id, -8) AS INTEGER) >= ${p}.claimed))`;

/** The state of a message `m` as lists of recipients name it. */
export const recipientStateName: SQL = sql`CASE m.state
  WHEN ${state.unknown} THEN 'unknown' WHEN ${state.sent} THEN 'sent' WHEN ${state.failed} THEN 'failed'
  WHEN ${state.delivered} THEN 'delivered' WHEN ${state.read} THEN 'read' WHEN ${state.skipped} THEN 'skipped' ELSE 'pending' END`;
