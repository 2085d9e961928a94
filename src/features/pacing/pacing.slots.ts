import type { Pause, Slot, SlotRequest } from "./pacing.schemas.ts";

/** A slot further away than this is planned only: its message comes back for it through the queue. */
const PATIENCE_MS = 2000;
const SECOND_MS = 1000;

/** A bucket of `burst` messages to one person, of which one comes back every `everyMs`. */
interface PersonRule {
  burst: number;
  everyMs: number;
}

/** As Meta publishes it for the Cloud API: 45 messages in a burst to one person, then one per 6 s. */
const personRules: Record<string, PersonRule> = { whatsapp_cloud: { burst: 45, everyMs: 6000 } };
const NO_RULE: PersonRule = { burst: 1, everyMs: 0 };

const ruleOf = (provider: string): PersonRule => personRules[provider] ?? NO_RULE;
const debtOf = ({ burst, everyMs }: PersonRule) => (burst - 1) * everyMs;

export interface SavedSlots {
  now: number;
  rate: number;
  taken: number[];
  plannedTo: number;
  pausedUntil: number;
  people: Map<string, number>;
}

/**
 * The turns of one connection. Of granted slots no second holds more than the rate, wherever it starts; who has to wait is
 * spaced evenly. Who has to wait for long is given a place in a plan and asks again at its time: planned slots hold up
 * newcomers, but only granted ones count, so a slot nobody came back for takes nothing from the others.
 * Times in ms since the epoch.
 */
export class Slots {
  #now = 0;
  #rate = 1;
  /** Granted slots, of the last second and to come, ascending. */
  #taken: number[] = [];
  /** The last place in the plan; with fractions, so that it is neither denser nor thinner than the rate. */
  #plannedTo = 0;
  #pausedUntil = 0;
  /** When each person's bucket is full again; those that are full are forgotten. */
  #people = new Map<string, number>();
  #tidyAt = 0;

  /** Gives a message its slot. A clock that went back is taken to stand still. */
  take(now: number, { provider, address, messagesPerSecond, isReturning }: SlotRequest): Slot {
    this.#advance(now);
    this.#setRate(messagesPerSecond);
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
    // Who waits for the person's sake leaves the place to others.
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

  save(): SavedSlots {
    return {
      now: this.#now,
      rate: this.#rate,
      taken: this.#taken,
      plannedTo: this.#plannedTo,
      pausedUntil: this.#pausedUntil,
      people: this.#people,
    };
  }

  static restore({ now, rate, taken, plannedTo, pausedUntil, people }: SavedSlots): Slots {
    const restored = new Slots();
    restored.#now = now;
    restored.#rate = rate;
    restored.#taken = [...taken];
    restored.#plannedTo = plannedTo;
    restored.#pausedUntil = pausedUntil;
    restored.#people = new Map(people);
    return restored;
  }

  #advance(now: number): void {
    this.#now = Math.max(this.#now, now);
    const gone = this.#taken.findIndex((slot) => slot > this.#now - SECOND_MS);
    this.#taken.splice(0, gone < 0 ? this.#taken.length : gone);
    if (this.#now < this.#tidyAt) return;
    this.#tidyAt = this.#now + SECOND_MS;
    for (const [address, fullAt] of this.#people) if (fullAt <= this.#now) this.#people.delete(address);
  }

  /** At a higher rate the same plan takes less time. At a lower one, whoever comes back too early is planned again. */
  #setRate(rate: number): void {
    const ahead = this.#plannedTo - this.#now;
    if (rate > this.#rate && ahead > 0) this.#plannedTo = this.#now + (ahead * this.#rate) / rate;
    this.#rate = rate;
  }

  /** The first time from `from` on that makes no second too full and, unless it is now, keeps its distance from others. */
  #free(from: number): number {
    const gap = Math.floor(SECOND_MS / this.#rate);
    let at = from;
    let before: number;
    do {
      before = at;
      for (const [index, slot] of this.#taken.entries()) {
        const last = this.#taken[index + this.#rate - 1];
        if (last !== undefined && Math.max(last, at) - Math.min(slot, at) < SECOND_MS) at = slot + SECOND_MS;
        if (at > this.#now && Math.abs(at - slot) < gap) at = slot + gap;
      }
    } while (at !== before);
    return at;
  }

  #grant(at: number, address: string, { everyMs }: PersonRule): void {
    const later = this.#taken.findIndex((slot) => slot > at);
    this.#taken.splice(later < 0 ? this.#taken.length : later, 0, at);
    if (everyMs > 0) this.#people.set(address, Math.max(this.#people.get(address) ?? 0, at) + everyMs);
  }
}
