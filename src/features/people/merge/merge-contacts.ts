import type { SQL } from "drizzle-orm";
import { transact, type RowsByName } from "../../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { isContention, retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectFilterOptOuts, optOutBeforeJobs } from "../opt-outs/opt-out-before-jobs.sql.ts";
import { chooseKeptContact, type MergePair, type ContactMerge } from "./decide-merge.ts";
import { appendSnapshotEvents, snapshotContact } from "../../contacts/contact-snapshots.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import {
  allContactSeqsByPerson,
  type PersonIdentifiers,
  currentContactSeqs,
} from "../../contacts/identity/identify-people.sql.ts";
import { appendEvents, eventsOf } from "../../events/append-events.sql.ts";
import { queueScheduled, queueThreads, RELEASED_WITHIN_MS } from "../../messages/deliver/queue-threads.ts";
import {
  archiveRemovedContact,
  deleteRemovedContact,
  failIfPairChanged,
  fillKeptContact,
  listClaimedIdentities,
  moveIdentities,
  recordContactMerge,
  selectMergeCandidates,
  shareOptOuts,
} from "./merge-contact-rows.sql.ts";
import { mergeConversations, mergedConversationEvents, recordConversationMerges } from "./merge-conversations.sql.ts";
import {
  keepReadStates,
  listUnfinishedMerges,
  markMessagesMoved,
  moveMessages,
  moveMoreMessages,
  moveNotes,
  moveWaitingMessages,
  selectScheduledUntil,
  selectUnsettledConnections,
  skipDuplicates,
  skippedDuplicateEvents,
} from "./merge-messages.sql.ts";

const STEPS_AT_ONCE = 5;
const STEPS_PER_RUN = 50;
const CLAIMS_PER_RUN = 100;

export async function mergeContacts(ctx: Ctx, seqs: SQL, phone: string | null): Promise<void> {
  let hasOthers = true;
  while (hasOthers) {
    hasOthers = await retryOnContention(ctx, { message: CONTACTS_CHANGE }, () => mergeNextTwo(ctx, seqs, phone));
  }
}

async function mergeNextTwo(ctx: Ctx, seqs: SQL, phone: string | null): Promise<boolean> {
  const { candidates, filterOptOuts } = await transact(ctx.db, {
    candidates: selectMergeCandidates(ctx, seqs),
    filterOptOuts: selectFilterOptOuts(ctx),
  });
  const [one, other, ...others] = candidates;
  if (one === undefined || other === undefined) return false;
  const pair = chooseKeptContact(one, other);
  const merge = { ...pair, phone: others.length === 0 ? phone : null, filterOptOuts };
  await followMerge(ctx, pair, await transact(ctx.db, mergeEntries(ctx, merge)));
  return true;
}

export function mergeEntries(ctx: Ctx, merge: ContactMerge) {
  const { kept, removed } = merge;
  return {
    // Must run before all changes, because the SQL of these events reads the rows as they are before the merge.
    events: appendEvents(ctx, eventsOf([skippedDuplicateEvents(ctx, merge), mergedConversationEvents(ctx, merge)])),
    snapshot: snapshotContact(ctx, "contact.merged", { seq: kept.seq, formerId: removed.id }),
    duplicates: skipDuplicates(ctx, merge),
    // Must run before `mergeConversations`, because it reads how far each of the two conversations was read.
    readStates: keepReadStates(ctx, merge),
    // Must run before `mergeConversations`, which deletes the removed conversations.
    notes: moveNotes(ctx, merge),
    conversationMerges: recordConversationMerges(ctx, merge),
    conversations: mergeConversations(ctx, merge),
    unchanged: failIfPairChanged(merge),
    contactMerges: recordContactMerge(ctx, merge),
    jobOptOuts: optOutBeforeJobs(ctx, merge),
    optOuts: shareOptOuts(merge),
    // Must run before `fillKeptContact`, because two active contacts cannot share a number or an email.
    archived: archiveRemovedContact(ctx, merge),
    fields: fillKeptContact(ctx, merge),
    identities: moveIdentities(ctx, merge),
    deleted: deleteRemovedContact(ctx, merge),
    contactEvents: appendSnapshotEvents(ctx),
    // Waiting messages move in this batch and not in a later job, so that they are sent in order.
    waiting: moveWaitingMessages(ctx, merge),
    unsettled: selectUnsettledConnections(kept.seq),
    scheduled: selectScheduledUntil(kept.seq, ctx.now() + RELEASED_WITHIN_MS),
    history: moveMessages(ctx.db, removed.seq),
    moved: markMessagesMoved(ctx.db, removed.seq, ctx.now()),
  };
}

export type MergeRows = Pick<RowsByName<ReturnType<typeof mergeEntries>>, "unsettled" | "scheduled" | "moved">;

export async function followMerge(
  ctx: Ctx,
  { kept, removed }: MergePair,
  { unsettled, scheduled, moved }: MergeRows,
): Promise<void> {
  let isDone = moved.length > 0;
  for (let steps = 0; !isDone && steps < STEPS_AT_ONCE; steps++) {
    isDone = await moveMoreMessages(ctx.db, removed.seq, ctx.now());
  }
  // The queued jobs refer to the removed contact. We therefore queue the waiting messages again, for the kept contact.
  const threadOn = (connectionId: string) => ({ contactSeq: kept.seq, connectionId });
  const threads = unsettled.map(({ connection_id }) => threadOn(connection_id));
  await queueThreads(ctx, threads, 0);
  await queueScheduled(
    ctx,
    scheduled.map(({ connection_id, send_at: sendAt }) => ({ thread: threadOn(connection_id), sendAt })),
  );
}

export const mergeContactsBySeq = (ctx: Ctx, seqs: number[]): Promise<void> =>
  mergeContacts(ctx, currentContactSeqs(seqs), null);

/**
 * Tries `work` first, because most people have one contact. If `work` fails because the person's identifiers belong to
 * several contacts, merges these contacts and tries `work` again.
 */
export async function retryAfterMerging<R>(
  ctx: Ctx,
  connectionId: string,
  person: PersonIdentifiers,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!isContention(error)) throw error;
  }
  return retryOnContention(ctx, { message: CONTACTS_CHANGE }, async () => {
    await mergeContacts(ctx, allContactSeqsByPerson(ctx, connectionId, person), person.phone);
    return work();
  });
}

export async function finishMerges(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  for (const { workspaceId, workspaceNumber, seqs } of await listClaimedIdentities(db, CLAIMS_PER_RUN)) {
    const ctx = forWorkspace(base, { id: workspaceId, number: workspaceNumber, shard });
    try {
      await mergeContactsBySeq(ctx, seqs);
    } catch (error) {
      log.error("contacts_not_merged", { workspaceId, seqs, error });
    }
  }
  const removedSeqs = await listUnfinishedMerges(db, STEPS_PER_RUN);
  for (let steps = 0; steps < STEPS_PER_RUN; steps++) {
    const removedSeq = removedSeqs.shift();
    if (removedSeq === undefined) return;
    if (!(await moveMoreMessages(db, removedSeq, base.now()))) removedSeqs.push(removedSeq);
  }
}
