import { sql } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { isoTime } from "../../db/idioms.ts";
import { conversations } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";
import { event } from "../events/append-events.sql.ts";

const v = columns(conversations, "v");

const snoozeEnds = sql`json_object('snoozed_until', json_array(${isoTime(v.snoozedUntil)}, NULL))`;

/**
 * `conversation.opened` where an inbound message is about to make or reopen the conversation of its thread, `conversation.updated`
 * where it is about to end a snooze. One that reopens nothing can only make a conversation.
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
