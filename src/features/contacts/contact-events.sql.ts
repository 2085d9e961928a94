// Only the batch that stores a contact sees the row before and after the change. That batch therefore builds the
// events, in raw SQL.
import { sql, type SQL } from "drizzle-orm";
import { type ColumnsOf, columns } from "../../db/columns.ts";
import { contactIdentities, contacts, tags } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { event } from "../events/append-events.sql.ts";
import { contactFieldNames } from "./contact-fields.schemas.ts";
import { contactLayoutJson, fieldColumn } from "./contacts.sql.ts";
import { optedOutAt, type OptOutList } from "./opt-outs/opt-outs.sql.ts";

/** `c` is the contact as it is stored, and `n` is the row that the batch will store. */
const c = columns(contacts, "c");
const n = columns(contacts, "n");
const rowsByAlias = { c, n };
const t = columns(tags, "t");
const identity = columns(contactIdentities);

const objectOf = (entries: [name: string, value: SQL][]): SQL =>
  sql`json_object(${sql.join(
    entries.map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
    sql`, `,
  )})`;

/** Omits deleted options, as `customFieldsByKey` does for responses. */
function visibleValue({ customFields }: ColumnsOf<typeof contacts, "customFields">): SQL {
  const stored = sql`${customFields} -> ('$."' || (l.value ->> 'number') || '"')`;
  const removed = sql`(SELECT value FROM json_each(l.value -> 'removed'))`;
  return sql`CASE
    WHEN l.value -> 'removed' = '[]' THEN ${stored}
    WHEN json_type(${stored}) = 'array' THEN nullif((SELECT json_group_array(value) FROM json_each(${stored}) WHERE value NOT IN ${removed}), '[]')
    WHEN (${stored} ->> '$') IN ${removed} THEN NULL ELSE ${stored} END`;
}

/**
 * The contact's fields as JSON, to compare the contact before and after a change. Omits opt-outs, because they have
 * their own events.
 */
export function contactState(
  ctx: Ctx,
  alias: keyof typeof rowsByAlias,
  others: [name: string, value: SQL][] = [],
): SQL {
  const row = rowsByAlias[alias];
  const fields = contactFieldNames.map((name): [string, SQL] => [name, fieldColumn(alias, name)]);
  const tagNames = sql`json((SELECT json_group_array(${t.name}) FROM json_each(${row.tags}) e
    CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = e.value AND ${t.deletedAt} IS NULL))`;
  const customFields = sql`(SELECT json_group_object(name, json(value)) FROM (
    SELECT 'custom_fields.' || (l.value ->> 'key') AS name, ${visibleValue(row)} AS value FROM json_each(${contactLayoutJson(ctx)}) l LIMIT -1)
    WHERE value IS NOT NULL)`;
  const isArchived = sql`json(iif(${row.archivedAt} IS NULL, 'false', 'true'))`;
  return sql`json_patch(${objectOf([...fields, ["is_archived", isArchived], ["tags", tagNames], ...others])}, ${customFields})`;
}

export const externalIdsJson = (identities: SQL): SQL => sql`json((
  SELECT json_group_array(json_object(
    'provider', ${identity.provider}, 'id', ${identity.externalId}, 'connection_id', ${identity.connectionId}, 'username', ${identity.username}))
  FROM (SELECT * FROM (${identities}) ORDER BY ${identity.provider}, ${identity.externalId})))`;

export const visibleIdentities = (seq: SQL): SQL => sql`
  SELECT ${identity.provider}, ${identity.externalId}, ${identity.connectionId}, ${identity.username} FROM contact_identities
  WHERE ${identity.contactSeq} = ${seq} AND ${identity.replacedAt} IS NULL`;

/** Returns `{field: [before, after]}`. Without LIMIT, SQLite would compute `before` and `after` again at each use. */
export const changesBetween = (before: SQL, after: SQL): SQL => sql`(
  SELECT (
    SELECT json_group_object(key, json_array(json(x.before -> fullkey), json(x.after -> fullkey)))
    FROM (SELECT key, fullkey FROM json_each(x.before) UNION SELECT key, fullkey FROM json_each(x.after))
    WHERE nullif(x.before -> fullkey, 'null') IS NOT nullif(x.after -> fullkey, 'null'))
  FROM (SELECT ${before} AS before, ${after} AS after LIMIT 1) x)`;

const changesOfNew = (state: SQL): SQL => sql`(
  SELECT (
    SELECT json_group_object(key, json_array(NULL, json(x.state -> fullkey))) FROM json_each(x.state)
    WHERE type <> 'null' AND key <> 'is_archived' AND NOT (type = 'array' AND value = '[]'))
  FROM (SELECT ${state} AS state LIMIT 1) x)`;

export function createdContactEvents(ctx: Ctx, rows: SQL, externalIds?: SQL): SQL {
  const isListed = (list: OptOutList) =>
    sql`json(iif(${optedOutAt(ctx, n.id, n.phoneKey, list)} IS NOT NULL, 'true', 'null'))`;
  const state = contactState(ctx, "n", [
    ["is_unsubscribed", isListed("suppressions")],
    ["marketing_opt_out", isListed("marketing_suppressions")],
    ...(externalIds === undefined ? [] : ([["external_ids", externalIds]] satisfies [string, SQL][])),
  ]);
  return sql`SELECT ${event("contact.created", n.id, changesOfNew(state))} FROM (${rows} LIMIT -1) n`;
}

const updateType = sql`CASE
  WHEN ${c.archivedAt} IS NOT NULL AND ${n.archivedAt} IS NULL THEN 'contact.restored'
  WHEN ${c.archivedAt} IS NULL AND ${n.archivedAt} IS NOT NULL THEN 'contact.archived' ELSE 'contact.updated' END`;

const updateEvents = (rows: SQL, before: SQL, after: SQL): SQL => sql`
  SELECT type, object_id, changes FROM (
    SELECT ${event(updateType, c.id, changesBetween(before, after))}
    FROM (${rows} LIMIT -1) n CROSS JOIN contacts c ON ${c.seq} = ${n.seq} LIMIT -1) WHERE changes <> '{}'`;

export const updatedContactEvents = (ctx: Ctx, rows: SQL): SQL =>
  updateEvents(rows, contactState(ctx, "c"), contactState(ctx, "n"));

/**
 * The events of contacts that a provider reported. `idsAfter` is a JSON list of the contact's external ids after the
 * change.
 */
export function reportedContactEvents(ctx: Ctx, rows: SQL, idsAfter: SQL): SQL {
  const before = contactState(ctx, "c", [["external_ids", externalIdsJson(visibleIdentities(c.seq))]]);
  const after = contactState(ctx, "n", [["external_ids", idsAfter]]);
  const isIdentified = sql`(changes -> '$.phone' IS NOT NULL OR changes -> '$.external_ids' IS NOT NULL)`;
  const type = sql`iif(type = 'contact.updated' AND ${isIdentified}, 'contact.identity_changed', type)`;
  return sql`SELECT ${type} AS type, object_id, changes FROM (${updateEvents(rows, before, after)})`;
}
