// Reads the facts of a requested merge. Raw, because the contacts are compared as JSON when the merge commits.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { bool } from "../../../db/rows.ts";
import { contacts, messages } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactByIdAsJson, contactJson } from "../../contacts/contacts.sql.ts";
import { type ContactMerge, mergedContactAsJson } from "./merge-contact-rows.sql.ts";
import { isHidden } from "../../messages/history/conversation-history.sql.ts";
import { memberName } from "../../members/member-names.sql.ts";
import type { ConversationLoss } from "./decide-merge.ts";
import { apiSnooze } from "../../conversations/conversations.sql.ts";
import { type ContactSeqs, conversationPairs, mergedLabelKeys, mergedTeamFields } from "./merge-conversations.sql.ts";

const lossRow = z.object({
  labels: fromJson(z.array(z.string())),
  snoozedUntil: z.number().nullable(),
  assigneeId: z.string().nullable(),
  assigneeName: z.string().nullable(),
});

/** The removed conversation's labels that exceed the kept one's limit. */
const lostLabels = sql`(
  SELECT json_group_array(other.value)
  FROM json_each(removed.label_keys) k CROSS JOIN json_each(removed.labels) other ON other.key = k.key
  WHERE k.value NOT IN (SELECT value FROM json_each(${mergedLabelKeys})))`;

/** A row per pair of conversations to be merged. Raw, because it compares the merged columns in SQL. */
export function selectConversationLosses(ctx: Ctx, seqs: ContactSeqs): Statement<ConversationLoss> {
  const until = (column: SQL): SQL => sql`coalesce(${apiSnooze(column, ctx.now())}, 0)`;
  const later = sql`max(${until(sql`kept.snoozed_until`)}, ${until(sql`removed.snoozed_until`)})`;
  const { assignee, snoozedUntil } = mergedTeamFields;
  return statement(
    lossRow,
    sql`
      SELECT lost.*, ${memberName(ctx, sql`lost.assigneeId`)} AS assigneeName FROM (
        SELECT ${lostLabels} AS labels, iif(${later} > coalesce(${snoozedUntil}, 0), ${later}, NULL) AS snoozedUntil,
          iif(removed.assignee_id <> ${assignee}, removed.assignee_id, NULL) AS assigneeId
        FROM ${conversationPairs(ctx, seqs)}) lost`,
  );
}

const m = columns(messages, "m");
const c = columns(contacts, "c");
const o = columns(contacts, "o");

const partyRow = z.object({
  seq: z.number(),
  id: z.string(),
  phone: z.string().nullable(),
  phoneKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
  isPhoneTaken: bool,
  contact: z.string(),
});

/** A contact to be merged. `contact` is its API form as JSON. */
export type MergeParty = z.infer<typeof partyRow>;

/**
 * The contacts with these ids. `isPhoneTaken` is true if a third contact now has the number. Raw for CROSS JOIN, which keeps the
 * order of `ids`.
 */
export const selectMergeParties = (ctx: Ctx, ids: readonly string[]): Statement<MergeParty> => {
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

/** The kept contact after the merge, except opt-outs and provider ids. */
export const selectMergedContact = (ctx: Ctx, merge: ContactMerge): Statement<z.infer<typeof mergedRow>> =>
  statement(mergedRow, mergedContactAsJson(ctx, merge));

const historyRow = z.object({ conversations: z.number(), messages: z.number() });

/** The numbers of a contact's conversations and visible messages, the latter up to `most`. Raw, because one row has two counts. */
export const selectHistorySize = (seq: number, most: number): Statement<z.infer<typeof historyRow>> =>
  statement(
    historyRow,
    sql`
      SELECT (SELECT count(*) FROM conversations WHERE contact_seq = ${seq}) AS conversations,
        (SELECT count(*) FROM (SELECT 1 FROM messages m WHERE ${m.contactSeq} = ${seq} AND NOT ${isHidden(m)} LIMIT ${most})) AS messages`,
  );

/** Fails the batch if a contact's API form has changed since the merge was decided. */
export const failIfPartiesChanged = (ctx: Ctx, parties: readonly MergeParty[]): SQL[] =>
  parties.map(
    ({ id, contact }) =>
      sql`SELECT iif((SELECT result FROM (${contactByIdAsJson(ctx, sql`${id}`)})) IS ${contact}, 0, json('changed'))`,
  );
