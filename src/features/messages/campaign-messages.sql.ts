import { sql, type SQLWrapper, type SQL } from "drizzle-orm";
import { type ColumnsOf, insertSelect, updateSet } from "../../db/columns.ts";
import { type campaigns, messages } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { state } from "./messages.states.ts";
import { recordMoves } from "./settle/record-moves.sql.ts";

export const insertCampaignMessages = (ctx: Ctx, people: SQL): SQL =>
  insertSelect(
    messages,
    {
      id: sql`id`,
      workspaceId: ctx.workspace.id,
      contactSeq: sql`contact_seq`,
      connectionId: sql`connection_id`,
      campaignId: sql`campaign_id`,
      templateId: sql`template_id`,
      fromContact: sql`FALSE`,
      address: sql`address`,
      body: "",
      state: state.queued,
      createdAt: ctx.now(),
    },
    sql`FROM (${people}) WHERE TRUE`,
  );

type MessageColumns<Name extends keyof (typeof messages)["_"]["columns"]> = ColumnsOf<typeof messages, Name>;

export const isRetryDue = (message: MessageColumns<"retryAt" | "state">, now: number): SQL =>
  sql`${message.retryAt} <= ${now} AND ${message.state} = ${state.queued}`;

export const claimRetries = (ctx: Ctx, ids: SQL): SQL =>
  updateSet(
    messages,
    { state: state.claimed, attempts: sql`attempts + 1`, claimedAt: ctx.now() },
    sql`WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
  );

export const isUnsettledFirstAttempt = (message: MessageColumns<"retryAt" | "state">): SQL =>
  sql`${message.state} = ${state.queued} AND ${message.retryAt} IS NULL`;

export const isUnsettledRetry = (message: MessageColumns<"retryAt" | "state" | "claimedAt">, before: number): SQL =>
  sql`${message.retryAt} IS NOT NULL AND ${message.state} = ${state.claimed} AND ${message.claimedAt} <= ${before}`;

/**
 * Sets messages whose result was lost to `unknown`, because the provider might have received them. Only a status report
 * can change them again.
 */
export const markMessagesUnknown = (ctx: Ctx, ids: SQL): SQL[] => [
  ...recordMoves(
    sql`
      SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.unknown} AS to_state,
        NULL AS error_code, error_code AS old_error_code FROM messages
      WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
    { by: "system", now: ctx.now() },
  ),
  updateSet(
    messages,
    { state: state.unknown, retryAt: null },
    sql`WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
  ),
];

export const recipientNumber = (messageId: SQLWrapper): SQL => sql`CAST(substr(${messageId}, -8) AS INTEGER)`;

type UnleasedColumns = MessageColumns<"id" | "state" | "retryAt">;

/**
 * True if the message is queued and no lease contains it. A leased message is also `queued`, but its number is below
 * `claimed` and its `retry_at` is null.
 */
export const isUnleased = (message: UnleasedColumns, { claimed }: ColumnsOf<typeof campaigns, "claimed">): SQL =>
  sql`(${message.state} = ${state.queued} AND (${message.retryAt} IS NOT NULL OR ${recipientNumber(message.id)} >= ${claimed}))`;

/**
 * True for a message that was never sent because its campaign ended. The end of a campaign does not update its
 * messages, so such a message stays `queued`.
 */
export const isLeftUnsent = (
  message: UnleasedColumns,
  campaign: ColumnsOf<typeof campaigns, "skipRestAs" | "claimed">,
): SQL => sql`(${campaign.skipRestAs} IS NOT NULL AND ${isUnleased(message, campaign)})`;

export const recipientStateName = (message: MessageColumns<"state">): SQL => sql`CASE ${message.state}
  WHEN ${state.unknown} THEN 'unknown' WHEN ${state.sent} THEN 'sent' WHEN ${state.failed} THEN 'failed'
  WHEN ${state.delivered} THEN 'delivered' WHEN ${state.read} THEN 'read' WHEN ${state.skipped} THEN 'skipped' ELSE 'pending' END`;
