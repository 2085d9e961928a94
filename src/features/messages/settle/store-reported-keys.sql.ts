import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { jsonLists } from "../../../db/idioms.ts";
import { connections, contactIdentities, contactJoins, messages } from "../../../db/schema/index.ts";
import { phoneKey } from "../../../shared/text/phone.ts";

const m = columns(messages, "m");
const i = columns(contactIdentities, "i");
const j = columns(contactJoins, "j");
const k = columns(connections, "k");
const keyed = columns(messages, "keyed");

export interface ReportedMessage {
  workspaceId: string;
  connectionId: string;
  providerKey: string;
  phone: string | null;
  userIds: string[];
}

const contactSeqs = sql`
  SELECT seq FROM contacts WHERE workspace_id = ${k.workspaceId} AND phone_key = e.value ->> 'phoneKey' AND archived_at IS NULL
  UNION ALL SELECT seq FROM contacts WHERE workspace_id = ${k.workspaceId} AND phone_key = e.value ->> 'phoneKey' AND archived_at IS NOT NULL
  UNION ALL SELECT ${i.contactSeq} FROM json_each(e.value -> 'userIds') u CROSS JOIN contact_identities i
    ON ${i.workspaceId} = ${k.workspaceId} AND ${i.provider} = ${k.provider} AND ${i.externalId} = u.value`;

const storeKeys = (json: string): SQL => sql`
  UPDATE messages SET provider_key = provider_message_id WHERE id IN (
    SELECT min(${m.id}) FROM json_each(${json}) e
    CROSS JOIN connections k ON ${k.id} = e.value ->> 'connectionId' AND ${k.workspaceId} = e.value ->> 'workspaceId'
    CROSS JOIN messages m ON ${m.connectionId} = ${k.id} AND ${m.contactSeq} IN (
      SELECT seq FROM (${contactSeqs}) UNION ALL
      SELECT ${j.fromSeq} FROM (${contactSeqs}) p CROSS JOIN contact_joins j ON ${j.intoSeq} = p.seq AND ${j.movedAt} IS NULL)
    WHERE NOT EXISTS (SELECT 1 FROM messages AS keyed WHERE ${keyed.connectionId} = ${k.id} AND ${keyed.providerKey} = e.value ->> 'providerKey')
      AND ${m.providerMessageId} = e.value ->> 'providerKey' AND ${m.providerKey} IS NULL AND NOT ${m.fromContact}
      AND ${m.workspaceId} = ${k.workspaceId}
    GROUP BY ${k.id}, e.value ->> 'providerKey')`;

/**
 * Stores the keys of messages that are reported by key. Run this before statements that find messages by key. It
 * searches the messages of the contact with the reported number or user id. After a contact has lost its number, this
 * search fails, so a trigger stores the keys of its messages when the number is lost.
 */
export const storeReportedKeys = (reported: ReportedMessage[]): SQL[] =>
  jsonLists(
    reported.map(({ phone, ...message }) => ({ ...message, phoneKey: phone === null ? null : phoneKey(phone) })),
  ).map(storeKeys);
