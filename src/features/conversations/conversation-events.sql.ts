import { sql } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { isoTime } from "../../db/idioms.ts";
import { conversations } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";
import { event } from "../events/append-events.sql.ts";

const v = columns(conversations, "v");

const snoozeEnds = sql`json_object('snoozed_until', json_array(${isoTime(v.snoozedUntil)}, NULL))`;

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
    sql`iif(${v.status} IS 'snoozed', 'conversation.updated', 'conversation.opened')`,
    sql`coalesce(${v.id}, ${newId})`,
    sql`iif(${v.status} IS 'snoozed', ${snoozeEnds}, json_object('status', json_array(${v.status}, 'open')))`,
  )}
  FROM (SELECT 1) LEFT JOIN conversations v ON ${v.contactSeq} = ${contactSeq} AND ${v.connectionId} = ${connectionId}
  WHERE ${reopens ? sql`${v.status} IS NOT 'open'` : sql`${v.status} IS NULL`} AND ${condition}`;
