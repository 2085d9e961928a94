import { sql } from "../../db/sql.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { event } from "../events/append-events.sql.ts";
import { conversationPairs, type ContactSeqs, mergedStatus } from "./merge-conversations.sql.ts";

/** `conversation.opened` where an inbound message is about to make or reopen the conversation of its thread. */
export const openedByMessageEvent = (
  newId: string,
  { contactSeq, connectionId }: { contactSeq: SQL; connectionId: string },
  condition: SQL,
): SQL => sql`
  SELECT ${event("conversation.opened", sql`coalesce(v.id, ${newId})`, sql`json_object('status', json_array(v.status, 'open'))`)}
  FROM (SELECT 1) LEFT JOIN conversations v ON v.contact_seq = ${contactSeq} AND v.connection_id = ${connectionId}
  WHERE v.status IS NOT 'open' AND ${condition}`;

/**
 * An event of each conversation that is about to take up another, of the type of its status from then on. In it, `id` goes from the
 * one that is deleted to the one that stays, and what was unread in both is unread.
 */
export const mergedConversationEvents = (ctx: Ctx, seqs: ContactSeqs): SQL => {
  const field = (name: string, before: SQL, after: SQL) =>
    sql`iif(${before} = ${after}, '{}', json_object(${sql.raw(`'${name}'`)}, json_array(${before}, ${after})))`;
  const type = sql`iif(${mergedStatus} = 'open', 'conversation.opened', 'conversation.done')`;
  const changes = sql`json_patch(json_patch(json_object('id', json_array(removed.id, kept.id)),
    ${field("status", sql`kept.status`, mergedStatus)}),
    ${field("unread_count", sql`kept.unread_count`, sql`kept.unread_count + removed.unread_count`)})`;
  return sql`SELECT ${event(type, sql`kept.id`, changes)} FROM ${conversationPairs(ctx, seqs)}`;
};
