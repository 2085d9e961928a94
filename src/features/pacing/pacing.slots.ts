import { findPersonRule, type PersonRule } from "../../channels/providers.ts";
import { type Block, Ledger } from "./pacing.ledger.ts";
import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";

/** A slot later than this is not granted but planned: the message goes back to the queue until the time of the slot. */
const PATIENCE_MS = 2000;
const SECOND_MS = 1000;

/** Campaigns leave slots free for direct messages until this long after the last direct message. */
const SINGLES_SEEN_MS = 10_000;
/** Campaigns leave at most this share of slots for direct messages. Direct messages leave this share for campaigns. */
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
 * The slots of one connection. No one-second window has more granted slots than the connection's rate. A message that
 * must wait longer than `PATIENCE_MS` gets a planned slot, and requests a slot again at that time. Planned slots delay
 * later messages but do not count as sent, so an unused planned slot costs nothing. Each direct message requests its
 * own slot. Campaigns get the slots that are left at each tick. Times are in ms since the epoch.
 */
export class Slots {
  #now = 0;
  /** The rate of the connection, per second. */
  #limit = 1;
  /** The rate for direct messages, per second. */
  #rate = 1;
  /** Slots granted to direct messages. Slots older than one second are deleted. */
  #singles = new Ledger();
  /** Slots granted to direct messages and campaigns. Slots older than one second are deleted. */
  #all = new Ledger();
  /** The time of the last slot request by a direct message. */
  #requestedAt = -Infinity;
  /** The time of the last planned slot. It is not rounded to ms, because rounded slots would not match the rate. */
  #plannedTo = 0;
  #pausedUntil = 0;
  /** By address, the time from which the recipient can receive a full burst (`PersonRule`). Past times are deleted. */
  #people = new Map<string, number>();
  #tidyAt = 0;

  /** Returns the slot of a direct message. `isShared` is true if campaigns need slots too. */
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
    // If the recipient's wait is longer, the message does not use `planned`, so the next message can have it.
    if (planned >= personAt) this.#plannedTo = planned;
    return { isGranted: false, inMs: Math.ceil(Math.max(planned, personAt) - this.#now) };
  }

  /**
   * Grants no slots until the pause is over. After the pause of a recipient, the recipient gets one message every
   * `everyMs` and not a burst at once.
   */
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

  /**
   * Returns the slots per second that campaigns leave free for direct messages: twice the number of slots recently
   * granted to them, plus one, but at most `SHARE`.
   */
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

  /** Marks `count` slots as used by campaigns. */
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

  /**
   * A higher rate moves the last planned slot closer to now, because the planned messages need less time. A lower rate
   * does not move it, because a message that returns too early is planned again.
   */
  #setRate(rate: number): void {
    const ahead = this.#plannedTo - this.#now;
    if (rate > this.#rate && ahead > 0) this.#plannedTo = this.#now + (ahead * this.#rate) / rate;
    this.#rate = rate;
  }

  /**
   * Returns the earliest time, not before `from`, at which one more message stays within both limits. A time in the
   * future also keeps the gap to other direct messages.
   */
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
