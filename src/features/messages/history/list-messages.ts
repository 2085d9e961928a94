// Raw SQL, because the order of the CROSS JOINs determines which index SQLite reads first.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { campaigns, connections, contactJoins, contacts, conversations, messages } from "../../../db/schema/index.ts";
import { type Statement, statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { conversationNotFound } from "../../conversations/conversations.service.ts";
import { isHidden } from "./conversation-history.ts";
import { columnOf, type MessageRecord, messageColumns, messageRecord } from "../messages.sql.ts";
import { type MessageDelivery, statesOfDelivery } from "../messages.states.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const j = columns(contactJoins, "j");
const k = columns(connections, "k");
const p = columns(campaigns, "p");
const v = columns(conversations, "v");

const allColumns = messageColumns(messageRecord);

export interface MessageFilter {
  contactId: string | undefined;
  conversationId: string | undefined;
  campaignId: string | undefined;
  delivery: MessageDelivery | undefined;
  limit: number;
  before: string | undefined;
}

/** Some filters have no index. For these, a page examines at most this many messages. */
const MAX_EXAMINED = 5000;

const AFTER_ALL = "msg`";

/** The filter whose index SQLite reads. SQLite checks the other filters on each row. */
type IndexedFilter = "conversation" | "contact" | "campaign" | "workspace";

const indexedFilterOf = ({ conversationId, contactId, campaignId }: MessageFilter): IndexedFilter => {
  if (conversationId !== undefined) return "conversation";
  if (contactId !== undefined) return "contact";
  return campaignId === undefined ? "workspace" : "campaign";
};

function newestIds(ctx: Ctx, filter: MessageFilter, condition: SQL, most: number): SQL {
  const before = filter.before ?? AFTER_ALL;
  const workspaceId = ctx.workspace.id;
  const newest = sql`AND ${m.id} < ${before} AND ${condition} ORDER BY ${m.id} DESC LIMIT ${most}`;
  /** Also selects messages of merged contacts, which can still have the removed contact's `seq`. */
  const ofThreads = (threads: SQL) => sql`
    SELECT ${m.id} AS id FROM (${threads}) t CROSS JOIN messages m ON ${m.id} IN (
      SELECT ${m.id} FROM messages m WHERE ${m.contactSeq} = t.seq AND ${m.connectionId} = t.connection_id ${newest})
    UNION ALL SELECT ${m.id} FROM (${threads}) t CROSS JOIN contact_joins j ON ${j.intoSeq} = t.seq AND ${j.movedAt} IS NULL
    CROSS JOIN messages m ON ${m.id} IN (
      SELECT ${m.id} FROM messages m WHERE ${m.contactSeq} = ${j.fromSeq} AND ${m.connectionId} = t.connection_id ${newest})
    ORDER BY id DESC LIMIT ${most}`;
  switch (indexedFilterOf(filter)) {
    case "conversation":
      return ofThreads(sql`
        SELECT contact_seq AS seq, connection_id FROM conversations WHERE id = ${filter.conversationId} AND workspace_id = ${workspaceId}`);
    case "contact":
      return ofThreads(sql`
        SELECT ${c.seq} AS seq, ${k.id} AS connection_id FROM contacts c CROSS JOIN connections k ON ${k.workspaceId} = ${c.workspaceId}
        WHERE ${c.id} = ${filter.contactId} AND ${c.workspaceId} = ${workspaceId}`);
    case "campaign":
      return sql`
        SELECT ${m.id} AS id FROM campaigns p CROSS JOIN messages m ON ${m.id} >= ${p.messagePrefix} AND ${m.id} < ${p.messagePrefix} || ':'
        WHERE ${p.id} = ${filter.campaignId} AND ${p.workspaceId} = ${workspaceId} ${newest}`;
    case "workspace":
      // No index contains the workspace, so this reads the newest messages of all workspaces by primary key. The outer
      // query removes the messages of other workspaces.
      return sql`SELECT ${m.id} AS id FROM messages m WHERE ${m.id} > '' ${newest}`;
  }
}

function furtherConditions({ contactId, conversationId, campaignId, delivery }: MessageFilter): SQL[] {
  const states = delivery === undefined ? [] : statesOfDelivery(delivery);
  return [
    ...(contactId !== undefined && conversationId !== undefined ? [sql`${c.id} = ${contactId}`] : []),
    ...(campaignId !== undefined && (contactId ?? conversationId) !== undefined
      ? [sql`${m.campaignId} = ${campaignId}`]
      : []),
    ...(delivery === undefined
      ? []
      : [sql`${columnOf("state")} IN (SELECT e.value FROM json_each(${JSON.stringify(states)}) e)`]),
  ];
}

function selectOfConversation(
  ctx: Ctx,
  { conversationId, before = AFTER_ALL, limit }: MessageFilter,
): Statement<MessageRecord> {
  const conversation = sql`
    (SELECT id, contact_seq, connection_id, read_up_to FROM conversations
      WHERE id = ${conversationId} AND workspace_id = ${ctx.workspace.id}) v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`;
  const isListed = sql`${m.connectionId} = ${v.connectionId} AND ${m.id} < ${before} AND NOT ${isHidden(m)}`;
  return statement(
    messageRecord,
    sql`
      SELECT ${allColumns} FROM ${conversation} CROSS JOIN messages m ON ${m.contactSeq} = ${v.contactSeq} AND ${isListed}
      UNION ALL SELECT ${allColumns} FROM ${conversation}
      CROSS JOIN contact_joins j ON ${j.intoSeq} = ${v.contactSeq} AND ${j.movedAt} IS NULL
      CROSS JOIN messages m ON ${m.id} IN (
        SELECT ${m.id} FROM messages m WHERE ${m.contactSeq} = ${j.fromSeq} AND ${isListed} ORDER BY ${m.id} DESC LIMIT ${limit + 1})
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );
}

function selectOfContact(ctx: Ctx, { contactId, before = AFTER_ALL, limit }: MessageFilter): Statement<MessageRecord> {
  const contact = sql`(SELECT * FROM contacts WHERE id = ${contactId} AND workspace_id = ${ctx.workspace.id}) c`;
  const threads = sql`
    CROSS JOIN connections k ON ${k.workspaceId} = ${c.workspaceId}
    LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${k.id}`;
  const isListed = (seq: SQL) =>
    sql`${m.contactSeq} = ${seq} AND ${m.connectionId} = ${k.id} AND ${m.id} < ${before} AND NOT ${isHidden(m)}`;
  const since = (seq: SQL) =>
    sql`coalesce((SELECT ${m.id} FROM messages m WHERE ${isListed(seq)} ORDER BY ${m.id} DESC LIMIT 1 OFFSET ${limit}), '')`;
  const messagesOf = (seq: SQL) => sql`messages m ON ${isListed(seq)} AND ${m.id} >= ${since(seq)}`;
  return statement(
    messageRecord,
    sql`
      SELECT ${allColumns} FROM ${contact} ${threads} CROSS JOIN ${messagesOf(c.seq)}
      UNION ALL SELECT ${allColumns} FROM ${contact} CROSS JOIN contact_joins j ON ${j.intoSeq} = ${c.seq} AND ${j.movedAt} IS NULL ${threads}
      CROSS JOIN ${messagesOf(j.fromSeq)}
      ORDER BY id DESC LIMIT ${limit + 1}`,
  );
}

function selectMessages(ctx: Ctx, filter: MessageFilter): Statement<MessageRecord> {
  const further = furtherConditions(filter);
  if (further.length === 0 && filter.conversationId !== undefined) return selectOfConversation(ctx, filter);
  if (further.length === 0 && filter.contactId !== undefined) return selectOfContact(ctx, filter);
  const ids =
    further.length === 0
      ? newestIds(ctx, filter, sql`NOT ${isHidden(m)}`, filter.limit + 1)
      : newestIds(ctx, filter, sql`TRUE`, MAX_EXAMINED);
  return statement(
    messageRecord,
    sql`
      WITH examined AS MATERIALIZED (${ids})
      SELECT ${allColumns} FROM examined CROSS JOIN messages m ON ${m.id} = examined.id
      CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
      LEFT JOIN conversations v ON ${v.contactSeq} = ${c.seq} AND ${v.connectionId} = ${m.connectionId}
      WHERE ${sql.join([sql`${m.workspaceId} = ${ctx.workspace.id}`, sql`NOT ${isHidden(m)}`, ...further], sql` AND `)}
      ORDER BY ${m.id} DESC LIMIT ${filter.limit + 1}`,
  );
}

const examinedRow = z.object({ last: z.string() });

const selectLastExamined = (ctx: Ctx, filter: MessageFilter): Statement<z.infer<typeof examinedRow>>[] =>
  furtherConditions(filter).length === 0
    ? []
    : [
        statement(
          examinedRow,
          sql`
            SELECT last FROM (SELECT min(id) AS last, count(*) AS examined FROM (${newestIds(ctx, filter, sql`TRUE`, MAX_EXAMINED)}))
            WHERE examined = ${MAX_EXAMINED}`,
        ),
      ];

const existingRow = z.object({ contact: z.number(), conversation: z.number(), campaign: z.number() });

const selectExistingIds = (
  ctx: Ctx,
  { contactId, conversationId, campaignId }: MessageFilter,
): Statement<z.infer<typeof existingRow>> => {
  const exists = (table: SQL, id: string | undefined) =>
    id === undefined
      ? sql`1`
      : sql`EXISTS (SELECT 1 FROM ${table} WHERE id = ${id} AND workspace_id = ${ctx.workspace.id})`;
  return statement(
    existingRow,
    sql`
      SELECT ${exists(sql`contacts`, contactId)} AS contact, ${exists(sql`conversations`, conversationId)} AS conversation,
        ${exists(sql`campaigns`, campaignId)} AS campaign`,
  );
};

export interface MessagePage {
  messages: MessageRecord[];
  next: string | null;
}

export async function listMessages(ctx: Ctx, filter: MessageFilter): Promise<MessagePage> {
  const { existing, found, examined } = await transact(ctx.db, {
    existing: selectExistingIds(ctx, filter),
    found: selectMessages(ctx, filter),
    examined: selectLastExamined(ctx, filter),
  });
  if (existing[0]?.contact === 0) throw await contactNotFound(ctx, filter.contactId ?? "");
  if (existing[0]?.conversation === 0) throw await conversationNotFound(ctx, filter.conversationId ?? "");
  if (existing[0]?.campaign === 0) throw notFound("campaign");
  const listed = found.slice(0, filter.limit);
  const next = found.length > filter.limit ? listed.at(-1)?.id : examined[0]?.last;
  return { messages: listed, next: next ?? null };
}
