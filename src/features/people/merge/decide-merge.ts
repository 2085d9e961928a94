// Decides for two contacts of one person which is kept, and what the merge moves and loses. Pure.
import { iso } from "../../../shared/time/iso-times.ts";
import { isSameJson } from "../../../shared/text/json.ts";
import { contactDefaults, contactFieldNames } from "../../contacts/contact-fields.schemas.ts";
import { type ContactLayout, type ContactRecord, presentContact } from "../../contacts/contacts.schemas.ts";

export interface MergeCandidate {
  seq: number;
  id: string;
  phoneKey: string | null;
  archivedAt: number | null;
}

export interface MergePair {
  kept: MergeCandidate;
  removed: MergeCandidate;
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
  /** True if a third contact now has the number. */
  isPhoneTaken: boolean;
}

/** The number that the kept contact gets, or null. A contact with a number keeps it. */
export const phoneAfterMerge = (kept: NumberHolder, removed: NumberHolder): string | null =>
  kept.phoneKey === null && !removed.isPhoneTaken ? removed.phone : null;

export interface ConversationLoss {
  labels: string[];
  /** ms since the epoch. */
  snoozedUntil: number | null;
  assigneeId: string | null;
  assigneeName: string | null;
}

/** The lost values by field, without empty fields. A contact may lose several assignees, one per connection. */
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

/** Default values, which carry no information about the person. */
const defaults = new Map<string, string>(Object.entries(contactDefaults));

type ShownContact = ReturnType<typeof presentContact>;

const fieldValues = (contact: ShownContact): [name: string, value: unknown][] => [
  ...contactFieldNames.map((name): [string, unknown] => [name, contact[name]]),
  ...Object.entries(contact.custom_fields).map(([key, value]): [string, unknown] => [`custom_fields.${key}`, value]),
];

interface MergeFacts {
  kept: ContactRecord;
  removed: ContactRecord;
  /** The kept contact after the merge, except opt-outs and provider ids. */
  merged: ContactRecord;
  layout: ContactLayout;
  /** The removed contact's. */
  history: { conversations: number; messages: number };
  losses: readonly ConversationLoss[];
}

/** The merged contact, the values that it gets, and the values that are lost, by field. */
export function decideMerge({ kept, removed, merged, layout, history, losses }: MergeFacts) {
  // Opt-outs and provider ids of both contacts apply to the merged one.
  const contact: ContactRecord = {
    ...merged,
    is_unsubscribed: Math.max(kept.is_unsubscribed, removed.is_unsubscribed),
    marketing_opt_out: Math.max(kept.marketing_opt_out, removed.marketing_opt_out),
    external_ids: [...kept.external_ids, ...removed.external_ids],
  };
  const shown = {
    kept: presentContact(kept, layout),
    removed: presentContact(removed, layout),
    after: presentContact(contact, layout),
  };
  const [before, after] = [new Map(fieldValues(shown.kept)), new Map(fieldValues(shown.after))];
  const lost = fieldValues(shown.removed).filter(
    ([name, value]) => value !== null && value !== defaults.get(name) && !isSameJson(value, after.get(name)),
  );
  const hasTag = ({ tags }: ShownContact, id: string) => tags.some((tag) => tag.id === id);
  const lostTags = shown.removed.tags.filter(({ id }) => !hasTag(shown.after, id)).map(({ name }) => name);
  const moved = {
    ...history,
    tags: shown.after.tags.filter(({ id }) => !hasTag(shown.kept, id)).length,
    fields: [...after].filter(([name, value]) => !isSameJson(value, before.get(name))).length,
  };
  const dropped = {
    ...Object.fromEntries(lost),
    ...(lostTags.length > 0 && { tags: lostTags }),
    ...lostFromConversations(losses),
  };
  return { contact, moved, dropped };
}
