import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import { fromJson } from "../../../shared/json.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type MediaType, isMediaContent, type OutboundContent } from "../../../channels/content.ts";
import { providersThatSend } from "../../../channels/providers.ts";
import { isNumber } from "../../contacts/address-keys.sql.ts";
import { optedOutAt } from "../../contacts/contacts.sql.ts";
import { currentContactSeq } from "../../contacts/identify-people.sql.ts";
import { isAcceptedFile, isVisible } from "../../media/media-states.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";
import { state } from "../messages.states.ts";
import { FETCH_WAIT_MS } from "../messages.waiting.ts";
import { isOtherAccount, refusalColumns, sendRefusal, sendRefusalReason } from "../send-refusal.sql.ts";
import type { SendTarget } from "./send-target.sql.ts";

/** A file that is to be fetched from its address before its message leaves. */
export interface FetchedFile {
  mediaId: string;
  url: string;
  type: MediaType;
  filename: string | null;
}

interface NewTemplate {
  id: string;
  form: object | null;
  isMarketing: boolean;
  /** A login code, which WhatsApp sends to numbers only. */
  isAuthentication: boolean;
}

/** Free text, a template's rendering, or another kind of message with its readable line. */
export interface NewMessageContent {
  text: string;
  /** `form` is for providers that hold the template themselves. */
  template?: NewTemplate;
  /** Left out of a plain text and of a template. */
  content?: OutboundContent;
  fetched?: FetchedFile[];
  /** The message that it answers or reacts to. */
  replyTo?: string | null;
  metadata?: Record<string, string> | null;
  /** ms since the epoch; null for at once. */
  sendAt?: number | null;
  /** The test of a campaign, with the names of the values that are samples. */
  test?: { samples: string[] };
}

/** The member or the key; null where the system sends. */
const authorOf = ({ actor }: Ctx): string | null =>
  actor.type === "member" ? actor.userId : actor.type === "api_key" ? actor.id : null;

/** The file of a content that the workspace must have already, or null. */
const storedMediaId = ({ content, fetched }: NewMessageContent): string | null =>
  content === undefined || fetched !== undefined || !isMediaContent(content) ? null : content.content.media_id;

/** In SQL: the reason why ids in the content are refused, or NULL. */
function unknownId(ctx: Ctx, content: NewMessageContent): SQL {
  const { replyTo = null } = content;
  const mediaId = storedMediaId(content);
  const isInConversation = sql`EXISTS (SELECT 1 FROM messages r WHERE r.id = ${replyTo} AND r.workspace_id = ${ctx.workspace.id}
    AND r.connection_id = t.connection_id AND ${currentContactSeq(sql`r.contact_seq`)} = t.seq AND NOT ${isHiddenReaction(sql`r`)})`;
  const isOurs = sql`EXISTS (SELECT 1 FROM media f WHERE ${isOurFile(ctx, mediaId)})`;
  const unknownMessage = replyTo === null ? [] : [sql`WHEN NOT ${isInConversation} THEN 'unknown_message'`];
  const unknownMedia = mediaId === null ? [] : [sql`WHEN NOT ${isOurs} THEN 'unknown_media'`];
  return caseOf([...unknownMessage, ...unknownMedia]);
}

/** True in SQL for the workspace's file `f` of this id. */
const isOurFile = (ctx: Ctx, mediaId: string | null): SQL =>
  sql`f.id = ${mediaId} AND f.workspace_id = ${ctx.workspace.id} AND ${isVisible(sql`f`)}`;

/** The file of the content as JSON, for `SendCheck`; null where it has none. */
function fileAsJson(ctx: Ctx, content: NewMessageContent): SQL {
  const mediaId = storedMediaId(content);
  if (mediaId === null) return sql`NULL`;
  return sql`(
    SELECT json_object('mime_type', f.mime_type, 'bytes', f.bytes, 'status', f.status)
    FROM media f WHERE ${isOurFile(ctx, mediaId)})`;
}

/** In SQL: the reason why the connection's provider cannot send the content, or NULL. */
function unsendableContent(ctx: Ctx, content: NewMessageContent): SQL {
  if (content.content === undefined) return sql`NULL`;
  const providers = JSON.stringify(providersThatSend(content.content));
  const mediaId = storedMediaId(content);
  const branches = [
    sql`WHEN k.provider NOT IN (SELECT e.value FROM json_each(${providers}) e) THEN 'unsupported_message'`,
  ];
  if (mediaId !== null && isMediaContent(content.content)) {
    const isAccepted = sql`${isOurFile(ctx, mediaId)} AND ${isAcceptedFile(sql`f`, content.content.type)}`;
    branches.push(sql`WHEN NOT EXISTS (SELECT 1 FROM media f WHERE ${isAccepted}) THEN 'media_invalid'`);
  }
  if (content.content.type === "reaction") {
    const target = sql`SELECT 1 FROM messages r WHERE r.id = ${content.replyTo ?? null} AND r.provider_message_id IS NULL`;
    branches.push(
      sql`WHEN EXISTS (${target} AND r.state IN (${state.failed}, ${state.skipped})) THEN 'reacts_to_failed'`,
      sql`WHEN EXISTS (${target} AND r.state = ${state.cancelled}) THEN 'reacts_to_cancelled'`,
    );
  }
  return caseOf(branches);
}

const caseOf = (branches: SQL[]): SQL =>
  branches.length === 0 ? sql`NULL` : sql`CASE ${sql.join(branches, sql` `)} END`;

/**
 * The target by its number, whatever the person last wrote from; without an address where the number is not known. LIMIT keeps SQLite
 * from repeating the address' subqueries wherever it is read, which takes more memory than it has.
 */
const byNumber = (target: SendTarget): SQL => sql`
  SELECT seq, contact_id, phone_key, connection_id,
    iif(${isNumber(sql`address`)}, address, (SELECT phone FROM contacts WHERE contacts.seq = a.seq)) AS address, fault
  FROM (SELECT * FROM (${target}) LIMIT -1) a LIMIT -1`;

/** The target with the reason why this content may not go to it now in `refusal`, and what explains that. */
function checkedTarget(ctx: Ctx, target: SendTarget, content: NewMessageContent): SQL {
  const { template } = content;
  const person = [ctx, sql`t.contact_id`, sql`t.phone_key`] as const;
  return sql`
  SELECT *, coalesce(fault, unknown_id, ${sendRefusal(ctx.now())}, unsendable) AS refusal FROM (
    SELECT t.seq AS seq, t.contact_id AS contact_id, t.phone_key AS phone_key, t.connection_id AS connection_id, t.fault AS fault,
      k.provider AS provider, ${unknownId(ctx, content)} AS unknown_id, ${unsendableContent(ctx, content)} AS unsendable,
      ${refusalColumns({
        is_text: template === undefined ? sql`TRUE` : sql`FALSE`,
        connection_status: sql`k.status`,
        channel: sql`k.channel`,
        address: sql`t.address`,
        opted_out_at: optedOutAt(...person),
        marketing_opted_out_at:
          template?.isMarketing === true ? optedOutAt(...person, "marketing_suppressions") : sql`NULL`,
        last_inbound_at: sql`v.last_inbound_at`,
        wrote_from: sql`v.wrote_from`,
        wrote_from_key: sql`v.wrote_from_key`,
      })}
    FROM (${template?.isAuthentication === true ? byNumber(target) : target}) t
    LEFT JOIN connections k ON k.id = t.connection_id AND k.workspace_id = ${ctx.workspace.id} AND k.deleted_at IS NULL
    LEFT JOIN conversations v ON v.contact_seq = t.seq AND v.connection_id = t.connection_id)`;
}

/** The reasons why a message is not accepted: those of a claim, and those of what was asked for. */
const acceptRefusalReason = z.enum([
  ...sendRefusalReason.options,
  "malformed_user_id",
  "unknown_message",
  "unknown_media",
  "unsupported_message",
  "media_invalid",
  "reacts_to_failed",
  "reacts_to_cancelled",
]);

export const sendCheck = z.object({
  refusal: acceptRefusalReason.nullable(),
  contact_id: z.string().nullable(),
  connection_status: z.string().nullable(),
  /** Null where the person has last written from another number or id than the message would go to, or never. */
  last_inbound_at: z.number().nullable(),
  provider: z.string().nullable(),
  file: fromJson(
    z.object({ mime_type: z.string().nullable(), bytes: z.number().nullable(), status: z.string() }),
  ).nullable(),
});

export type SendCheck = z.infer<typeof sendCheck>;

/**
 * The reason why this content may not go to the target now, if there is one; no row where the conversation is unknown, or where
 * `condition` does not hold.
 */
export const selectSendCheck = (
  ctx: Ctx,
  target: SendTarget,
  content: NewMessageContent,
  condition = sql`TRUE`,
): Statement<SendCheck> =>
  statement(
    sendCheck,
    sql`
      SELECT refusal, contact_id, connection_status, iif(${isOtherAccount}, NULL, last_inbound_at) AS last_inbound_at, provider,
        ${fileAsJson(ctx, content)} AS file FROM (${checkedTarget(ctx, target, content)})
      WHERE ${condition}`,
  );

export interface QueuedMessageInput {
  id: string;
  content: NewMessageContent;
  target: SendTarget;
  /** The `seq` of the new contact, where the person is none yet. */
  newSeq: SQL;
}

/** Queues a message, or schedules it, where nothing refuses it. */
export function insertMessage(ctx: Ctx, { id, content, target, newSeq }: QueuedMessageInput, guard: SQL): SQL {
  const { text, template, fetched, sendAt = null, test } = content;
  const form = template?.form ?? null;
  const dueAt = fetched === undefined ? ctx.now() : ctx.now() + FETCH_WAIT_MS;
  // Only those that are there: most messages are plain texts.
  const more = Object.entries({
    type: content.content?.type === "text" ? null : content.content?.type,
    content: content.content === undefined ? null : JSON.stringify(content.content.content),
    reply_to: content.replyTo,
    metadata: content.metadata === null || content.metadata === undefined ? null : JSON.stringify(content.metadata),
    send_at: sendAt,
    author_id: authorOf(ctx),
    is_test: test === undefined ? undefined : true,
  }).flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name: sql.identifier(name), value }]));
  return sql`
    INSERT INTO messages (id, workspace_id, contact_seq, connection_id, template_id, template_form, from_contact, address, body,
      state, next_attempt_at, created_at${sql.join(
        more.map(({ name }) => sql`, ${name}`),
        sql``,
      )})
    SELECT ${id}, ${ctx.workspace.id}, coalesce(seq, ${newSeq}), connection_id, ${template?.id ?? null},
      ${form === null ? null : JSON.stringify(form)}, FALSE, address, ${text}, ${sendAt === null ? state.queued : state.scheduled},
      ${sendAt === null ? dueAt : null}, ${ctx.now()}${sql.join(
        more.map(({ value }) => sql`, ${value}`),
        sql``,
      )}
    FROM (${checkedTarget(ctx, target, content)}) WHERE refusal IS NULL AND ${guard}`;
}

/** The `seq` of the contact that the message was queued for. */
export const contactSeqOfMessage = (messageId: string): SQL =>
  sql`(SELECT contact_seq FROM messages WHERE id = ${messageId})`;

/** True in SQL where the message was queued. */
export const isQueued = (messageId: string): SQL => sql`EXISTS (SELECT 1 FROM messages WHERE id = ${messageId})`;

export const isNotQueued = (messageId: string): SQL => sql`NOT ${isQueued(messageId)}`;

/** True in SQL where the message was queued for a person who is no contact yet. */
export const lacksContact = (messageId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM messages m WHERE m.id = ${messageId} AND NOT EXISTS (SELECT 1 FROM contacts WHERE seq = m.contact_seq))`;

/** One row with an `acceptedMessage` as JSON in `result`, or none where the message was not queued. A reaction shows as its target. */
export const acceptedMessageAsJson = (
  messageId: string | SQL,
  { test }: Pick<NewMessageContent, "test"> = {},
): SQL => sql`
  SELECT json_object('message_id', iif(m.type = 'reaction', m.reply_to, m.id), 'status', iif(m.state = ${state.scheduled}, 'scheduled', 'queued'), 'contact_id', c.id, 'conversation_id', v.id,
    'contact_seq', m.contact_seq, 'connection_id', m.connection_id${
      test === undefined ? sql`` : sql`, 'sample_variables', json(${JSON.stringify(test.samples)})`
    }) AS result
  FROM messages m CROSS JOIN contacts c ON c.seq = m.contact_seq
  CROSS JOIN conversations v ON v.contact_seq = m.contact_seq AND v.connection_id = m.connection_id
  WHERE m.id = ${messageId}`;
