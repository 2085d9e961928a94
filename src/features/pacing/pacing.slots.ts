import { findPersonRule, type PersonRule } from "../../channels/providers.ts";
import { type Block, Ledger } from "./pacing.ledger.ts";
import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";

/** Slots further ahead than this are only planned: the message returns for its slot through the queue. */
const PATIENCE_MS = 2000;
const SECOND_MS = 1000;

/** How long after a direct message campaigns leave slots free for more. */
const SINGLES_SEEN_MS = 10_000;
/** The largest share that campaigns leave to direct messages, and vice versa. */
const SHARE = 1 / 5;

const NO_RULE: PersonRule = { burst: 1, everyMs: 0 };

const ruleOf = (provider: string): PersonRule => findPersonRule(provider) ?? NO_RULE;
const debtOf = ({ burst, everyMs }: PersonRule) => (burst - 1) * everyMs;

export interface SavedSlots {
  now: number;
  /** Of the plan. */
  rate: number;
  /** Of the connection. */
  limit?: number;
  /** For direct messages, ascending. */
  taken: number[];
  /** Slots of direct messages and of campaigns. */
  all?: readonly Block[];
  plannedTo: number;
  pausedUntil: number;
  people: Map<string, number>;
}

/**
 * The slots of one connection. No second, wherever it starts, holds more granted slots than the rate, and waiting messages are
 * spaced evenly. A message with a long wait gets a planned slot and returns at its time: planned slots delay newcomers, but only
 * granted slots count, so an unused plan costs nothing. Direct messages take slots one by one and come first; campaigns take what
 * is left at a tick. Times in ms since the epoch.
 */
export class Slots {
  #now = 0;
  /** Messages per second of the connection, and the share that direct messages may use. */
  #limit = 1;
  #rate = 1;
  /** Granted slots of the last second and the future: those of direct messages, and all. */
  #singles = new Ledger();
  #all = new Ledger();
  /** When a direct message last requested a slot. */
  #requestedAt = -Infinity;
  /** The last planned slot; fractional, so that the plan matches the rate exactly. */
  #plannedTo = 0;
  #pausedUntil = 0;
  /** When each person's bucket is full; full buckets are dropped. */
  #people = new Map<string, number>();
  #tidyAt = 0;

  /** Returns the slot of a direct message. A clock that went back counts as standing still. `isShared`: campaigns have work too. */
  take(now: number, request: SlotRequest, isShared = false): Slot {
    const { provider, address, messagesPerSecond, isReturning } = request;
    this.#advance(now);
    this.#requestedAt = this.#now;
    this.#limit = messagesPerSecond;
    this.#setRate(isShared ? Math.max(1, Math.floor(messagesPerSecond * (1 - SHARE))) : messagesPerSecond);
    const rule = ruleOf(provider);
    const personAt = (this.#people.get(address) ?? 0) - debtOf(rule);
    const connectionAt = Math.max(this.#now, this.#pausedUntil);
    const behindPlan = this.#plannedTo + SECOND_MS / this.#rate;

    const ready = Math.max(connectionAt, personAt, isReturning ? 0 : behindPlan);
    const at = this.#free(Math.ceil(ready));
    if (at <= this.#now + PATIENCE_MS) {
      this.#grant(at, address, rule);
      return { isGranted: true, inMs: at - this.#now };
    }
    const planned = this.#free(Math.max(connectionAt, behindPlan));
    // A message that waits for its person's bucket leaves the slot to others.
    if (planned >= personAt) this.#plannedTo = planned;
    return { isGranted: false, inMs: Math.ceil(Math.max(planned, personAt) - this.#now) };
  }

  /** Grants nothing until the pause is over. If the provider limits messages per person, that person's bucket becomes empty. */
  pause(now: number, { provider, scope, address, forMs }: Pause): void {
    this.#advance(now);
    const until = this.#now + forMs;
    if (scope === "connection") this.#pausedUntil = Math.max(this.#pausedUntil, until);
    else this.#people.set(address, Math.max(this.#people.get(address) ?? 0, until + debtOf(ruleOf(provider))));
  }

  /** The messages that the connection may send in a second. */
  get limit(): number {
    return this.#limit;
  }

  set limit(messagesPerSecond: number) {
    this.#limit = messagesPerSecond;
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** The slots per second that campaigns leave free while direct messages are being sent: twice their recent number, plus one. */
  reserve(now: number): number {
    this.#advance(now);
    if (this.#now - this.#requestedAt >= SINGLES_SEEN_MS) return 0;
    return Math.min(Math.floor(this.#limit * SHARE), 2 * this.#singles.total + 1);
  }

  /** The slots available to campaigns now; zero during a pause. */
  room(now: number): number {
    this.#advance(now);
    return Math.max(0, this.#limit - this.#all.fullest(this.#now));
  }

  /** Uses slots that `room` returned for campaigns. */
  spend(now: number, count: number): void {
    this.#advance(now);
    this.#all.add(this.#now, count);
  }

  save(): SavedSlots {
    return {
      now: this.#now,
      rate: this.#rate,
      limit: this.#limit,
      taken: this.#singles.blocks.flatMap(({ at, count }) => Array.from({ length: count }, () => at)),
      all: this.#all.blocks,
      plannedTo: this.#plannedTo,
      pausedUntil: this.#pausedUntil,
      people: this.#people,
    };
  }

  static restore({ now, rate, limit, taken, all, plannedTo, pausedUntil, people }: SavedSlots): Slots {
    const restored = new Slots();
    restored.#now = now;
    restored.#rate = rate;
    restored.#limit = limit ?? rate;
    for (const at of taken) restored.#singles.add(at, 1);
    restored.#all = new Ledger(all ?? restored.#singles.blocks);
    restored.#plannedTo = plannedTo;
    restored.#pausedUntil = pausedUntil;
    restored.#people = new Map(people);
    return restored;
  }

  #advance(now: number): void {
    this.#now = Math.max(this.#now, now);
    this.#singles.forget(this.#now - SECOND_MS);
    this.#all.forget(this.#now - SECOND_MS);
    if (this.#now < this.#tidyAt) return;
    this.#tidyAt = this.#now + SECOND_MS;
    for (const [address, fullAt] of this.#people) if (fullAt <= this.#now) this.#people.delete(address);
  }

  /** At a higher rate the same plan takes less time. At a lower rate, a message that returns too early is planned again. */
  #setRate(rate: number): void {
    const ahead = this.#plannedTo - this.#now;
    if (rate > this.#rate && ahead > 0) this.#plannedTo = this.#now + (ahead * this.#rate) / rate;
    this.#rate = rate;
  }

  /** The first time from `from` on at which no second is too full and, unless it is now, the distance to others is kept. */
  #free(from: number): number {
    const spacing = { gapMs: Math.floor(SECOND_MS / this.#rate), now: this.#now };
    let at = from;
    let before: number;
    do {
      before = at;
      at = this.#singles.free(this.#all.free(at, this.#limit), this.#rate, spacing);
    } while (at !== before);
    return at;
  }

  #grant(at: number, address: string, { everyMs }: PersonRule): void {
    this.#singles.add(at, 1);
    this.#all.add(at, 1);
    if (everyMs > 0) this.#people.set(address, Math.max(this.#people.get(address) ?? 0, at) + everyMs);
  }
}
