// Raw SQL, because CROSS JOIN makes SQLite look up each key of a list once.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { bool } from "../../../db/rows.ts";
import { contactIdentities, contacts } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactLayoutVersion } from "../contacts.sql.ts";
import type { ExistingContact, PlannedContact } from "./upsert-plan.ts";

const a = columns(contacts, "a");
const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const o = columns(contacts, "o");
const column = columns(contacts);

const existingContact = z.object({
  seq: z.number(),
  id: z.string(),
  phoneKey: z.string().nullable(),
  emailKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
  tagNumbers: fromJson(z.array(z.number())),
  hasExternalId: bool,
});

const keyColumns = { phone: "phoneKey", email: "emailKey" } as const;

export interface SoughtKeys {
  phone: string[];
  email: string[];
}

/**
 * If a found contact is archived, also selects the active contacts that have its phone or email, because the plan
 * checks for conflicts with them. If `unless` is true, selects nothing.
 */
export function selectExistingContacts(ctx: Ctx, keys: SoughtKeys, id: string | null, unless: SQL) {
  const ws = ctx.workspace.id;
  const each = (kind: "phone" | "email") => sql`json_each(iif(${unless}, '[]', ${JSON.stringify(keys[kind])})) k`;
  const active = (kind: "phone" | "email") => sql`
    SELECT ${c.seq} FROM ${each(kind)} CROSS JOIN contacts c
    ON ${c.workspaceId} = ${ws} AND ${c[keyColumns[kind]]} = k.value AND ${c.archivedAt} IS NULL`;
  const archived = (kind: "phone" | "email") => sql`
    SELECT (SELECT ${c.seq} FROM contacts c WHERE ${c.workspaceId} = ${ws} AND ${c[keyColumns[kind]]} = k.value
      AND ${c.archivedAt} IS NOT NULL ORDER BY ${c.archivedAt} DESC LIMIT 1) FROM ${each(kind)}`;
  const holders = (kind: "phone" | "email") => sql`
    SELECT ${o.seq} FROM found CROSS JOIN contacts a ON ${a.seq} = found.seq AND ${a.archivedAt} IS NOT NULL
    CROSS JOIN contacts o ON ${o.workspaceId} = ${ws} AND ${o[keyColumns[kind]]} = ${a[keyColumns[kind]]} AND ${o.archivedAt} IS NULL`;
  const sought = (["phone", "email"] as const).filter((kind) => keys[kind].length > 0);
  const found = [
    sql`SELECT ${column.seq} FROM contacts WHERE ${column.id} = iif(${unless}, NULL, ${id}) AND ${column.workspaceId} = ${ws}`,
    ...sought.flatMap((kind) => [active(kind), archived(kind)]),
  ];
  const query = sql`
    WITH found (seq) AS (${sql.join(found, sql` UNION `)}),
    holders (seq) AS (${holders("phone")} UNION ${holders("email")})
    SELECT ${c.seq} AS seq, ${c.id} AS id, ${c.phoneKey} AS phoneKey, ${c.emailKey} AS emailKey, ${c.archivedAt} AS archivedAt,
      ${c.tags} AS tagNumbers, EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq}) AS hasExternalId
    FROM (SELECT seq FROM found UNION SELECT seq FROM holders) s CROSS JOIN contacts c ON ${c.seq} = s.seq`;
  return statement(existingContact, query);
}

function noneHas(ctx: Ctx, keys: SoughtKeys): SQL {
  const holder = (kind: "phone" | "email", archived: SQL) => sql`EXISTS (SELECT 1 FROM contacts c
    WHERE ${c.workspaceId} = ${ctx.workspace.id} AND ${c[keyColumns[kind]]} = k.value AND ${c.archivedAt} IS ${archived})`;
  const sought = (["phone", "email"] as const).filter((kind) => keys[kind].length > 0);
  const free = sought.map(
    (kind) => sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(keys[kind])}) k
      WHERE ${holder(kind, sql`NULL`)} OR ${holder(kind, sql`NOT NULL`)})`,
  );
  return sql.join([sql`TRUE`, ...free], sql` AND `);
}

const contactWithId = (ctx: Ctx, id: string): SQL =>
  sql`SELECT 1 FROM contacts c WHERE ${c.id} = ${id} AND ${c.workspaceId} = ${ctx.workspace.id}`;

/**
 * True if no contact has the keys. Stays true after the batch has created the contact `newId` with these keys, because
 * later statements of the batch check this condition again.
 */
export const isNewcomer = (ctx: Ctx, keys: SoughtKeys, newId: string | null): SQL =>
  newId === null ? noneHas(ctx, keys) : sql`(EXISTS (${contactWithId(ctx, newId)}) OR ${noneHas(ctx, keys)})`;

export const isReachable = (ctx: Ctx, id: string): SQL => sql`EXISTS (${contactWithId(ctx, id)}
  AND (${c.phoneKey} IS NOT NULL OR ${c.emailKey} IS NOT NULL OR EXISTS (SELECT 1 FROM contact_identities i WHERE ${i.contactSeq} = ${c.seq})))`;

export const isLayoutVersion = (ctx: Ctx, version: number): SQL => sql`${contactLayoutVersion(ctx)} = ${version}`;

/** Fails the batch if a contact's phone, email or archived state has changed since it was read. */
export function failIfContactsChanged(updated: (PlannedContact & { existing: ExistingContact })[]): SQL {
  const expected = updated.map(({ existing: { seq, phoneKey, emailKey, archivedAt } }) => {
    return { seq, phoneKey, emailKey, archivedAt };
  });
  return failBatchUnless(
    sql`NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(expected)}) e LEFT JOIN contacts c ON ${c.seq} = e.value ->> 'seq'
      WHERE ${c.seq} IS NULL OR ${c.phoneKey} IS NOT e.value ->> 'phoneKey' OR ${c.emailKey} IS NOT e.value ->> 'emailKey'
        OR ${c.archivedAt} IS NOT e.value ->> 'archivedAt')`,
    "rows changed",
  );
}

/** Fails the batch if custom fields or options have changed since the values were checked. */
export const failIfLayoutChanged = (ctx: Ctx, version: number): SQL =>
  failBatchUnless(isLayoutVersion(ctx, version), "rows changed");

export const seqsOfIds = (ctx: Ctx, contactIds: string[]): SQL => sql`
  SELECT ${c.seq} AS seq FROM json_each(${JSON.stringify(contactIds)}) e CROSS JOIN contacts c ON ${c.id} = e.value AND ${c.workspaceId} = ${ctx.workspace.id}`;

export const jsonAnswer = (answer: object): SQL => sql`SELECT json(${JSON.stringify(answer)}) AS result`;
