// Raw SQL, because the contacts are compared as JSON when the merge commits.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { bool } from "../../../db/rows.ts";
import { contacts, conversations, messages } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactByIdAsJson, contactJson } from "../../contacts/contacts.sql.ts";
import { type ContactMerge, MAX_MESSAGES_COUNTED, type MergePair } from "./decide-merge.ts";
import { mergedContactAsJson } from "./merge-contact-rows.sql.ts";
import { isHidden } from "../../messages/history/conversation-history.ts";
import { memberName } from "../../members/member-names.sql.ts";
import { apiSnooze } from "../../conversations/conversations.sql.ts";
import { fromPairs, mergedConversation, pairRows } from "./merge-conversations.sql.ts";

const lossRow = z.object({
  labels: fromJson(z.array(z.string())),
  snoozedUntil: z.number().nullable(),
  assigneeId: z.string().nullable(),
  assigneeName: z.string().nullable(),
});

export function selectConversationLosses(ctx: Ctx, pair: MergePair) {
  const { kept, removed } = pairRows;
  const { assigneeId, labelKeys, snoozedUntil } = mergedConversation;
  const until = (column: SQL): SQL => sql`coalesce(${apiSnooze(column, ctx.now())}, 0)`;
  const later = sql`max(${until(kept.snoozedUntil)}, ${until(removed.snoozedUntil)})`;
  const lostLabels = sql`(
    SELECT json_group_array(other.value)
    FROM json_each(${removed.labelKeys}) l CROSS JOIN json_each(${removed.labels}) other ON other.key = l.key
    WHERE l.value NOT IN (SELECT value FROM json_each(${labelKeys})))`;
  return statement(
    lossRow,
    sql`
      SELECT lost.*, ${memberName(ctx, sql`lost.assigneeId`)} AS assigneeName FROM (
        SELECT ${lostLabels} AS labels, iif(${later} > coalesce(${snoozedUntil}, 0), ${later}, NULL) AS snoozedUntil,
          iif(${removed.assigneeId} <> ${assigneeId}, ${removed.assigneeId}, NULL) AS assigneeId
        ${fromPairs(ctx, pair)}) lost`,
  );
}

const m = columns(messages, "m");
const c = columns(contacts, "c");
const o = columns(contacts, "o");
const conversation = columns(conversations);

const partyRow = z.object({
  seq: z.number(),
  id: z.string(),
  phone: z.string().nullable(),
  phoneKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
  isPhoneTaken: bool,
  contact: z.string(),
});

export type MergeParty = z.infer<typeof partyRow>;

/** `isPhoneTaken` is true if a third contact has the number. Raw SQL, because CROSS JOIN keeps the order of `ids`. */
export const selectMergeParties = (ctx: Ctx, ids: readonly string[]) => {
  const list = JSON.stringify(ids);
  return statement(
    partyRow,
    sql`
      SELECT ${c.seq} AS seq, ${c.id} AS id, ${c.phone} AS phone, ${c.phoneKey} AS phoneKey, ${c.archivedAt} AS archivedAt,
        EXISTS (SELECT 1 FROM contacts o WHERE ${o.workspaceId} = ${c.workspaceId} AND ${o.phoneKey} = ${c.phoneKey} AND ${o.archivedAt} IS NULL
          AND ${o.id} NOT IN (SELECT value FROM json_each(${list}))) AS isPhoneTaken,
        ${contactJson(ctx)} AS contact
      FROM json_each(${list}) e CROSS JOIN contacts c ON ${c.id} = e.value AND ${c.workspaceId} = ${ctx.workspace.id}`,
  );
};

const mergedRow = z.object({ contact: fromJson(contactRecord) });

export const selectMergedContact = (ctx: Ctx, merge: ContactMerge) =>
  statement(mergedRow, mergedContactAsJson(ctx, merge));

const historyRow = z.object({ conversations: z.number(), messages: z.number() });

export const selectHistorySize = ({ removed }: MergePair) =>
  statement(
    historyRow,
    sql`
      SELECT (SELECT count(*) FROM conversations WHERE ${conversation.contactSeq} = ${removed.seq}) AS conversations,
        (SELECT count(*) FROM (
          SELECT 1 FROM messages m WHERE ${m.contactSeq} = ${removed.seq} AND NOT ${isHidden(m)} LIMIT ${MAX_MESSAGES_COUNTED})) AS messages`,
  );

export const failIfPartiesChanged = (ctx: Ctx, parties: readonly MergeParty[]): SQL[] =>
  parties.map(({ id, contact }) =>
    failBatchUnless(sql`(SELECT result FROM (${contactByIdAsJson(ctx, sql`${id}`)})) IS ${contact}`, "rows changed"),
  );
