/**
 * Splits `items` into lists of at most `maxItems` and `maxBytes`. An item that is larger than `maxBytes` gets
 * its own list.
 */
export function packByBytes<T>(
  items: readonly T[],
  { maxItems, maxBytes, bytesOf }: { maxItems: number; maxBytes: number; bytesOf(item: T): number },
): T[][] {
  const lists: T[][] = [];
  let room = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const open = lists.at(-1);
    if (open === undefined || open.length === maxItems || bytes > room) {
      lists.push([item]);
      room = maxBytes - bytes;
    } else {
      open.push(item);
      room -= bytes;
    }
  }
  return lists;
}

export const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
