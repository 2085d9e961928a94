// Raw SQL, because the batch that cancels a message returns the same columns as JSON.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { type ContentType, type contentShapes, referral } from "../../channels/content.ts";
import { columns, type ColumnsOf } from "../../db/columns.ts";
import { bool } from "../../db/rows.ts";
import { campaigns, contacts, conversations, messageVersions, messages } from "../../db/schema/index.ts";
import { fetchRow, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { isLeftUnsent } from "./campaign-messages.sql.ts";
import { state } from "./messages.states.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const g = columns(campaigns, "g");
const v = columns(conversations, "v");
const w = columns(messageVersions, "w");

export const isNeverSent = (
  message: ColumnsOf<typeof messages, "id" | "campaignId" | "state" | "retryAt">,
): SQL => sql`(${message.campaignId} IS NOT NULL AND (${message.state} = ${state.skipped} OR ${message.state} = ${state.queued}
  AND EXISTS (SELECT 1 FROM campaigns g WHERE ${g.id} = ${message.campaignId} AND ${isLeftUnsent(message, g)})))`;

/** A literal, because SQLite would not use the partial index `messages_scheduled` with a bound parameter. */
export const SCHEDULED = sql.raw(String(state.scheduled));

/** Our reaction is stored as a message, but a conversation shows the reaction on its target message instead. */
export const isHiddenReaction = ({ type, fromContact }: ColumnsOf<typeof messages, "type" | "fromContact">): SQL =>
  sql`(${type} IS 'reaction' AND NOT ${fromContact})`;

const templateForm = z.looseObject({
  name: z.string(),
  language: z.string(),
  headerPart: z.unknown().optional(),
  buttons: z.array(z.unknown()).optional(),
  cards: z.array(z.unknown()).optional(),
});

const contentJson = z.custom<NonNullable<unknown> & z.infer<(typeof contentShapes)[Exclude<ContentType, "text">]>>();

const metadata = z.record(z.string(), z.string());

const versions = z.array(z.object({ body: z.string(), written_at: z.number() }));

export const messageRecord = z.object({
  id: z.string(),
  conversation_id: z.string().nullable(),
  contact_id: z.string(),
  campaign_id: z.string().nullable(),
  template_id: z.string().nullable(),
  to: z.string(),
  body: z.string(),
  from_contact: bool,
  state: z.number(),
  provider_message_id: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  provider_code: z.string().nullable(),
  created_at: z.number(),
  sent_at: z.number().nullable(),
  delivered_at: z.number().nullable(),
  read_at: z.number().nullable(),
  failed_at: z.number().nullable(),
  billable: bool.nullable(),
  price_category: z.string().nullable(),
  price_type: z.string().nullable(),
  edited_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  versions: fromJson(versions),
  type: z.string().nullable(),
  content: fromJson(contentJson).nullable(),
  template_form: fromJson(templateForm).nullable(),
  reply_to: z.string().nullable(),
  // Results that an earlier version stored for replays do not have this field.
  reply_to_key: z.string().nullable().default(null),
  contact_reaction: z.string().nullable(),
  contact_reaction_at: z.number().nullable(),
  own_reaction: z.string().nullable(),
  own_reaction_at: z.number().nullable(),
  is_forwarded: bool.nullable(),
  referral: fromJson(referral).nullable(),
  metadata: fromJson(metadata).nullable(),
  send_at: z.number().nullable(),
  // Results that an earlier version stored for replays do not have this field.
  author_id: z.string().nullable().default(null),
  is_standby: bool.nullable(),
});

export type MessageRecord = z.infer<typeof messageRecord>;

export const historyRecord = messageRecord.omit({
  conversation_id: true,
  contact_id: true,
  to: true,
  provider_message_id: true,
  provider_code: true,
  sent_at: true,
  delivered_at: true,
  read_at: true,
  failed_at: true,
});

export type HistoryRecord = z.infer<typeof historyRecord>;

export const messageJsonRecord = messageRecord.extend({
  versions,
  content: contentJson.nullable(),
  template_form: templateForm.nullable(),
  referral: referral.nullable(),
  metadata: metadata.nullable(),
});

const jsonColumns = ["versions", "content", "template_form", "referral", "metadata"];

/** Statements that select these columns must also join the contact as `c` and the conversation as `v`. */
const computedColumns: Partial<Record<string, SQL>> = {
  conversation_id: v.id,
  contact_id: c.id,
  to: m.address,
  // When a conversation is marked as read, only `readUpTo` is stored, so this computes the state of inbound messages.
  state: sql`iif(${m.fromContact} AND ${m.id} <= ${v.readUpTo}, ${state.read}, ${m.state})`,
  // A message that was never edited or deleted needs no query for versions.
  versions: sql`iif(${m.editedAt} IS NULL AND ${m.revokedAt} IS NULL, '[]', (
    SELECT json_group_array(json_object('body', body, 'written_at', written_at)) FROM (
      SELECT body, written_at FROM message_versions w WHERE ${w.messageId} = ${m.id} ORDER BY written_at, id)))`,
};

export const columnOf = (name: string): SQL => computedColumns[name] ?? sql`m.${sql.identifier(name)}`;

export const messageColumns = (record: z.ZodObject): SQL =>
  sql.join(
    Object.keys(record.shape).map((name) => sql`${columnOf(name)} AS ${sql.identifier(name)}`),
    sql`, `,
  );

const recordColumns = messageColumns(messageRecord);

const fromMessage = (ctx: Ctx, id: string | SQL): SQL => sql`
  FROM messages m CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
  LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${m.connectionId}
  WHERE ${m.id} = ${id} AND ${m.workspaceId} = ${ctx.workspace.id}`;

export const findMessage = (ctx: Ctx, id: string): Promise<MessageRecord | undefined> =>
  fetchRow(
    ctx.db,
    statement(
      messageRecord,
      sql`SELECT ${recordColumns} ${fromMessage(ctx, id)} AND NOT ${isNeverSent(m)} AND NOT ${isHiddenReaction(m)}`,
    ),
  );

const jsonEntries = sql.join(
  Object.keys(messageJsonRecord.shape).map(
    (name) => sql`'${sql.raw(name)}', ${jsonColumns.includes(name) ? sql`json(${columnOf(name)})` : columnOf(name)}`,
  ),
  sql`, `,
);

export const messageAsJson = (ctx: Ctx, id: SQL): SQL =>
  sql`SELECT json_object(${jsonEntries}) AS result ${fromMessage(ctx, id)}`;
