import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { state } from "./messages.states.ts";
import { countMoves } from "./settle/campaign-counts.sql.ts";

/** Queues a message for each row of `people`: `id, contact_seq, connection_id, campaign_id, template_id, address`. */
export const insertRecipients = (ctx: Ctx, people: SQL): SQL => sql`
  INSERT INTO messages (id, workspace_id, contact_seq, connection_id, campaign_id, template_id, from_contact, address, body, state, created_at)
  SELECT id, ${ctx.workspace.id}, contact_seq, connection_id, campaign_id, template_id, FALSE, address, '', ${state.queued}, ${ctx.now()}
  FROM (${people}) WHERE TRUE`;

/** True in SQL for messages `m` that a lease may take up again by now. */
export const isDueAgain = (now: number): SQL => sql`m.retry_at <= ${now} AND m.state = ${state.queued}`;

/** Takes up again the messages that `ids` selects. */
export const claimAgain = (ctx: Ctx, ids: SQL): SQL => sql`
  UPDATE messages SET state = ${state.claimed}, attempts = attempts + 1, claimed_at = ${ctx.now()} WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`;

/** True in SQL for messages `m` of a lease taken before `before` that it has not settled: first attempts, then repeated ones. */
export const isUnsettledFirst: SQL = sql`m.state = ${state.queued} AND m.retry_at IS NULL`;
export const isUnsettledAgain = (before: number): SQL =>
  sql`m.retry_at IS NOT NULL AND m.state = ${state.claimed} AND m.claimed_at <= ${before}`;

/** The provider may have those that `ids` selects, or not: only a status can tell. */
export const abandon = (ctx: Ctx, ids: SQL): SQL[] => [
  countMoves(sql`
    SELECT campaign_id, state AS from_state, ${state.unknown} AS to_state FROM messages
    WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`),
  sql`
    UPDATE messages SET state = ${state.unknown}, retry_at = NULL
    WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
];

/**
 * True in SQL for messages `m` that campaign `p` will not send any more: it came to an early end, and no lease covers them.
 * Their rows do not say so.
 */
export const isGivenUp = (p: SQL): SQL => sql`(${p}.rest IS NOT NULL AND m.state = ${state.queued}
  AND (m.retry_at IS NOT NULL OR CAST(substr(m.id, -8) AS INTEGER) >= ${p}.claimed))`;

/** How far a message `m` has come as recipients are told; the rank of `skipped` is final. */
export const stateName: SQL = sql`CASE m.state
  WHEN ${state.unknown} THEN 'unknown' WHEN ${state.sent} THEN 'sent' WHEN ${state.failed} THEN 'failed'
  WHEN ${state.delivered} THEN 'delivered' WHEN ${state.read} THEN 'read' WHEN ${state.skipped} THEN 'skipped' ELSE 'pending' END`;
