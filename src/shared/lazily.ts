/**
 * Loads on first use and caches the value. Promises are not cached: a request that dies would leave others waiting
 * forever, and a failure would persist.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: { value: T } | undefined;
  return async () => (loaded ??= { value: await load() }).value;
}
