import { sql } from "drizzle-orm";
import { jsonLists } from "../../db/idioms.ts";
import type { SQL } from "../../db/statement.ts";
import { phoneKey } from "../../shared/phone.ts";

/** A message of ours that a report names by the provider's id. */
export interface ReportedMessage {
  workspaceId: string;
  connectionId: string;
  providerKey: string;
  /** The other person of the conversation: the number (E.164) and the provider's ids that are known. */
  phone: string | null;
  userIds: string[];
}

/** The contacts, as `seq`, that a reported message `e` of connection `k` may be to. */
const contactSeqs = sql`
  SELECT seq FROM contacts WHERE workspace_id = k.workspace_id AND phone_key = e.value ->> 'phoneKey' AND archived_at IS NULL
  UNION ALL SELECT seq FROM contacts WHERE workspace_id = k.workspace_id AND phone_key = e.value ->> 'phoneKey' AND archived_at IS NOT NULL
  UNION ALL SELECT i.contact_seq FROM json_each(e.value -> 'userIds') u CROSS JOIN contact_identities i
    ON i.workspace_id = k.workspace_id AND i.provider = k.provider AND i.external_id = u.value`;

const storeKeys = (json: string): SQL => sql`
  UPDATE messages SET provider_key = provider_message_id WHERE id IN (
    SELECT min(m.id) FROM json_each(${json}) e
    CROSS JOIN connections k ON k.id = e.value ->> 'connectionId' AND k.workspace_id = e.value ->> 'workspaceId'
    CROSS JOIN messages m ON m.connection_id = k.id AND m.contact_seq IN (
      SELECT seq FROM (${contactSeqs}) UNION ALL
      SELECT j.from_seq FROM (${contactSeqs}) p CROSS JOIN contact_joins j ON j.into_seq = p.seq AND j.moved_at IS NULL)
    WHERE NOT EXISTS (SELECT 1 FROM messages AS keyed WHERE keyed.connection_id = k.id AND keyed.provider_key = e.value ->> 'providerKey')
      AND m.provider_message_id = e.value ->> 'providerKey' AND m.provider_key IS NULL AND NOT m.from_contact
      AND m.workspace_id = k.workspace_id
    GROUP BY k.id, e.value ->> 'providerKey')`;

/**
 * Stores the key of messages that were sent without one and that a report now names by the provider's id. They are looked for
 * among the messages to the person; those to a number that its contact gave up have their key from a trigger. Comes before the
 * statements of its batch that find messages by key.
 */
export const storeReportedKeys = (reported: ReportedMessage[]): SQL[] =>
  jsonLists(
    reported.map(({ phone, ...message }) => ({ ...message, phoneKey: phone === null ? null : phoneKey(phone) })),
  ).map(storeKeys);
