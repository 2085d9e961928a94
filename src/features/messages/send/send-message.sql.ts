// The first and last statement of `accept-message.sql.ts`: the insert with its checks, and the response.
import { sql } from "drizzle-orm";
import { columns, insertSelect } from "../../../db/columns.ts";
import { connections, contacts, conversations, media, messages } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isNumber } from "../../contacts/identity/address-keys.sql.ts";
import { optedOutAt } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { state } from "../messages.states.ts";
import { FETCH_WAIT_MS } from "../messages.waiting.ts";
import { isOwnFile, selectRefusal, type SendCheck, sendCheck } from "../send-refusal.ts";
import { isOtherAccount } from "../unsubscribed.sql.ts";
import { type NewMessageContent, storedMediaOf } from "./new-message.ts";
import type { SendTarget } from "./send-target.sql.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const f = columns(media, "f");
const k = columns(connections, "k");
const v = columns(conversations, "v");

/** The member or API key; null if the system sends. */
const authorOf = ({ actor }: Ctx): string | null =>
  actor.type === "member" ? actor.userId : actor.type === "api_key" ? actor.id : null;

/** For `SendCheck`; null without a file. */
function fileAsJson(ctx: Ctx, content: NewMessageContent): SQL {
  const file = storedMediaOf(content);
  if (file === null) return sql`NULL`;
  return sql`(
    SELECT json_object('mime_type', ${f.mimeType}, 'bytes', ${f.bytes}, 'status', ${f.status})
    FROM media f WHERE ${isOwnFile(ctx, file.id)})`;
}

/**
 * The target by phone number, even if the person last wrote from an id; no address without a number. LIMIT keeps SQLite from
 * repeating the address subqueries at each use, which exceeds its memory.
 */
const byNumber = (target: SendTarget): SQL => sql`
  SELECT seq, contact_id, phone_key, connection_id,
    iif(${isNumber(sql`address`)}, address, (SELECT phone FROM contacts WHERE contacts.seq = a.seq)) AS address, has_malformed_user_id
  FROM (SELECT * FROM (${target}) LIMIT -1) a LIMIT -1`;

/** The target, with `refusal` for this content and the columns that explain the refusal. */
function checkedTarget(ctx: Ctx, target: SendTarget, content: NewMessageContent): SQL {
  const { template } = content;
  const person = [ctx, sql`a.contact_id`, sql`a.phone_key`] as const;
  return selectRefusal(ctx, {
    content,
    select: sql`a.contact_id AS contact_id`,
    target: {
      seq: sql`a.seq`,
      connection_id: sql`a.connection_id`,
      address: sql`a.address`,
      has_malformed_user_id: sql`a.has_malformed_user_id`,
      is_text: template === undefined ? sql`TRUE` : sql`FALSE`,
      provider: k.provider,
      connection_status: k.status,
      channel: k.channel,
      opted_out_at: optedOutAt(...person),
      marketing_opted_out_at:
        template?.isMarketing === true ? optedOutAt(...person, "marketing_suppressions") : sql`NULL`,
      last_inbound_at: v.lastInboundAt,
      wrote_from: v.wroteFrom,
      wrote_from_key: v.wroteFromKey,
    },
    from: sql`(${template?.isAuthentication === true ? byNumber(target) : target}) a
      LEFT JOIN connections k ON ${k.id} = a.connection_id AND ${k.workspaceId} = ${ctx.workspace.id} AND ${k.deletedAt} IS NULL
      LEFT JOIN conversations v ON ${v.contactSeq} = a.seq AND ${v.connectionId} = a.connection_id`,
  });
}

const checkedAccount = { address: sql`address`, wrote_from: sql`wrote_from`, wrote_from_key: sql`wrote_from_key` };

/** Why this content may not be sent to the target now. No row if the conversation is unknown or `condition` fails. */
export const selectSendCheck = (
  ctx: Ctx,
  target: SendTarget,
  content: NewMessageContent,
  condition = sql`TRUE`,
): Statement<SendCheck> =>
  statement(
    sendCheck,
    sql`
      SELECT refusal, contact_id, connection_status, iif(${isOtherAccount(checkedAccount)}, NULL, last_inbound_at) AS last_inbound_at,
        provider, ${fileAsJson(ctx, content)} AS file FROM (${checkedTarget(ctx, target, content)})
      WHERE ${condition}`,
  );

export interface QueuedMessageInput {
  id: string;
  content: NewMessageContent;
  target: SendTarget;
  /** The `seq` for a new contact. */
  newSeq: SQL;
}

/** Queues or schedules a message unless it is refused. */
export function insertMessage(ctx: Ctx, { id, content, target, newSeq }: QueuedMessageInput, guard: SQL): SQL {
  const { text, template, fetched, sendAt = null, test } = content;
  const form = template?.form ?? null;
  const dueAt = fetched === undefined ? ctx.now() : ctx.now() + FETCH_WAIT_MS;
  return insertSelect(
    messages,
    {
      id,
      workspaceId: ctx.workspace.id,
      contactSeq: sql`coalesce(seq, ${newSeq})`,
      connectionId: sql`connection_id`,
      templateId: template?.id ?? null,
      templateForm: form === null ? null : JSON.stringify(form),
      fromContact: sql`FALSE`,
      address: sql`address`,
      body: text,
      state: sendAt === null ? state.queued : state.scheduled,
      nextAttemptAt: sendAt === null ? dueAt : null,
      createdAt: ctx.now(),
      // Undefined if absent: most messages are plain texts.
      type: content.content?.type === "text" ? undefined : content.content?.type,
      content: content.content && JSON.stringify(content.content.content),
      replyTo: content.replyTo ?? undefined,
      metadata: content.metadata ? JSON.stringify(content.metadata) : undefined,
      sendAt: sendAt ?? undefined,
      authorId: authorOf(ctx) ?? undefined,
      isTest: test && true,
    },
    sql`FROM (${checkedTarget(ctx, target, content)}) WHERE refusal IS NULL AND ${guard}`,
  );
}

export const contactSeqOfMessage = (messageId: string): SQL =>
  sql`(SELECT contact_seq FROM messages WHERE id = ${messageId})`;

export const isQueued = (messageId: string): SQL => sql`EXISTS (SELECT 1 FROM messages WHERE id = ${messageId})`;

export const isNotQueued = (messageId: string): SQL => sql`NOT ${isQueued(messageId)}`;

/** True in SQL if the message was queued for a person without a contact. */
export const lacksContact = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages m WHERE ${m.id} = ${messageId} AND NOT EXISTS (SELECT 1 FROM contacts WHERE seq = ${m.contactSeq}))`;

/** One row with an `acceptedMessage` as JSON in `result`; none if nothing was queued. A reaction has its target's id. */
export const acceptedMessageAsJson = (
  messageId: string | SQL,
  { test }: Pick<NewMessageContent, "test"> = {},
): SQL => sql`
  SELECT json_object('message_id', iif(${m.type} = 'reaction', ${m.replyTo}, ${m.id}), 'status', iif(${m.state} = ${state.scheduled}, 'scheduled', 'queued'), 'contact_id', ${c.id}, 'conversation_id', ${v.id},
    'contact_seq', ${m.contactSeq}, 'connection_id', ${m.connectionId}${
      test === undefined ? sql`` : sql`, 'sample_variables', json(${JSON.stringify(test.samples)})`
    }) AS result
  FROM messages m CROSS JOIN contacts c ON ${c.seq} = ${m.contactSeq}
  CROSS JOIN conversations v ON ${v.contactSeq} = ${m.contactSeq} AND ${v.connectionId} = ${m.connectionId}
  WHERE ${m.id} = ${messageId}`;
