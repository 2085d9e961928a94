import type { SQL } from "../../../db/statement.ts";
import { isContradicted } from "../../../db/idioms.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../../shared/context.ts";
import { AppError } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { type Claim, claimedIdentities, parseClaims, readSelected } from "../../contacts/join-contacts.sql.ts";
import { survivorOf } from "../../contacts/contacts.joining.ts";
import { numberOfSeq } from "../../contacts/contacts.sql.ts";
import { type KnownPerson, seqsNow, seqsOfPerson } from "../../contacts/identify-people.sql.ts";
import * as repository from "./join-contacts.sql.ts";
import { pointToConversations } from "../deliver/queue-threads.ts";

const MAX_TRIES = 6;
/** Steps of a long history that are taken at once; the cron takes the others. */
const STEPS_AT_ONCE = 5;
const STEPS_A_RUN = 50;
const CLAIMS_A_RUN = 100;

/**
 * Makes one of the contacts that `seqs` selects as `seq`, who are one person; `phone` is the number they are known to have now, or
 * null. Each join is one batch, which fails where another was first.
 */
export async function joinSelected(ctx: Ctx, seqs: SQL, phone: string | null): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES;) {
    const [one, other, ...others] = await readSelected(ctx, seqs);
    if (one === undefined || other === undefined) return;
    try {
      await joinTwo(ctx, { ...survivorOf(one, other), phone: others.length === 0 ? phone : null });
    } catch (error) {
      if (!isContradicted(error)) throw error;
      tries++;
    }
  }
  throw new AppError("unavailable", "These contacts are being changed by many requests at once. Try again shortly.");
}

async function joinTwo(ctx: Ctx, both: Parameters<typeof repository.joinBoth>[1]): Promise<void> {
  const { due, isMoved } = await repository.joinBoth(ctx, both);
  let isDone = isMoved;
  for (let steps = 0; !isDone && steps < STEPS_AT_ONCE; steps++) {
    isDone = await repository.moveOn(ctx.db, both.goes.seq, ctx.now());
  }
  // What was to be sent in a conversation that is gone is waited for under the one that stays.
  const lines = due.map((connectionId) => ({ contactSeq: both.stays.seq, connectionId }));
  await pointToConversations(ctx, lines, 0);
}

/** Makes one contact of those with these numbers, or what they have become part of. */
export const joinNumbered = (ctx: Ctx, seqs: number[]): Promise<void> => joinSelected(ctx, seqsNow(seqs), null);

/**
 * Does `work`, which fails where the provider's names for one person lead to several contacts, after these have been joined.
 * What a known person sends thereby takes one trip.
 */
export async function asOnePerson<R>(
  ctx: Ctx,
  connectionId: string,
  person: KnownPerson,
  work: () => Promise<R>,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isContradicted(error) || tries === MAX_TRIES) throw error;
      await joinSelected(ctx, seqsOfPerson(ctx, connectionId, person), person.phone);
    }
  }
}

/** Joins the contacts that claim one identity, and moves the histories that were too long to move at once. Any number of times. */
export async function finishJoins(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  const claims: Claim[] = parseClaims(await db.all(claimedIdentities(CLAIMS_A_RUN)));
  for (const { workspace_id, contact_seq, claimed_by } of claims) {
    const ctx = forWorkspace(base, { id: workspace_id, number: numberOfSeq(contact_seq), shard });
    try {
      await joinNumbered(ctx, [contact_seq, claimed_by]);
    } catch (error) {
      log.error("contacts_not_joined", { workspaceId: workspace_id, seqs: [contact_seq, claimed_by], error });
    }
  }
  const fromSeqs = await repository.unfinished(db, STEPS_A_RUN);
  for (let steps = 0; steps < STEPS_A_RUN; steps++) {
    const fromSeq = fromSeqs.shift();
    if (fromSeq === undefined) return;
    if (!(await repository.moveOn(db, fromSeq, base.now()))) fromSeqs.push(fromSeq);
  }
}
