import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { findRevisionConflict } from "../../../shared/edit-conflicts.ts";
import { invalid } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { retryOnContention } from "../../commits/retry-on-contention.ts";
import { type ContactRecord, contactRecord } from "../../contacts/contacts.schemas.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import { contactAsJson, selectContactLayout } from "../../contacts/contacts.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import { summarizeMerge, phoneAfterMerge, type MergeAnswer, mergeAnswer, type ContactMerge } from "./decide-merge.ts";
import { prepareOnce } from "../../commits/commit-once.ts";
import { failIfReplayExists, findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import { followMerge, mergeEntries, type MergeRows } from "./merge-contacts.ts";
import { selectFilterOptOuts } from "../opt-outs/opt-out-before-jobs.sql.ts";
import {
  failIfPartiesChanged,
  type MergeParty,
  selectHistorySize,
  selectMergedContact,
  selectMergeParties,
  selectConversationLosses,
} from "./merge-on-request.sql.ts";

interface MergeInput {
  id: string;
  from: string;
  /** The revision that `from` must have. If undefined, any revision is accepted. */
  fromRevision?: number;
}

const recordOf = ({ contact }: MergeParty): ContactRecord => contactRecord.parse(JSON.parse(contact));

/** `revision` is null only in replays stored by an earlier version, never in a contact from the database. */
function assertRevision(party: MergeParty, expected: readonly number[] | null): void {
  const { revision } = recordOf(party);
  const conflict = revision === null ? null : findRevisionConflict(revision, expected);
  if (conflict !== null) throw conflict;
}

interface DecidedMerge {
  answer: MergeAnswer;
  merge: ContactMerge<MergeParty> | null;
}

async function readAndDecide(ctx: Ctx, { id, from, fromRevision }: MergeInput): Promise<DecidedMerge> {
  if (id === from) {
    throw invalid({ path: "from", code: "invalid_value", message: "Must be the id of another contact." });
  }
  const { replays, parties, layouts, filterOptOuts } = await transact(ctx.db, {
    replays: selectReplay(ctx),
    parties: selectMergeParties(ctx, [id, from]),
    layouts: selectContactLayout(ctx),
    filterOptOuts: selectFilterOptOuts(ctx),
  });
  const replay = findReplay(ctx, replays, mergeAnswer);
  if (replay !== null) return { answer: replay, merge: null };
  const kept = parties.find((party) => party.id === id);
  if (kept === undefined) throw await contactNotFound(ctx, id);
  const removed = parties.find((party) => party.id === from);
  if (removed === undefined) throw await contactNotFound(ctx, from);
  assertRevision(kept, ctx.expectedRevisions);
  assertRevision(removed, fromRevision === undefined ? null : [fromRevision]);

  const merge = { kept, removed, phone: phoneAfterMerge(kept, removed), filterOptOuts };
  const { merged, size, losses } = await transact(ctx.db, {
    merged: selectMergedContact(ctx, merge),
    size: selectHistorySize(merge),
    losses: selectConversationLosses(ctx, merge),
  });
  const [[row], [history]] = [merged, size];
  if (row === undefined || history === undefined) throw new Error("Contacts that were just read no longer exist.");
  const layout = layouts[0]?.layout ?? [];
  const pair = { kept: recordOf(kept), removed: recordOf(removed) };
  const { contact, ...extra } = summarizeMerge({ ...pair, merged: row.contact, layout, history, losses });
  return { answer: { contact, layout, extra }, merge };
}

/** The batch fails if a contact has changed, or if a concurrent request has used the same Idempotency-Key. */
async function commitMerge(
  ctx: Ctx,
  merge: ContactMerge<MergeParty>,
  { extra }: MergeAnswer,
): Promise<MergeAnswer | null> {
  const once = prepareOnce(ctx, {
    effects: () => [],
    result: contactAsJson(ctx, merge.kept.id, extra),
    shape: mergeAnswer,
  });
  const rows = await transact(ctx.db, {
    unanswered: failIfReplayExists(ctx),
    unchangedParties: failIfPartiesChanged(ctx, [merge.kept, merge.removed]),
    ...mergeEntries(ctx, merge),
    ...once.entries,
  });
  ctx.waitUntil(followOrLeave(ctx, merge, rows));
  return once.read(rows).result;
}

/** The merge is already committed, so an error is only logged. The cron repeats the failed step. */
async function followOrLeave(ctx: Ctx, merge: ContactMerge, rows: MergeRows): Promise<void> {
  try {
    await followMerge(ctx, merge, rows);
  } catch (error) {
    log.error("merge_left_to_cron", { requestId: ctx.requestId, contactId: merge.kept.id, error });
  }
}

export const previewMerge = async (ctx: Ctx, input: MergeInput): Promise<MergeAnswer> =>
  (await readAndDecide(ctx, input)).answer;

export const mergeContactInto = (ctx: Ctx, input: MergeInput): Promise<MergeAnswer> =>
  retryOnContention(ctx, { message: CONTACTS_CHANGE }, async () => {
    const { answer, merge } = await readAndDecide(ctx, input);
    return merge === null ? answer : commitMerge(ctx, merge, answer);
  });
