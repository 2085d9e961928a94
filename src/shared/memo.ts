/**
 * Caches up to `maxEntries` values in this isolate, each for `ttlMs`. In a full cache, a new value replaces the oldest
 * value.
 */
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
 * Loads a value on first use and caches it. Does not cache the promise: other requests would wait forever if the first
 * request died.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: { value: T } | undefined;
  return async () => (loaded ??= { value: await load() }).value;
}
