import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { contactIdentities, contactJoins, contacts } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import {
  type ContactField,
  defaultsByField,
  contactFields,
  plainFieldNames,
} from "../../contacts/contact-fields.schemas.ts";
import { MAX_TAGS } from "../../contacts/upsert/upsert-plan.ts";
import { foldedField } from "../../contacts/contacts.folding.ts";
import { contactJson, fieldColumn, workspaceNumberFromSeq } from "../../contacts/contacts.sql.ts";
import { OPT_OUT_TABLES } from "../../contacts/opt-outs/opt-outs.sql.ts";
import type { ContactMerge, MergePair } from "./decide-merge.ts";

const c = columns(contacts, "c");
const keptRow = columns(contacts, "kept");
const removedRow = columns(contacts, "removed");
const other = columns(contacts, "other");
const column = columns(contacts);

const candidateRow = z.object({
  seq: z.number(),
  id: z.string(),
  phoneKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
});

export const selectMergeCandidates = (ctx: Ctx, seqs: SQL) =>
  statement(
    candidateRow,
    sql`
      SELECT ${c.seq} AS seq, ${c.id} AS id, ${c.phoneKey} AS phoneKey, ${c.archivedAt} AS archivedAt
      FROM (${seqs}) s CROSS JOIN contacts c ON ${c.seq} = s.seq AND ${c.workspaceId} = ${ctx.workspace.id} ORDER BY ${c.seq}`,
  );

/** Fails the batch if a contact has changed since the merge was decided. */
export const failIfPairChanged = ({ kept, removed }: MergePair): SQL =>
  failBatchUnless(
    sql`NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify([kept, removed])}) e LEFT JOIN contacts c ON ${c.seq} = e.value ->> 'seq'
      WHERE ${c.seq} IS NULL OR ${c.phoneKey} IS NOT e.value ->> 'phoneKey' OR ${c.archivedAt} IS NOT e.value ->> 'archivedAt')`,
    "rows changed",
  );

const isHeldByThird = ({ kept, removed }: MergePair, key: "phoneKey" | "emailKey", value: SQL | string | null): SQL =>
  sql`EXISTS (SELECT 1 FROM contacts other WHERE ${other.workspaceId} = ${keptRow.workspaceId} AND ${other.archivedAt} IS NULL
    AND ${other.seq} NOT IN (${kept.seq}, ${removed.seq}) AND ${other[key]} = ${value})`;

/** Keeps the kept contact's value, unless this value is empty or a default. */
function mergedField(name: ContactField): SQL {
  const [kept, removed] = [fieldColumn("kept", name), fieldColumn("removed", name)];
  if (!contactFields[name].isMerged) return kept;
  const value = defaultsByField.get(name);
  return value === undefined ? sql`coalesce(${kept}, ${removed})` : sql`iif(${kept} = ${value}, ${removed}, ${kept})`;
}

function mergedColumns(ctx: Ctx, merge: ContactMerge): [column: SQL, value: SQL][] {
  const { kept, removed, phone } = merge;
  const takesEmail = sql`(${keptRow.email} IS NULL AND ${removedRow.email} IS NOT NULL AND NOT ${isHeldByThird(merge, "emailKey", removedRow.emailKey)})`;
  const withoutEmail = sql.join(
    Object.keys(foldedField("email", null)).map((name) => sql`${`$.${name}`}`),
    sql`, `,
  );
  const key = phone === null || phoneKey(phone) === kept.phoneKey ? null : phoneKey(phone);
  const canBeActive =
    removed.archivedAt === null
      ? sql`NOT ${isHeldByThird(merge, "phoneKey", key ?? kept.phoneKey)}
          AND NOT ${isHeldByThird(merge, "emailKey", sql`coalesce(${keptRow.emailKey}, ${removedRow.emailKey})`)}`
      : sql`FALSE`;
  const tags = sql`
    SELECT json_group_array(number) FROM (SELECT number FROM (
      SELECT number, min(rank) AS rank FROM (
        SELECT value AS number, 0 AS rank FROM json_each(${keptRow.tags})
        UNION ALL SELECT value, 1 FROM json_each(${removedRow.tags}))
      GROUP BY number ORDER BY rank, number LIMIT ${MAX_TAGS}) ORDER BY number)`;
  return [
    ...plainFieldNames.map((name): [SQL, SQL] => [sql.raw(name), mergedField(name)]),
    [column.phone, key === null ? keptRow.phone : sql`${phone}`],
    [column.phoneKey, key === null ? keptRow.phoneKey : sql`${key}`],
    [column.email, sql`iif(${takesEmail}, ${removedRow.email}, ${keptRow.email})`],
    [column.emailKey, sql`iif(${takesEmail}, ${removedRow.emailKey}, ${keptRow.emailKey})`],
    [column.tags, sql`(${tags})`],
    [column.customFields, sql`json_patch(${removedRow.customFields}, ${keptRow.customFields})`],
    [
      column.folded,
      sql`json_patch(iif(${takesEmail}, ${removedRow.folded}, json_remove(${removedRow.folded}, ${withoutEmail})), ${keptRow.folded})`,
    ],
    [column.archivedAt, sql`iif(${keptRow.archivedAt} IS NOT NULL AND ${canBeActive}, NULL, ${keptRow.archivedAt})`],
    [column.createdAt, sql`min(${keptRow.createdAt}, ${removedRow.createdAt})`],
    [column.updatedAt, sql`${ctx.now()}`],
  ];
}

export function fillKeptContact(ctx: Ctx, merge: ContactMerge): SQL {
  const assigned = mergedColumns(ctx, merge).map(([name, value]) => sql`${name} = ${value}`);
  return sql`
    UPDATE contacts AS kept SET ${sql.join(assigned, sql`, `)}, ${column.revision} = ${keptRow.revision} + 1
    FROM contacts removed WHERE ${keptRow.seq} = ${merge.kept.seq} AND ${removedRow.seq} = ${merge.removed.seq}`;
}

export function mergedContactAsJson(ctx: Ctx, merge: ContactMerge): SQL {
  const selected = mergedColumns(ctx, merge).map(([name, value]) => sql`${value} AS ${name}`);
  const rows = sql`
    SELECT ${keptRow.seq}, ${keptRow.id}, ${keptRow.workspaceId}, ${keptRow.revision}, ${sql.join(selected, sql`, `)}
    FROM contacts kept CROSS JOIN contacts removed ON ${removedRow.seq} = ${merge.removed.seq} WHERE ${keptRow.seq} = ${merge.kept.seq}`;
  return sql`SELECT ${contactJson(ctx)} AS contact FROM (${rows}) c`;
}

/** Raw SQL, because `opt_out_spread` is a view. Its trigger copies the opt-outs of each contact to the other. */
export const shareOptOuts = ({ kept, removed }: MergePair): SQL =>
  sql`INSERT INTO opt_out_spread (seq, other) VALUES (${kept.seq}, ${removed.seq})`;

/**
 * Frees the removed contact's number and email for the kept contact, because two active contacts cannot share them.
 * The update also fires a trigger that stores which campaigns used the number.
 */
export const archiveRemovedContact = (ctx: Ctx, { removed }: MergePair) =>
  ctx.db
    .update(contacts)
    .set({ archivedAt: sql`coalesce(${contacts.archivedAt}, ${ctx.now()})` })
    .where(eq(contacts.seq, removed.seq));

/** Also deletes the opt-outs under the contact's id, because no query uses this id after the merge. */
export const deleteRemovedContact = (ctx: Ctx, { removed }: MergePair) => [
  ctx.db.delete(contacts).where(eq(contacts.seq, removed.seq)),
  ...OPT_OUT_TABLES.map(({ table }) =>
    ctx.db.delete(table).where(and(eq(table.workspaceId, ctx.workspace.id), eq(table.key, removed.id))),
  ),
];

export function moveIdentities({ db }: Ctx, { kept, removed }: MergePair) {
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

export const recordContactMerge = (ctx: Ctx, { kept, removed }: MergePair) => [
  ctx.db.update(contactJoins).set({ intoSeq: kept.seq }).where(eq(contactJoins.intoSeq, removed.seq)),
  ctx.db.insert(contactJoins).values({
    fromSeq: removed.seq,
    fromId: removed.id,
    workspaceId: ctx.workspace.id,
    intoSeq: kept.seq,
    joinedAt: ctx.now(),
  }),
];

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
