// Stores the outcomes of calls to the provider. If the same outcomes are stored again, nothing changes. Raw SQL,
// because one JSON parameter contains all settlements.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { bulkUpdateFromJson, jsonLists } from "../../../db/idioms.ts";
import { earlyStatuses, messageRevisions, messages } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { updateCampaignCounts } from "./campaign-counts.sql.ts";
import type { MessageSettlement } from "./decide-settlement.ts";
import { deliveryChange, eventsOfMoves, deliveryOf } from "./record-moves.sql.ts";
import { applyEarlyStatuses } from "./settle-statuses.sql.ts";

const m = columns(messages, "m");
const echo = columns(messages, "echo");
const other = columns(messages, "other");
const matchedMessage = columns(messages, "matched");
const r = columns(messageRevisions, "r");
const s = columns(earlyStatuses, "s");

export interface SettledAttempt extends MessageSettlement {
  id: string;
  connectionId: string;
  attempts: number;
  sent: { address: string; body: string; templateForm: string | null } | null;
}

/**
 * When a lease claims messages for the first time, it does not write their rows. The stored `attempts` is then one
 * lower than the number of the attempt. Every other claim increments `attempts` in the row.
 */
const isFirstOfLease = sql`${m.campaignId} IS NOT NULL AND ${m.attempts} = e.value ->> 'attempts' - 1`;
const isSameClaim = sql`${m.attempts} = e.value ->> 'attempts'`;
const isUnderWay = sql`(${m.state} = ${state.claimed} AND ${isSameClaim} OR ${m.state} = ${state.queued} AND ${isFirstOfLease})`;

const isLate = sql`(${m.state} = ${state.unknown} AND e.value ->> 'late' IS NOT NULL AND (${isSameClaim} OR ${isFirstOfLease}))`;

/**
 * Joins each settlement with its message. `moves` is true if the settlement changes the state of the message. After the
 * claim has expired, only a final result such as `sent` or `failed` changes it. A retry becomes a failure then, see
 * `late`.
 */
const matched = (ctx: Ctx, json: string): SQL => sql`
  SELECT m.*, iif(${isLate}, json_patch(e.value, e.value -> 'late'), e.value) AS settlement,
    ${isLate} OR ${m.state} < e.value ->> 'below' AND (e.value ->> 'below' > ${state.unknown} OR ${isUnderWay}) AS moves
  FROM json_each(${json}) e CROSS JOIN messages m ON ${m.id} = e.value ->> 'id' AND ${m.workspaceId} = ${ctx.workspace.id}`;

const isAwaited = sql`(
  EXISTS (SELECT 1 FROM early_statuses s WHERE ${s.connectionId} = matched.connection_id AND ${s.providerKey} = settlement ->> 'providerKey')
  OR EXISTS (SELECT 1 FROM message_revisions r WHERE ${r.connectionId} = matched.connection_id AND ${r.providerKey} = settlement ->> 'providerKey'))`;

const isKeyTaken = sql`EXISTS (SELECT 1 FROM messages AS other WHERE ${other.connectionId} = matched.connection_id
  AND ${other.providerKey} = settlement ->> 'providerKey' AND ${other.id} <> matched.id)`;

/**
 * The provider's key if it must be stored now and no other message has it, otherwise NULL. Each stored key costs an
 * index row, so some keys are stored only when a status or a revision already waits for them.
 */
const freeKey = sql`iif(settlement ->> 'providerKey' IS NOT provider_key AND (settlement ->> 'storesKey' = 1 OR ${isAwaited})
  AND NOT ${isKeyTaken}, settlement ->> 'providerKey', NULL)`;

/** If the message was edited or deleted before its result is stored, keeps the edited text instead of the sent one. */
const sentBody = sql`iif(edited_at IS NULL AND revoked_at IS NULL, coalesce(settlement ->> '$.sent.body', body), body)`;

/**
 * State and times only move forward, because a status can arrive before the result. The sent content is stored even if
 * the state does not change.
 */
function updateMatched(ctx: Ctx, json: string, condition = sql`TRUE`): SQL {
  const ifMoved = (settled: SQL, kept: SQL) => sql`iif(moves, ${settled}, ${kept})`;
  const retryAt = sql`settlement ->> 'retryAt'`;
  const sentAt = sql`coalesce(sent_at, settlement ->> 'sentAt')`;
  const providerMessageId = sql`coalesce(settlement ->> 'providerMessageId', provider_message_id)`;
  return bulkUpdateFromJson(messages, {
    key: "id",
    required: ["workspaceId", "contactSeq", "connectionId", "fromContact", "createdAt"],
    set: {
      state: ifMoved(sql`settlement ->> 'to'`, sql`state`),
      attempts: ifMoved(sql`settlement ->> 'attempts' - settlement ->> 'uncounted'`, sql`attempts`),
      nextAttemptAt: ifMoved(sql`iif(campaign_id IS NULL, ${retryAt}, NULL)`, sql`next_attempt_at`),
      retryAt: ifMoved(sql`iif(campaign_id IS NULL, NULL, ${retryAt})`, sql`retry_at`),
      failedAt: ifMoved(sql`settlement ->> 'failedAt'`, sql`failed_at`),
      errorCode: ifMoved(sql`settlement ->> '$.error.code'`, sql`error_code`),
      errorMessage: ifMoved(sql`settlement ->> '$.error.message'`, sql`error_message`),
      providerCode: ifMoved(sql`settlement ->> '$.error.providerCode'`, sql`provider_code`),
      sentAt,
      providerMessageId,
      providerKey: sql`coalesce(free_key, provider_key)`,
      address: sql`coalesce(settlement ->> '$.sent.address', address)`,
      body: sentBody,
      templateForm: sql`coalesce(settlement ->> '$.sent.templateForm', template_form)`,
    },
    from: sql`(SELECT *, ${freeKey} AS free_key FROM (${matched(ctx, json)}) matched WHERE ${condition})
      WHERE moves OR free_key IS NOT NULL OR ${sentAt} IS NOT sent_at
        OR ${providerMessageId} IS NOT provider_message_id OR ${sentBody} <> body`,
  });
}

/**
 * A provider can send us an echo of our own message. If the echo arrives before we have stored the provider's id, we
 * store it as another message, sent from the workspace's phone. This selects these duplicates. `keys` is a JSON list of
 * `{id, connectionId, providerKey}`.
 */
const echoes = (ctx: Ctx, keys: string): SQL => sql`json_each(${keys}) e
  CROSS JOIN messages echo ON ${echo.connectionId} = e.value ->> 'connectionId' AND ${echo.providerKey} = e.value ->> 'providerKey'
  WHERE ${echo.workspaceId} = ${ctx.workspace.id} AND ${echo.id} <> e.value ->> 'id' AND NOT ${echo.fromContact}
    AND ${echo.attempts} = 0 AND ${echo.campaignId} IS NULL`;

const selectMoves = (messagesMatched: SQL, condition = sql`TRUE`): SQL => sql`
  SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, settlement ->> 'to' AS to_state,
    settlement ->> '$.error.code' AS error_code, error_code AS old_error_code
  FROM (${messagesMatched}) matched WHERE moves AND NOT ${isHiddenReaction(matchedMessage)} AND ${condition}`;

const settledRow = z.object({ id: z.string() });

export interface ShortSettlement {
  events: SQL;
  settled: Statement<z.infer<typeof settledRow>>;
}

/**
 * Settles direct messages with fewer statements than `updateSettled`. Skips a message if a status already waits for it
 * or if another message has its key.
 */
export function settleUnreported(ctx: Ctx, settled: SettledAttempt[]): ShortSettlement {
  const isUnreported = sql`NOT (${isAwaited} OR ${isKeyTaken})`;
  const steps = settled.map(({ id, attempts, to, below, late, providerKey }) => ({
    id,
    attempts,
    to,
    below,
    late,
    providerKey,
  }));
  const moves = selectMoves(matched(ctx, JSON.stringify(steps)), isUnreported);
  return {
    events: appendEvents(bySystem(ctx), eventsOfMoves(moves)),
    settled: statement(settledRow, sql`${updateMatched(ctx, JSON.stringify(settled), isUnreported)} RETURNING id`),
  };
}

/**
 * The event log contains each duplicate as a message from the phone, so `message.revoked` tells clients to remove it.
 */
const eventsOfEchoes = (ctx: Ctx, keys: string): SQL => sql`
  SELECT ${event("message.revoked", echo.id, deliveryChange(deliveryOf(echo.state), sql`NULL`))} FROM ${echoes(ctx, keys)}`;

export function updateSettled(
  ctx: Ctx,
  settled: SettledAttempt[],
  { hasCampaigns, otherEvents = [] }: { hasCampaigns: boolean; otherEvents?: SQL[] },
): SQL[] {
  const steps = settled.map(({ id, attempts, to, below, late, error }) => ({
    id,
    attempts,
    to,
    below,
    late,
    error: error === null ? null : { code: error.code },
  }));
  const moves = selectMoves(matched(ctx, JSON.stringify(steps)));
  const keyed = settled.flatMap(({ id, connectionId, providerKey }) =>
    providerKey === null ? [] : [{ id, connectionId, providerKey }],
  );
  const hasKeys = keyed.length > 0;
  const keys = JSON.stringify(keyed);
  return [
    appendEvents(
      bySystem(ctx),
      eventsOf([...(hasKeys ? [eventsOfEchoes(ctx, keys)] : []), eventsOfMoves(moves), ...otherEvents]),
    ),
    ...(hasCampaigns ? [updateCampaignCounts(moves, ctx.now())] : []),
    ...(hasKeys ? [sql`DELETE FROM messages WHERE id IN (SELECT ${echo.id} FROM ${echoes(ctx, keys)})`] : []),
    ...jsonLists(settled).map((json) => updateMatched(ctx, json)),
    ...(hasKeys ? applyEarlyStatuses(ctx, keys, { hasCampaigns }) : []),
  ];
}
