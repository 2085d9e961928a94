const SECOND_MS = 1000;

/** `count` messages were sent at `at` (ms since the epoch). */
export interface Block {
  at: number;
  count: number;
}

/** The messages sent at each time, and the capacity for more. */
export class Ledger {
  /** In ascending order, with distinct times. */
  readonly #blocks: Block[] = [];
  #total = 0;

  constructor(blocks: readonly Block[] = []) {
    for (const { at, count } of blocks) this.add(at, count);
  }

  add(at: number, count: number): void {
    this.#total += count;
    const index = this.#after(at);
    const before = this.#blocks[index - 1];
    if (before?.at === at) before.count += count;
    else this.#blocks.splice(index, 0, { at, count });
  }

  /** Deletes messages at or before this time. */
  forget(until: number): void {
    for (const { count } of this.#blocks.splice(0, this.#after(until))) this.#total -= count;
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  get total(): number {
    return this.#total;
  }

  /** Returns the largest number of messages in a one-second window that contains `at`. */
  fullest(at: number): number {
    let most = 0;
    let sum = 0;
    let end = this.#after(at - SECOND_MS);
    const include = (until: number) => {
      for (let next = this.#blocks[end]; next !== undefined && next.at < until; next = this.#blocks[++end])
        sum += next.count;
      most = Math.max(most, sum);
    };
    for (const { at: start, count } of this.#blocks.slice(end, this.#after(at))) {
      include(start + SECOND_MS);
      if (start < at) sum -= count;
    }
    include(at + SECOND_MS);
    return most;
  }

  /**
   * Returns the earliest time from `from` on at which one more message is allowed: no window of one second may contain
   * more than `limit` messages. A time after `now` is also at least `gapMs` away from every other message.
   */
  free(from: number, limit: number, { gapMs, now } = { gapMs: 0, now: from }): number {
    if (from <= now && this.#total < limit) return from;
    const blocks = this.#blocks;
    let at = from;
    let before: number;
    do {
      before = at;
      let sum = 0;
      let end = 0;
      let last = 0;
      for (const { at: first, count } of blocks) {
        for (let next = blocks[end]; next !== undefined && sum < limit; next = blocks[++end]) {
          sum += next.count;
          last = next.at;
        }
        if (sum >= limit && Math.max(last, at) - Math.min(first, at) < SECOND_MS) at = first + SECOND_MS;
        if (at > now && Math.abs(at - first) < gapMs) at = first + gapMs;
        sum -= count;
      }
    } while (at !== before);
    return at;
  }

  /** Index of the first block after `at`. */
  #after(at: number): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.at ?? Infinity) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
