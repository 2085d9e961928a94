// Raw SQL, because one batch finds, creates and restores the contact.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { connections, contactIdentities, contacts } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { createdContactEvents, externalIdsJson, reportedContactEvents } from "../contact-events.sql.ts";
import type { ContactField } from "../contact-fields.schemas.ts";
import {
  fieldColumn,
  insertContact,
  type NewContact,
  newContactRow,
  nextSeq,
  selectFields,
  unarchiveContact,
  unarchiving,
} from "../contacts.sql.ts";
import {
  contactSeqByPerson,
  matchContact,
  numberClaims,
  type PersonIdentifiers,
  takesNumber,
} from "./identify-people.sql.ts";
import { upsertContactIdentities } from "./provider-ids.sql.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const contact = columns(contacts);

interface ReportedPerson {
  person: PersonIdentifiers;
  name: string | null;
  newContact: NewContact;
  matched: SQL;
}

/**
 * Here `p` is a CTE in `reportedPersonEvents` with the person's data. It binds each value once, because D1 limits a
 * statement to 100 parameters.
 */
const NEW_IDENTITIES = sql`
  SELECT p.provider AS provider, e.value AS external_id, p.connection_id AS connection_id, p.username AS username
  FROM p CROSS JOIN json_each(p.user_ids) e WHERE NOT EXISTS (SELECT 1 FROM contact_identities i
    WHERE ${i.workspaceId} = p.workspace_id AND ${i.provider} = p.provider AND ${i.externalId} = e.value)`;

const VISIBLE_IDENTITIES = sql`p CROSS JOIN contact_identities i ON ${i.contactSeq} = ${c.seq} AND ${i.replacedAt} IS NULL`;

const GETS_USERNAME = sql`(p.username IS NOT NULL AND ${i.provider} = p.provider
  AND ${i.externalId} IN (SELECT value FROM json_each(p.user_ids)))`;

const IDENTITIES_AFTER = sql`
  SELECT ${i.provider} AS provider, ${i.externalId} AS external_id, ${i.connectionId} AS connection_id,
    iif(${GETS_USERNAME}, p.username, ${i.username}) AS username FROM ${VISIBLE_IDENTITIES}
  UNION ALL ${NEW_IDENTITIES}`;

const HAS_NEW_IDENTITY = sql`(EXISTS (${NEW_IDENTITIES})
  OR EXISTS (SELECT 1 FROM ${VISIBLE_IDENTITIES} WHERE ${GETS_USERNAME} AND ${i.username} IS NOT p.username))`;

/**
 * Append these events before the statements of `prepareContact` run, because they compare the stored contact with the
 * reported data.
 */
function reportedPersonEvents(
  ctx: Ctx,
  connectionId: string,
  { person, name, newContact, matched }: ReportedPerson,
  condition: SQL,
): SQL {
  const { phone, userIds, username } = person;
  const claims = numberClaims(ctx, connectionId, person);
  const takes = takesNumber(c, sql`p.phone_key`, {
    identified: sql`p.identified`,
    own: sql`p.own`,
    numbered: sql`p.numbered`,
  });
  const { changes, emailTaken } = unarchiving(c, sql`iif(${takes}, p.phone_key, ${c.phoneKey})`, sql`p.name`);
  const reported: Partial<Record<ContactField, SQL>> = {
    name: sql`iif(${changes}, coalesce(${c.name}, p.name), ${c.name})`,
    phone: sql`iif(${takes}, p.phone, ${c.phone})`,
    email: sql`iif(${changes} AND ${emailTaken}, NULL, ${c.email})`,
  };
  const rows = sql`
    SELECT ${c.seq} AS seq, ${selectFields((field) => reported[field] ?? fieldColumn("c", field))}, ${c.tags} AS tags,
      ${c.customFields} AS custom_fields, iif(${changes}, NULL, ${c.archivedAt}) AS archived_at
    FROM p CROSS JOIN contacts c ON ${c.seq} = p.matched WHERE ${takes} OR ${changes} OR ${HAS_NEW_IDENTITY}`;
  const created = newContactRow(newContact, sql`EXISTS (SELECT 1 FROM p WHERE p.matched IS NULL)`);
  return sql`
    SELECT type, object_id, changes FROM (
      WITH p AS MATERIALIZED (
        SELECT ${k.workspaceId} AS workspace_id, ${k.id} AS connection_id, ${k.provider} AS provider, ${phone} AS phone,
          ${phone === null ? null : phoneKey(phone)} AS phone_key, ${name} AS name, ${username} AS username,
          ${JSON.stringify(userIds)} AS user_ids, ${matched} AS matched, ${claims.identified} AS identified, ${claims.own} AS own,
          ${claims.numbered} AS numbered
        FROM connections k WHERE ${k.id} = ${connectionId} AND ${k.workspaceId} = ${ctx.workspace.id} AND ${condition})
      ${createdContactEvents(ctx, created, externalIdsJson(NEW_IDENTITIES))}
      UNION ALL ${reportedContactEvents(ctx, rows, externalIdsJson(IDENTITIES_AFTER))})`;
}

export interface PreparedContact {
  /** The `seq` of the person's contact. If no contact matches, `upsert` creates one with this `seq`. */
  seq: SQL;
  events: SQL[];
  /** Must be first in the batch. Fails if several contacts match, because they must be merged first. */
  match: SQL[];
  upsert: SQL[];
}

export function prepareContact(
  ctx: Ctx,
  connectionId: string,
  { person, name, at }: { person: PersonIdentifiers; name: string | null; at: number },
  condition: SQL,
): PreparedContact {
  const { phone } = person;
  const newContact = {
    id: ctx.newId("ct"),
    phone,
    phoneKey: phone === null ? null : phoneKey(phone),
    name,
    source: "inbound",
  };
  const matched = contactSeqByPerson(ctx, connectionId, person, at);
  const seq = sql`coalesce(${matched}, (SELECT ${contact.seq} FROM contacts WHERE ${contact.id} = ${newContact.id}))`;
  return {
    seq,
    events: [reportedPersonEvents(ctx, connectionId, { person, name, newContact, matched }, condition)],
    match: matchContact(ctx, connectionId, person, condition),
    upsert: [
      insertContact(ctx, newContact, nextSeq(ctx), sql`${matched} IS NULL AND ${condition}`),
      unarchiveContact(ctx, seq, name, condition),
      ...upsertContactIdentities(ctx, connectionId, person, seq, condition),
    ],
  };
}
