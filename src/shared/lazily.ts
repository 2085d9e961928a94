/**
 * Loads when first asked for, and keeps what came. The value is kept, not the promise: a request that dies while it waits
 * would leave the others waiting for good, and a failure would stay.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: { value: T } | undefined;
  return async () => (loaded ??= { value: await load() }).value;
}
