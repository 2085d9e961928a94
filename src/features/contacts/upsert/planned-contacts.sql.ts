// The same SELECT supplies the rows to store and the rows for their events. Raw SQL, because it reads them from JSON.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { jsonLists } from "../../../db/idioms.ts";
import { contacts, tags } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { appendLongEvents, eventsOf } from "../../events/append-events.sql.ts";
import { tagCreatedEvents } from "../../tags/tags.sql.ts";
import { createdContactEvents, updatedContactEvents } from "../contact-events.sql.ts";
import { defaultsByField, plainFieldNames } from "../contact-fields.schemas.ts";
import { nextSeq } from "../contacts.sql.ts";
import type { PlannedContact } from "./upsert-plan.ts";

const c = columns(contacts, "c");
const stored = columns(contacts, "contacts");
const t = columns(tags, "t");
const column = columns(contacts);

function toRow({ id, existing, restore, phone, email, set, folded, values, tagKeys, replaceTags }: PlannedContact) {
  return {
    id,
    seq: existing?.seq,
    restore: restore ? 1 : 0,
    set: {
      ...Object.fromEntries(
        Object.entries(set).map(([name, value]) => [name, value ?? defaultsByField.get(name) ?? null]),
      ),
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
  SELECT ${t.number} AS number FROM json_each(e.value, '$.tagKeys') k
  CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.nameKey} = k.value AND ${t.deletedAt} IS NULL`;

/**
 * SQL that is true for the number of a deleted tag. Such numbers remain when tags are replaced, and only the cleanup
 * removes them.
 */
const tombstones = (ctx: Ctx): SQL => sql`
  NOT EXISTS (SELECT 1 FROM tags t WHERE ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = prior.value AND ${t.deletedAt} IS NULL)`;

type ContactColumns = (typeof contacts)["_"]["columns"];
type ColumnName = ContactColumns[keyof ContactColumns]["_"]["name"];

const listOf = (names: readonly string[], item: (name: string) => SQL = sql.raw): SQL =>
  sql.join(names.map(item), sql`, `);

const ADDRESSES = ["phone", "phone_key", "email", "email_key"] satisfies ColumnName[];
const SENT = [...plainFieldNames, ...ADDRESSES];
const STORED: ColumnName[] = [...SENT, "tags", "custom_fields", "folded", "archived_at"];
const ALL: ColumnName[] = ["seq", "id", "workspace_id", "created_at", ...STORED, "updated_at"];

const sent = (name: string): SQL => sql`e.value ->> ${sql.raw(`'$.set.${name}'`)}`;

const sentOrDefault = (name: string): SQL => {
  const value = defaultsByField.get(name);
  return value === undefined ? sent(name) : sql`coalesce(${sent(name)}, ${sql.raw(`'${value}'`)})`;
};

const sentOrStored = (name: string): SQL =>
  sql`iif(json_type(e.value, ${sql.raw(`'$.set.${name}'`)}) IS NULL, ${sql.raw(`c.${name}`)}, ${sent(name)})`;

type RowValues = Partial<Record<ColumnName, SQL>>;

const selectAll = (values: RowValues): SQL =>
  sql.join(
    ALL.map((name) => sql`${values[name] ?? sql`NULL`} AS ${sql.raw(name)}`),
    sql`, `,
  );

const valuesOf = (names: readonly string[], value: (name: string) => SQL): RowValues =>
  Object.fromEntries(names.map((name) => [name, value(name)]));

const newRows = (ctx: Ctx, json: string, guard: SQL): SQL => sql`
  SELECT ${selectAll({
    seq: sql`${nextSeq(ctx)} + e.key`,
    id: sql`e.value ->> 'id'`,
    workspace_id: sql`${ctx.workspace.id}`,
    created_at: sql`${ctx.now()}`,
    ...valuesOf(SENT, sentOrDefault),
    tags: sql`(SELECT json_group_array(number) FROM (${tagNumbers(ctx)} ORDER BY number))`,
    custom_fields: sql`json_patch('{}', e.value -> 'values')`,
    folded: sql`json_patch('{}', e.value -> 'folded')`,
    archived_at: sql`NULL`,
    updated_at: sql`${ctx.now()}`,
  })}
  FROM json_each(${json}) e WHERE ${guard}`;

const mergedRows = (ctx: Ctx, json: string, guard: SQL): SQL => sql`
  SELECT ${selectAll({
    seq: c.seq,
    id: c.id,
    workspace_id: c.workspaceId,
    created_at: c.createdAt,
    ...valuesOf(SENT, sentOrStored),
    tags: sql`iif(json_type(e.value, '$.tagKeys') IS NULL, ${c.tags}, (SELECT json_group_array(number) FROM (
      SELECT prior.value AS number FROM json_each(${c.tags}) prior WHERE NOT e.value ->> 'replaceTags' OR ${tombstones(ctx)}
      UNION ${tagNumbers(ctx)})))`,
    custom_fields: sql`json_patch(${c.customFields}, e.value -> 'values')`,
    folded: sql`json_patch(${c.folded}, e.value -> 'folded')`,
    archived_at: sql`iif(e.value ->> 'restore', NULL, ${c.archivedAt})`,
    updated_at: sql`${ctx.now()}`,
  })}
  FROM json_each(${json}) e
  CROSS JOIN contacts c ON ${c.seq} = coalesce(e.value ->> 'seq', (
    SELECT ${column.seq} FROM contacts WHERE ${column.id} = e.value ->> 'id' AND ${column.workspaceId} = ${ctx.workspace.id}))
  WHERE ${guard}`;

/** Builds the row of a changed contact, for `updateRows`. */
export const changedRow = (ctx: Ctx, values: RowValues): SQL =>
  selectAll({ ...valuesOf(ALL, (name) => sql.raw(`c.${name}`)), updated_at: sql`${ctx.now()}`, ...values });

const insertRows = (rows: SQL): SQL => sql`INSERT INTO contacts (${listOf(ALL)}) ${rows}`;

/**
 * Every row already exists, so every insert conflicts and becomes an update. The last WHERE skips unchanged contacts,
 * so that they keep their `updated_at`.
 */
export const updateRows = (rows: SQL): SQL => sql`
  ${insertRows(rows)}
  ON CONFLICT (${column.seq}) DO UPDATE SET ${listOf([...STORED, "updated_at"], (name) => sql.raw(`${name} = excluded.${name}`))},
    ${column.revision} = ${stored.revision} + 1
  WHERE ${sql.raw(STORED.map((name) => `contacts.${name} IS NOT excluded.${name}`).join(" OR "))}`;

interface PlannedChanges {
  created: PlannedContact[];
  updated: PlannedContact[];
  newTagIds: string[];
}

/** Updates come first, because an update can free a number for a new contact. */
export function storePlannedContacts(ctx: Ctx, { created, updated, newTagIds }: PlannedChanges, guard: SQL): SQL[] {
  const merged = jsonLists(updated.map(toRow)).map((json) => mergedRows(ctx, json, guard));
  const added = jsonLists(created.map(toRow)).map((json) => newRows(ctx, json, guard));
  const events = Array.from({ length: Math.max(merged.length, added.length) }, (_, at) => {
    const [mergedAt, addedAt] = [merged[at], added[at]];
    return eventsOf([
      ...(at === 0 && newTagIds.length > 0 ? [tagCreatedEvents(ctx, newTagIds)] : []),
      ...(mergedAt === undefined ? [] : [updatedContactEvents(ctx, mergedAt)]),
      ...(addedAt === undefined ? [] : [createdContactEvents(ctx, addedAt)]),
    ]);
  });
  return [...events.map((each) => appendLongEvents(ctx, each)), ...merged.map(updateRows), ...added.map(insertRows)];
}
