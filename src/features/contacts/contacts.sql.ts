// Raw SQL, because other statements contain these parts.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf, insertSelect, updateSet } from "../../db/columns.ts";
import { contactIdentities, contactJoins, contactLayouts, contacts, tags as tagTable } from "../../db/schema/index.ts";
import { statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/text/json.ts";
import {
  type ContactField,
  contactDefaults,
  contactFieldNames,
  leadingFieldNames,
  templateFieldNames,
} from "./contact-fields.schemas.ts";
import { foldContact } from "./contacts.patch.ts";
import { optedOutAt } from "./opt-outs/opt-outs.sql.ts";
import { contactAnswer, contactLayout } from "./contacts.schemas.ts";

const c = columns(contacts, "c");
const stored = columns(contacts, "contacts");
const other = columns(contacts, "other");
const t = columns(tagTable, "t");
const column = columns(contacts);
const identity = columns(contactIdentities);
const join = columns(contactJoins);
const layout = columns(contactLayouts);

export const SEQ_RANGE = 2 ** 32;

export const workspaceNumberFromSeq = (seq: number): number => Math.floor(seq / SEQ_RANGE);

/** One less than the lowest `seq` of the workspace. */
export const baseSeq = (ctx: Ctx): number => ctx.workspace.number * SEQ_RANGE;

export function lastSeq(ctx: Ctx): SQL {
  const base = baseSeq(ctx);
  return sql`(SELECT CAST(coalesce(max(${column.seq}), ${base}) AS INTEGER) FROM contacts WHERE ${column.seq} BETWEEN ${base} AND ${base + SEQ_RANGE - 1})`;
}

/** The next number is also above the numbers of merged contacts, so a new contact never gets one of them. */
export function nextSeq(ctx: Ctx): SQL {
  const base = baseSeq(ctx);
  const highest = (seq: SQL, table: SQL) =>
    sql`coalesce((SELECT max(${seq}) FROM ${table} WHERE ${seq} BETWEEN ${base} AND ${base + SEQ_RANGE - 1}), ${base})`;
  return sql`(SELECT CAST(max(${highest(column.seq, sql`contacts`)}, ${highest(join.fromSeq, sql`contact_joins`)}) AS INTEGER) + 1)`;
}

export const isNumberedWithin = (ctx: Ctx, from: number, to: number): SQL =>
  sql`${c.seq} > ${baseSeq(ctx) + from} AND ${c.seq} <= ${baseSeq(ctx) + Math.min(to, SEQ_RANGE - 1)}`;

export const newestContactNumber = (ctx: Ctx): SQL => sql`(${lastSeq(ctx)} - ${baseSeq(ctx)})`;

/**
 * A range of contact numbers, counted down from `high`, or from the newest contact if `high` is null. With `high` 50,
 * `from` 10 and `to` 20, the span is the numbers 31 to 40.
 */
export interface ContactSpan {
  high: number | null;
  from: number;
  to: number;
}

export interface NewContact {
  id: string;
  phone: string | null;
  phoneKey: string | null;
  name: string | null;
  source: string;
}

export const insertContact = (
  ctx: Ctx,
  { id, phone, phoneKey, name, source }: NewContact,
  seq: SQL,
  condition: SQL,
): SQL =>
  insertSelect(
    contacts,
    {
      seq,
      id,
      workspaceId: ctx.workspace.id,
      name,
      phone,
      phoneKey,
      source,
      folded: JSON.stringify(foldContact({ name, source })),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    },
    sql`WHERE ${condition}`,
  );

export const fieldColumn = (alias: string, name: ContactField): SQL => sql.raw(`${alias}.${name}`);

export const selectFields = (value: (name: ContactField) => SQL): SQL =>
  sql.join(
    contactFieldNames.map((name) => sql`${value(name)} AS ${sql.identifier(name)}`),
    sql`, `,
  );

export function newContactRow({ id, phoneKey, ...fields }: NewContact, condition: SQL): SQL {
  const values: Partial<Record<ContactField, string | null>> = { ...contactDefaults, ...fields };
  return sql`
    SELECT ${id} AS id, ${phoneKey} AS phone_key, ${selectFields((name) => {
      const value = values[name] ?? null;
      return value === null ? sql`NULL` : sql`${value}`;
    })}, '[]' AS tags, '{}' AS custom_fields, NULL AS archived_at
    WHERE ${condition}`;
}

/**
 * Returns two SQL conditions: whether `unarchiveContact` changes the contact, and whether the contact loses its email
 * to an active contact.
 */
export function unarchiving(
  contact: ColumnsOf<typeof contacts, "workspaceId" | "archivedAt" | "name" | "emailKey">,
  phoneKey: SQL,
  name: SQL | string | null,
): { changes: SQL; emailTaken: SQL } {
  const active = sql`SELECT 1 FROM contacts AS other WHERE ${other.workspaceId} = ${contact.workspaceId} AND ${other.archivedAt} IS NULL`;
  return {
    changes: sql`(
      (${contact.archivedAt} IS NOT NULL AND NOT EXISTS (${active} AND ${other.phoneKey} = ${phoneKey}))
      OR (${contact.archivedAt} IS NULL AND ${contact.name} IS NULL AND ${name} IS NOT NULL))`,
    emailTaken: sql`(${contact.archivedAt} IS NOT NULL AND EXISTS (${active} AND ${other.emailKey} = ${contact.emailKey}))`,
  };
}

/**
 * If an active contact has the same number, the contact stays archived. If an active contact has the same email, the
 * contact loses its email.
 */
export function unarchiveContact(ctx: Ctx, seq: SQL, name: string | null, condition: SQL): SQL {
  const { changes, emailTaken } = unarchiving(stored, stored.phoneKey, name);
  const { folded } = column;
  return updateSet(
    contacts,
    {
      archivedAt: sql`NULL`,
      name: sql`coalesce(${column.name}, ${name})`,
      updatedAt: ctx.now(),
      revision: sql`${column.revision} + 1`,
      folded: sql`iif(${column.name} IS NULL AND ${name} IS NOT NULL, json_patch(${folded}, ${JSON.stringify(foldContact({ name }))}), ${folded})`,
      email: sql`CASE WHEN ${emailTaken} THEN NULL ELSE ${column.email} END`,
      emailKey: sql`CASE WHEN ${emailTaken} THEN NULL ELSE ${column.emailKey} END`,
    },
    sql`WHERE ${column.seq} = ${seq} AND ${condition} AND ${changes}`,
  );
}

const jsonPairs = (names: readonly ContactField[]): SQL =>
  sql.raw(names.map((name) => `'${name}', c.${name}`).join(", "));

export const contactWith = (ctx: Ctx, tags: SQL): SQL => sql`json_object(
  'id', ${c.id}, ${jsonPairs(leadingFieldNames)},
  'is_unsubscribed', ${optedOutAt(ctx, c.id, c.phoneKey)} IS NOT NULL,
  'marketing_opt_out', ${optedOutAt(ctx, c.id, c.phoneKey, "marketing_suppressions")} IS NOT NULL,
  'is_archived', ${c.archivedAt} IS NOT NULL,
  'address_as', ${c.addressAs},
  'tags', json(${tags}),
  'custom_fields', json(${c.customFields}),
  'external_ids', json((SELECT json_group_array(json_object(
      'provider', ${identity.provider}, 'id', ${identity.externalId}, 'connection_id', ${identity.connectionId}, 'username', ${identity.username}))
    FROM contact_identities WHERE ${identity.contactSeq} = ${c.seq} AND ${identity.replacedAt} IS NULL)),
  'created_at', ${c.createdAt}, 'updated_at', ${c.updatedAt}, 'revision', ${c.revision})`;

export const contactJson = (ctx: Ctx): SQL =>
  contactWith(
    ctx,
    sql`(SELECT json_group_array(json_object('id', ${t.id}, 'name', ${t.name}, 'color', ${t.color}))
      FROM json_each(${c.tags}) n CROSS JOIN tags t
      ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = n.value AND ${t.deletedAt} IS NULL)`,
  );

export const contactFactsJson: SQL = sql`json_object(
  ${jsonPairs(templateFieldNames)}, 'custom_fields', json(${c.customFields}))`;

export const contactRevision = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${column.revision} FROM contacts WHERE ${column.id} = ${id} AND ${column.workspaceId} = ${ctx.workspace.id}`;

export const contactLayoutJson = (ctx: Ctx): SQL =>
  sql`coalesce((SELECT ${layout.fields} FROM contact_layouts WHERE ${layout.workspaceId} = ${ctx.workspace.id}), '[]')`;

/** SQL for a number that increases whenever the workspace's custom fields change. */
export const contactLayoutVersion = (ctx: Ctx): SQL =>
  sql`coalesce((SELECT ${layout.version} FROM contact_layouts WHERE ${layout.workspaceId} = ${ctx.workspace.id}), 0)`;

const layoutRow = z.object({ layout: fromJson(contactLayout), version: z.number() });

export const selectContactLayout = (ctx: Ctx) =>
  statement(layoutRow, sql`SELECT ${contactLayoutJson(ctx)} AS layout, ${contactLayoutVersion(ctx)} AS version`);

export const contactByIdAsJson = (ctx: Ctx, id: SQL): SQL =>
  sql`SELECT ${contactJson(ctx)} AS result FROM contacts c WHERE ${c.id} = ${id} AND ${c.workspaceId} = ${ctx.workspace.id}`;

export const contactAsJson = (ctx: Ctx, id: string | SQL, extra: object = {}, condition = sql`TRUE`): SQL => sql`
  SELECT json_object('contact', ${contactJson(ctx)}, 'layout', json(${contactLayoutJson(ctx)}), 'extra', json(${JSON.stringify(extra)})) AS result
  FROM contacts c WHERE ${c.id} = ${id} AND ${c.workspaceId} = ${ctx.workspace.id} AND ${condition}`;

const contactRow = z.object({ result: fromJson(contactAnswer) });

export const selectContact = (ctx: Ctx, id: string | SQL) => statement(contactRow, contactAsJson(ctx, id));

export const activeContactAsJson = (ctx: Ctx, id: string): SQL =>
  contactAsJson(ctx, id, {}, sql`${c.archivedAt} IS NULL`);
