import { and, eq, exists, gt, inArray, isNull, notExists, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { type ColumnsOf, columns } from "../../../db/columns.ts";
import { campaigns, contactJoins, messages, notes, unseenMentions } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import type { MergePair } from "./decide-merge.ts";
import { fromPairs, mergedConversation, pairRows, selectKeptId, selectRemovedIds } from "./merge-conversations.sql.ts";
import { event } from "../../events/append-events.sql.ts";
import { isUnleased } from "../../messages/campaign-messages.sql.ts";
import { SCHEDULED } from "../../messages/messages.sql.ts";
import { state } from "../../messages/messages.states.ts";
import { updateCampaignCounts } from "../../messages/settle/campaign-counts.sql.ts";

const m = columns(messages, "m");
const a = columns(messages, "a");
const b = columns(messages, "b");
const p = columns(campaigns, "p");
const message = columns(messages);
const note = columns(notes);

const MESSAGES_PER_STEP = 1000;

type RecipientColumns = ColumnsOf<typeof messages, "id" | "contactSeq" | "connectionId" | "state" | "retryAt">;

const isUnsent = (recipient: RecipientColumns): SQL => isUnleased(recipient, p);

const mayBeSent = (recipient: RecipientColumns): SQL =>
  sql`(NOT ${isUnsent(recipient)} AND ${recipient.state} NOT IN (${state.failed}, ${state.skipped}))`;

const isOfCampaign = ({ id, contactSeq, connectionId }: RecipientColumns, seq: number): SQL =>
  sql`${contactSeq} = ${seq} AND ${connectionId} = ${p.connectionId}
    AND ${id} >= ${p.messagePrefix} AND ${id} < ${p.messagePrefix} || ':'`;

/**
 * A person receives only one message per campaign, so if both contacts are recipients, one message is skipped as a
 * duplicate. It is the unsent message, or the later one if both are unsent.
 */
const isDuplicateOf = (one: RecipientColumns, other: RecipientColumns): SQL =>
  sql`(${isUnsent(one)} AND (${mayBeSent(other)} OR (${isUnsent(other)} AND ${other.id} < ${one.id})))`;

const duplicateIds = (ctx: Ctx, { kept, removed }: MergePair): SQL => sql`
    SELECT iif(${isDuplicateOf(a, b)}, ${a.id}, ${b.id}) AS id FROM campaigns p
    CROSS JOIN messages a ON ${isOfCampaign(a, kept.seq)} CROSS JOIN messages b ON ${isOfCampaign(b, removed.seq)}
    WHERE ${p.workspaceId} = ${ctx.workspace.id} AND ${p.status} IN ('running', 'paused')
      AND (${isDuplicateOf(a, b)} OR ${isDuplicateOf(b, a)})`;

export const skipDuplicates = (ctx: Ctx, pair: MergePair) => {
  const ids = duplicateIds(ctx, pair);
  return [
    updateCampaignCounts(
      sql`
        SELECT ${message.campaignId}, ${message.state} AS from_state, ${state.skipped} AS to_state, 'duplicate' AS error_code,
          ${message.errorCode} AS old_error_code
        FROM messages WHERE ${message.workspaceId} = ${ctx.workspace.id} AND ${message.id} IN (${ids})`,
      ctx.now(),
    ),
    ctx.db
      .update(messages)
      .set({ state: state.skipped, errorCode: "duplicate", failedAt: ctx.now(), retryAt: null })
      .where(and(eq(messages.workspaceId, ctx.workspace.id), inArray(messages.id, sql`(${ids})`))),
  ];
};

export const skippedDuplicateEvents = (ctx: Ctx, pair: MergePair): SQL => sql`
  SELECT ${event("message.failed", message.id, sql`'{"delivery":["queued","failed"]}'`)} FROM messages
  WHERE ${message.workspaceId} = ${ctx.workspace.id} AND ${message.id} IN (${duplicateIds(ctx, pair)})`;

/**
 * The merged conversation's `readUpTo` can be lower than that of one original conversation. The messages in between
 * have been read, so this sets their state to `read`.
 */
export const keepReadStates = (ctx: Ctx, pair: MergePair) => {
  const { kept, removed } = pairRows;
  const readInOne = sql`
    SELECT ${m.id} FROM (
      SELECT ${kept.contactSeq} AS seq, ${kept.connectionId} AS connection, ${kept.readUpTo} AS one, ${mergedConversation.readUpTo} AS both
      ${fromPairs(ctx, pair)}
      UNION ALL SELECT ${removed.contactSeq}, ${removed.connectionId}, ${removed.readUpTo}, ${mergedConversation.readUpTo} ${fromPairs(ctx, pair)}) v
    CROSS JOIN messages m ON ${m.contactSeq} = v.seq AND ${m.connectionId} = v.connection
      AND ${m.id} > v.both AND ${m.id} <= v.one AND ${m.fromContact}`;
  return ctx.db
    .update(messages)
    .set({ state: state.read })
    .where(inArray(messages.id, sql`(${readInOne})`));
};

/**
 * Moves messages that are not sent yet to the kept contact. Otherwise they would never be sent, because after a merge
 * only the kept contact's threads are queued.
 */
export const moveWaitingMessages = (ctx: Ctx, pair: MergePair) => {
  const waiting = sql`
    SELECT ${message.id} FROM messages INDEXED BY messages_unsettled
      WHERE ${message.contactSeq} = ${pair.removed.seq} AND ${message.nextAttemptAt} IS NOT NULL
    UNION ALL SELECT ${message.id} FROM messages INDEXED BY messages_scheduled_by_contact
      WHERE ${message.contactSeq} = ${pair.removed.seq} AND ${message.state} = ${SCHEDULED}`;
  return ctx.db
    .update(messages)
    .set({ contactSeq: pair.kept.seq })
    .where(and(eq(messages.workspaceId, ctx.workspace.id), inArray(messages.id, sql`(${waiting})`)));
};

export const moveNotes = (ctx: Ctx, pair: MergePair): SQL[] =>
  [notes, unseenMentions].map(
    (table) => sql`
      UPDATE OR REPLACE ${table} SET ${note.conversationId} = (${selectKeptId(ctx, pair, sql`${table.conversationId}`)})
      WHERE ${note.conversationId} IN (${selectRemovedIds(ctx, pair)})`,
  );

export const moveMessages = (db: Database, removedSeq: number) => {
  const kept = db.select({ seq: contactJoins.intoSeq }).from(contactJoins).where(eq(contactJoins.fromSeq, removedSeq));
  const next = db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.contactSeq, removedSeq))
    .limit(MESSAGES_PER_STEP);
  return db
    .update(messages)
    .set({ contactSeq: sql`${kept}` })
    .where(and(inArray(messages.id, next), exists(kept)));
};

export const markMessagesMoved = (db: Database, removedSeq: number, now: number) =>
  db
    .update(contactJoins)
    .set({ movedAt: now })
    .where(
      and(
        eq(contactJoins.fromSeq, removedSeq),
        isNull(contactJoins.movedAt),
        notExists(db.select({ id: messages.id }).from(messages).where(eq(messages.contactSeq, removedSeq))),
      ),
    )
    .returning({ fromSeq: contactJoins.fromSeq });

const connectionRow = z.object({ connection_id: z.string() });

export const selectUnsettledConnections = (contactSeq: number) =>
  statement(
    connectionRow,
    sql`
      SELECT DISTINCT ${message.connectionId} FROM messages INDEXED BY messages_unsettled
      WHERE ${message.contactSeq} = ${contactSeq} AND ${message.nextAttemptAt} IS NOT NULL`,
  );

const scheduledRow = z.object({ connection_id: z.string(), send_at: z.number() });

export const selectScheduledUntil = (contactSeq: number, until: number) =>
  statement(
    scheduledRow,
    sql`
      SELECT ${message.connectionId}, ${message.sendAt} FROM messages INDEXED BY messages_scheduled_by_contact
      WHERE ${message.contactSeq} = ${contactSeq} AND ${message.state} = ${SCHEDULED} AND ${message.sendAt} <= ${until}`,
  );

export async function moveMoreMessages(db: Database, removedSeq: number, now: number): Promise<boolean> {
  const { moved } = await transact(db, {
    history: moveMessages(db, removedSeq),
    moved: markMessagesMoved(db, removedSeq, now),
  });
  return moved.length > 0;
}

export async function listUnfinishedMerges(db: Database, limit: number): Promise<number[]> {
  const rows = await db
    .select({ seq: contactJoins.fromSeq })
    .from(contactJoins)
    .where(and(gt(contactJoins.intoSeq, 0), isNull(contactJoins.movedAt)))
    .limit(limit);
  return rows.map(({ seq }) => seq);
}
