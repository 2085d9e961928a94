import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { formerKeys, phoneKey } from "../../../shared/text/phone.ts";

/** A person as named by a provider: by a phone (E.164), by at least one id, or both. */
export interface PersonIdentifiers {
  phone: string | null;
  /** Ids of this person alone. */
  userIds: string[];
  /** Further ids that the provider may use for the person. They identify the person but are not stored. */
  aliases: string[];
  username: string | null;
}

/** True if the provider names the person by an id, not only by a number. */
export const hasProviderIds = ({ userIds, aliases }: Pick<PersonIdentifiers, "userIds" | "aliases">): boolean =>
  userIds.length + aliases.length > 0;

/** The contact `seq`, or the contact into which it was merged. */
export const currentContactSeq = (seq: SQL): SQL =>
  sql`coalesce((SELECT into_seq FROM contact_joins WHERE from_seq = ${seq}), ${seq})`;

/** The id of the contact into which this contact was merged, or no row. */
export const contactMergedInto = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT c.id AS id FROM contact_joins j CROSS JOIN contacts c ON c.seq = j.into_seq
  WHERE j.from_id = ${id} AND j.workspace_id = ${ctx.workspace.id}`;

/** The contacts, or the contacts into which they were merged, as `seq`. */
export const currentContactSeqs = (seqs: readonly number[]): SQL =>
  sql`SELECT DISTINCT ${currentContactSeq(sql`e.value`)} AS seq FROM json_each(${JSON.stringify(seqs)}) e`;

export const providerOf = (connectionId: string): SQL =>
  sql`(SELECT provider FROM connections WHERE id = ${connectionId})`;

/** The active contact with this number, else the latest archived one, else null. */
export function seqByPhone(ctx: Ctx, sought: string): SQL {
  const keys = [sought, ...formerKeys(sought)];
  const having = (key: string) =>
    sql`SELECT seq FROM contacts WHERE workspace_id = ${ctx.workspace.id} AND phone_key = ${key}`;
  const active = keys.map((key) => sql`(${having(key)} AND archived_at IS NULL)`);
  const archived = keys.map(
    (key) => sql`(${having(key)} AND archived_at IS NOT NULL ORDER BY archived_at DESC LIMIT 1)`,
  );
  return sql`coalesce(${sql.join([...active, ...archived], sql`, `)})`;
}

/** The contact with this id of the connection's provider, or null. */
const contactSeqByUserId = (ctx: Ctx, connectionId: string, externalId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
  AND provider = ${providerOf(connectionId)} AND external_id = ${externalId})`;

const firstKnown = (seqs: SQL[]): SQL => sql`coalesce(${sql.join([...seqs, sql`NULL`, sql`NULL`], sql`, `)})`;

/** The contact that had this number at `at` and has changed it since, or null. */
const contactSeqByFormerPhone = (ctx: Ctx, key: string, at: number): SQL => sql`(
  SELECT c.seq FROM number_changes n CROSS JOIN contacts c ON c.seq = ${currentContactSeq(sql`n.contact_seq`)}
  WHERE n.workspace_id = ${ctx.workspace.id} AND n.from_phone_key = ${key} AND n.changed_at > ${at}
  ORDER BY n.changed_at LIMIT 1)`;

/** SQL for the contact of a person, or null: by the number, else by the ids, else by the number at `at`. */
export const contactSeqByPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
  at: number,
): SQL =>
  firstKnown([
    ...(phone === null ? [] : [seqByPhone(ctx, phoneKey(phone))]),
    ...[...userIds, ...aliases].map((id) => contactSeqByUserId(ctx, connectionId, id)),
    ...(phone === null ? [] : [contactSeqByFormerPhone(ctx, phoneKey(phone), at)]),
  ]);

/** The CTE `people`: the contacts that `seqs` selects, and their known duplicates that await a merge. */
export const samePeopleCte = (seqs: SQL): SQL => sql`
  named (seq) AS (${seqs}),
  people (seq) AS (
    SELECT seq FROM named
    UNION SELECT i.claimed_by FROM named CROSS JOIN contact_identities i ON i.contact_seq = named.seq AND i.claimed_by IS NOT NULL
    UNION SELECT i.contact_seq FROM named CROSS JOIN contact_identities i ON i.claimed_by = named.seq)`;

/** All contacts that a person's identifiers match, and their known duplicates, as `seq`. */
export const allContactSeqsByPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
): SQL => {
  const ids = JSON.stringify([...userIds, ...aliases]);
  const key = phone === null ? null : phoneKey(phone);
  // A contact stored under a former key is the same person.
  const numbered = key === null ? [sql`NULL`] : [key, ...formerKeys(key)].map((each) => seqByPhone(ctx, each));
  const identified = sql`
    ${sql.join(
      numbered.map((seq) => sql`SELECT ${seq} AS seq`),
      sql` UNION `,
    )}
    UNION SELECT i.contact_seq FROM json_each(${ids}) e CROSS JOIN contact_identities i
      ON i.workspace_id = ${ctx.workspace.id} AND i.provider = ${providerOf(connectionId)} AND i.external_id = e.value`;
  return sql`WITH ${samePeopleCte(identified)} SELECT seq FROM people WHERE seq IS NOT NULL`;
};

/** Fails the batch if `condition` holds and a person's identifiers match several contacts, which must be merged first. */
export const failIfSeveralContacts = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL =>
  sql`SELECT iif(${condition} AND (SELECT count(*) FROM (${allContactSeqsByPerson(ctx, connectionId, person)})) > 1, json('several'), 0)`;

/** SQL for the contacts (`seq` or null) that decide which contact gets the person's number. */
export interface NumberClaims {
  /** The contact with one of the person's ids or aliases. */
  identified: SQL;
  /** The contact with one of the person's own ids. */
  own: SQL;
  /** The contact with the number. */
  numbered: SQL;
}

export const numberClaims = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
): NumberClaims => {
  const seqOf = (ids: string[]) => firstKnown(ids.map((id) => contactSeqByUserId(ctx, connectionId, id)));
  return {
    identified: seqOf([...userIds, ...aliases]),
    own: seqOf(userIds),
    numbered: phone === null ? sql`NULL` : seqByPhone(ctx, phoneKey(phone)),
  };
};

/**
 * True in SQL if the contact `c` gets the number `key`: it has an id of the person, and no contact has the number. Only one of the
 * person's own ids, not an alias, replaces another number.
 */
export const takesNumber = (c: SQL, key: SQL, { identified, own, numbered }: NumberClaims): SQL => sql`(
  ${c}.seq = ${identified} AND ${c}.phone_key IS NOT ${key} AND (${c}.phone_key IS NULL OR ${c}.seq = ${own})
  AND ${numbered} IS NULL AND ${key} IS NOT NULL)`;

const updatePhoneByUserId = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition: SQL,
): SQL[] => {
  const { phone, userIds, aliases } = person;
  if (phone === null || !hasProviderIds({ userIds, aliases })) return [];
  const key = phoneKey(phone);
  return [
    sql`
      UPDATE contacts SET phone = ${phone}, phone_key = ${key}, updated_at = ${ctx.now()}, revision = revision + 1
      WHERE ${takesNumber(sql`contacts`, sql`${key}`, numberClaims(ctx, connectionId, person))} AND ${condition}`,
  ];
};

/** Begins a batch about a person. Fails if several contacts match, and stores the person's number on the single match. */
export const matchContact = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL[] => [
  failIfSeveralContacts(ctx, connectionId, person, condition),
  ...updatePhoneByUserId(ctx, connectionId, person, condition),
];

/** Stores new ids and a new username of the connection's provider for the contact `seq`. */
export const upsertContactIdentities = (
  ctx: Ctx,
  connectionId: string,
  { userIds, username }: PersonIdentifiers,
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

/** An id of a contact, from a send's response or a status. */
export interface ReportedIdentity {
  contactSeq: number;
  connectionId: string;
  externalId: string;
}

/**
 * Stores ids reported by providers. If another contact has the id, both are one person: `claimed_by` queues the merge and shares
 * opt-outs until then.
 */
export const upsertReportedIdentities = (ctx: Ctx, identities: ReportedIdentity[]): SQL => sql`
  INSERT INTO contact_identities (workspace_id, provider, external_id, contact_seq, connection_id)
  SELECT ${ctx.workspace.id}, k.provider, e.value ->> 'externalId', c.seq, k.id
  FROM json_each(${JSON.stringify(identities)}) e
  CROSS JOIN connections k ON k.id = e.value ->> 'connectionId' AND k.workspace_id = ${ctx.workspace.id}
  CROSS JOIN contacts c ON c.seq = ${currentContactSeq(sql`e.value ->> 'contactSeq'`)} AND c.workspace_id = ${ctx.workspace.id}
  WHERE TRUE
  ON CONFLICT DO UPDATE SET claimed_by = excluded.contact_seq
  WHERE contact_seq <> excluded.contact_seq AND claimed_by IS NULL
  RETURNING contact_seq, claimed_by`;

/** Two contacts with the same id, to be merged. */
const claimRow = z.object({ contact_seq: z.number(), claimed_by: z.number().nullable() });

/** Like `upsertReportedIdentities`; returns the written ids with the other contact, if any. */
export const insertReportedIdentities = (
  ctx: Ctx,
  identities: ReportedIdentity[],
): Statement<z.infer<typeof claimRow>> => statement(claimRow, upsertReportedIdentities(ctx, identities));

const businessAccountOf = (k: SQL): SQL => sql`${k}.config ->> '$.business_account_id'`;

/** A sandbox connection without a business account is a separate phone network, and its ids are valid only there. */
const isNetworkOfItsOwn = (k: SQL): SQL => sql`(${k}.provider = 'sandbox' AND ${businessAccountOf(k)} IS NULL)`;

/**
 * True in SQL if the identity `i` can receive messages from the connection `k`; WhatsApp's ids are valid within one business
 * account. An id of two contacts waits for their merge, so that the person gets no message twice.
 */
const isAddressAt = (i: SQL, k: SQL): SQL => sql`(
  ${i}.provider = ${k}.provider AND ${i}.replaced_at IS NULL AND ${i}.claimed_by IS NULL
  AND (${i}.connection_id IS NULL OR ${i}.connection_id = ${k}.id OR EXISTS (SELECT 1 FROM connections o
    WHERE o.id = ${i}.connection_id AND NOT ${isNetworkOfItsOwn(k)} AND ${businessAccountOf(sql`o`)} IS ${businessAccountOf(k)})))`;

/**
 * SQL for the user id of the contact `seq` that can receive messages from the connection, or null. Prefers the id from which the
 * person last wrote.
 */
export const userIdAt = (seq: SQL, connectionId: SQL): SQL => sql`(
  SELECT i.external_id FROM contact_identities i CROSS JOIN connections k ON k.id = ${connectionId} AND ${isAddressAt(sql`i`, sql`k`)}
  WHERE i.contact_seq = ${seq}
  ORDER BY i.external_id IS NOT (SELECT wrote_from FROM conversations WHERE contact_seq = i.contact_seq AND connection_id = k.id),
    i.connection_id IS NOT k.id, i.external_id LIMIT 1)`;

/** True in SQL if any provider has a current id for the contact `seq`. */
export const hasIdentity = (seq: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM contact_identities WHERE contact_seq = ${seq} AND replaced_at IS NULL)`;
