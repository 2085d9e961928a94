// Merges of two contacts' messages. Raw, because all statements are parts of one batch that updates by sets.
import { and, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf, updateSet } from "../../../db/columns.ts";
import { campaigns, contactJoins, conversations, messages } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement, transact } from "../../../db/statement.ts";
import type { Ctx, Database } from "../../../shared/context.ts";
import { type ContactMerge, mergeContactRows } from "./merge-contact-rows.sql.ts";
import { appendSnapshotEvents, snapshotContact } from "../../contacts/contact-snapshots.sql.ts";
import {
  type ContactSeqs,
  conversationPairs,
  mergeConversations,
  mergedConversationEvents,
  readUpToInBoth,
} from "./merge-conversations.sql.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { SCHEDULED } from "../../messages/messages.sql.ts";
import { state } from "../../messages/messages.states.ts";
import { updateCampaignCounts } from "../../messages/settle/campaign-counts.sql.ts";

const m = columns(messages, "m");
const a = columns(messages, "a");
const b = columns(messages, "b");
const p = columns(campaigns, "p");
const v = columns(conversations, "v");

/** How many messages of a history one statement moves. */
const STEP = 1000;

type RecipientColumns = ColumnsOf<typeof messages, "id" | "contactSeq" | "connectionId" | "state" | "retryAt">;

/** True in SQL for a message of campaign `p` that was not sent and that no lease covers. */
const isUnsent = ({ id, state: rank, retryAt }: RecipientColumns): SQL =>
  sql`(${rank} = ${state.queued} AND (${retryAt} IS NOT NULL OR CAST(substr(${id}, -8) AS INTEGER) >= ${p.claimed}))`;

/** True in SQL for a message that was sent, is being sent, or may have been sent. */
const mayBeSent = (recipient: RecipientColumns): SQL =>
  sql`(NOT ${isUnsent(recipient)} AND ${recipient.state} NOT IN (${state.failed}, ${state.skipped}))`;

const isOfCampaign = ({ id, contactSeq, connectionId }: RecipientColumns, seq: number): SQL =>
  sql`${contactSeq} = ${seq} AND ${connectionId} = ${p.connectionId}
    AND ${id} >= ${p.messagePrefix} AND ${id} < ${p.messagePrefix} || ':'`;

/** A person gets one message of a campaign: of two, the unsent one is a duplicate, or the later one where both are unsent. */
const isDuplicateOf = (one: RecipientColumns, other: RecipientColumns): SQL =>
  sql`(${isUnsent(one)} AND (${mayBeSent(other)} OR (${isUnsent(other)} AND ${other.id} < ${one.id})))`;

const duplicateIds = (ctx: Ctx, { kept, removed }: ContactMerge): SQL => sql`
    SELECT iif(${isDuplicateOf(a, b)}, ${a.id}, ${b.id}) AS id FROM campaigns p
    CROSS JOIN messages a ON ${isOfCampaign(a, kept.seq)} CROSS JOIN messages b ON ${isOfCampaign(b, removed.seq)}
    WHERE ${p.workspaceId} = ${ctx.workspace.id} AND ${p.status} IN ('running', 'paused')
      AND (${isDuplicateOf(a, b)} OR ${isDuplicateOf(b, a)})`;

const skipDuplicates = (ctx: Ctx, merge: ContactMerge): SQL[] => {
  const ids = duplicateIds(ctx, merge);
  return [
    updateCampaignCounts(
      sql`
        SELECT campaign_id, state AS from_state, ${state.skipped} AS to_state, 'duplicate' AS error_code, error_code AS old_error_code
        FROM messages WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
      ctx.now(),
    ),
    updateSet(
      messages,
      { state: state.skipped, errorCode: "duplicate", failedAt: ctx.now(), retryAt: null },
      sql`WHERE workspace_id = ${ctx.workspace.id} AND id IN (${ids})`,
    ),
  ];
};

/** `message.failed` of the messages that `skipDuplicates` is about to skip. */
const skippedDuplicateEvents = (ctx: Ctx, merge: ContactMerge): SQL => sql`
  SELECT ${event("message.failed", sql`id`, sql`'{"delivery":["queued","failed"]}'`)} FROM messages
  WHERE workspace_id = ${ctx.workspace.id} AND id IN (${duplicateIds(ctx, merge)})`;

/** Marks inbound messages as read that were read in one of two conversations, but lie behind what was read in both. */
const keepReadStates = (ctx: Ctx, { kept, removed }: ContactMerge): SQL => {
  const pairs = conversationPairs(ctx, { kept: kept.seq, removed: removed.seq });
  return sql`
    UPDATE messages SET state = ${state.read} WHERE id IN (
      SELECT ${m.id} FROM (
        SELECT kept.contact_seq AS seq, kept.connection_id AS connection_id, kept.read_up_to AS read_up_to, ${readUpToInBoth} AS both
        FROM ${pairs}
        UNION ALL SELECT removed.contact_seq, removed.connection_id, removed.read_up_to, ${readUpToInBoth} FROM ${pairs}) v
      CROSS JOIN messages m ON ${m.contactSeq} = v.seq AND ${m.connectionId} = ${v.connectionId}
        AND ${m.id} > v.both AND ${m.id} <= ${v.readUpTo} AND ${m.fromContact})`;
};

/**
 * Moves all messages that wait to be sent at once, so that those of the kept conversation leave in their order, and those that are
 * scheduled, which a contact that is gone would never get.
 */
const moveWaitingMessages = (ctx: Ctx, { kept, removed }: ContactMerge): SQL => sql`
  UPDATE messages SET contact_seq = ${kept.seq} WHERE workspace_id = ${ctx.workspace.id} AND id IN (
    SELECT id FROM messages INDEXED BY messages_unsettled WHERE contact_seq = ${removed.seq} AND next_attempt_at IS NOT NULL
    UNION ALL SELECT id FROM messages INDEXED BY messages_scheduled_by_contact WHERE contact_seq = ${removed.seq} AND state = ${SCHEDULED})`;

/** Moves the notes of conversations that are merged into others; before `mergeConversations`, in the same batch. */
const moveNotes = (ctx: Ctx, seqs: ContactSeqs): SQL[] =>
  ["notes", "unseen_mentions"].map(
    (table) => sql`
      UPDATE OR REPLACE ${sql.identifier(table)} SET conversation_id = (
        SELECT kept.id FROM ${conversationPairs(ctx, seqs)} AND removed.id = ${sql.identifier(table)}.conversation_id)
      WHERE conversation_id IN (SELECT removed.id FROM ${conversationPairs(ctx, seqs)})`,
  );

/** Moves the next messages of a removed contact. */
const moveMessages = (removedSeq: number): SQL => sql`
  UPDATE messages SET contact_seq = (SELECT into_seq FROM contact_joins WHERE from_seq = ${removedSeq})
  WHERE id IN (SELECT id FROM messages WHERE contact_seq = ${removedSeq} LIMIT ${STEP})
    AND EXISTS (SELECT 1 FROM contact_joins WHERE from_seq = ${removedSeq})`;

const removedRow = z.object({ from_seq: z.number() });

/** Notes that a removed contact has no messages any more; gives a row where that is so. */
const markMessagesMoved = (removedSeq: number, now: number): Statement<z.infer<typeof removedRow>> =>
  statement(
    removedRow,
    sql`
      UPDATE contact_joins SET moved_at = ${now}
      WHERE from_seq = ${removedSeq} AND moved_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM messages WHERE contact_seq = ${removedSeq})
      RETURNING from_seq`,
  );

const connectionRow = z.object({ connection_id: z.string() });

const selectUnsettledConnections = (contactSeq: number): Statement<z.infer<typeof connectionRow>> =>
  statement(
    connectionRow,
    sql`
      SELECT DISTINCT connection_id FROM messages INDEXED BY messages_unsettled
      WHERE contact_seq = ${contactSeq} AND next_attempt_at IS NOT NULL`,
  );

const scheduledRow = z.object({ connection_id: z.string(), send_at: z.number() });

const selectScheduledUntil = (contactSeq: number, until: number): Statement<z.infer<typeof scheduledRow>> =>
  statement(
    scheduledRow,
    sql`
      SELECT connection_id, send_at FROM messages INDEXED BY messages_scheduled_by_contact
      WHERE contact_seq = ${contactSeq} AND state = ${SCHEDULED} AND send_at <= ${until}`,
  );

/**
 * Merges two contacts, as the statements of one batch: their rows, conversations, opt-outs and identities, the messages that wait
 * to be sent, and the first part of the history. They give the connections on which messages wait, those that are scheduled until
 * `soon`, and a row in `moved` where the whole history has moved.
 */
export function mergeEntries(ctx: Ctx, merge: ContactMerge, soon: number) {
  const { kept, removed } = merge;
  const seqs = { kept: kept.seq, removed: removed.seq };
  return {
    events: appendEvents(ctx, eventsOf([skippedDuplicateEvents(ctx, merge), mergedConversationEvents(ctx, seqs)])),
    snapshot: snapshotContact(ctx, "contact.merged", { seq: kept.seq, formerId: removed.id }),
    duplicates: skipDuplicates(ctx, merge),
    readStates: keepReadStates(ctx, merge),
    notes: moveNotes(ctx, seqs),
    conversations: mergeConversations(ctx, seqs),
    contacts: mergeContactRows(ctx, merge),
    contactEvents: appendSnapshotEvents(ctx),
    waiting: moveWaitingMessages(ctx, merge),
    unsettled: selectUnsettledConnections(kept.seq),
    scheduled: selectScheduledUntil(kept.seq, soon),
    history: moveMessages(removed.seq),
    moved: markMessagesMoved(removed.seq, ctx.now()),
  };
}

/** The rows that `mergeEntries` gives. */
export interface MergeRows {
  unsettled: z.infer<typeof connectionRow>[];
  scheduled: z.infer<typeof scheduledRow>[];
  moved: z.infer<typeof removedRow>[];
}

/** Moves another part of the history of a removed contact; true once none is left. */
export async function moveMoreMessages(db: Database, removedSeq: number, now: number): Promise<boolean> {
  const { moved } = await transact(db, {
    history: moveMessages(removedSeq),
    moved: markMessagesMoved(removedSeq, now),
  });
  return moved.length > 0;
}

/** The `seq`s of removed contacts of a shard whose messages have not all moved. */
export async function listUnfinishedMerges(db: Database, limit: number): Promise<number[]> {
  const rows = await db
    .select({ seq: contactJoins.fromSeq })
    .from(contactJoins)
    .where(and(gt(contactJoins.intoSeq, 0), isNull(contactJoins.movedAt)))
    .limit(limit);
  return rows.map(({ seq }) => seq);
}
