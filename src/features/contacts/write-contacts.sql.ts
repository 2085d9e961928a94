import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import { jsonLists } from "../../db/idioms.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { layoutJson, nextSeq } from "./contacts.sql.ts";
import type { Draft, KnownContact } from "./contacts.plan.ts";

const numbers = fromJson(z.array(z.number()));

const candidate = z.object({
  seq: z.number(),
  id: z.string(),
  phone_key: z.string().nullable(),
  email_key: z.string().nullable(),
  archived_at: z.number().nullable(),
  tags: numbers,
  has_external_id: z.number(),
});

/** Rows of `candidates` as the plan wants them. */
export const parseCandidates = (rows: unknown): KnownContact[] =>
  z
    .array(candidate)
    .parse(rows)
    .map((row) => ({
      seq: row.seq,
      id: row.id,
      phoneKey: row.phone_key,
      emailKey: row.email_key,
      archivedAt: row.archived_at,
      tagNumbers: row.tags,
      hasExternalId: row.has_external_id === 1,
    }));

const keyColumns = { phone: sql.identifier("phone_key"), email: sql.identifier("email_key") };

/** Contacts that have any of these keys, active or latest archived, and those who have since taken a key of an archived one. */
export function candidates(ctx: Ctx, keys: { phone: string[]; email: string[] }, id: string | null): SQL {
  const ws = ctx.workspace.id;
  const active = (kind: "phone" | "email") => sql`
    SELECT c.seq FROM json_each(${JSON.stringify(keys[kind])}) k CROSS JOIN contacts c
    ON c.workspace_id = ${ws} AND c.${keyColumns[kind]} = k.value AND c.archived_at IS NULL`;
  const archived = (kind: "phone" | "email") => sql`
    SELECT (SELECT c.seq FROM contacts c WHERE c.workspace_id = ${ws} AND c.${keyColumns[kind]} = k.value
      AND c.archived_at IS NOT NULL ORDER BY c.archived_at DESC LIMIT 1) FROM json_each(${JSON.stringify(keys[kind])}) k`;
  const holders = (kind: "phone" | "email") => sql`
    SELECT o.seq FROM found CROSS JOIN contacts a ON a.seq = found.seq AND a.archived_at IS NOT NULL
    CROSS JOIN contacts o ON o.workspace_id = ${ws} AND o.${keyColumns[kind]} = a.${keyColumns[kind]} AND o.archived_at IS NULL`;
  return sql`
    WITH found (seq) AS (
      ${active("phone")} UNION ${active("email")} UNION ${archived("phone")} UNION ${archived("email")}
      UNION SELECT seq FROM contacts WHERE id = ${id} AND workspace_id = ${ws}),
    holders (seq) AS (${holders("phone")} UNION ${holders("email")})
    SELECT c.seq AS seq, c.id AS id, c.phone_key AS phone_key, c.email_key AS email_key, c.archived_at AS archived_at, c.tags AS tags,
      EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq) AS has_external_id
    FROM (SELECT seq FROM found UNION SELECT seq FROM holders) s CROSS JOIN contacts c ON c.seq = s.seq`;
}

/** Fails the batch when a contact is no longer who the plan took it for. */
export function refuseDrift(updated: (Draft & { known: KnownContact })[]): SQL {
  const expected = updated.map(({ known: { seq, phoneKey, emailKey, archivedAt } }) => ({
    seq,
    phoneKey,
    emailKey,
    archivedAt,
  }));
  return sql`
    SELECT iif(EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(expected)}) e LEFT JOIN contacts c ON c.seq = e.value ->> 'seq'
      WHERE c.seq IS NULL OR c.phone_key IS NOT e.value ->> 'phoneKey' OR c.email_key IS NOT e.value ->> 'emailKey'
        OR c.archived_at IS NOT e.value ->> 'archivedAt'
    ), json('drifted'), 0)`;
}

export const layoutQuery = (ctx: Ctx): SQL => sql`SELECT ${layoutJson(ctx)} AS fields`;

export const parseLayout = (rows: unknown): string => z.tuple([z.object({ fields: z.string() })]).parse(rows)[0].fields;

/** Fails the batch when fields or options have come or gone since the values were checked. */
export const refuseNewLayout = (ctx: Ctx, layout: string): SQL =>
  sql`SELECT iif(${layoutJson(ctx)} <> ${layout}, json('drifted'), 0)`;

/** Plain columns that a request may set; `DEFAULTS` are what clearing one that is never null comes to. */
const COLUMNS = ["name", "company", "address_as", "status", "lifecycle_stage", "source"] as const;
const DEFAULTS: Record<string, string> = { status: "new", lifecycle_stage: "lead", source: "api" };

function rowOf({ id, known, restore, phone, email, set, folded, values, tagKeys, replaceTags }: Draft) {
  return {
    id,
    seq: known?.seq,
    restore: restore ? 1 : 0,
    set: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [name, value ?? DEFAULTS[name] ?? null])),
      ...(phone !== undefined && { phone: phone?.value ?? null, phone_key: phone?.key ?? null }),
      ...(email !== undefined && { email: email?.value ?? null, email_key: email?.key ?? null }),
    },
    folded,
    values,
    ...((tagKeys.length > 0 || replaceTags) && { tagKeys }),
    replaceTags: replaceTags ? 1 : 0,
  };
}

const tagNumbers = (ctx: Ctx): SQL => sql`
  SELECT t.number AS number FROM json_each(e.value, '$.tagKeys') k
  CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.name_key = k.value AND t.deleted_at IS NULL`;

/** Adds contacts, numbered in their order. */
export const insertDrafts = (ctx: Ctx, created: Draft[], guard: SQL): SQL[] =>
  jsonLists(created.map(rowOf)).map((json) => insertList(ctx, json, guard));

const insertList = (ctx: Ctx, json: string, guard: SQL): SQL => sql`
  INSERT INTO contacts (seq, id, workspace_id, name, company, address_as, status, lifecycle_stage, source,
    phone, phone_key, email, email_key, tags, custom_fields, folded, created_at, updated_at)
  SELECT ${nextSeq(ctx)} + e.key, e.value ->> 'id', ${ctx.workspace.id},
    e.value ->> '$.set.name', e.value ->> '$.set.company', e.value ->> '$.set.address_as',
    coalesce(e.value ->> '$.set.status', 'new'), coalesce(e.value ->> '$.set.lifecycle_stage', 'lead'),
    coalesce(e.value ->> '$.set.source', 'api'),
    e.value ->> '$.set.phone', e.value ->> '$.set.phone_key', e.value ->> '$.set.email', e.value ->> '$.set.email_key',
    (SELECT json_group_array(number) FROM (${tagNumbers(ctx)} ORDER BY number)),
    json_patch('{}', e.value -> 'values'), json_patch('{}', e.value -> 'folded'), ${ctx.now()}, ${ctx.now()}
  FROM json_each(${json}) e WHERE ${guard}`;

const merged = (name: string): SQL => {
  const column = sql.identifier(name);
  return sql`iif(json_type(e.value, ${`$.set.${name}`}) IS NULL, c.${column}, e.value ->> ${`$.set.${name}`})`;
};

const UPDATED = [...COLUMNS, "phone", "phone_key", "email", "email_key"];

/**
 * Merges what was sent into contacts: nothing that was not sent is written back, and a contact that is as it was sent already
 * is left alone, its `updated_at` too.
 */
export const updateDrafts = (ctx: Ctx, updated: Draft[], guard: SQL): SQL[] =>
  jsonLists(updated.map(rowOf)).map((json) => updateList(ctx, json, guard));

function updateList(ctx: Ctx, json: string, guard: SQL): SQL {
  const facts = [...UPDATED, "tags", "custom_fields", "folded", "archived_at"];
  const names = [...facts, "updated_at"];
  const changed = facts.map((name) => sql`contacts.${sql.identifier(name)} IS NOT excluded.${sql.identifier(name)}`);
  const list = (items: SQL[]) => sql.join(items, sql`, `);
  return sql`
    INSERT INTO contacts (seq, id, workspace_id, created_at, ${list(names.map((name) => sql`${sql.identifier(name)}`))})
    SELECT c.seq, c.id, c.workspace_id, c.created_at, ${list(UPDATED.map(merged))},
      iif(json_type(e.value, '$.tagKeys') IS NULL, c.tags, (SELECT json_group_array(number) FROM (
        SELECT value AS number FROM json_each(iif(e.value ->> 'replaceTags', '[]', c.tags)) UNION ${tagNumbers(ctx)}))),
      json_patch(c.custom_fields, e.value -> 'values'), json_patch(c.folded, e.value -> 'folded'),
      iif(e.value ->> 'restore', NULL, c.archived_at), ${ctx.now()}
    FROM json_each(${json}) e CROSS JOIN contacts c ON c.seq = e.value ->> 'seq' WHERE ${guard}
    ON CONFLICT (seq) DO UPDATE SET ${list(names.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`))}
    WHERE ${sql.join(changed, sql` OR `)}`;
}

/** The contacts with these ids, as `seq`. */
export const seqsOfIds = (ctx: Ctx, contactIds: string[]): SQL => sql`
  SELECT c.seq AS seq FROM json_each(${JSON.stringify(contactIds)}) e CROSS JOIN contacts c ON c.id = e.value AND c.workspace_id = ${ctx.workspace.id}`;
