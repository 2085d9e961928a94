// Applies statuses to messages. If the same statuses are applied again, nothing changes. A status whose message has no
// stored key yet waits in `early_statuses`. Raw SQL, because one JSON parameter contains all statuses.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { MessageError, StatusEvent, MessagePrice } from "../../../channels/channel-events.ts";
import { columns } from "../../../db/columns.ts";
import { connections, contactIdentities, contacts, earlyStatuses, messages } from "../../../db/schema/index.ts";
import { jsonLists } from "../../../db/idioms.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { state } from "../messages.states.ts";
import { recordMoves } from "./record-moves.sql.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const keyed = columns(messages, "keyed");
const s = columns(earlyStatuses, "s");

export interface StatusProgress {
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
  price: MessagePrice | null;
  recipient: NonNullable<StatusEvent["recipient"]> | null;
}

const reportedColumns = sql`state, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code,
  billable, price_category, price_type`;

const reportedValues = sql`
  e.value ->> 'state' AS to_state, e.value ->> 'providerMessageId' AS provider_message_id,
  e.value ->> 'sentAt' AS sent_at, e.value ->> 'deliveredAt' AS delivered_at, e.value ->> 'readAt' AS read_at,
  e.value ->> 'failedAt' AS failed_at, e.value ->> '$.error.code' AS error_code,
  e.value ->> '$.error.message' AS error_message, e.value ->> '$.error.providerCode' AS provider_code,
  e.value ->> '$.price.billable' AS billable, e.value ->> '$.price.category' AS price_category, e.value ->> '$.price.type' AS price_type`;

const messageColumnsBefore = sql`${m.id}, ${m.workspaceId}, ${m.contactSeq}, ${m.connectionId}, ${m.fromContact}, ${m.address}, ${m.body}, ${m.createdAt},
  ${m.type} AS message_type, ${m.campaignId}, ${m.state} AS from_state, ${m.errorCode} AS old_error_code, ${m.priceCategory} AS old_category, ${m.billable} AS old_billable`;

/** Finds the message by our id, or by the provider's key if the status does not contain our id. */
const isReported = sql`${m.id} = coalesce(e.value ->> 'id', (
      SELECT id FROM messages AS keyed
      WHERE ${keyed.connectionId} = e.value ->> 'connectionId' AND ${keyed.providerKey} = e.value ->> 'providerKey'))
    AND ${m.workspaceId} = e.value ->> 'workspaceId'
    AND ${m.connectionId} = e.value ->> 'connectionId' AND NOT ${m.fromContact}`;

/** A message that was skipped or cancelled was never sent, so a price for it is ignored. */
const bringsPrice = (category: SQL, billable: SQL): SQL =>
  sql`(${m.state} < ${state.skipped} AND ${m.priceCategory} IS NULL AND ${m.billable} IS NULL AND coalesce(${category}, ${billable}) IS NOT NULL)`;

const reportedSteps = (json: string): SQL => sql`
  SELECT ${messageColumnsBefore}, ${reportedValues}
  FROM json_each(${json}) e
  CROSS JOIN messages m ON ${isReported}
  WHERE ${m.state} < e.value ->> 'state' OR ${bringsPrice(sql`e.value ->> '$.price.category'`, sql`e.value ->> '$.price.billable'`)}`;

const earlySteps = (ctx: Ctx, json: string): SQL => sql`
  SELECT ${messageColumnsBefore}, ${s.state} AS to_state, ${s.providerMessageId}, ${s.sentAt}, ${s.deliveredAt}, ${s.readAt}, ${s.failedAt},
    ${s.errorCode}, ${s.errorMessage}, ${s.providerCode}, ${s.billable}, ${s.priceCategory}, ${s.priceType}
  FROM json_each(${json}) e
  CROSS JOIN early_statuses s ON ${s.connectionId} = e.value ->> 'connectionId' AND ${s.providerKey} = e.value ->> 'providerKey'
  CROSS JOIN messages m ON ${m.connectionId} = ${s.connectionId} AND ${m.providerKey} = ${s.providerKey}
    AND ${m.workspaceId} = ${ctx.workspace.id} AND NOT ${m.fromContact}
  WHERE ${m.state} < ${s.state} OR ${bringsPrice(s.priceCategory, s.billable)}`;

/** If one list reports a message under both our id and the provider's id, we apply the higher state. */
const highestSteps = (steps: SQL): SQL => sql`
  SELECT *, max(from_state, highest) AS reached FROM (SELECT *, max(to_state) AS highest FROM (${steps}) GROUP BY id)`;

const stateMoves = (steps: SQL): SQL => sql`
  SELECT id, workspace_id, connection_id, campaign_id, from_state, reached AS to_state, error_code, old_error_code, price_category, billable, old_category, old_billable
  FROM (${highestSteps(steps)}) WHERE message_type IS NOT 'reaction'`;

/** Not every status contains a price, so a status without one keeps the stored price. */
const keepPrice = (table: SQL): SQL =>
  sql.join(
    ["billable", "price_category", "price_type"].map((name) => {
      const column = sql.identifier(name);
      return sql`${column} = coalesce(excluded.${column}, ${table}.${column})`;
    }),
    sql`, `,
  );

const ifMoved = (...names: string[]): SQL =>
  sql.join(
    names.map((name) => {
      const column = sql.identifier(name);
      return sql`${column} = iif(excluded.state > messages.state, excluded.${column}, messages.${column})`;
    }),
    sql`, `,
  );

const moveForward = (steps: SQL, { now, hasCampaigns = true }: { now: number; hasCampaigns?: boolean }): SQL[] => [
  ...recordMoves(stateMoves(steps), { by: "provider", now, hasCampaigns, hasPrices: true }),
  sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at, ${reportedColumns})
    SELECT id, workspace_id, contact_seq, connection_id, from_contact, address, body, created_at,
      reached, provider_message_id, sent_at, delivered_at, read_at, failed_at, error_code, error_message, provider_code,
      billable, price_category, price_type
    FROM (${highestSteps(steps)}) WHERE TRUE
    ON CONFLICT (id) DO UPDATE SET
      ${ifMoved("failed_at", "error_code", "error_message", "provider_code")},
      next_attempt_at = iif(excluded.state > messages.state, NULL, messages.next_attempt_at),
      retry_at = iif(excluded.state > messages.state, NULL, messages.retry_at),
      state = excluded.state,
      provider_message_id = coalesce(messages.provider_message_id, excluded.provider_message_id),
      sent_at = coalesce(messages.sent_at, excluded.sent_at),
      delivered_at = coalesce(messages.delivered_at, excluded.delivered_at),
      read_at = coalesce(messages.read_at, excluded.read_at),
      ${keepPrice(sql`messages`)}
    WHERE excluded.state >= messages.state`,
];

/**
 * Applies the early statuses of the messages in `json`, a list of `{connectionId, providerKey}`, and deletes them.
 * Statuses whose message is still missing stay stored.
 */
export const applyEarlyStatuses = (ctx: Ctx, json: string, { hasCampaigns = true } = {}): SQL[] => [
  ...moveForward(earlySteps(ctx, json), { now: ctx.now(), hasCampaigns }),
  sql`
    DELETE FROM early_statuses
    WHERE (connection_id, provider_key) IN (SELECT value ->> 'connectionId', value ->> 'providerKey' FROM json_each(${json}))
      AND workspace_id = ${ctx.workspace.id}
      AND EXISTS (SELECT 1 FROM messages m
        WHERE ${m.connectionId} = early_statuses.connection_id AND ${m.providerKey} = early_statuses.provider_key)`,
];

const upsertEarly = (json: string, now: number): SQL => sql`
  INSERT INTO early_statuses (connection_id, provider_key, workspace_id, created_at, ${reportedColumns})
  SELECT ${k.id}, e.value ->> 'providerKey', ${k.workspaceId}, ${now}, ${reportedValues}
  FROM json_each(${json}) e
  CROSS JOIN connections k ON ${k.id} = e.value ->> 'connectionId' AND ${k.workspaceId} = e.value ->> 'workspaceId'
  WHERE NOT EXISTS (SELECT 1 FROM messages WHERE connection_id = ${k.id} AND provider_key = e.value ->> 'providerKey')
  ON CONFLICT (connection_id, provider_key) DO UPDATE SET
    state = excluded.state, sent_at = coalesce(early_statuses.sent_at, excluded.sent_at),
    delivered_at = coalesce(early_statuses.delivered_at, excluded.delivered_at),
    read_at = coalesce(early_statuses.read_at, excluded.read_at), failed_at = excluded.failed_at,
    error_code = excluded.error_code, error_message = excluded.error_message, provider_code = excluded.provider_code,
    ${keepPrice(sql`early_statuses`)}
  WHERE excluded.state > early_statuses.state`;

const newIdentity = z.object({
  workspace_id: z.string(),
  contact_seq: z.number(),
  connection_id: z.string(),
  user_id: z.string(),
  phone: z.string().nullable(),
});

export type NewIdentity = z.infer<typeof newIdentity>;

const selectNewIdentities = (json: string): Statement<NewIdentity> =>
  statement(
    newIdentity,
    sql`
      SELECT DISTINCT ${m.workspaceId} AS workspace_id, ${c.seq} AS contact_seq, ${m.connectionId} AS connection_id,
        e.value ->> '$.recipient.userId' AS user_id, iif(${c.phoneKey} IS NULL, e.value ->> '$.recipient.phone', NULL) AS phone
      FROM json_each(${json}) e
      CROSS JOIN messages m ON ${isReported} CROSS JOIN connections k ON ${k.id} = ${m.connectionId}
      CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
      WHERE ${c.phoneKey} IS NULL AND e.value ->> '$.recipient.phone' IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM contact_identities i WHERE ${i.workspaceId} = ${m.workspaceId} AND ${i.provider} = ${k.provider}
          AND ${i.externalId} = e.value ->> '$.recipient.userId' AND ${i.contactSeq} = ${c.seq})`,
  );

export async function applyProgress(
  db: Database,
  progress: StatusProgress[],
  keys: SQL[],
  now: number,
): Promise<NewIdentity[]> {
  const withoutId = progress.filter(({ id }) => id === null);
  const withRecipient = progress.filter(({ recipient }) => recipient !== null);
  const { identities } = await transact(db, {
    keys,
    moves: jsonLists(progress).flatMap((json) => moveForward(reportedSteps(json), { now })),
    early: jsonLists(withoutId).map((json) => upsertEarly(json, now)),
    identities: jsonLists(withRecipient).map(selectNewIdentities),
  });
  return identities;
}

export const keepEarlyStatus = (progress: StatusProgress, now: number): SQL =>
  upsertEarly(JSON.stringify([progress]), now);
