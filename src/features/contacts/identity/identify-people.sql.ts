import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf } from "../../../db/columns.ts";
import { connections, contactIdentities, contactJoins, contacts, numberChanges } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { formerKeys, phoneKey } from "../../../shared/text/phone.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const j = columns(contactJoins, "j");
const k = columns(connections, "k");
const n = columns(numberChanges, "n");
const stored = columns(contacts, "contacts");

/** A person as a provider names them, by a phone (E.164) or at least one id. */
export interface PersonIdentifiers {
  phone: string | null;
  /** Ids that are the person's own. */
  userIds: string[];
  /** Further ids that the provider may use for the person: they are recognised, but not stored. */
  aliases: string[];
  username: string | null;
}

/** True of a person whom the provider names by an id, not by a number alone. */
export const hasProviderIds = ({ userIds, aliases }: Pick<PersonIdentifiers, "userIds" | "aliases">): boolean =>
  userIds.length + aliases.length > 0;

/** The contact `seq`, or the one that it was merged into. */
export const currentContactSeq = (seq: SQL): SQL =>
  sql`coalesce((SELECT into_seq FROM contact_joins WHERE from_seq = ${seq}), ${seq})`;

/** One row with the id of the contact that this one was merged into, or none. */
export const contactMergedInto = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT ${c.id} AS id FROM contact_joins j CROSS JOIN contacts c ON ${c.seq} = ${j.intoSeq}
  WHERE ${j.fromId} = ${id} AND ${j.workspaceId} = ${ctx.workspace.id}`;

/** The contacts, as `seq`, or those that they were merged into. */
export const currentContactSeqs = (seqs: readonly number[]): SQL =>
  sql`SELECT DISTINCT ${currentContactSeq(sql`e.value`)} AS seq FROM json_each(${JSON.stringify(seqs)}) e`;

/** The provider of a connection. */
export const providerOf = (connectionId: string): SQL =>
  sql`(SELECT provider FROM connections WHERE id = ${connectionId})`;

/** The contact with this number: the active one, else the latest archived one, else null. */
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

/** The contact that has this id of the connection's provider, or null. */
const contactSeqByUserId = (ctx: Ctx, connectionId: string, externalId: string): SQL => sql`(
  SELECT contact_seq FROM contact_identities WHERE workspace_id = ${ctx.workspace.id}
  AND provider = ${providerOf(connectionId)} AND external_id = ${externalId})`;

const firstKnown = (seqs: SQL[]): SQL => sql`coalesce(${sql.join([...seqs, sql`NULL`, sql`NULL`], sql`, `)})`;

/** The contact that had this number at `at`, and got another one since; or null. */
const contactSeqByFormerPhone = (ctx: Ctx, key: string, at: number): SQL => sql`(
  SELECT ${c.seq} FROM number_changes n CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(n.contactSeq)}
  WHERE ${n.workspaceId} = ${ctx.workspace.id} AND ${n.fromPhoneKey} = ${key} AND ${n.changedAt} > ${at}
  ORDER BY ${n.changedAt} LIMIT 1)`;

/** The contact of a person, or null, in SQL: by the number, else by the provider's ids, else by the number it had at `at`. */
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

/** The CTE `people`: the contacts that `seqs` selects as `seq`, and those known to be the same persons that are yet to be merged. */
export const samePeopleCte = (seqs: SQL): SQL => sql`
  named (seq) AS (${seqs}),
  people (seq) AS (
    SELECT seq FROM named
    UNION SELECT ${i.claimedBy} FROM named CROSS JOIN contact_identities i ON ${i.contactSeq} = named.seq AND ${i.claimedBy} IS NOT NULL
    UNION SELECT ${i.contactSeq} FROM named CROSS JOIN contact_identities i ON ${i.claimedBy} = named.seq)`;

/** All contacts, as `seq`, that a person's identifiers lead to, and those that are to be merged with them. */
export const allContactSeqsByPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
): SQL => {
  const ids = JSON.stringify([...userIds, ...aliases]);
  const key = phone === null ? null : phoneKey(phone);
  // A contact that is stored under a former key is the same person.
  const numbered = key === null ? [sql`NULL`] : [key, ...formerKeys(key)].map((each) => seqByPhone(ctx, each));
  const identified = sql`
    ${sql.join(
      numbered.map((seq) => sql`SELECT ${seq} AS seq`),
      sql` UNION `,
    )}
    UNION SELECT ${i.contactSeq} FROM json_each(${ids}) e CROSS JOIN contact_identities i
      ON ${i.workspaceId} = ${ctx.workspace.id} AND ${i.provider} = ${providerOf(connectionId)} AND ${i.externalId} = e.value`;
  return sql`WITH ${samePeopleCte(identified)} SELECT seq FROM people WHERE seq IS NOT NULL`;
};

/** Fails the batch where `condition` holds and a person's identifiers lead to several contacts: these are to be merged first. */
export const failIfSeveralContacts = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL =>
  sql`SELECT iif(${condition} AND (SELECT count(*) FROM (${allContactSeqsByPerson(ctx, connectionId, person)})) > 1, json('several'), 0)`;

/** The contacts, as `seq` in SQL or null, that decide who takes a person's number. */
export interface NumberClaims {
  /** The one that has one of the person's ids or aliases. */
  identified: SQL;
  /** The one that has one of the person's own ids. */
  own: SQL;
  /** The one that has the number. */
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
 * True in SQL for the contact `c` that gets the person's number `key`: the one that has one of the person's ids. A number that it has
 * already is replaced only where the id is the person's own: the provider knows best which number they have now.
 */
export const takesNumber = (
  contact: ColumnsOf<typeof contacts, "seq" | "phoneKey">,
  key: SQL,
  { identified, own, numbered }: NumberClaims,
): SQL => sql`(
  ${contact.seq} = ${identified} AND ${contact.phoneKey} IS NOT ${key} AND (${contact.phoneKey} IS NULL OR ${contact.seq} = ${own})
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
      WHERE ${takesNumber(stored, sql`${key}`, numberClaims(ctx, connectionId, person))} AND ${condition}`,
  ];
};

/** Begins a batch about a person: fails where they are several contacts, and gives the one contact the person's number. */
export const matchContact = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL[] => [
  failIfSeveralContacts(ctx, connectionId, person, condition),
  ...updatePhoneByUserId(ctx, connectionId, person, condition),
];

/** Stores the ids and the username that the connection's provider has for the contact `seq`, where they are new. */
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

/** An id that a provider gave for a contact, in the answer to a send or in a status. */
export interface ReportedIdentity {
  contactSeq: number;
  connectionId: string;
  externalId: string;
}

/**
 * Stores ids that providers reported. Where an id is another contact's already, the two are one person: `claimed_by` has them
 * merged, and lets opt-outs hold for both until then. An id that is known writes nothing.
 */
export const upsertReportedIdentities = (ctx: Ctx, identities: ReportedIdentity[]): SQL => sql`
  INSERT INTO contact_identities (workspace_id, provider, external_id, contact_seq, connection_id)
  SELECT ${ctx.workspace.id}, ${k.provider}, e.value ->> 'externalId', ${c.seq}, ${k.id}
  FROM json_each(${JSON.stringify(identities)}) e
  CROSS JOIN connections k ON ${k.id} = e.value ->> 'connectionId' AND ${k.workspaceId} = ${ctx.workspace.id}
  CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(sql`e.value ->> 'contactSeq'`)} AND ${c.workspaceId} = ${ctx.workspace.id}
  WHERE TRUE
  ON CONFLICT DO UPDATE SET claimed_by = excluded.contact_seq
  WHERE contact_seq <> excluded.contact_seq AND claimed_by IS NULL
  RETURNING contact_seq, claimed_by`;

/** Contacts that have the same id, and are to be merged. */
const claimRow = z.object({ contact_seq: z.number(), claimed_by: z.number().nullable() });

/** As `upsertReportedIdentities`; gives the ids that it wrote, with the other contact that has the id, if one does. */
export const insertReportedIdentities = (
  ctx: Ctx,
  identities: ReportedIdentity[],
): Statement<z.infer<typeof claimRow>> => statement(claimRow, upsertReportedIdentities(ctx, identities));
