// Which of two contacts that turned out to be one person stays.

/** A contact as far as joining goes. */
export interface JoinedContact {
  seq: number;
  id: string;
  phoneKey: string | null;
  archivedAt: number | null;
}

/** The one with a number stays, else the older. */
export function survivorOf(one: JoinedContact, other: JoinedContact): { stays: JoinedContact; goes: JoinedContact } {
  const [older, newer] = one.seq < other.seq ? [one, other] : [other, one];
  return older.phoneKey === null && newer.phoneKey !== null
    ? { stays: newer, goes: older }
    : { stays: older, goes: newer };
}
