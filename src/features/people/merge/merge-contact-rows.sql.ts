import { and, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
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

const c = columns(contacts, "c");
const stored = columns(contacts, "contacts");
const otherContact = columns(contacts, "other");
const removedContact = columns(contacts, "removed");

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
      SELECT ${c.seq} AS seq, ${c.id} AS id, ${c.phoneKey} AS phoneKey, ${c.archivedAt} AS archivedAt
      FROM (${seqs}) s CROSS JOIN contacts c ON ${c.seq} = s.seq AND ${c.workspaceId} = ${ctx.workspace.id} ORDER BY ${c.seq}`,
  );

/** Fails the batch if either contact has changed since the merge was decided. */
const failIfChanged = ({ kept, removed }: ContactMerge): SQL =>
  failBatchUnless(
    sql`NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify([kept, removed])}) e LEFT JOIN contacts c ON ${c.seq} = e.value ->> 'seq'
      WHERE ${c.seq} IS NULL OR ${c.phoneKey} IS NOT e.value ->> 'phoneKey' OR ${c.archivedAt} IS NOT e.value ->> 'archivedAt')`,
    "rows changed",
  );

const otherActive = ({ kept, removed }: ContactMerge): SQL => sql`
  SELECT 1 FROM contacts other WHERE ${otherContact.workspaceId} = ${stored.workspaceId} AND ${otherContact.archivedAt} IS NULL
  AND ${otherContact.seq} NOT IN (${kept.seq}, ${removed.seq})`;

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
  const takesEmail = sql`(${stored.email} IS NULL AND ${removedContact.email} IS NOT NULL AND NOT EXISTS (${other} AND ${otherContact.emailKey} = ${removedContact.emailKey}))`;
  const withoutEmail = sql.join(
    Object.keys(foldedField("email", null)).map((name) => sql`${`$.${name}`}`),
    sql`, `,
  );
  const key = phone === null || phoneKey(phone) === kept.phoneKey ? null : phoneKey(phone);
  const canBeActive =
    removed.archivedAt === null
      ? sql`NOT EXISTS (${other} AND ${otherContact.phoneKey} = ${key ?? kept.phoneKey})
          AND NOT EXISTS (${other} AND ${otherContact.emailKey} = coalesce(${stored.emailKey}, ${removedContact.emailKey}))`
      : sql`FALSE`;
  const tags = sql`
    SELECT json_group_array(number) FROM (SELECT number FROM (
      SELECT number, min(rank) AS rank FROM (
        SELECT value AS number, 0 AS rank FROM json_each(${stored.tags})
        UNION ALL SELECT value, 1 FROM json_each(${removedContact.tags}))
      GROUP BY number ORDER BY rank, number LIMIT ${MAX_TAGS}) ORDER BY number)`;
  return [
    ...plainFieldNames.map((name): [string, SQL] => [name, mergedField(name)]),
    ["phone", key === null ? stored.phone : sql`${phone}`],
    ["phone_key", key === null ? stored.phoneKey : sql`${key}`],
    ["email", sql`iif(${takesEmail}, ${removedContact.email}, ${stored.email})`],
    ["email_key", sql`iif(${takesEmail}, ${removedContact.emailKey}, ${stored.emailKey})`],
    ["tags", sql`(${tags})`],
    ["custom_fields", sql`json_patch(${removedContact.customFields}, ${stored.customFields})`],
    [
      "folded",
      sql`json_patch(iif(${takesEmail}, ${removedContact.folded}, json_remove(${removedContact.folded}, ${withoutEmail})), ${stored.folded})`,
    ],
    ["archived_at", sql`iif(${stored.archivedAt} IS NOT NULL AND ${canBeActive}, NULL, ${stored.archivedAt})`],
    ["created_at", sql`min(${stored.createdAt}, ${removedContact.createdAt})`],
    ["updated_at", sql`${ctx.now()}`],
  ];
}

const listed = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

/** Raw, because the values are computed from the rows `contacts` and `removed`. */
function mergeFields(ctx: Ctx, merge: ContactMerge): SQL {
  const { kept, removed } = merge;
  const assigned = mergedColumns(ctx, merge).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`);
  return sql`
    UPDATE contacts SET ${listed(assigned)}, revision = ${stored.revision} + 1
    FROM contacts removed WHERE ${stored.seq} = ${kept.seq} AND ${removedContact.seq} = ${removed.seq}`;
}

/** One row with the kept contact after the merge, like `contactAsJson` without opt-outs and provider ids. */
export function mergedContactAsJson(ctx: Ctx, merge: ContactMerge): SQL {
  const selected = mergedColumns(ctx, merge).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`);
  const rows = sql`
    SELECT ${stored.seq}, ${stored.id}, ${stored.workspaceId}, ${stored.revision}, ${listed(selected)}
    FROM contacts CROSS JOIN contacts removed ON ${removedContact.seq} = ${merge.removed.seq} WHERE ${stored.seq} = ${merge.kept.seq}`;
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
