import { and, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { contactIdentities, contactJoins, contacts } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import {
  type ContactField,
  contactDefaults,
  contactFields,
  plainFieldNames,
} from "../../contacts/contact-fields.schemas.ts";
import type { MergeCandidate, MergePair } from "./decide-merge.ts";
import { MAX_TAGS } from "../../contacts/upsert/upsert-plan.ts";
import { foldedField } from "../../contacts/contacts.folding.ts";
import { contactJson, workspaceNumberFromSeq } from "../../contacts/contacts.sql.ts";
import type { FilterJob } from "../../contacts/bulk/bulk.schemas.ts";
import { optOutBeforeJobs } from "../opt-outs/opt-out-before-jobs.sql.ts";
import { OPT_OUT_TABLES } from "../../contacts/opt-outs/opt-outs.sql.ts";

export interface ContactMerge extends MergePair {
  /** The person's current number; null keeps the kept contact's. */
  phone: string | null;
  /** The jobs that were running when the merge was decided. */
  filterOptOuts: readonly FilterJob[];
}

const candidateRow = z.object({
  seq: z.number(),
  id: z.string(),
  phoneKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
});

/** The contacts that `seqs` selects as `seq`, oldest first. Raw for CROSS JOIN, which reads the few `seqs` first. */
export const selectMergeCandidates = (ctx: Ctx, seqs: SQL): Statement<MergeCandidate> =>
  statement(
    candidateRow,
    sql`
      SELECT c.seq AS seq, c.id AS id, c.phone_key AS phoneKey, c.archived_at AS archivedAt
      FROM (${seqs}) s CROSS JOIN contacts c ON c.seq = s.seq AND c.workspace_id = ${ctx.workspace.id} ORDER BY c.seq`,
  );

/** Fails the batch if either contact has changed since the merge was decided. */
const failIfChanged = ({ kept, removed }: ContactMerge): SQL => sql`
  SELECT iif(EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify([kept, removed])}) e LEFT JOIN contacts c ON c.seq = e.value ->> 'seq'
    WHERE c.seq IS NULL OR c.phone_key IS NOT e.value ->> 'phoneKey' OR c.archived_at IS NOT e.value ->> 'archivedAt'
  ), json('changed'), 0)`;

const otherActive = ({ kept, removed }: ContactMerge): SQL => sql`
  SELECT 1 FROM contacts other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL
  AND other.seq NOT IN (${kept.seq}, ${removed.seq})`;

const defaults = new Map<string, string>(Object.entries(contactDefaults));

/** The kept contact's value, or the removed one's if the kept value is empty or a default. */
function mergedField(name: ContactField): SQL {
  const [kept, removed] = [sql`contacts.${sql.identifier(name)}`, sql`removed.${sql.identifier(name)}`];
  if (!contactFields[name].isMerged) return kept;
  const value = defaults.get(name);
  return value === undefined ? sql`coalesce(${kept}, ${removed})` : sql`iif(${kept} = ${value}, ${removed}, ${kept})`;
}

/**
 * The kept contact's columns after the merge: fills empty fields from the removed contact and unites tags. In SQL, over the rows
 * `contacts` and `removed`.
 */
function mergedColumns(ctx: Ctx, merge: ContactMerge): [column: string, value: SQL][] {
  const { kept, removed, phone } = merge;
  const other = otherActive(merge);
  const takesEmail = sql`(contacts.email IS NULL AND removed.email IS NOT NULL AND NOT EXISTS (${other} AND other.email_key = removed.email_key))`;
  const withoutEmail = sql.join(
    Object.keys(foldedField("email", null)).map((name) => sql`${`$.${name}`}`),
    sql`, `,
  );
  const key = phone === null || phoneKey(phone) === kept.phoneKey ? null : phoneKey(phone);
  const canBeActive =
    removed.archivedAt === null
      ? sql`NOT EXISTS (${other} AND other.phone_key = ${key ?? kept.phoneKey})
          AND NOT EXISTS (${other} AND other.email_key = coalesce(contacts.email_key, removed.email_key))`
      : sql`FALSE`;
  const tags = sql`
    SELECT json_group_array(number) FROM (SELECT number FROM (
      SELECT number, min(rank) AS rank FROM (
        SELECT value AS number, 0 AS rank FROM json_each(contacts.tags)
        UNION ALL SELECT value, 1 FROM json_each(removed.tags))
      GROUP BY number ORDER BY rank, number LIMIT ${MAX_TAGS}) ORDER BY number)`;
  return [
    ...plainFieldNames.map((name): [string, SQL] => [name, mergedField(name)]),
    ["phone", key === null ? sql`contacts.phone` : sql`${phone}`],
    ["phone_key", key === null ? sql`contacts.phone_key` : sql`${key}`],
    ["email", sql`iif(${takesEmail}, removed.email, contacts.email)`],
    ["email_key", sql`iif(${takesEmail}, removed.email_key, contacts.email_key)`],
    ["tags", sql`(${tags})`],
    ["custom_fields", sql`json_patch(removed.custom_fields, contacts.custom_fields)`],
    [
      "folded",
      sql`json_patch(iif(${takesEmail}, removed.folded, json_remove(removed.folded, ${withoutEmail})), contacts.folded)`,
    ],
    ["archived_at", sql`iif(contacts.archived_at IS NOT NULL AND ${canBeActive}, NULL, contacts.archived_at)`],
    ["created_at", sql`min(contacts.created_at, removed.created_at)`],
    ["updated_at", sql`${ctx.now()}`],
  ];
}

const listed = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

/** Raw, because the values are computed from the rows `contacts` and `removed`. */
function mergeFields(ctx: Ctx, merge: ContactMerge): SQL {
  const { kept, removed } = merge;
  const columns = mergedColumns(ctx, merge).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`);
  return sql`
    UPDATE contacts SET ${listed(columns)}, revision = contacts.revision + 1
    FROM contacts removed WHERE contacts.seq = ${kept.seq} AND removed.seq = ${removed.seq}`;
}

/** One row with the kept contact after the merge, like `contactAsJson` without opt-outs and provider ids. */
export function mergedContactAsJson(ctx: Ctx, merge: ContactMerge): SQL {
  const columns = mergedColumns(ctx, merge).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`);
  const rows = sql`
    SELECT contacts.seq, contacts.id, contacts.workspace_id, contacts.revision, ${listed(columns)}
    FROM contacts CROSS JOIN contacts removed ON removed.seq = ${merge.removed.seq} WHERE contacts.seq = ${merge.kept.seq}`;
  return sql`SELECT ${contactJson(ctx)} AS contact FROM (${rows}) c`;
}

/**
 * Copies each contact's opt-outs to the other under every key, including the person's current number. Raw: the table is a view with
 * a trigger.
 */
const mergeOptOuts = ({ kept, removed }: ContactMerge): SQL =>
  sql`INSERT INTO opt_out_spread (seq, other) VALUES (${kept.seq}, ${removed.seq})`;

/** Deletes the opt-outs under the removed contact's id, which is no longer queried. */
const deleteOptOuts = (ctx: Ctx, { removed }: ContactMerge) =>
  OPT_OUT_TABLES.map(({ table }) =>
    ctx.db.delete(table).where(and(eq(table.workspaceId, ctx.workspace.id), eq(table.key, removed.id))),
  );

function moveIdentities({ db }: Ctx, { kept, removed }: ContactMerge) {
  const { contactSeq, claimedBy } = contactIdentities;
  return [
    db.update(contactIdentities).set({ claimedBy: kept.seq }).where(eq(claimedBy, removed.seq)),
    db.update(contactIdentities).set({ contactSeq: kept.seq }).where(eq(contactSeq, removed.seq)),
    db
      .update(contactIdentities)
      .set({ claimedBy: null })
      .where(and(eq(claimedBy, kept.seq), eq(contactSeq, kept.seq))),
  ];
}

const recordMerge = (ctx: Ctx, { kept, removed }: ContactMerge) => [
  ctx.db.update(contactJoins).set({ intoSeq: kept.seq }).where(eq(contactJoins.intoSeq, removed.seq)),
  ctx.db.insert(contactJoins).values({
    fromSeq: removed.seq,
    fromId: removed.id,
    workspaceId: ctx.workspace.id,
    intoSeq: kept.seq,
    joinedAt: ctx.now(),
  }),
];

/**
 * Merges two contact rows, within a batch. The same batch must move the removed contact's conversations and messages;
 * `mergeEntries` does both.
 */
export const mergeContactRows = (ctx: Ctx, merge: ContactMerge) => [
  failIfChanged(merge),
  ...recordMerge(ctx, merge),
  ...optOutBeforeJobs(ctx, { kept: merge.kept.seq, removed: merge.removed.seq }, merge.filterOptOuts),
  mergeOptOuts(merge),
  // Frees the number and email, which are unique among active contacts. A trigger stores which campaigns were sent to the number.
  ctx.db
    .update(contacts)
    .set({ archivedAt: sql`coalesce(${contacts.archivedAt}, ${ctx.now()})` })
    .where(eq(contacts.seq, merge.removed.seq)),
  mergeFields(ctx, merge),
  ...moveIdentities(ctx, merge),
  ctx.db.delete(contacts).where(eq(contacts.seq, merge.removed.seq)),
  ...deleteOptOuts(ctx, merge),
];

/** Ids of a shard that two contacts have, who are one person. */
export async function listClaimedIdentities(db: Database, limit: number) {
  const { workspaceId, contactSeq, claimedBy } = contactIdentities;
  const rows = await db
    .select({ workspaceId, contactSeq, claimedBy })
    .from(contactIdentities)
    .where(gt(claimedBy, 0))
    .limit(limit);
  return rows.map((row) => ({
    workspaceId: row.workspaceId,
    workspaceNumber: workspaceNumberFromSeq(row.contactSeq),
    seqs: [row.contactSeq, row.claimedBy ?? row.contactSeq],
  }));
}
