import { sql } from "drizzle-orm";
import { isoTime } from "../../db/idioms.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { changedFields, event } from "../events/append-events.sql.ts";
import { shownStatus } from "./conversations.sql.ts";
import { conversationPairs, type ContactSeqs, mergedStatus, mergedTeamFields } from "./merge-conversations.sql.ts";

const snoozeEnds = sql`json_object('snoozed_until', json_array(${isoTime(sql`v.snoozed_until`)}, NULL))`;

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
    sql`iif(v.status IS 'snoozed', 'conversation.updated', 'conversation.opened')`,
    sql`coalesce(v.id, ${newId})`,
    sql`iif(v.status IS 'snoozed', ${snoozeEnds}, json_object('status', json_array(v.status, 'open')))`,
  )}
  FROM (SELECT 1) LEFT JOIN conversations v ON v.contact_seq = ${contactSeq} AND v.connection_id = ${connectionId}
  WHERE ${reopens ? sql`v.status IS NOT 'open'` : sql`v.status IS NULL`} AND ${condition}`;

/**
 * An event of each conversation that is about to take up another: `conversation.opened` where that opens it, else
 * `conversation.updated`. In it, `id` goes from the one that is deleted to the one that stays, and what was unread in both is unread.
 */
export const mergedConversationEvents = (ctx: Ctx, seqs: ContactSeqs): SQL => {
  const { assignee, snoozedUntil, labels } = mergedTeamFields;
  const [before, status] = [shownStatus(sql`kept.status`), shownStatus(mergedStatus)];
  const type = sql`iif(${before} <> ${status}, 'conversation.opened', 'conversation.updated')`; // a merge makes none done
  const changes = changedFields({
    id: [sql`removed.id`, sql`kept.id`],
    status: [before, status],
    unread_count: [sql`kept.unread_count`, sql`kept.unread_count + removed.unread_count`],
    assignee_id: [sql`kept.assignee_id`, assignee],
    snoozed_until: [isoTime(sql`kept.snoozed_until`), isoTime(snoozedUntil)],
    labels: [sql`json(kept.labels)`, sql`json(${labels})`],
  });
  return sql`SELECT ${event(type, sql`kept.id`, changes)} FROM ${conversationPairs(ctx, seqs)}`;
};
