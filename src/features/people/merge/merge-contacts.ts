import { type SQL, transact } from "../../../db/statement.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { isContention, retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectFilterOptOuts } from "../opt-outs/opt-out-before-jobs.sql.ts";
import { chooseKeptContact, type MergePair } from "./decide-merge.ts";
import {
  allContactSeqsByPerson,
  type PersonIdentifiers,
  currentContactSeqs,
} from "../../contacts/identity/identify-people.sql.ts";
import { listClaimedIdentities, selectMergeCandidates } from "./merge-contact-rows.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import { queueScheduled, queueThreads, RELEASED_WITHIN_MS } from "../../messages/deliver/queue-threads.ts";
import { listUnfinishedMerges, mergeEntries, type MergeRows, moveMoreMessages } from "./merge-messages.sql.ts";

/** Steps that move a long history immediately; the cron does the rest. */
const STEPS_AT_ONCE = 5;
const STEPS_PER_RUN = 50;
const CLAIMS_PER_RUN = 100;

/**
 * Merges the contacts that `seqs` selects as `seq`, which are one person; `phone` is the person's current number, or null. Each
 * merge of two is a batch that fails and is retried if another request changed a contact first.
 */
export async function mergeContacts(ctx: Ctx, seqs: SQL, phone: string | null): Promise<void> {
  let hasOthers = true;
  while (hasOthers) {
    hasOthers = await retryOnContention(ctx, { message: CONTACTS_CHANGE }, () => mergeNextTwo(ctx, seqs, phone));
  }
}

/** True if two contacts were merged; more may follow. */
async function mergeNextTwo(ctx: Ctx, seqs: SQL, phone: string | null): Promise<boolean> {
  const { candidates, filterOptOuts } = await transact(ctx.db, {
    candidates: selectMergeCandidates(ctx, seqs),
    filterOptOuts: selectFilterOptOuts(ctx),
  });
  const [one, other, ...others] = candidates;
  if (one === undefined || other === undefined) return false;
  const pair = chooseKeptContact(one, other);
  const merge = { ...pair, phone: others.length === 0 ? phone : null, filterOptOuts };
  await followMerge(ctx, merge, await transact(ctx.db, mergeEntries(ctx, merge, soonToBeReleased(ctx))));
  return true;
}

/** Scheduled messages due before this time are queued at once. */
export const soonToBeReleased = (ctx: Ctx): number => ctx.now() + RELEASED_WITHIN_MS;

/** Completes a merge of two in a few steps; the cron continues if more are needed. */
export async function followMerge(
  ctx: Ctx,
  { kept, removed }: MergePair,
  { unsettled, scheduled, moved }: MergeRows,
): Promise<void> {
  let isDone = moved.length > 0;
  for (let steps = 0; !isDone && steps < STEPS_AT_ONCE; steps++) {
    isDone = await moveMoreMessages(ctx.db, removed.seq, ctx.now());
  }
  // Queued jobs name the removed contact, so waiting messages are queued again under the kept one.
  const threads = unsettled.map(({ connection_id: connectionId }) => ({ contactSeq: kept.seq, connectionId }));
  await queueThreads(ctx, threads, 0);
  await queueScheduled(
    ctx,
    scheduled.map(({ connection_id: connectionId, send_at: sendAt }) => ({
      thread: { contactSeq: kept.seq, connectionId },
      sendAt,
    })),
  );
}

/** Merges the contacts with these `seq`s, or those that they were merged into. */
export const mergeContactsBySeq = (ctx: Ctx, seqs: number[]): Promise<void> =>
  mergeContacts(ctx, currentContactSeqs(seqs), null);

/**
 * Runs `work`, a batch that fails if the person's identifiers belong to several contacts; then merges them and runs it again.
 * Trying first costs an event of a single contact only one round trip.
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

/** Merges contacts with the same id and moves the rest of long histories. A repeat changes nothing. */
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
