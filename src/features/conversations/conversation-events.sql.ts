import { sql } from "drizzle-orm";
import { isoTime } from "../../db/idioms.ts";
import type { SQL } from "../../db/statement.ts";
import { event } from "../events/append-events.sql.ts";

const snoozeEnds = sql`json_object('snoozed_until', json_array(${isoTime(sql`v.snoozed_until`)}, NULL))`;

/**
 * `conversation.opened` if an inbound message will create or reopen its thread's conversation, `conversation.updated` if it will
 * end a snooze. Without `reopens`, only creation has an event.
 */
export const openedByMessageEvent = (
  newId: string,
  { contactSeq, connectionId }: { contactSeq: SQL; connectionId: string },
  condition: SQL,
  { reopens }: { reopens: boolean },
): SQL => sql`
  SELECT ${event(
    sql`iif(v.status IS 'snoozed', 'conversation.updated', 'conversation.opened')`,
    sql`coalesce(v.id, ${newId})`,
    sql`iif(v.status IS 'snoozed', ${snoozeEnds}, json_object('status', json_array(v.status, 'open')))`,
  )}
  FROM (SELECT 1) LEFT JOIN conversations v ON v.contact_seq = ${contactSeq} AND v.connection_id = ${connectionId}
  WHERE ${reopens ? sql`v.status IS NOT 'open'` : sql`v.status IS NULL`} AND ${condition}`;
