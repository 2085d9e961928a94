import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { insertContact, nextSeq, unarchiveContact } from "../contacts.sql.ts";
import { contactSeqByPerson, matchContact, type PersonIdentifiers } from "./identify-people.sql.ts";
import { upsertContactIdentities } from "./provider-ids.sql.ts";
import { reportedPersonEvents } from "./person-events.sql.ts";

const contact = columns(contacts);

/** Statements about the contact of a provider's event, for the batch that stores the event. */
export interface PreparedContact {
  /** SQL for the contact that the identifiers match, else the contact that `upsert` adds. */
  seq: SQL;
  /** Selects the events of `match` and `upsert`; append them before these statements run. */
  events: SQL[];
  /** First in the batch: fails if several contacts match, and stores the number on the single match. */
  match: SQL[];
  /** Adds an unknown contact, restores an archived one, and stores the person's ids. */
  upsert: SQL[];
}

/** Prepares the contact of a person whom a provider named at `at`. Writes nothing unless `condition` holds. */
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
  const known = contactSeqByPerson(ctx, connectionId, person, at);
  const seq = sql`coalesce(${known}, (SELECT ${contact.seq} FROM contacts WHERE ${contact.id} = ${newContact.id}))`;
  return {
    seq,
    events: [reportedPersonEvents(ctx, connectionId, { person, name, newContact, known }, condition)],
    match: matchContact(ctx, connectionId, person, condition),
    upsert: [
      insertContact(ctx, newContact, nextSeq(ctx), sql`${known} IS NULL AND ${condition}`),
      unarchiveContact(ctx, seq, name, condition),
      ...upsertContactIdentities(ctx, connectionId, person, seq, condition),
    ],
  };
}
