import { sql } from "drizzle-orm";
import * as z from "zod";
import { outboundTemplate } from "../../../channels/templates/channel-templates.ts";
import { bool } from "../../../db/rows.ts";
import { type SQL, statement, type Statement, transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { optOutKeyOfAddress } from "../../contacts/address-keys.sql.ts";
import { optedOutUnder } from "../../contacts/contacts.sql.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import { isVisible } from "../../media/media-states.sql.ts";
import { MARKETING } from "../../templates/model/parse-template.ts";
import { isHiddenReaction, SCHEDULED } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { deliveryChange } from "../settle/record-moves.sql.ts";
import type { ShortSettlement } from "../settle/settle-messages.sql.ts";
import { refusalColumns, sendRefusal, sendRefusalReason } from "../send-refusal.sql.ts";

const claimedMessage = z.object({
  id: z.string(),
  /** Null of a text and of a template. */
  type: z.string().nullable(),
  content: fromJson(z.unknown()).nullable(),
  reply_to: z.string().nullable(),
  /** The provider's id of that message; null until it has one. */
  reply_to_provider_id: z.string().nullable(),
  /** True while that message may still get one. */
  may_quoted_still_leave: bool,
  /** The time from which it was to leave, in ms since the epoch. */
  wanted_at: z.number(),
  /** Its file that is least ready, and why it failed; null where it has none. */
  file: fromJson(z.object({ status: z.string(), reason: z.string().nullable() })).nullable(),
  address: z.string(),
  body: z.string(),
  template_form: fromJson(outboundTemplate).nullable(),
  attempts: z.number(),
  refusal: sendRefusalReason.nullable(),
  was_held: bool,
  wrote_from: z.string().nullable(),
  wrote_from_key: z.string().nullable(),
  provider: z.string(),
  messages_per_second: z.number(),
  ...storedSettings,
});

export type ClaimedMessage = z.infer<typeof claimedMessage>;

/** True in SQL for the unsettled messages of a thread. A contact's number belongs to one workspace. */
const isUnsettled = ({ contactSeq, connectionId }: ThreadKey) =>
  sql`contact_seq = ${contactSeq} AND connection_id = ${connectionId} AND next_attempt_at IS NOT NULL`;

// INDEXED BY: the index holds unsettled messages only; that of the history would read the whole thread.

/** The files of the message `m`, as `id`: that of its content, and those of a template. */
const fileIds = sql`
  SELECT m.content ->> 'media_id' AS id WHERE m.content IS NOT NULL AND json_type(m.content) = 'object'
  UNION ALL
  SELECT j.atom FROM json_tree(m.template_form) j WHERE instr(m.template_form, '"media_id"') > 0 AND j.key = 'media_id'`;

/** In SQL: `column` of the file `f` of `m` that is least ready: a missing one, one that is not stored, a stored one; null without files. */
const ofLeastReadyFile = (column: SQL): SQL => sql`iif(m.content IS NULL AND m.template_form IS NULL, NULL, (
  SELECT ${column} FROM (${fileIds}) x
  LEFT JOIN media f ON f.id = x.id AND f.workspace_id = m.workspace_id AND ${isVisible(sql`f`)}
  WHERE x.id IS NOT NULL ORDER BY f.status IS NOT NULL, f.status = 'stored' LIMIT 1))`;

const fileStatus = sql`coalesce(f.status, 'missing')`;

/**
 * True in SQL for the message `m` that was accepted to wait for its file, and whose file need not be waited for any more. A message
 * that was claimed before waits for something else.
 */
const isFileSettled = sql`(
  m.claim_token IS NULL AND m.attempts = 0 AND (m.content IS NOT NULL OR m.template_form IS NOT NULL)
  AND ${ofLeastReadyFile(fileStatus)} IS NOT 'pending')`;

/**
 * Claims the oldest message of a thread, unless another of it is claimed. A message that waits for its first slot holds up those
 * behind it; a message that is being retried does not.
 */
const claimNext = (ctx: Ctx, thread: ThreadKey, token: string): SQL =>
  sql`
    UPDATE messages AS m SET state = ${state.claimed}, claimed_at = ${ctx.now()}, claim_token = ${token}, attempts = attempts + 1
    WHERE id = (
        SELECT id FROM messages INDEXED BY messages_unsettled
        WHERE ${isUnsettled(thread)} AND state = ${state.queued} AND (next_attempt_at <= ${ctx.now()} OR attempts = 0)
        ORDER BY id LIMIT 1)
      AND (next_attempt_at <= ${ctx.now()} OR ${isFileSettled})
      AND NOT EXISTS (SELECT 1 FROM messages INDEXED BY messages_unsettled WHERE ${isUnsettled(thread)} AND state = ${state.claimed})`;

const CLAIMED_COLUMNS = sql`
  id, type, content, reply_to, reply_to_provider_id, may_quoted_still_leave, wanted_at, file, address, body, template_form,
  attempts, was_held, wrote_from, wrote_from_key, provider, messages_per_second, config, secrets`;

const selectClaimed = (ctx: Ctx, thread: ThreadKey, token: string): Statement<ClaimedMessage> => {
  const claimed = sql`
    SELECT * FROM messages INDEXED BY messages_unsettled
    WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token}`;
  const wantedAt = sql`coalesce(m.send_at, m.created_at)`;
  // The number that it was accepted for may be the contact's no more: whoever has it now opts out under it alone.
  const keys = [sql`c.id`, sql`c.phone_key`, optOutKeyOfAddress(sql`m.address`, sql`k.provider`)];
  return statement(
    claimedMessage,
    sql`
      SELECT ${CLAIMED_COLUMNS}, ${sendRefusal(ctx.now())} AS refusal FROM (
        SELECT m.id, m.type, m.content, m.body, m.template_form, m.attempts,
          m.reply_to, r.provider_message_id AS reply_to_provider_id,
          r.id IS NOT NULL AND r.provider_message_id IS NULL AND r.state <= ${state.unknown} AS may_quoted_still_leave,
          ${wantedAt} AS wanted_at, m.next_attempt_at > ${wantedAt} AS was_held,
          ${ofLeastReadyFile(sql`json_object('status', ${fileStatus}, 'reason', f.reason)`)} AS file,
          k.provider, k.messages_per_second, k.config, k.secrets,
          ${refusalColumns({
            is_text: sql`m.template_id IS NULL`,
            connection_status: sql`iif(k.deleted_at IS NULL, k.status, 'deleted')`,
            channel: sql`k.channel`,
            address: sql`m.address`,
            opted_out_at: optedOutUnder(ctx, keys),
            marketing_opted_out_at: sql`iif(upper(t.category) = ${MARKETING}, ${optedOutUnder(ctx, keys, "marketing_suppressions")}, NULL)`,
            last_inbound_at: sql`v.last_inbound_at`,
            wrote_from: sql`v.wrote_from`,
            wrote_from_key: sql`v.wrote_from_key`,
          })}
        FROM (${claimed}) m
        CROSS JOIN contacts c ON c.seq = m.contact_seq
        CROSS JOIN connections k ON k.id = m.connection_id
        LEFT JOIN templates t ON t.id = m.template_id
        LEFT JOIN messages r ON r.id = m.reply_to
        LEFT JOIN conversations v ON v.contact_seq = m.contact_seq AND v.connection_id = m.connection_id)`,
  );
};

const claimEntries = (ctx: Ctx, thread: ThreadKey, token: string) => ({
  claim: claimNext(ctx, thread, token),
  claimed: selectClaimed(ctx, thread, token),
});

/**
 * Lets the messages of a thread go that were scheduled until now. Each goes in its place among those that wait, and keeps the time it
 * was asked for.
 */
export const releaseScheduled = (ctx: Ctx, { contactSeq, connectionId }: ThreadKey): SQL[] => {
  const due = sql`
    FROM messages m INDEXED BY messages_scheduled WHERE m.state = ${SCHEDULED} AND m.send_at <= ${ctx.now()}
      AND m.workspace_id = ${ctx.workspace.id} AND m.contact_seq = ${contactSeq} AND m.connection_id = ${connectionId}`;
  const change = deliveryChange(sql`'scheduled'`, sql`'queued'`);
  return [
    appendEvents(
      bySystem(ctx),
      sql`SELECT ${event("message.queued", sql`m.id`, change)} ${due} AND NOT ${isHiddenReaction(sql`m`)}`,
    ),
    sql`UPDATE messages SET state = ${state.queued}, next_attempt_at = send_at WHERE id IN (SELECT m.id ${due})`,
  ];
};

/**
 * Settles the last call and claims the next message of the thread, in one trip; null where none is due. With the token of an
 * earlier try whose answer was lost it gives the message that the earlier try claimed, so a token is good for one claim.
 * It takes another trip where a report came before the settlement.
 */
export async function settleAndClaim(
  ctx: Ctx,
  { statements, shortSettlement }: { statements: SQL[]; shortSettlement: ShortSettlement | null },
  { thread, token }: { thread: ThreadKey; token: string },
): Promise<ClaimedMessage | null> {
  const db = ctx.sharedShard(ctx.workspace.shard);
  if (shortSettlement !== null) {
    const { settled, claimed } = await transact(db, { ...shortSettlement, ...claimEntries(ctx, thread, token) });
    if (settled.length > 0) return claimed[0] ?? null;
  }
  const { claimed } = await transact(db, { statements, ...claimEntries(ctx, thread, token) });
  return claimed[0] ?? null;
}

/** Gives a claim back before any call was made for it. */
export const returnClaim = (thread: ThreadKey, token: string): SQL => sql`
  UPDATE messages SET state = ${state.queued}, attempts = attempts - 1, claimed_at = NULL
  WHERE id = (
    SELECT id FROM messages INDEXED BY messages_unsettled
    WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token})`;
