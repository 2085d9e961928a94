// Raw SQL, because other statements contain these subqueries.
import { sql, type SQL } from "drizzle-orm";
import { columns, type ColumnsOf, updateSet } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { connections, contactIdentities, contactJoins, contacts, numberChanges } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { formerKeys, phoneKey } from "../../../shared/text/phone.ts";
import { event } from "../../events/append-events.sql.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const j = columns(contactJoins, "j");
const n = columns(numberChanges, "n");
const stored = columns(contacts, "contacts");
const join = columns(contactJoins);
const column = columns(contacts);
const connection = columns(connections);
const identity = columns(contactIdentities);

/** A provider identifies a person by a phone number (E.164), by ids, or by both. */
export interface PersonIdentifiers {
  phone: string | null;
  userIds: string[];
  /** Other ids that the provider might use for this person. We use them to find the contact, but do not store them. */
  aliases: string[];
  username: string | null;
}

export const hasProviderIds = ({ userIds, aliases }: Pick<PersonIdentifiers, "userIds" | "aliases">): boolean =>
  userIds.length + aliases.length > 0;

/** The `seq` of the contact, or of the remaining contact if the contact was merged. */
export const currentContactSeq = (seq: SQL): SQL =>
  sql`coalesce((SELECT ${join.intoSeq} FROM contact_joins WHERE ${join.fromSeq} = ${seq}), ${seq})`;

export const contactMergedInto = (ctx: Ctx, id: string | SQL): SQL => sql`
  SELECT ${c.id} AS id FROM contact_joins j CROSS JOIN contacts c ON ${c.seq} = ${j.intoSeq}
  WHERE ${j.fromId} = ${id} AND ${j.workspaceId} = ${ctx.workspace.id}`;

export const currentContactSeqs = (seqs: readonly number[]): SQL =>
  sql`SELECT DISTINCT ${currentContactSeq(sql`e.value`)} AS seq FROM json_each(${JSON.stringify(seqs)}) e`;

export const providerOf = (connectionId: string): SQL =>
  sql`(SELECT ${connection.provider} FROM connections WHERE ${connection.id} = ${connectionId})`;

/** Finds the active contact with this number, otherwise the latest archived contact with it. Null if there is none. */
export function seqByPhone(ctx: Ctx, sought: string): SQL {
  const keys = [sought, ...formerKeys(sought)];
  const having = (key: string) =>
    sql`SELECT ${column.seq} FROM contacts WHERE ${column.workspaceId} = ${ctx.workspace.id} AND ${column.phoneKey} = ${key}`;
  const active = keys.map((key) => sql`(${having(key)} AND ${column.archivedAt} IS NULL)`);
  const archived = keys.map(
    (key) => sql`(${having(key)} AND ${column.archivedAt} IS NOT NULL ORDER BY ${column.archivedAt} DESC LIMIT 1)`,
  );
  return sql`coalesce(${sql.join([...active, ...archived], sql`, `)})`;
}

const contactSeqByUserId = (ctx: Ctx, connectionId: string, externalId: string): SQL => sql`(
  SELECT ${identity.contactSeq} FROM contact_identities WHERE ${identity.workspaceId} = ${ctx.workspace.id}
  AND ${identity.provider} = ${providerOf(connectionId)} AND ${identity.externalId} = ${externalId})`;

const firstOf = (seqs: SQL[]): SQL => sql`coalesce(${sql.join([...seqs, sql`NULL`, sql`NULL`], sql`, `)})`;

const contactSeqByFormerPhone = (ctx: Ctx, key: string, at: number): SQL => sql`(
  SELECT ${c.seq} FROM number_changes n CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(n.contactSeq)}
  WHERE ${n.workspaceId} = ${ctx.workspace.id} AND ${n.fromPhoneKey} = ${key} AND ${n.changedAt} > ${at}
  ORDER BY ${n.changedAt} LIMIT 1)`;

/**
 * Searches by number, then by ids, then by the number that the person had at the time `at`. Null if no contact matches.
 */
export const contactSeqByPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
  at: number,
): SQL =>
  firstOf([
    ...(phone === null ? [] : [seqByPhone(ctx, phoneKey(phone))]),
    ...[...userIds, ...aliases].map((id) => contactSeqByUserId(ctx, connectionId, id)),
    ...(phone === null ? [] : [contactSeqByFormerPhone(ctx, phoneKey(phone), at)]),
  ]);

/** Adds to the contacts in `seqs` their known duplicates, which have not been merged yet. */
export const samePeopleCte = (seqs: SQL): SQL => sql`
  named (seq) AS (${seqs}),
  people (seq) AS (
    SELECT seq FROM named
    UNION SELECT ${i.claimedBy} FROM named CROSS JOIN contact_identities i ON ${i.contactSeq} = named.seq AND ${i.claimedBy} IS NOT NULL
    UNION SELECT ${i.contactSeq} FROM named CROSS JOIN contact_identities i ON ${i.claimedBy} = named.seq)`;

/** Includes known duplicates that have not been merged yet, because they are the same person. */
export const allContactSeqsByPerson = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
): SQL => {
  const ids = JSON.stringify([...userIds, ...aliases]);
  const key = phone === null ? null : phoneKey(phone);
  // Countries sometimes change their numbers. A contact that is stored with the old form of the number is the same
  // person.
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

/** The batch fails if a person's identifiers match different contacts, because these contacts must be merged first. */
export const failIfSeveralContacts = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL =>
  failBatchUnless(
    sql`NOT (${condition} AND (SELECT count(*) FROM (${allContactSeqsByPerson(ctx, connectionId, person)})) > 1)`,
    "several contacts",
  );

/** For `takesNumber`. Each is the `seq` of a contact, or null. */
export interface NumberClaims {
  /** Has one of the person's ids or aliases. */
  identified: SQL;
  /** Has one of the person's ids. */
  own: SQL;
  /** Has the person's number. */
  numbered: SQL;
}

export const numberClaims = (
  ctx: Ctx,
  connectionId: string,
  { phone, userIds, aliases }: Omit<PersonIdentifiers, "username">,
): NumberClaims => {
  const seqOf = (ids: string[]) => firstOf(ids.map((id) => contactSeqByUserId(ctx, connectionId, id)));
  return {
    identified: seqOf([...userIds, ...aliases]),
    own: seqOf(userIds),
    numbered: phone === null ? sql`NULL` : seqByPhone(ctx, phoneKey(phone)),
  };
};

/**
 * A contact gets the person's number if it has an id of the person and no other contact has the number. An alias is
 * less certain than an id, so it does not replace a number that the contact already has.
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
    updateSet(
      contacts,
      { phone, phoneKey: key, updatedAt: ctx.now(), revision: sql`${column.revision} + 1` },
      sql`WHERE ${takesNumber(stored, sql`${key}`, numberClaims(ctx, connectionId, person))} AND ${condition}`,
    ),
  ];
};

/**
 * Must be first in a batch about a person, because later statements rely on a single contact. Fails if several contacts
 * match, and otherwise stores the person's number.
 */
export const matchContact = (
  ctx: Ctx,
  connectionId: string,
  person: Omit<PersonIdentifiers, "username">,
  condition = sql`TRUE`,
): SQL[] => [
  failIfSeveralContacts(ctx, connectionId, person, condition),
  ...updatePhoneByUserId(ctx, connectionId, person, condition),
];

export const takenPhoneEvents = (
  ctx: Ctx,
  connectionId: string,
  person: PersonIdentifiers & { phone: string },
): SQL => sql`
  SELECT ${event("contact.identity_changed", c.id, sql`json_object('phone', json_array(${c.phone}, ${person.phone}))`)}
  FROM contacts c WHERE ${takesNumber(c, sql`${phoneKey(person.phone)}`, numberClaims(ctx, connectionId, person))}`;
