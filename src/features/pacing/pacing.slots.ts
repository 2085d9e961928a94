import { findPersonRule, type PersonRule } from "../../channels/providers.ts";
import { type Block, Ledger } from "./pacing.ledger.ts";
import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";

/** A slot further away than this is planned only: its message comes back for it through the queue. */
const PATIENCE_MS = 2000;
const SECOND_MS = 1000;

/** So long after a single send, campaigns leave some slots to the next ones. */
const SINGLES_SEEN_MS = 10_000;
/** The share that campaigns leave to single sends at most, and the other way round. */
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
  /** By single sends, ascending. */
  taken: number[];
  /** Those and what campaigns took. */
  all?: readonly Block[];
  plannedTo: number;
  pausedUntil: number;
  people: Map<string, number>;
}

/**
 * The turns of one connection. Of granted slots no second holds more than the rate, wherever it starts; messages that wait are
 * spaced evenly. A message that waits for long is given a place in a plan and asks once more at its time: planned slots hold
 * up newcomers, but only granted ones count, so a slot that is never asked for takes nothing from the others.
 * Single sends ask one by one and come first; campaigns take at once what is left at a time.
 * Times in ms since the epoch.
 */
export class Slots {
  #now = 0;
  /** The messages that the connection may send in a second, and those of them that single sends may take. */
  #limit = 1;
  #rate = 1;
  /** Granted slots, of the last second and to come: those of single sends, and all. */
  #singles = new Ledger();
  #all = new Ledger();
  /** The time at which a single send last asked. */
  #askedAt = -Infinity;
  /** The last place in the plan; with fractions, so that it is neither denser nor thinner than the rate. */
  #plannedTo = 0;
  #pausedUntil = 0;
  /** The time at which each person's bucket is full; full ones are forgotten. */
  #people = new Map<string, number>();
  #tidyAt = 0;

  /** Gives a single send its slot. A clock that went back is taken to stand still. `isShared`: campaigns have work too. */
  take(now: number, request: SlotRequest, isShared = false): Slot {
    const { provider, address, messagesPerSecond, isReturning } = request;
    this.#advance(now);
    this.#askedAt = this.#now;
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
    // A message that waits for its person's bucket leaves the place to others.
    if (planned >= personAt) this.#plannedTo = planned;
    return { isGranted: false, inMs: Math.ceil(Math.max(planned, personAt) - this.#now) };
  }

  /** Grants nothing until the pause is over; to a person whose provider counts, the bucket is empty then. */
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

  /** The slots of each second that campaigns leave free: twice what single sends took lately and one more, while any are seen. */
  reserve(now: number): number {
    this.#advance(now);
    if (this.#now - this.#askedAt >= SINGLES_SEEN_MS) return 0;
    return Math.min(Math.floor(this.#limit * SHARE), 2 * this.#singles.total + 1);
  }

  /** The slots that campaigns can have now, where nothing is paused. */
  room(now: number): number {
    this.#advance(now);
    return Math.max(0, this.#limit - this.#all.fullest(this.#now));
  }

  /** Gives campaigns slots now, of those that there was `room` for. */
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

  /** At a higher rate the same plan takes less time. At a lower one, a message that comes back too early is planned once more. */
  #setRate(rate: number): void {
    const ahead = this.#plannedTo - this.#now;
    if (rate > this.#rate && ahead > 0) this.#plannedTo = this.#now + (ahead * this.#rate) / rate;
    this.#rate = rate;
  }

  /** The first time from `from` on that makes no second too full and, unless it is now, keeps its distance from others. */
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
