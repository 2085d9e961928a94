/** Caches values in this isolate. If the cache is full, a new value replaces the oldest one. */
export class Memo<Value> {
  private readonly entries = new Map<string, { value: Value; at: number }>();

  constructor(
    private readonly maxEntries: number,
    private readonly ttlMs = Infinity,
  ) {}

  /** `now` is required if `ttlMs` is set. */
  get(key: string, now = Infinity): Value | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && (this.ttlMs === Infinity || now < entry.at + this.ttlMs) ? entry.value : undefined;
  }

  set(key: string, value: Value, now = 0): Value {
    this.entries.delete(key);
    const [oldest] = this.entries.keys();
    if (this.entries.size >= this.maxEntries && oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, { value, at: now });
    return value;
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}

/**
 * Caches the loaded value instead of the promise. If the request that started the load ends early, its promise
 * never settles, and all requests that wait for it would wait forever.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: { value: T } | undefined;
  return async () => (loaded ??= { value: await load() }).value;
}
