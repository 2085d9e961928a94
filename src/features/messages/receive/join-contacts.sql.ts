import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { type Join, joinRows } from "../../contacts/join-contacts.sql.ts";
import { conversationPairs, joinConversations, readUpToOfBoth } from "../../conversations/join-conversations.sql.ts";
import { state } from "../messages.states.ts";
import { countMoves } from "../settle/campaign-counts.sql.ts";

/** How many messages change hands in one statement. */
const STEP = 1000;

/** True in SQL for a message `m` of campaign `p` that no lease covers, and that was not sent. */
const isUnsent = (m: SQL): SQL =>
  sql`(${m}.state = ${state.queued} AND (${m}.retry_at IS NOT NULL OR CAST(substr(${m}.id, -8) AS INTEGER) >= p.claimed))`;

/** True in SQL for one that was sent, or is being sent, or may have been. */
const mayHaveLeft = (m: SQL): SQL =>
  sql`(NOT ${isUnsent(m)} AND ${m}.state NOT IN (${state.failed}, ${state.skipped}))`;

const ofCampaign = (m: SQL, seq: number): SQL =>
  sql`${m}.contact_seq = ${seq} AND ${m}.connection_id = p.connection_id
    AND ${m}.id >= p.message_prefix AND ${m}.id < p.message_prefix || ':'`;

/** Of two messages that one person would get of a running campaign, the one that is not to go. */
const surplus = (ctx: Ctx, { stays, goes }: Join): SQL => {
  const [a, b] = [sql`a`, sql`b`];
  const goesInstead = (one: SQL, other: SQL) =>
    sql`(${isUnsent(one)} AND (${mayHaveLeft(other)} OR ${isUnsent(other)} AND ${other}.id < ${one}.id))`;
  return sql`
    SELECT iif(${goesInstead(a, b)}, a.id, b.id) AS id FROM campaigns p
    CROSS JOIN messages a ON ${ofCampaign(a, stays.seq)} CROSS JOIN messages b ON ${ofCampaign(b, goes.seq)}
    WHERE p.workspace_id = ${ctx.workspace.id} AND p.status IN ('running', 'paused')
      AND (${goesInstead(a, b)} OR ${goesInstead(b, a)})`;
};

const skipSurplus = (ctx: Ctx, join: Join): SQL[] => {
  const ids = surplus(ctx, join);
  return [
    countMoves(sql`
      SELECT campaign_id, state AS from_state, ${state.skipped} AS to_state FROM messages
      WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`),
    sql`
      UPDATE messages SET state = ${state.skipped}, error_code = 'duplicate', failed_at = ${ctx.now()}, retry_at = NULL
      WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
  ];
};

/** Inbound messages that had been read, and would not show so by the point up to which both conversations were. */
const keepRead = (ctx: Ctx, { stays, goes }: Join): SQL => sql`
  UPDATE messages SET state = ${state.read} WHERE id IN (
    SELECT m.id FROM (
      SELECT s.contact_seq AS seq, s.connection_id AS connection_id, s.read_up_to AS read_up_to, ${readUpToOfBoth} AS both
      FROM ${conversationPairs(ctx, { stays: stays.seq, goes: goes.seq })}
      UNION ALL SELECT g.contact_seq, g.connection_id, g.read_up_to, ${readUpToOfBoth}
      FROM ${conversationPairs(ctx, { stays: stays.seq, goes: goes.seq })}) v
    CROSS JOIN messages m ON m.contact_seq = v.seq AND m.connection_id = v.connection_id
      AND m.id > v.both AND m.id <= v.read_up_to AND m.from_contact)`;

/** What is still to be sent goes on in the conversation that stays, in its order. */
const moveUnsettled = (ctx: Ctx, { stays, goes }: Join): SQL => sql`
  UPDATE messages SET contact_seq = ${stays.seq} WHERE workspace_id = ${ctx.workspace.id} AND id IN (
    SELECT id FROM messages INDEXED BY messages_unsettled WHERE contact_seq = ${goes.seq} AND next_attempt_at IS NOT NULL)`;

/** Moves the next messages of a contact that is gone, and notes when none is left. */
const moveSome = (fromSeq: number, now: number): SQL[] => [
  sql`
    UPDATE messages SET contact_seq = (SELECT into_seq FROM contact_joins WHERE from_seq = ${fromSeq})
    WHERE id IN (SELECT id FROM messages WHERE contact_seq = ${fromSeq} LIMIT ${STEP})
      AND EXISTS (SELECT 1 FROM contact_joins WHERE from_seq = ${fromSeq})`,
  sql`
    UPDATE contact_joins SET moved_at = ${now}
    WHERE from_seq = ${fromSeq} AND moved_at IS NULL AND NOT EXISTS (SELECT 1 FROM messages WHERE contact_seq = ${fromSeq})
    RETURNING from_seq`,
];

const done = z.array(z.object({ from_seq: z.number() }));
const lines = z.array(z.object({ connection_id: z.string() }));

/**
 * Makes one of two contacts, in one batch: their conversations, opt-outs, identities and fields, what is still to be sent, and the
 * first part of the history. Gives the connections on which something is still to be sent, and whether all of the history moved.
 */
export async function joinBoth(ctx: Ctx, both: Join): Promise<{ due: string[]; isMoved: boolean }> {
  const { stays, goes } = both;
  const results = await batch(ctx.db, [
    ...skipSurplus(ctx, both),
    keepRead(ctx, both),
    ...joinConversations(ctx, { stays: stays.seq, goes: goes.seq }),
    ...joinRows(ctx, both),
    moveUnsettled(ctx, both),
    sql`
      SELECT DISTINCT connection_id FROM messages INDEXED BY messages_unsettled
      WHERE contact_seq = ${stays.seq} AND next_attempt_at IS NOT NULL`,
    ...moveSome(goes.seq, ctx.now()),
  ]);
  return {
    due: lines.parse(results.at(-3)).map(({ connection_id }) => connection_id),
    isMoved: done.parse(results.at(-1)).length > 0,
  };
}

/** Moves another part of the history of a contact that is gone; true once none is left. */
export async function moveOn(db: Database, fromSeq: number, now: number): Promise<boolean> {
  return done.parse((await batch(db, moveSome(fromSeq, now))).at(-1)).length > 0;
}

/** Contacts of a shard that are gone and have left messages behind. */
export async function unfinished(db: Database, limit: number): Promise<number[]> {
  const rows = await db.all(
    sql`SELECT from_seq FROM contact_joins WHERE into_seq > 0 AND moved_at IS NULL LIMIT ${limit}`,
  );
  return done.parse(rows).map(({ from_seq }) => from_seq);
}
