import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

/** Contacts by their numbers: the conversations of `goes` become those of `stays`. */
interface Seqs {
  stays: number;
  goes: number;
}

/** Pairs `s` and `g` of conversations on one connection, before they become one. */
export const conversationPairs = (ctx: Ctx, { stays, goes }: Seqs): SQL => sql`
  conversations g CROSS JOIN conversations s ON s.contact_seq = ${stays} AND s.connection_id = g.connection_id
  WHERE g.contact_seq = ${goes} AND g.workspace_id = ${ctx.workspace.id}`;

/**
 * Up to which inbound message both conversations of a pair `s` and `g` have been read: nothing that is unread in one may show
 * as read because the other was.
 */
export const readUpToOfBoth = sql`CASE
  WHEN s.unread_count = 0 AND g.unread_count = 0 THEN max(s.read_up_to, g.read_up_to)
  WHEN s.unread_count = 0 THEN g.read_up_to WHEN g.unread_count = 0 THEN s.read_up_to
  ELSE min(s.read_up_to, g.read_up_to) END`;

const unite = (ctx: Ctx, seqs: Seqs): SQL => {
  const later = (column: string) => {
    const name = sql.identifier(column);
    return sql`iif(g.last_message_id > s.last_message_id, g.${name}, s.${name}) AS ${name}`;
  };
  const latestInbound = (column: string) => {
    const name = sql.identifier(column);
    return sql`iif(coalesce(g.last_inbound_at, 0) > coalesce(s.last_inbound_at, 0), g.${name}, s.${name}) AS ${name}`;
  };
  return sql`
    INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, status, unread_count, last_message,
      last_message_at, last_message_id, last_inbound_at, wrote_from, wrote_from_key, read_up_to, created_at)
    SELECT s.id, s.workspace_id, s.contact_seq, s.connection_id, s.channel, iif('open' IN (s.status, g.status), 'open', 'done'),
      s.unread_count + g.unread_count, ${later("last_message")}, ${later("last_message_at")}, ${later("last_message_id")},
      nullif(max(coalesce(s.last_inbound_at, 0), coalesce(g.last_inbound_at, 0)), 0), ${latestInbound("wrote_from")}, ${latestInbound("wrote_from_key")},
      ${readUpToOfBoth}, min(s.created_at, g.created_at)
    FROM ${conversationPairs(ctx, seqs)}
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, unread_count = excluded.unread_count,
      last_message = excluded.last_message, last_message_at = excluded.last_message_at, last_message_id = excluded.last_message_id,
      last_inbound_at = excluded.last_inbound_at, wrote_from = excluded.wrote_from, wrote_from_key = excluded.wrote_from_key,
      read_up_to = excluded.read_up_to, created_at = excluded.created_at`;
};

const record = (ctx: Ctx, seqs: Seqs): SQL[] => [
  sql`
    UPDATE conversation_joins SET into_id = (
      SELECT s.id FROM ${conversationPairs(ctx, seqs)} AND g.id = conversation_joins.into_id)
    WHERE into_id IN (SELECT g.id FROM ${conversationPairs(ctx, seqs)})`,
  sql`INSERT INTO conversation_joins (from_id, workspace_id, into_id) SELECT g.id, g.workspace_id, s.id FROM ${conversationPairs(ctx, seqs)}`,
];

/** One conversation a connection for two contacts that become one, for a batch. What they say of being read is `readUpToOfBoth`. */
export const joinConversations = (ctx: Ctx, seqs: Seqs): SQL[] => [
  ...record(ctx, seqs),
  unite(ctx, seqs),
  sql`DELETE FROM conversations WHERE id IN (SELECT g.id FROM ${conversationPairs(ctx, seqs)})`,
  sql`UPDATE conversations SET contact_seq = ${seqs.stays} WHERE contact_seq = ${seqs.goes} AND workspace_id = ${ctx.workspace.id}`,
];

/** The conversation that one which is gone became part of. */
export const intoConversation = (ctx: Ctx, id: string): SQL =>
  sql`SELECT into_id AS id FROM conversation_joins WHERE from_id = ${id} AND workspace_id = ${ctx.workspace.id}`;
