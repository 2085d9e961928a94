import * as z from "zod";
import { iso } from "../../../shared/time/iso-times.ts";
import { isSameJson } from "../../../shared/text/json.ts";
import type { FilterJob } from "../../contacts/bulk/bulk.schemas.ts";
import { defaultsByField, contactFieldNames } from "../../contacts/contact-fields.schemas.ts";
import {
  contactAnswer,
  type ContactLayout,
  type ContactRecord,
  presentContact,
} from "../../contacts/contacts.schemas.ts";

/** The columns on which the decision depends. If one of them changes before the commit, the merge fails. */
export interface MergeCandidate {
  seq: number;
  id: string;
  phoneKey: string | null;
  archivedAt: number | null;
}

export interface MergePair<Contact = MergeCandidate> {
  kept: Contact;
  removed: Contact;
}

export interface ContactMerge<Contact = MergeCandidate> extends MergePair<Contact> {
  phone: string | null;
  filterOptOuts: readonly FilterJob[];
}

export function chooseKeptContact(one: MergeCandidate, other: MergeCandidate): MergePair {
  const [older, newer] = one.seq < other.seq ? [one, other] : [other, one];
  return older.phoneKey === null && newer.phoneKey !== null
    ? { kept: newer, removed: older }
    : { kept: older, removed: newer };
}

interface NumberHolder {
  phone: string | null;
  phoneKey: string | null;
  isPhoneTaken: boolean;
}

/**
 * Returns the removed contact's number if the kept contact gets it. Returns null if the kept contact has a number, or
 * if a third contact has the removed contact's number.
 */
export const phoneAfterMerge = (kept: NumberHolder, removed: NumberHolder): string | null =>
  kept.phoneKey === null && !removed.isPhoneTaken ? removed.phone : null;

export interface ConversationLoss {
  labels: string[];
  snoozedUntil: number | null;
  assigneeId: string | null;
  assigneeName: string | null;
}

function lostFromConversations(losses: readonly ConversationLoss[]): Record<string, unknown> {
  const labels = [...new Set(losses.flatMap((loss) => loss.labels))];
  const snoozes = losses.flatMap(({ snoozedUntil }) => snoozedUntil ?? []);
  const assignees = new Map(
    losses.flatMap(({ assigneeId: id, assigneeName: name }) => (id === null ? [] : [[id, { id, name: name ?? "" }]])),
  );
  return {
    ...(labels.length > 0 && { labels }),
    ...(snoozes.length > 0 && { snoozed_until: iso(Math.max(...snoozes)) }),
    ...(assignees.size > 0 && { assignees: [...assignees.values()] }),
  };
}

type PresentedContact = ReturnType<typeof presentContact>;

const fieldValues = (contact: PresentedContact): [name: string, value: unknown][] => [
  ...contactFieldNames.map((name): [string, unknown] => [name, contact[name]]),
  ...Object.entries(contact.custom_fields).map(([key, value]): [string, unknown] => [`custom_fields.${key}`, value]),
];

/** Counting stops here, because each counted message costs a row read. */
export const MAX_MESSAGES_COUNTED = 100_000;

export const mergeSummary = z.object({
  moved: z.strictObject({
    conversations: z.int(),
    messages: z
      .int()
      .meta({ description: `Counted up to ${MAX_MESSAGES_COUNTED}. Messages beyond this number also move.` }),
    tags: z.int(),
    fields: z.int(),
  }),
  dropped: z.record(z.string(), z.unknown()).meta({
    description:
      "Values that the merge loses, by field: values of the other contact, and `labels`, `assignees` and the latest `snoozed_until` of " +
      "merged conversations.",
  }),
});

export const mergeAnswer = contactAnswer.extend({ extra: mergeSummary });

export type MergeAnswer = z.infer<typeof mergeAnswer>;

interface MergeFacts extends MergePair<ContactRecord> {
  merged: ContactRecord;
  layout: ContactLayout;
  history: { conversations: number; messages: number };
  losses: readonly ConversationLoss[];
}

export function summarizeMerge({ kept, removed, merged, layout, history, losses }: MergeFacts) {
  const contact: ContactRecord = {
    ...merged,
    is_unsubscribed: Math.max(kept.is_unsubscribed, removed.is_unsubscribed),
    marketing_opt_out: Math.max(kept.marketing_opt_out, removed.marketing_opt_out),
    external_ids: [...kept.external_ids, ...removed.external_ids],
  };
  const presented = {
    kept: presentContact(kept, layout),
    removed: presentContact(removed, layout),
    after: presentContact(contact, layout),
  };
  const [before, after] = [new Map(fieldValues(presented.kept)), new Map(fieldValues(presented.after))];
  const lost = fieldValues(presented.removed).filter(
    ([name, value]) => value !== null && value !== defaultsByField.get(name) && !isSameJson(value, after.get(name)),
  );
  const hasTag = ({ tags }: PresentedContact, id: string) => tags.some((tag) => tag.id === id);
  const lostTags = presented.removed.tags.filter(({ id }) => !hasTag(presented.after, id)).map(({ name }) => name);
  const moved = {
    ...history,
    tags: presented.after.tags.filter(({ id }) => !hasTag(presented.kept, id)).length,
    fields: [...after].filter(([name, value]) => !isSameJson(value, before.get(name))).length,
  };
  const dropped = {
    ...Object.fromEntries(lost),
    ...(lostTags.length > 0 && { tags: lostTags }),
    ...lostFromConversations(losses),
  };
  return { contact, moved, dropped };
}
