import { MINUTE_MS } from "../../shared/time/durations.ts";

export interface Take {
  allowed: boolean;
  /** The time that was counted if the request passed. */
  at: number;
  remaining: number;
  /** The time until the oldest counted request leaves the window. */
  resetMs: number;
  /** The time until the next request can pass. 0 if this request passed. */
  retryAfterMs: number;
}

/**
 * If the clock goes back by at most this time, the window keeps the latest time. If it goes back further, the latest
 * time was wrong, and the window continues at the new time.
 */
const MAX_STEP_BACK_MS = MINUTE_MS;

/**
 * A request passes if fewer than `limit` requests passed in the last `windowMs`. The ring has the times of the last
 * `limit` requests, because the result does not depend on older ones.
 */
export class SlidingWindow {
  #limit: number;
  #windowMs: number;
  #ring: Float64Array;
  #next = 0;
  #size = 0;
  /** How many of the newest entries were in the window at the last call. */
  #counted = 0;
  #now = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#ring = new Float64Array(limit);
  }

  /** Counts a request if it can pass. */
  take(now: number): Take {
    if (this.#now > now + MAX_STEP_BACK_MS) this.#returnTo(now);
    this.#now = Math.max(now, this.#now);
    while (this.#counted > 0 && this.#leavesIn(this.#counted) <= 0) this.#counted--;
    const allowed = this.#counted < this.#limit;
    if (allowed) this.#push(this.#now);
    return {
      allowed,
      at: this.#now,
      remaining: Math.max(0, this.#limit - this.#counted),
      resetMs: this.#leavesIn(this.#counted),
      retryAfterMs: allowed ? 0 : this.#leavesIn(this.#limit),
    };
  }

  /** Uncounts a request that was counted at this time. */
  giveBack(at: number): void {
    const entries = this.#newest(this.#size);
    const index = entries.lastIndexOf(at);
    if (index !== -1) this.#load(entries.filter((_, other) => other !== index));
  }

  /**
   * With a lower limit, requests that already count stay counted until they expire. With a longer window, older entries
   * of the ring count again.
   */
  resize(limit: number, windowMs: number): void {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#load(this.#newest(Math.max(limit, this.#counted)));
  }

  serialize(): ArrayBuffer {
    const entries = this.#newest(this.#size);
    const saved = new Float64Array(3 + entries.length);
    saved.set([this.#limit, this.#windowMs, this.#now]);
    saved.set(entries, 3);
    return saved.buffer;
  }

  static restore(saved: ArrayBuffer): SlidingWindow {
    const [limit = 1, windowMs = 0, now = 0] = new Float64Array(saved, 0, 3);
    const restored = new SlidingWindow(limit, windowMs);
    restored.#now = now;
    restored.#load(new Float64Array(saved, 3 * Float64Array.BYTES_PER_ELEMENT));
    return restored;
  }

  /**
   * The clock was ahead. Entries with a later time count as requests at `now`, and entries that left the window too
   * early count again.
   */
  #returnTo(now: number): void {
    this.#now = now;
    this.#load(this.#newest(this.#size).map((time) => Math.min(time, now)));
  }

  /** The time in ms until an entry leaves the window. `age` 1 is the newest entry. */
  #leavesIn(age: number): number {
    const index = (this.#next - age + this.#ring.length) % this.#ring.length;
    return (this.#ring[index] ?? 0) + this.#windowMs - this.#now;
  }

  #push(time: number): void {
    this.#ring[this.#next] = time;
    this.#next = (this.#next + 1) % this.#ring.length;
    this.#size = Math.min(this.#size + 1, this.#ring.length);
    this.#counted++;
  }

  #newest(count: number): Float64Array {
    const entries = new Float64Array(Math.min(count, this.#size));
    const start = (this.#next - entries.length + this.#ring.length) % this.#ring.length;
    const untilEnd = this.#ring.subarray(start, start + entries.length);
    entries.set(untilEnd);
    entries.set(this.#ring.subarray(0, entries.length - untilEnd.length), untilEnd.length);
    return entries;
  }

  /** Counts all entries as inside the window, because the next `take` removes expired entries. */
  #load(entries: Float64Array): void {
    this.#ring = new Float64Array(Math.max(this.#limit, entries.length));
    this.#ring.set(entries);
    this.#next = entries.length % this.#ring.length;
    this.#size = this.#counted = entries.length;
  }
}
