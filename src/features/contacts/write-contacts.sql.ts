import { sql } from "drizzle-orm";
import * as z from "zod";
import { jsonLists } from "../../db/idioms.ts";
import { bool, type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fromJson } from "../../shared/json.ts";
import { contactDefaults } from "./contacts.choices.ts";
import { contactLayoutJson, nextSeq } from "./contacts.sql.ts";
import type { KnownContact, PlannedContact } from "./contacts.upsert-plan.ts";

const knownContact = z.object({
  seq: z.number(),
  id: z.string(),
  phoneKey: z.string().nullable(),
  emailKey: z.string().nullable(),
  archivedAt: z.number().nullable(),
  tagNumbers: fromJson(z.array(z.number())),
  hasExternalId: bool,
});

const keyColumns = { phone: sql.identifier("phone_key"), email: sql.identifier("email_key") };

/**
 * The contacts that a plan may match or conflict with: those that have any of these keys, active or latest archived, the one
 * with this id, and those that have since taken a key of an archived one.
 */
export function selectKnownContacts(
  ctx: Ctx,
  keys: { phone: string[]; email: string[] },
  id: string | null,
): Statement<KnownContact> {
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
  const query = sql`
    WITH found (seq) AS (
      ${active("phone")} UNION ${active("email")} UNION ${archived("phone")} UNION ${archived("email")}
      UNION SELECT seq FROM contacts WHERE id = ${id} AND workspace_id = ${ws}),
    holders (seq) AS (${holders("phone")} UNION ${holders("email")})
    SELECT c.seq AS seq, c.id AS id, c.phone_key AS phoneKey, c.email_key AS emailKey, c.archived_at AS archivedAt,
      c.tags AS tagNumbers, EXISTS (SELECT 1 FROM contact_identities i WHERE i.contact_seq = c.seq) AS hasExternalId
    FROM (SELECT seq FROM found UNION SELECT seq FROM holders) s CROSS JOIN contacts c ON c.seq = s.seq`;
  return statement(knownContact, query);
}

/** Fails the batch when a contact's identity is not as the plan read it. */
export function failIfContactsChanged(updated: (PlannedContact & { known: KnownContact })[]): SQL {
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
    ), json('changed'), 0)`;
}

const layoutRow = z.object({ fields: z.string() });

/** The workspace's fields as one text, to be compared with later. */
export const selectLayout = (ctx: Ctx): Statement<z.infer<typeof layoutRow>> =>
  statement(layoutRow, sql`SELECT ${contactLayoutJson(ctx)} AS fields`);

/** Fails the batch when fields or options have come or gone since the values were checked. */
export const failIfLayoutChanged = (ctx: Ctx, layout: string): SQL =>
  sql`SELECT iif(${contactLayoutJson(ctx)} <> ${layout}, json('changed'), 0)`;

/** Plain columns that a request may set. */
const COLUMNS = ["name", "company", "address_as", "status", "lifecycle_stage", "source"] as const;

const defaults = new Map<string, string>(Object.entries(contactDefaults));

function toRow({ id, known, restore, phone, email, set, folded, values, tagKeys, replaceTags }: PlannedContact) {
  return {
    id,
    seq: known?.seq,
    restore: restore ? 1 : 0,
    set: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [name, value ?? defaults.get(name) ?? null])),
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
export const insertPlannedContacts = (ctx: Ctx, created: PlannedContact[], guard: SQL): SQL[] =>
  jsonLists(created.map(toRow)).map(
    (json) => sql`
      INSERT INTO contacts (seq, id, workspace_id, name, company, address_as, status, lifecycle_stage, source,
        phone, phone_key, email, email_key, tags, custom_fields, folded, created_at, updated_at)
      SELECT ${nextSeq(ctx)} + e.key, e.value ->> 'id', ${ctx.workspace.id},
        e.value ->> '$.set.name', e.value ->> '$.set.company', e.value ->> '$.set.address_as',
        coalesce(e.value ->> '$.set.status', ${contactDefaults.status}),
        coalesce(e.value ->> '$.set.lifecycle_stage', ${contactDefaults.lifecycle_stage}),
        coalesce(e.value ->> '$.set.source', ${contactDefaults.source}),
        e.value ->> '$.set.phone', e.value ->> '$.set.phone_key', e.value ->> '$.set.email', e.value ->> '$.set.email_key',
        (SELECT json_group_array(number) FROM (${tagNumbers(ctx)} ORDER BY number)),
        json_patch('{}', e.value -> 'values'), json_patch('{}', e.value -> 'folded'), ${ctx.now()}, ${ctx.now()}
      FROM json_each(${json}) e WHERE ${guard}`,
  );

const sentOrStored = (name: string): SQL => {
  const column = sql.identifier(name);
  return sql`iif(json_type(e.value, ${`$.set.${name}`}) IS NULL, c.${column}, e.value ->> ${`$.set.${name}`})`;
};

const UPDATED = [...COLUMNS, "phone", "phone_key", "email", "email_key"];

/**
 * Merges what was sent into contacts: other columns keep their values, and a contact that nothing changes keeps its `updated_at`.
 * An upsert that always conflicts, since it finds each row by its key; that WHERE is why it is not `bulkUpdateFromJson`.
 */
export const updatePlannedContacts = (ctx: Ctx, updated: PlannedContact[], guard: SQL): SQL[] =>
  jsonLists(updated.map(toRow)).map((json) => updateList(ctx, json, guard));

function updateList(ctx: Ctx, json: string, guard: SQL): SQL {
  const compared = [...UPDATED, "tags", "custom_fields", "folded", "archived_at"];
  const names = [...compared, "updated_at"];
  const changed = compared.map((name) => sql`contacts.${sql.identifier(name)} IS NOT excluded.${sql.identifier(name)}`);
  const list = (items: SQL[]) => sql.join(items, sql`, `);
  return sql`
    INSERT INTO contacts (seq, id, workspace_id, created_at, ${list(names.map((name) => sql`${sql.identifier(name)}`))})
    SELECT c.seq, c.id, c.workspace_id, c.created_at, ${list(UPDATED.map(sentOrStored))},
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

/** One row with an answer that was made beforehand, as JSON in `result`. */
export const jsonAnswer = (answer: object): SQL => sql`SELECT json(${JSON.stringify(answer)}) AS result`;
