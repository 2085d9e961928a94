/** Holds up to `maxEntries` entries and drops the oldest ones first. */
export class BoundedMap<Value> {
  private readonly entries = new Map<string, Value>();

  constructor(private readonly maxEntries: number) {}

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: Value): void {
    this.entries.delete(key);
    const [oldest] = this.entries.keys();
    if (this.entries.size >= this.maxEntries && oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, value);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
