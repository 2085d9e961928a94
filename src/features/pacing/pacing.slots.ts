import { findPersonRule, type PersonRule } from "../../channels/providers.ts";
import { type Block, Ledger } from "./pacing.ledger.ts";
import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";

/** A slot further in the future is only planned: the message returns through the queue at the time of the slot. */
const PATIENCE_MS = 2000;
const SECOND_MS = 1000;

/** After a direct message, campaigns leave slots free for further direct messages for this time. */
const SINGLES_SEEN_MS = 10_000;
/** The largest share of slots that campaigns leave free for direct messages, and direct messages for campaigns. */
const SHARE = 1 / 5;

const NO_RULE: PersonRule = { burst: 1, everyMs: 0 };

const ruleOf = (provider: string): PersonRule => findPersonRule(provider) ?? NO_RULE;
const debtOf = ({ burst, everyMs }: PersonRule) => (burst - 1) * everyMs;

export interface SavedSlots {
  now: number;
  /** The rate for direct messages, per second. */
  rate: number;
  /** The rate of the connection, per second. */
  limit?: number;
  /** Slots of direct messages, in ascending order. */
  taken: number[];
  /** Slots of direct messages and of campaigns. */
  all?: readonly Block[];
  plannedTo: number;
  pausedUntil: number;
  people: Map<string, number>;
}

/**
 * The slots of one connection. No period of one second has more granted slots than the rate, and slots of waiting messages are
 * spaced evenly. A message with a long wait gets a planned slot and returns at this time. Planned slots delay later messages but
 * do not count as sent, so an unused planned slot costs nothing. Direct messages get their slots first, one by one; campaigns get
 * the remaining slots at each tick. Times in ms since the epoch.
 */
export class Slots {
  #now = 0;
  /** The messages per second of the connection, and the share for direct messages. */
  #limit = 1;
  #rate = 1;
  /** Granted slots of the last second and the future: of direct messages, and of all messages. */
  #singles = new Ledger();
  #all = new Ledger();
  /** The time of the last slot request by a direct message. */
  #requestedAt = -Infinity;
  /** The last planned slot. A fraction of a ms, so that the plan matches the rate exactly. */
  #plannedTo = 0;
  #pausedUntil = 0;
  /** The times when each person's bucket will be full again. Full buckets are deleted. */
  #people = new Map<string, number>();
  #tidyAt = 0;

  /**
   * Returns the slot of a direct message. If the clock goes back, the last known time applies. `isShared` is true if
   * campaigns need slots too.
   */
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
    // The message waits for the person's bucket instead, so it does not use the planned slot.
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

  /** The number of messages that the connection can send per second. */
  get limit(): number {
    return this.#limit;
  }

  set limit(messagesPerSecond: number) {
    this.#limit = messagesPerSecond;
  }

  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Slots per second that campaigns leave free while direct messages are sent: twice their recent number, plus one. */
  reserve(now: number): number {
    this.#advance(now);
    if (this.#now - this.#requestedAt >= SINGLES_SEEN_MS) return 0;
    return Math.min(Math.floor(this.#limit * SHARE), 2 * this.#singles.total + 1);
  }

  /** The number of slots available to campaigns now; zero during a pause. */
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

  /** At a higher rate, the planned messages need less time. At a lower rate, a message that returns too early is planned again. */
  #setRate(rate: number): void {
    const ahead = this.#plannedTo - this.#now;
    if (rate > this.#rate && ahead > 0) this.#plannedTo = this.#now + (ahead * this.#rate) / rate;
    this.#rate = rate;
  }

  /** The first time, `from` or later, that keeps every second within the limits and, unless it is now, the distance to others. */
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
