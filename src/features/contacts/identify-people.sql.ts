import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import { samePeople, seqByPhone } from "./contacts.sql.ts";

/** What a provider calls a person by. At least one of phone and ids is there. */
export interface KnownPerson {
  /** E.164. */
  phone: string | null;
  /** Ids that are the person's own. */
  userIds: string[];
  /** Further ids that the provider may know the person by: recognised, not kept. */
  aliases: string[];
  username: string | null;
}

/** Where the contact numbered `seq` is now: the one it was joined into, else itself. */
export const seqNow = (seq: SQL): SQL =>
  sql`coalesce((SELECT into_seq FROM contact_joins WHERE from_seq = ${seq}), ${seq})`;

/** The contacts with these numbers, as `seq`, or those they have become part of. */
export const seqsNow = (seqs: number[]): SQL =>
  sql`SELECT DISTINCT ${seqNow(sql`e.value`)} AS seq FROM json_each(${JSON.stringify(seqs)}) e`;

const providerOf = (connectionId: string): SQL => sql`(SELECT provider FROM connections WHERE id = ${connectionId})`;

/** The contact a connection's provider knows by this id, or null. */
const seqByExternalId = (ctx: Ctx, connectionId: string, externalId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
  AND provider = ${providerOf(connectionId)} AND external_id = ${externalId})`;

const coalesced = (seqs: SQL[]): SQL => sql`coalesce(${sql.join([...seqs, sql`NULL`, sql`NULL`], sql`, `)})`;

/** The contact whose number was this one until a provider told of another, for what was said before that; or null. */
const seqByFormerNumber = (ctx: Ctx, key: string, at: number): SQL => sql`(
  SELECT c.seq FROM number_changes n CROSS JOIN contacts c ON c.seq = ${seqNow(sql`n.contact_seq`)}
  WHERE n.workspace_id = ${ctx.workspace.id} AND n.from_phone_key = ${key} AND n.changed_at > ${at}
  ORDER BY n.changed_at LIMIT 1)`;

/** The contact a provider means, or null, in SQL: by number, by the ids the provider uses, by the number it had at `at`. */
export const seqOfPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<KnownPerson, "username">,
  at: number,
): SQL =>
  coalesced([
    ...(phone === null ? [] : [seqByPhone(ctx, phoneKey(phone))]),
    ...[...userIds, ...aliases].map((id) => seqByExternalId(ctx, connectionId, id)),
    ...(phone === null ? [] : [seqByFormerNumber(ctx, phoneKey(phone), at)]),
  ]);

/** Every contact, as `seq`, that a provider's names for one person lead to; and those that wait to be joined with them. */
export const seqsOfPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<KnownPerson, "username">,
): SQL => {
  const ids = JSON.stringify([...userIds, ...aliases]);
  const named = sql`
    SELECT ${phone === null ? sql`NULL` : seqByPhone(ctx, phoneKey(phone))} AS seq
    UNION SELECT i.contact_seq FROM json_each(${ids}) e CROSS JOIN contact_identities i
      ON i.workspace_id = ${ctx.workspace.id} AND i.provider = ${providerOf(connectionId)} AND i.external_id = e.value`;
  return sql`WITH ${samePeople(named)} SELECT seq FROM people WHERE seq IS NOT NULL`;
};

/** Fails the batch where `condition` holds and a provider's names for one person lead to several contacts: these are joined first. */
export const refuseSeveral = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<KnownPerson, "username">,
  condition = sql`TRUE`,
): SQL =>
  sql`SELECT iif(${condition} AND (SELECT count(*) FROM (${seqsOfPerson(ctx, connectionId, person)})) > 1, json('several'), 0)`;

/**
 * Gives the contact known by an id the number that the provider names with it. A number that the contact has instead is given
 * up only for one of the person's own ids: the provider knows best where the person is now.
 */
export const attachPhone = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<KnownPerson, "username">,
  condition = sql`TRUE`,
): SQL[] => {
  const ids = [...userIds, ...aliases];
  if (phone === null || ids.length === 0) return [];
  const key = phoneKey(phone);
  const own = coalesced(userIds.map((id) => seqByExternalId(ctx, connectionId, id)));
  return [
    sql`
      UPDATE contacts SET phone = ${phone}, phone_key = ${key}, updated_at = ${ctx.now()}
      WHERE seq = ${coalesced(ids.map((id) => seqByExternalId(ctx, connectionId, id)))}
        AND phone_key IS NOT ${key} AND (phone_key IS NULL OR seq = ${own})
        AND ${seqByPhone(ctx, key)} IS NULL AND ${condition}`,
  ];
};

/** Writes down how a connection's provider knows a contact, and the person's username, where that is new. */
export const insertIdentities = (
  ctx: Ctx,
  connectionId: string,
  { userIds, username }: KnownPerson,
  seq: SQL,
  condition: SQL,
): SQL[] =>
  userIds.map(
    (id) => sql`
      INSERT INTO contact_identities (workspace_id, provider, external_id, contact_seq, connection_id, username)
      SELECT ${ctx.workspace.id}, provider, ${id}, ${seq}, id, ${username} FROM connections WHERE id = ${connectionId} AND ${condition}
      ON CONFLICT DO UPDATE SET username = excluded.username
      WHERE excluded.username IS NOT NULL AND username IS NOT excluded.username`,
  );

/** What a send's answer or a status names a contact by. */
export interface LearnedIdentity {
  contactSeq: number;
  connectionId: string;
  externalId: string;
}

/**
 * Writes down how connections' providers know contacts. Where an id is another contact's already, the two are one person: the
 * claim has them joined, and counts for opt-outs until then. What is known writes nothing.
 */
export const keepIdentities = (ctx: Ctx, identities: LearnedIdentity[]): SQL => sql`
  INSERT INTO contact_identities (workspace_id, provider, external_id, contact_seq, connection_id)
  SELECT ${ctx.workspace.id}, k.provider, e.value ->> 'externalId', c.seq, k.id
  FROM json_each(${JSON.stringify(identities)}) e
  CROSS JOIN connections k ON k.id = e.value ->> 'connectionId' AND k.workspace_id = ${ctx.workspace.id}
  CROSS JOIN contacts c ON c.seq = ${seqNow(sql`e.value ->> 'contactSeq'`)} AND c.workspace_id = ${ctx.workspace.id}
  WHERE TRUE
  ON CONFLICT DO UPDATE SET claimed_by = excluded.contact_seq
  WHERE contact_seq <> excluded.contact_seq AND claimed_by IS NULL
  RETURNING contact_seq, claimed_by`;

/** What the opt-out of somebody is kept under by an id of a connection's provider. */
export const identityKeyOf = (connectionId: string, externalId: string | SQL): SQL =>
  sql`${providerOf(connectionId)} || ':' || ${externalId}`;

/** What is kept by the keys of people, and the column with its time. */
export const OPT_OUT_TABLES = [
  { table: sql`suppressions`, at: sql`opted_out_at` },
  { table: sql`marketing_suppressions`, at: sql`opted_out_at` },
  { table: sql`marketing_choices`, at: sql`chosen_at` },
  { table: sql`opt_ins`, at: sql`opted_in_at` },
];

/**
 * Gives the latest opt-outs, up to `until`, under the keys that `from` selects to those that `to` selects. Inserting into
 * `opt_out_keys` would also give them back, to a number that somebody else has from now on.
 */
export const copyOptOuts = (
  ctx: Ctx,
  { from, to, until }: { from: SQL; to: SQL; until: number },
  condition: SQL,
): SQL[] =>
  OPT_OUT_TABLES.map(
    ({ table, at }) => sql`
      INSERT INTO ${table} (workspace_id, key, ${at})
      SELECT ${ctx.workspace.id}, t.key, latest.at
      FROM (SELECT max(s.${at}) AS at FROM (${from}) f
        CROSS JOIN ${table} s ON s.workspace_id = ${ctx.workspace.id} AND s.key = f.key AND s.${at} <= ${until}) latest CROSS JOIN (${to}) t
      WHERE latest.at IS NOT NULL AND ${condition}
      ON CONFLICT (workspace_id, key) DO UPDATE SET ${at} = excluded.${at} WHERE excluded.${at} > ${at}`,
  );
