// Everything that one webhook still has to be sent, in order. In memory only; callers store what is parked.
import { type Delivery, deliveryId } from "./webhooks.deliveries.ts";
import { type BatchSize, completeAt, type FreshEvent, pickFresh, type ReadEvent } from "./webhooks.fresh-events.ts";
import { findHolds, HOLD_MS, type Holds, isHeldBack } from "./webhooks.holds.ts";

/** Events in memory that were read and not yet sent. */
const MAX_FRESH = 500;
/** Events of parked deliveries: with more, no further ones are read. */
export const MAX_PARKED = 10_000;

const sequenceOf = ({ events: [first] }: Delivery): number => first?.sequence ?? Infinity;

export interface Taken {
  delivery: Delivery | null;
  /** Newly parked behind a failure with their key. */
  held: Delivery[];
}

export class Backlog {
  private fresh: FreshEvent[] = [];
  private readonly parked: Map<string, Delivery>;
  private readonly inFlight = new Map<string, Delivery>();

  constructor(
    /** The sequence number up to which the log was read. */
    private readThrough: number,
    parked: readonly Delivery[],
  ) {
    this.parked = new Map(parked.map((delivery) => [delivery.id, delivery]));
  }

  /** Where to read on. */
  get end(): number {
    return this.readThrough;
  }

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  /** True while no more may be read: what was read has to go first. */
  get isFull(): boolean {
    return this.fresh.length >= MAX_FRESH || this.countParked() >= MAX_PARKED;
  }

  get hasFresh(): boolean {
    return this.fresh.length > 0;
  }

  get isEmpty(): boolean {
    return this.fresh.length + this.parked.size + this.inFlight.size === 0;
  }

  /** True while events of a replay are waiting to be sent for the first time. */
  get hasFreshReplay(): boolean {
    return this.fresh.some(({ isReplay }) => isReplay) || [...this.inFlight.values()].some((each) => each.isReplay);
  }

  /** Takes over what was read from the log. */
  add(events: readonly ReadEvent[], lastExamined: number, now: number): void {
    this.addFresh(events, now, false);
    this.readThrough = Math.max(this.readThrough, lastExamined);
  }

  /** Takes over what is to be sent again. */
  addReplay(events: readonly ReadEvent[], now: number): void {
    this.addFresh(events, now, true);
  }

  /** Leaves out what was read and not sent, and is of another type. */
  keepTypes(types: readonly string[]): void {
    this.fresh = this.fresh.filter(({ type }) => types.includes(type));
  }

  /** The sequence numbers of the first that were read and not sent. */
  upcoming(limit: number): number[] {
    return this.fresh.slice(0, limit).map(({ sequence }) => sequence);
  }

  /** Has `head` on its way in place of a delivery, and `tail` after it; both are stored. */
  replaceInFlight(id: string, head: Delivery, tail: Delivery): void {
    this.settle(id, null);
    for (const each of [head, tail]) this.parked.set(each.id, each);
    this.send(head);
  }

  /** Parks a delivery that was asked for again; one that is on its way is left alone. */
  park(delivery: Delivery): void {
    if (!this.inFlight.has(delivery.id)) this.parked.set(delivery.id, delivery);
  }

  /** True of what waits, or is on its way after a failure. */
  isParked(id: string): boolean {
    return this.parked.has(id);
  }

  /** Whatever waits for its next try may leave from now on, in the order of the log. */
  makeDue(now: number): void {
    for (const [id, each] of this.parked) if (each.dueAt > now) this.parked.set(id, { ...each, dueAt: now });
  }

  /** The next delivery that may leave, which is on its way from then on. `batch` is null for one event each. */
  take(now: number, batch: BatchSize | null): Taken {
    const holds = findHolds({ parked: this.parked.values(), inFlight: this.inFlight.values() }, now);
    const parked = this.findParked((each) => each.dueAt <= now && !isHeldBack(each, holds), sequenceOf);
    if (parked !== null) return { delivery: this.send(parked), held: [] };
    return this.takeFresh(now, batch, holds);
  }

  /** The one to try an endpoint with that keeps failing: a new event that waits for no other, else what was tried longest ago. */
  takeProbe(now: number): Delivery | null {
    const holds = findHolds({ parked: this.parked.values(), inFlight: this.inFlight.values() }, now);
    const index = this.fresh.findIndex(
      (event) => !holds.held.has(event.key) && !isHeldBack({ events: [event] }, holds),
    );
    const [event] = index < 0 ? [] : this.fresh.splice(index, 1);
    if (event !== undefined) return this.send(newDelivery([event], now));
    const triedAt = ({ lastAttemptAt }: Delivery) => lastAttemptAt ?? 0;
    // Deliveries of several contacts may wait for each other: one of them is tried then.
    const oldest = this.findParked((each) => !isHeldBack(each, holds), triedAt) ?? this.findParked(() => true, triedAt);
    return oldest === null ? null : this.send(oldest);
  }

  /** Ends an attempt: `next` is the delivery as it is tried again, or null. */
  settle(id: string, next: Delivery | null): void {
    this.inFlight.delete(id);
    if (next === null) this.parked.delete(id);
    else this.parked.set(id, next);
  }

  /** The last event that it and all before are sent, parked or left out: reading may begin behind it. */
  get cursor(): number {
    const unsafe = [...this.inFlight.values()].filter((each) => !this.parked.has(each.id) && !each.isReplay);
    const fresh = this.fresh.find(({ isReplay }) => !isReplay);
    return Math.min(this.readThrough, ...unsafe.map((each) => sequenceOf(each) - 1), (fresh?.sequence ?? Infinity) - 1);
  }

  /** The last event that it and all before are done with. */
  get doneThrough(): number {
    let done = this.cursor;
    for (const each of this.parked.values()) if (!each.isReplay) done = Math.min(done, sequenceOf(each) - 1);
    return done;
  }

  /** When `take` may give something; Infinity where only an answer or new events change that. */
  nextAt(now: number, batch: BatchSize | null): number {
    const holds = findHolds({ parked: this.parked.values(), inFlight: this.inFlight.values() }, now);
    const { picked, held, isFull } = pickFresh(this.fresh, batch, holds);
    let at = held.length > 0 ? now : completeAt(picked, batch, isFull);
    for (const each of this.parked.values()) {
      if (this.inFlight.has(each.id)) continue;
      if (!isHeldBack(each, holds)) at = Math.min(at, each.dueAt);
      const holdEnds = (each.firstFailedAt ?? 0) + HOLD_MS;
      if (holdEnds > now) at = Math.min(at, holdEnds);
    }
    return Math.max(at, now);
  }

  /** Leaves out what is parked: after a crash that is read again, and a replay may hold it. */
  private addFresh(events: readonly ReadEvent[], readAt: number, isReplay: boolean): void {
    const parked = new Set([...this.parked.values()].flatMap((each) => each.events.map(({ id }) => id)));
    for (const event of events) if (!parked.has(event.id)) this.fresh.push({ ...event, readAt, isReplay });
  }

  private countParked(): number {
    let count = 0;
    for (const { events } of this.parked.values()) count += events.length;
    return count;
  }

  private send(delivery: Delivery): Delivery {
    this.inFlight.set(delivery.id, delivery);
    return delivery;
  }

  /** The parked delivery, not on its way, that is the first by `rank`. */
  private findParked(isWanted: (each: Delivery) => boolean, rank: (each: Delivery) => number): Delivery | null {
    let found: Delivery | null = null;
    for (const each of this.parked.values()) {
      if (this.inFlight.has(each.id) || (found !== null && rank(each) >= rank(found))) continue;
      if (isWanted(each)) found = each;
    }
    return found;
  }

  private takeFresh(now: number, batch: BatchSize | null, holds: Holds): Taken {
    const { picked, held: heldEvents, rest, isFull } = pickFresh(this.fresh, batch, holds);
    const held = heldEvents.map((event) => newDelivery([event], now));
    for (const each of held) this.parked.set(each.id, each);
    if (now < completeAt(picked, batch, isFull)) {
      const heldIds = new Set(heldEvents.map(({ id }) => id));
      this.fresh = this.fresh.filter(({ id }) => !heldIds.has(id));
      return { delivery: null, held };
    }
    this.fresh = rest;
    return { delivery: this.send(newDelivery(picked, now)), held };
  }
}

const newDelivery = (events: FreshEvent[], now: number): Delivery => ({
  id: deliveryId(events),
  events: events.map(({ id, sequence, type, key }) => ({ id, sequence, type, key })),
  tries: 0,
  firstFailedAt: null,
  lastAttemptAt: null,
  dueAt: now,
  isReplay: events.some(({ isReplay }) => isReplay),
});
