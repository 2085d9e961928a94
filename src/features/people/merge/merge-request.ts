import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { findRevisionConflict } from "../../../shared/edit-conflicts.ts";
import { invalid } from "../../../shared/errors.ts";
import { log } from "../../../shared/logger.ts";
import { retryOnContention } from "../../commits/retry-on-contention.ts";
import { selectFilterOptOuts } from "../opt-outs/opt-out-before-jobs.sql.ts";
import {
  type ContactLayout,
  contactLayout,
  type ContactRecord,
  contactRecord,
} from "../../contacts/contacts.schemas.ts";
import { contactNotFound } from "../../contacts/contacts.service.ts";
import { contactAsJson } from "../../contacts/contacts.sql.ts";
import type { ContactMerge } from "./merge-contact-rows.sql.ts";
import { CONTACTS_CHANGE } from "../../contacts/contacts.conflicts.ts";
import { selectLayoutText } from "../../contacts/upsert/write-contacts.sql.ts";
import { decideMerge, phoneAfterMerge } from "./decide-merge.ts";
import { failIfReplayExists, findReplay, prepareOnce, selectReplay } from "../../idempotency/idempotency.service.ts";
import { followMerge, soonToBeReleased } from "./merge-contacts.ts";
import { mergeEntries, type MergeRows } from "./merge-messages.sql.ts";
import { MAX_MESSAGES_COUNTED, type MergeAnswer, mergeAnswer } from "./merge-request.schemas.ts";
import {
  failIfPartiesChanged,
  type MergeParty,
  selectHistorySize,
  selectMergedContact,
  selectMergeParties,
  selectConversationLosses,
} from "./merge-request.sql.ts";

interface MergeInput {
  /** The kept contact. */
  id: string;
  /** The contact merged into it. */
  from: string;
  /** The revision that `from` must have; any if omitted. */
  fromRevision?: number;
}

/** The two contacts as read, and the other facts that decide the merge. */
interface MergeBasis extends Pick<ContactMerge, "filterOptOuts"> {
  pair: readonly [MergeParty, MergeParty];
  layout: ContactLayout;
}

const recordOf = ({ contact }: MergeParty): ContactRecord => contactRecord.parse(JSON.parse(contact));

interface DecidedMerge {
  parties: MergeParty[];
  merge: ContactMerge;
  answer: MergeAnswer;
}

async function readAndDecide(
  ctx: Ctx,
  { pair: [kept, removed], layout, filterOptOuts }: MergeBasis,
): Promise<DecidedMerge> {
  const merge = { kept, removed, phone: phoneAfterMerge(kept, removed), filterOptOuts };
  const { merged, size, losses } = await transact(ctx.db, {
    merged: selectMergedContact(ctx, merge),
    size: selectHistorySize(removed.seq, MAX_MESSAGES_COUNTED),
    losses: selectConversationLosses(ctx, { kept: kept.seq, removed: removed.seq }),
  });
  const [[row], [history]] = [merged, size];
  if (row === undefined || history === undefined) throw new Error("Contacts that were just read no longer exist.");
  const { contact, ...summary } = decideMerge({
    kept: recordOf(kept),
    removed: recordOf(removed),
    merged: row.contact,
    layout,
    history,
    losses,
  });
  return { parties: [kept, removed], merge, answer: { contact, layout, extra: summary } };
}

/** Records of earlier versions have no revision, so any matches. */
function assertRevision(party: MergeParty, expected: readonly number[] | null): void {
  const { revision } = recordOf(party);
  const conflict = revision === null ? null : findRevisionConflict(revision, expected);
  if (conflict !== null) throw conflict;
}

/** Reads both contacts. Throws `not_found` and `precondition_failed` for either. */
async function readParties(
  ctx: Ctx,
  { id, from, fromRevision }: MergeInput,
): Promise<{ replay: MergeAnswer; basis: null } | { replay: null; basis: MergeBasis }> {
  const { record, parties, layouts, filterOptOuts } = await transact(ctx.db, {
    record: selectReplay(ctx),
    parties: selectMergeParties(ctx, [id, from]),
    layouts: selectLayoutText(ctx),
    filterOptOuts: selectFilterOptOuts(ctx),
  });
  const replay = findReplay(ctx, record, mergeAnswer);
  if (replay !== null) return { replay, basis: null };
  const kept = parties.find((party) => party.id === id);
  if (kept === undefined) throw await contactNotFound(ctx, id);
  const removed = parties.find((party) => party.id === from);
  if (removed === undefined) throw await contactNotFound(ctx, from);
  assertRevision(kept, ctx.expectedRevisions);
  assertRevision(removed, fromRevision === undefined ? null : [fromRevision]);
  const layout = contactLayout.parse(JSON.parse(layouts[0]?.fields ?? "[]"));
  return { replay: null, basis: { pair: [kept, removed], layout, filterOptOuts } };
}

/** Commits the merge and its replay. Fails if a contact has changed or the idempotency key was used since. */
async function commitMerge(ctx: Ctx, { parties, merge, answer }: DecidedMerge): Promise<MergeAnswer | null> {
  const once = prepareOnce(ctx, {
    effects: () => [],
    result: contactAsJson(ctx, merge.kept.id, answer.extra),
    shape: mergeAnswer,
  });
  const rows = await transact(ctx.db, {
    unanswered: failIfReplayExists(ctx),
    unchanged: failIfPartiesChanged(ctx, parties),
    ...mergeEntries(ctx, merge, soonToBeReleased(ctx)),
    ...once.entries,
  });
  ctx.waitUntil(followOrLeave(ctx, merge, rows));
  return once.read(rows).result;
}

/** The merge itself is committed; after a failure here the cron continues. */
async function followOrLeave(ctx: Ctx, merge: ContactMerge, rows: MergeRows): Promise<void> {
  try {
    await followMerge(ctx, merge, rows);
  } catch (error) {
    log.error("merge_left_to_cron", { requestId: ctx.requestId, contactId: merge.kept.id, error });
  }
}

const assertOtherContact = ({ id, from }: MergeInput): void => {
  if (id !== from) return;
  throw invalid({ path: "from", code: "invalid_value", message: "Must be the id of another contact." });
};

/** Changes nothing. Returns and throws like `mergeContactInto`. */
export async function previewMerge(ctx: Ctx, input: MergeInput): Promise<MergeAnswer> {
  assertOtherContact(input);
  const { replay, basis } = await readParties(ctx, input);
  return replay ?? (await readAndDecide(ctx, basis)).answer;
}

/**
 * Merges `from` into `id` at the caller's request: `id` gets its missing fields, conversations, messages, opt-outs and provider
 * ids. Throws `not_found`, `precondition_failed`, and `validation_failed` for the same id twice.
 */
export async function mergeContactInto(ctx: Ctx, input: MergeInput): Promise<MergeAnswer> {
  assertOtherContact(input);
  return retryOnContention(ctx, { message: CONTACTS_CHANGE }, async () => {
    const { replay, basis } = await readParties(ctx, input);
    return replay ?? commitMerge(ctx, await readAndDecide(ctx, basis));
  });
}

export const requestMerge = (
  ctx: Ctx,
  { preview, ...input }: MergeInput & { preview: boolean },
): Promise<MergeAnswer> => (preview ? previewMerge(ctx, input) : mergeContactInto(ctx, input));
