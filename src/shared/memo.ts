/** Caches up to `maxEntries` values in this isolate, each for `ttlMs`. When full, a new value replaces the oldest. */
export class Memo<Value> {
  private readonly entries = new Map<string, { value: Value; at: number }>();

  constructor(
    private readonly maxEntries: number,
    private readonly ttlMs = Infinity,
  ) {}

  /** `now` is only used with `ttlMs`. */
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
 * Loads on first use and caches the value. Promises are not cached: a request that dies would leave others waiting forever, and a
 * failure would persist.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: { value: T } | undefined;
  return async () => (loaded ??= { value: await load() }).value;
}
