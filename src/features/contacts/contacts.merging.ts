// Two contacts that turned out to be one person: which of them is kept.

/** A contact as far as the choice depends on it. */
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

/** Keeps the contact that has a number, else the older one. */
export function chooseKeptContact(one: MergeCandidate, other: MergeCandidate): MergePair {
  const [older, newer] = one.seq < other.seq ? [one, other] : [other, one];
  return older.phoneKey === null && newer.phoneKey !== null
    ? { kept: newer, removed: older }
    : { kept: older, removed: newer };
}
