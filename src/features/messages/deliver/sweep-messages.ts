import type { BaseCtx } from "../../../shared/context.ts";
import { workspaceNumberFromSeq } from "../../contacts/contacts.sql.ts";
import { createDeliverThreadJob } from "../messages.schemas.ts";
import { findStrandedThreads, giveUpClaims } from "./sweep-messages.sql.ts";

const CLAIM_MS = 120_000;
/** Longer than a run right after the answer may take to get to a message. */
const GRACE_MS = 15_000;
const MAX_THREADS = 5000;

/** Finds the direct messages that a dead process left behind on a shard. A second sweep changes nothing. */
export async function sweepMessages(base: BaseCtx, shard: number): Promise<void> {
  const db = base.shard(shard);
  await giveUpClaims(db, base.now() - CLAIM_MS);
  const threads = await findStrandedThreads(db, base.now() - GRACE_MS, MAX_THREADS);
  await base.queues.direct(
    threads.map(({ workspaceId, ...thread }) =>
      createDeliverThreadJob({ id: workspaceId, number: workspaceNumberFromSeq(thread.contactSeq), shard }, thread),
    ),
  );
}
