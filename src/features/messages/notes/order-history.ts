// Orders messages and notes together. Ids are a prefix and a ULID, which sorts by time.

const ulidOf = (id: string): string => id.slice(id.lastIndexOf("_") + 1);

/** The same position with another prefix, for a page that continues after `id`. */
export const placeAmong = (prefix: "msg" | "note", id: string | undefined): string | undefined =>
  id === undefined ? undefined : `${prefix}_${ulidOf(id)}`;

/** Merges lists that are newest first; at most `most` items. */
export function newestOf<Item extends { id: string }>(lists: Item[][], most: number): Item[] {
  const byUlid = lists.flat().map((item) => ({ item, ulid: ulidOf(item.id) }));
  const sorted = byUlid.toSorted((a, b) => (a.ulid === b.ulid ? 0 : a.ulid < b.ulid ? 1 : -1));
  return sorted.slice(0, most).map(({ item }) => item);
}
