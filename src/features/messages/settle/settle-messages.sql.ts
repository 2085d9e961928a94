import { sql } from "drizzle-orm";
import { bulkUpdateFromJson, jsonLists } from "../../../db/idioms.ts";
import { messages } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { state } from "../messages.states.ts";
import { updateCampaignCounts } from "./campaign-counts.sql.ts";
import type { MessageSettlement } from "./decide-settlement.ts";

/** The content that was really sent. `templateForm` is JSON, null for what has none. */
export interface SentContent {
  address: string;
  body: string;
  templateForm: string | null;
}

export interface SettledAttempt extends MessageSettlement {
  id: string;
  connectionId: string;
  attempts: number;
  sent: SentContent | null;
}

/** A lease claims the first attempts of a campaign's messages without touching their rows; every other claim counts the attempt. */
const isFirstOfLease = sql`m.campaign_id IS NOT NULL AND m.attempts = e.value ->> 'attempts' - 1`;
const isSameClaim = sql`m.attempts = e.value ->> 'attempts'`;
const isUnderWay = sql`(m.state = ${state.claimed} AND ${isSameClaim} OR m.state = ${state.queued} AND ${isFirstOfLease})`;

/** The claim was given up as `unknown` meanwhile, and the provider had not taken the message. */
const isLate = sql`(m.state = ${state.unknown} AND e.value ->> 'late' IS NOT NULL AND (${isSameClaim} OR ${isFirstOfLease}))`;

/**
 * The messages that a JSON list of settlements names, each with its own in `settlement`; `moves` where its state changes. A
 * definite end holds also where the claim was given up meanwhile.
 */
const matched = (ctx: Ctx, json: string): SQL => sql`
  SELECT m.*, iif(${isLate}, json_patch(e.value, e.value -> 'late'), e.value) AS settlement,
    ${isLate} OR m.state < e.value ->> 'below' AND (e.value ->> 'below' > ${state.unknown} OR ${isUnderWay}) AS moves
  FROM json_each(${json}) e CROSS JOIN messages m ON m.id = e.value ->> 'id' AND m.workspace_id = ${ctx.workspace.id}`;

/** The provider's key, unless another message of the connection has it. */
const freeKey = sql`iif(settlement ->> 'providerKey' IS NOT provider_key AND NOT EXISTS (
  SELECT 1 FROM messages AS other WHERE other.connection_id = matched.connection_id
  AND other.provider_key = settlement ->> 'providerKey' AND other.id <> matched.id), settlement ->> 'providerKey', NULL)`;

/** The text that was sent, unless it was edited or taken back since. */
const sentBody = sql`iif(edited_at IS NULL AND revoked_at IS NULL, coalesce(settlement ->> '$.sent.body', body), body)`;

/** State and times only move forward; the content that was sent is kept whatever a status said meanwhile. A repeat writes nothing. */
function updateMatched(ctx: Ctx, json: string): SQL {
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
    from: sql`(SELECT *, ${freeKey} AS free_key FROM (${matched(ctx, json)}) matched)
      WHERE moves OR free_key IS NOT NULL OR ${sentAt} IS NOT sent_at
        OR ${providerMessageId} IS NOT provider_message_id OR ${sentBody} <> body`,
  });
}

/** Settles messages. `hasCampaigns`: some of them are campaigns', so that counts change. */
export function updateSettled(ctx: Ctx, settled: SettledAttempt[], { hasCampaigns }: { hasCampaigns: boolean }): SQL[] {
  const steps = settled.map(({ id, attempts, to, below, late }) => ({ id, attempts, to, below, late }));
  const moves = sql`
    SELECT campaign_id, state AS from_state, settlement ->> 'to' AS to_state
    FROM (${matched(ctx, JSON.stringify(steps))}) WHERE moves`;
  return [
    ...(hasCampaigns ? [updateCampaignCounts(moves)] : []),
    ...jsonLists(settled).map((json) => updateMatched(ctx, json)),
  ];
}

/**
 * Deletes the messages that were stored for the echoes of these: echoes that came before we knew the provider's ids looked like
 * messages from the account's phone. `json` lists `{id, connectionId, providerKey}`.
 */
export const deleteEchoes = (ctx: Ctx, json: string): SQL => sql`
  DELETE FROM messages WHERE id IN (
    SELECT echo.id FROM json_each(${json}) e
    CROSS JOIN messages echo ON echo.connection_id = e.value ->> 'connectionId' AND echo.provider_key = e.value ->> 'providerKey'
    WHERE echo.workspace_id = ${ctx.workspace.id} AND echo.id <> e.value ->> 'id' AND NOT echo.from_contact
      AND echo.attempts = 0 AND echo.campaign_id IS NULL)`;
