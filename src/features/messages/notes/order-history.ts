// Messages and notes of a conversation in one order. Ids are a prefix and a ULID, which sorts by time whatever the prefix.

const ulidOf = (id: string): string => id.slice(id.lastIndexOf("_") + 1);

/** The same place in the order of ids with another prefix, for a page that continues behind `id`. */
export const placeAmong = (prefix: "msg" | "note", id: string | undefined): string | undefined =>
  id === undefined ? undefined : `${prefix}_${ulidOf(id)}`;

/** One list of several, each newest first, with at most `most` items. */
export function newestOf<Item extends { id: string }>(lists: Item[][], most: number): Item[] {
  const byUlid = lists.flat().map((item) => ({ item, ulid: ulidOf(item.id) }));
  const sorted = byUlid.toSorted((a, b) => (a.ulid === b.ulid ? 0 : a.ulid < b.ulid ? 1 : -1));
  return sorted.slice(0, most).map(({ item }) => item);
}
