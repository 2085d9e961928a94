import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { foldedOf } from "./contacts.wish.ts";

export const SEQ_RANGE = 2 ** 32;

/** Opt-outs of everything, and of marketing alone. Both are kept alike. */
export type OptOutList = "suppressions" | "marketing_suppressions";

/**
 * When the person opted out, or null. Triggers keep all keys of a person alike, so that it is enough to ask by contact and by
 * number: neither a new number nor a new holder undoes it.
 */
export function optedOutAt(ctx: Ctx, contactId: SQL, phoneKey: SQL, list: OptOutList = "suppressions"): SQL {
  // Two look-ups, of which a miss reads nothing: the list of an IN is read row by row.
  const at = (key: SQL) =>
    sql`coalesce((SELECT opted_out_at FROM ${sql.identifier(list)} WHERE workspace_id = ${ctx.workspace.id} AND key = ${key}), 0)`;
  return sql`nullif(max(${at(contactId)}, ${at(phoneKey)}), 0)`;
}

/** The contact with this number: the active one, else the latest archived one, else null. */
export const seqByPhone = (ctx: Ctx, phoneKey: string): SQL => sql`coalesce(
  (SELECT seq FROM contacts WHERE workspace_id = ${ctx.workspace.id} AND phone_key = ${phoneKey} AND archived_at IS NULL),
  (SELECT seq FROM contacts WHERE workspace_id = ${ctx.workspace.id} AND phone_key = ${phoneKey} AND archived_at IS NOT NULL
   ORDER BY archived_at DESC LIMIT 1))`;

/** The number of the workspace a contact belongs to. */
export const numberOfSeq = (seq: number): number => Math.floor(seq / SEQ_RANGE);

/** The workspace's contacts are numbered from the one behind this. */
export const baseSeq = (ctx: Ctx): number => ctx.workspace.number * SEQ_RANGE;

/** The number of the workspace's newest contact. */
export function lastSeq(ctx: Ctx): SQL {
  const base = baseSeq(ctx);
  return sql`(SELECT CAST(coalesce(max(seq), ${base}) AS INTEGER) FROM contacts WHERE seq BETWEEN ${base} AND ${base + SEQ_RANGE - 1})`;
}

/** The number the workspace's next contact gets. One that was joined into another is not given again. */
export function nextSeq(ctx: Ctx): SQL {
  const base = baseSeq(ctx);
  const highest = (seq: SQL, table: SQL) =>
    sql`coalesce((SELECT max(${seq}) FROM ${table} WHERE ${seq} BETWEEN ${base} AND ${base + SEQ_RANGE - 1}), ${base})`;
  return sql`(SELECT CAST(max(${highest(sql`seq`, sql`contacts`)}, ${highest(sql`from_seq`, sql`contact_joins`)}) AS INTEGER) + 1)`;
}

/** True for contacts `c` of the workspace behind its first `from`, as far as its first `to`, counting those that are gone. */
export const isWithin = (ctx: Ctx, from: number, to: number): SQL =>
  sql`c.seq > ${baseSeq(ctx) + from} AND c.seq <= ${baseSeq(ctx) + Math.min(to, SEQ_RANGE - 1)}`;

/** How many numbers the workspace has given to contacts. */
export const numbersGiven = (ctx: Ctx): SQL => sql`(${lastSeq(ctx)} - ${baseSeq(ctx)})`;

export interface NewContact {
  id: string;
  phone: string | null;
  phoneKey: string | null;
  name: string | null;
  source: string;
}

/** Adds a contact numbered `seq` where `condition` holds. */
export const insertContact = (
  ctx: Ctx,
  { id, phone, phoneKey, name, source }: NewContact,
  seq: SQL,
  condition: SQL,
): SQL =>
  sql`
    INSERT INTO contacts (seq, id, workspace_id, name, phone, phone_key, source, folded, created_at, updated_at)
    SELECT ${seq}, ${id}, ${ctx.workspace.id}, ${name}, ${phone}, ${phoneKey}, ${source},
      ${JSON.stringify(foldedOf({ name, source }))}, ${ctx.now()}, ${ctx.now()}
    WHERE ${condition}`;

/**
 * Brings an archived contact back because it is being talked to, and fills in a missing name.
 * An email that another contact has taken since is given up; where the number was, the contact stays archived.
 */
export function welcomeBack(ctx: Ctx, seq: SQL, name: string | null, condition: SQL): SQL {
  const active = sql`SELECT 1 FROM contacts AS other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL`;
  const emailTaken = sql`(archived_at IS NOT NULL AND EXISTS (${active} AND other.email_key = contacts.email_key))`;
  return sql`
    UPDATE contacts SET
      archived_at = NULL, name = coalesce(name, ${name}), updated_at = ${ctx.now()},
      folded = iif(name IS NULL AND ${name} IS NOT NULL, json_patch(folded, ${JSON.stringify(foldedOf({ name }))}), folded),
      email = CASE WHEN ${emailTaken} THEN NULL ELSE email END,
      email_key = CASE WHEN ${emailTaken} THEN NULL ELSE email_key END
    WHERE seq = ${seq} AND ${condition} AND (
      (archived_at IS NOT NULL AND NOT EXISTS (${active} AND other.phone_key = contacts.phone_key))
      OR (archived_at IS NULL AND name IS NULL AND ${name} IS NOT NULL))`;
}

/** Names `people`: the contacts that `seqs` selects as `seq`, and those that turned out to be the same and wait to be joined. */
export const samePeople = (seqs: SQL): SQL => sql`
  named (seq) AS (${seqs}),
  people (seq) AS (
    SELECT seq FROM named
    UNION SELECT i.claimed_by FROM named CROSS JOIN contact_identities i ON i.contact_seq = named.seq AND i.claimed_by IS NOT NULL
    UNION SELECT i.contact_seq FROM named CROSS JOIN contact_identities i ON i.claimed_by = named.seq)`;

/** All that the opt-outs of the contacts are kept under that `seqs` selects as `seq`: id, number and identities. */
export const suppressionKeysOf = (seqs: SQL): SQL => sql`
  WITH ${samePeople(seqs)}
  SELECT c.id AS key FROM people CROSS JOIN contacts c ON c.seq = people.seq
  UNION ALL SELECT c.phone_key FROM people CROSS JOIN contacts c ON c.seq = people.seq AND c.phone_key IS NOT NULL
  UNION ALL SELECT i.provider || ':' || i.external_id FROM people CROSS JOIN contact_identities i ON i.contact_seq = people.seq`;

/** All that the opt-out of one contact is kept under. */
export const suppressionKeys = (seq: SQL): SQL => suppressionKeysOf(sql`SELECT ${seq} AS seq`);

/** Opts out, at `at`, whoever `keys` selects; a later opt-out moves the time forward. */
export const suppress = (
  ctx: Ctx,
  keys: SQL,
  at: number,
  condition: SQL,
  list: OptOutList = "suppressions",
): SQL => sql`
    INSERT INTO ${sql.identifier(list)} (workspace_id, key, opted_out_at)
    SELECT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
    ON CONFLICT (workspace_id, key) DO UPDATE SET opted_out_at = excluded.opted_out_at WHERE excluded.opted_out_at > opted_out_at`;

/** Lifts opt-outs up to `at`: one that came later stays, whatever order they are told in. */
export const unsuppress = (
  ctx: Ctx,
  keys: SQL,
  condition: SQL,
  { at = ctx.now(), list = "suppressions" }: { at?: number; list?: OptOutList } = {},
): SQL =>
  sql`
    DELETE FROM ${sql.identifier(list)}
    WHERE workspace_id = ${ctx.workspace.id} AND key IN (${keys}) AND opted_out_at <= ${at} AND ${condition}`;

/** A contact `c` as JSON, its tags as `tags` has them. */
export const contactWith = (ctx: Ctx, tags: SQL): SQL => sql`json_object(
  'id', c.id, 'name', c.name, 'phone', c.phone, 'email', c.email, 'company', c.company, 'status', c.status,
  'lifecycle_stage', c.lifecycle_stage, 'source', c.source, 'address_as', c.address_as,
  'is_unsubscribed', ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`)} IS NOT NULL,
  'marketing_opt_out', ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`, "marketing_suppressions")} IS NOT NULL,
  'is_archived', c.archived_at IS NOT NULL,
  'tags', json(${tags}),
  'custom_fields', json(c.custom_fields),
  'external_ids', json((SELECT json_group_array(json_object(
      'provider', provider, 'id', external_id, 'connection_id', connection_id, 'username', username))
    FROM contact_identities WHERE contact_seq = c.seq AND replaced_at IS NULL)),
  'created_at', c.created_at, 'updated_at', c.updated_at)`;

/** A contact `c` as JSON, for `contactRecord`. */
export const contactJson = (ctx: Ctx): SQL =>
  contactWith(
    ctx,
    sql`(SELECT json_group_array(json_object('id', t.id, 'name', t.name, 'color', t.color))
      FROM json_each(c.tags) n CROSS JOIN tags t
      ON t.workspace_id = ${ctx.workspace.id} AND t.number = n.value AND t.deleted_at IS NULL)`,
  );

/** What a contact `c` is read for to fill in a template, as JSON, for `contactFacts`. */
export const valuesJson: SQL = sql`json_object(
  'name', c.name, 'phone', c.phone, 'email', c.email, 'company', c.company, 'address_as', c.address_as,
  'status', c.status, 'lifecycle_stage', c.lifecycle_stage, 'custom_fields', json(c.custom_fields))`;

/** The workspace's fields as JSON, for `contactLayout`. */
export const layoutJson = (ctx: Ctx): SQL =>
  sql`coalesce((SELECT fields FROM contact_layouts WHERE workspace_id = ${ctx.workspace.id}), '[]')`;

/** One row with a contact, what it is presented with, and `extra`, as JSON in `result`; or none. */
export const contactAnswer = (ctx: Ctx, id: string, extra: object = {}, condition = sql`TRUE`): SQL => sql`
  SELECT json_object('contact', ${contactJson(ctx)}, 'layout', json(${layoutJson(ctx)}), 'extra', json(${JSON.stringify(extra)})) AS result
  FROM contacts c WHERE c.id = ${id} AND c.workspace_id = ${ctx.workspace.id} AND ${condition}`;

/** As `contactAnswer`, while the contact is active. */
export const activeContactAnswer = (ctx: Ctx, id: string): SQL =>
  contactAnswer(ctx, id, {}, sql`c.archived_at IS NULL`);

export async function findAnswer(ctx: Ctx, id: string): Promise<string | null> {
  const [row] = await ctx.db.all<{ result: string }>(contactAnswer(ctx, id));
  return row?.result ?? null;
}

const own = (ctx: Ctx, id: string): SQL => sql`id = ${id} AND workspace_id = ${ctx.workspace.id}`;

export const archive = (ctx: Ctx, id: string, guard: SQL): SQL => sql`
  UPDATE contacts SET archived_at = ${ctx.now()}, updated_at = ${ctx.now()}
  WHERE ${own(ctx, id)} AND archived_at IS NULL AND ${guard}`;

const holder = (key: "phone_key" | "email_key"): SQL => sql`
  SELECT id FROM contacts AS other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL
  AND other.${sql.identifier(key)} = contacts.${sql.identifier(key)}`;

/** Brings a contact back, unless its phone or email has been taken since. */
export const restore = (ctx: Ctx, id: string, guard: SQL): SQL => sql`
  UPDATE contacts SET archived_at = NULL, updated_at = ${ctx.now()}
  WHERE ${own(ctx, id)} AND archived_at IS NOT NULL AND ${guard}
    AND NOT EXISTS (${holder("phone_key")}) AND NOT EXISTS (${holder("email_key")})`;

/** Who has taken the phone or email of an archived contact. */
export const holders = (ctx: Ctx, id: string): SQL => sql`
  SELECT (${holder("phone_key")}) AS phone, (${holder("email_key")}) AS email
  FROM contacts WHERE ${own(ctx, id)} AND archived_at IS NOT NULL`;

/** One row with an answer that was made beforehand, as JSON in `result`. */
export const jsonAnswer = (answer: object): SQL => sql`SELECT json(${JSON.stringify(answer)}) AS result`;
