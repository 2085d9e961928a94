// One batch settles the previous message or releases due scheduled messages, and then claims the oldest due message.
// The statements depend on this order. Raw SQL, because the query builder does not support INDEXED BY.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, updateSet } from "../../../db/columns.ts";
import { outboundTemplate } from "../../../channels/templates/channel-templates.ts";
import { bool } from "../../../db/rows.ts";
import { connections, contacts, conversations, media, messages, templates } from "../../../db/schema/index.ts";
import { statement, type Statement, transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { optOutKeyOfAddress } from "../../contacts/identity/address-keys.sql.ts";
import { optedOutUnder } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { appendEvents, event } from "../../events/append-events.sql.ts";
import { isVisible } from "../../media/media-states.sql.ts";
import { MARKETING } from "../../templates/model/parse-template.ts";
import { isHiddenReaction, SCHEDULED } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { deliveryChange } from "../settle/record-moves.sql.ts";
import type { ShortSettlement } from "../settle/settle-messages.sql.ts";
import { selectRefusal } from "../send-refusal.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const f = columns(media, "f");
const k = columns(connections, "k");
const r = columns(messages, "r");
const t = columns(templates, "t");
const v = columns(conversations, "v");

const claimedMessage = z.object({
  id: z.string(),
  type: z.string().nullable(),
  content: fromJson(z.unknown()).nullable(),
  reply_to: z.string().nullable(),
  reply_to_provider_id: z.string().nullable(),
  may_quoted_still_leave: bool,
  wanted_at: z.number(),
  /** The message's least ready file, for which the message must wait. Null if the message has no files. */
  file: fromJson(z.object({ status: z.string(), reason: z.string().nullable() })).nullable(),
  address: z.string(),
  body: z.string(),
  template_form: fromJson(outboundTemplate).nullable(),
  attempts: z.number(),
  refusal: z.string().nullable(),
  was_held: bool,
  wrote_from: z.string().nullable(),
  wrote_from_key: z.string().nullable(),
  provider: z.string(),
  messages_per_second: z.number(),
  ...storedSettings,
});

export type ClaimedMessage = z.infer<typeof claimedMessage>;

const isUnsettled = ({ contactSeq, connectionId }: ThreadKey) =>
  sql`contact_seq = ${contactSeq} AND connection_id = ${connectionId} AND next_attempt_at IS NOT NULL`;

// INDEXED BY selects the index that contains only unsettled messages. With the history index, SQLite would read the
// whole thread.

const fileIds = sql`
  SELECT ${m.content} ->> 'media_id' AS id WHERE ${m.content} IS NOT NULL AND json_type(${m.content}) = 'object'
  UNION ALL
  SELECT j.atom FROM json_tree(${m.templateForm}) j WHERE instr(${m.templateForm}, '"media_id"') > 0 AND j.key = 'media_id'`;

const ofLeastReadyFile = (column: SQL): SQL => sql`iif(${m.content} IS NULL AND ${m.templateForm} IS NULL, NULL, (
  SELECT ${column} FROM (${fileIds}) x
  LEFT JOIN media f ON ${f.id} = x.id AND ${f.workspaceId} = ${m.workspaceId} AND ${isVisible(f)}
  WHERE x.id IS NOT NULL ORDER BY ${f.status} IS NOT NULL, ${f.status} = 'stored' LIMIT 1))`;

const fileStatus = sql`coalesce(${f.status}, 'missing')`;

/** True if message `m` waited only for files, and none of them is pending any more. */
const isFileSettled = sql`(
  ${m.claimToken} IS NULL AND ${m.attempts} = 0 AND (${m.content} IS NOT NULL OR ${m.templateForm} IS NOT NULL)
  AND ${ofLeastReadyFile(fileStatus)} IS NOT 'pending')`;

/**
 * Claims the oldest due message. Later messages wait for the first attempt of an earlier one, to keep the order, but
 * not for its retries.
 */
const claimNext = (ctx: Ctx, thread: ThreadKey, token: string): SQL =>
  updateSet(
    messages,
    { state: state.claimed, claimedAt: ctx.now(), claimToken: token, attempts: sql`attempts + 1` },
    sql`
      WHERE id = (
          SELECT id FROM messages INDEXED BY messages_unsettled
          WHERE ${isUnsettled(thread)} AND state = ${state.queued} AND (next_attempt_at <= ${ctx.now()} OR attempts = 0)
          ORDER BY id LIMIT 1)
        AND (next_attempt_at <= ${ctx.now()} OR ${isFileSettled})
        AND NOT EXISTS (SELECT 1 FROM messages INDEXED BY messages_unsettled WHERE ${isUnsettled(thread)} AND state = ${state.claimed})`,
    "m",
  );

const selectClaimed = (ctx: Ctx, thread: ThreadKey, token: string): Statement<ClaimedMessage> => {
  const claimed = sql`
    SELECT * FROM messages INDEXED BY messages_unsettled
    WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token}`;
  const wantedAt = sql`coalesce(${m.sendAt}, ${m.createdAt})`;
  // The number in `m.address` might now belong to another person, who might have opted out. We therefore check the key
  // of the address in addition to the keys of the contact.
  const keys = [c.id, c.phoneKey, optOutKeyOfAddress(m.address, k.provider)];
  return statement(
    claimedMessage,
    selectRefusal(ctx, {
      message: null,
      select: sql`${m.id}, ${m.type}, ${m.content}, ${m.body}, ${m.templateForm}, ${m.attempts},
        ${m.replyTo}, ${r.providerMessageId} AS reply_to_provider_id,
        ${r.id} IS NOT NULL AND ${r.providerMessageId} IS NULL AND ${r.state} <= ${state.unknown} AS may_quoted_still_leave,
        ${wantedAt} AS wanted_at, ${m.nextAttemptAt} > ${wantedAt} AS was_held,
        ${ofLeastReadyFile(sql`json_object('status', ${fileStatus}, 'reason', ${f.reason})`)} AS file,
        ${k.messagesPerSecond}, ${k.config}, ${k.secrets}`,
      target: {
        seq: c.seq,
        connection_id: k.id,
        address: m.address,
        has_malformed_user_id: sql`FALSE`,
        is_text: sql`${m.templateId} IS NULL`,
        provider: k.provider,
        connection_status: sql`iif(${k.deletedAt} IS NULL, ${k.status}, 'deleted')`,
        channel: k.channel,
        opted_out_at: optedOutUnder(ctx, keys),
        marketing_opted_out_at: sql`iif(upper(${t.category}) = ${MARKETING}, ${optedOutUnder(ctx, keys, "marketing_suppressions")}, NULL)`,
        last_inbound_at: v.lastInboundAt,
        wrote_from: v.wroteFrom,
        wrote_from_key: v.wroteFromKey,
      },
      from: sql`(${claimed}) m
        CROSS JOIN contacts c ON ${c.seq} = ${m.contactSeq}
        CROSS JOIN connections k ON ${k.id} = ${m.connectionId}
        LEFT JOIN templates t ON ${t.id} = ${m.templateId}
        LEFT JOIN messages r ON ${r.id} = ${m.replyTo}
        LEFT JOIN conversations v ON ${v.contactSeq} = ${m.contactSeq} AND ${v.connectionId} = ${m.connectionId}`,
    }),
  );
};

const claimEntries = (ctx: Ctx, thread: ThreadKey, token: string) => ({
  claim: claimNext(ctx, thread, token),
  claimed: selectClaimed(ctx, thread, token),
});

export const releaseScheduled = (ctx: Ctx, { contactSeq, connectionId }: ThreadKey): SQL[] => {
  const due = sql`
    FROM messages m INDEXED BY messages_scheduled WHERE ${m.state} = ${SCHEDULED} AND ${m.sendAt} <= ${ctx.now()}
      AND ${m.workspaceId} = ${ctx.workspace.id} AND ${m.contactSeq} = ${contactSeq} AND ${m.connectionId} = ${connectionId}`;
  const change = deliveryChange(sql`'scheduled'`, sql`'queued'`);
  return [
    appendEvents(
      bySystem(ctx),
      sql`SELECT ${event("message.queued", m.id, change)} ${due} AND NOT ${isHiddenReaction(m)}`,
    ),
    updateSet(messages, { state: state.queued, nextAttemptAt: sql`send_at` }, sql`WHERE id IN (SELECT ${m.id} ${due})`),
  ];
};

/**
 * A retry with the same token returns the same message, in case the first response was lost. If a status report arrived
 * before the settlement, `shortSettlement` changes nothing, and a second batch runs `statements`.
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

export const returnClaim = (thread: ThreadKey, token: string): SQL =>
  updateSet(
    messages,
    { state: state.queued, attempts: sql`attempts - 1`, claimedAt: null },
    sql`
      WHERE id = (
        SELECT id FROM messages INDEXED BY messages_unsettled
        WHERE ${isUnsettled(thread)} AND state = ${state.claimed} AND claim_token = ${token})`,
  );
