import { sql } from "drizzle-orm";
import * as z from "zod";
import type { OutboundTemplate } from "../../../channels/channel-templates.ts";
import { bool, type SQL, statement, type Statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { optedOutAt } from "../../contacts/contacts.sql.ts";
import { MARKETING } from "../../templates/templates.external.ts";
import type { ThreadKey } from "../messages.schemas.ts";
import { state } from "../messages.states.ts";
import { sendRefusal, sendRefusalReason } from "../send-refusal.sql.ts";

const value = z.object({ name: z.string().nullable(), text: z.string() });

/** As it was filled in when the message was accepted: a retry sends the same. */
const templateForm = z.object({
  name: z.string(),
  language: z.string(),
  header: z.array(value),
  body: z.array(value),
  buttons: z.array(z.object({ index: z.number(), kind: z.enum(["url", "copy_code"]), text: z.string() })),
}) satisfies z.ZodType<OutboundTemplate>;

const claimedMessage = z.object({
  id: z.string(),
  address: z.string(),
  body: z.string(),
  template_form: fromJson(templateForm).nullable(),
  attempts: z.number(),
  refusal: sendRefusalReason.nullable(),
  has_waited: bool,
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

/**
 * Claims the oldest message of a thread, unless another of it is claimed. A message that waits for its first slot holds up those
 * behind it; a message that is being retried does not.
 */
const claimNext = (ctx: Ctx, thread: ThreadKey, token: string): SQL =>
  sql`
    UPDATE messages SET state = ${state.claimed}, claimed_at = ${ctx.now()}, claim_token = ${token}, attempts = attempts + 1
    WHERE id = (
        SELECT id FROM messages INDEXED BY messages_unsettled
        WHERE ${isUnsettled(thread)} AND state = ${state.queued} AND (next_attempt_at <= ${ctx.now()} OR attempts = 0)
        ORDER BY id LIMIT 1)
      AND next_attempt_at <= ${ctx.now()}
      AND NOT EXISTS (SELECT 1 FROM messages INDEXED BY messages_unsettled WHERE ${isUnsettled(thread)} AND state = ${state.claimed})`;

const selectClaimed = (ctx: Ctx, thread: ThreadKey, token: string): Statement<ClaimedMessage> =>
  statement(
    claimedMessage,
    sql`
      SELECT id, address, body, template_form, attempts, has_waited, wrote_from, wrote_from_key, provider, messages_per_second, config, secrets,
        ${sendRefusal(ctx.now())} AS refusal FROM (
        SELECT m.id, m.address, m.body, m.template_form, m.attempts, m.template_id IS NULL AS is_text, v.last_inbound_at, v.wrote_from, v.wrote_from_key,
          m.next_attempt_at > m.created_at AS has_waited, k.channel, k.provider, k.messages_per_second, k.config, k.secrets,
          iif(k.deleted_at IS NULL, k.status, 'deleted') AS connection_status,
          ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`)} AS opted_out_at,
          iif(upper(t.category) = ${MARKETING}, ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`, "marketing_suppressions")}, NULL)
            AS marketing_opted_out_at
        FROM (SELECT * FROM messages INDEXED BY messages_unsettled WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token}) m
        CROSS JOIN contacts c ON c.seq = m.contact_seq
        CROSS JOIN connections k ON k.id = m.connection_id
        LEFT JOIN templates t ON t.id = m.template_id
        LEFT JOIN conversations v ON v.contact_seq = m.contact_seq AND v.connection_id = m.connection_id)`,
  );

/**
 * Settles the last call and claims the next message of the thread, in one trip; null where none is due. With the token of an
 * earlier try whose answer was lost it gives the message that the earlier try claimed, so a token is good for one claim.
 */
export async function settleAndClaim(
  ctx: Ctx,
  { settlements, token }: { settlements: SQL[]; token: string },
  thread: ThreadKey,
): Promise<ClaimedMessage | null> {
  const { claimed } = await transact(ctx.db, {
    settlements,
    claim: claimNext(ctx, thread, token),
    claimed: selectClaimed(ctx, thread, token),
  });
  return claimed[0] ?? null;
}

/** Gives a claim back before any call was made for it. */
export const releaseClaim = (thread: ThreadKey, token: string): SQL => sql`
  UPDATE messages SET state = ${state.queued}, attempts = attempts - 1, claimed_at = NULL
  WHERE id = (
    SELECT id FROM messages INDEXED BY messages_unsettled
    WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token})`;
