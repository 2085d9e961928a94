import { log } from "../../../shared/logger.ts";
import { type Delivery, splitDelivery } from "../webhooks.deliveries.ts";
import { type EndedAttempt, failedDelivery } from "../webhooks.retries.ts";
import type { DeliveryAttempt } from "../webhooks.schemas.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import {
  type BatchSize,
  completeAt,
  findHolds,
  type FreshEvent,
  type Holds,
  isHeldBack,
  newDelivery,
  nextParkedAt,
  pickFresh,
  type ReadEvent,
} from "./delivery-order.ts";

/** Events in memory that were read and not yet sent. */
const MAX_FRESH = 500;
/** Events of parked deliveries: with more, no further ones are read. */
export const MAX_PARKED = 10_000;
/** A delivery that failed by a fault of ours comes back after this. */
const SKIPPED_MS = 5000;
const NOT_OPENED = -1;

const sequenceOf = ({ events: [first] }: Delivery): number => first?.sequence ?? Infinity;

/** Everything that one webhook still has to be sent, in order. What is parked has a row, so that a crash leaves nothing out. */
export class PendingDeliveries {
  /** The sequence number up to which the log was read. */
  private readThrough: number;
  private fresh: FreshEvent[] = [];
  private readonly inFlight = new Map<string, Delivery>();
  /** PendingDeliveries that wait for their next try or for an earlier one, also those of them that are on their way again. */
  private readonly parked: Map<string, Delivery>;
  /** PendingDeliveries on their way or parked that have no row: after a crash the log is read again from before them. */
  private readonly unstored = new Map<string, Delivery>();

  constructor(
    private readonly rows: Pick<DeliveryLog, "loadPending" | "putPending" | "putEnded" | "delete" | "makeDue">,
    readThrough = NOT_OPENED,
  ) {
    this.readThrough = readThrough;
    this.parked = new Map(rows.loadPending().map((delivery) => [delivery.id, delivery]));
  }

  /** Begins behind this event, unless it has begun already. */
  open(startAfter: number): void {
    if (!this.isOpen) this.readThrough = startAfter;
  }

  get isOpen(): boolean {
    return this.readThrough !== NOT_OPENED;
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
    const parked = [...this.parked.values()].reduce((sum, { events }) => sum + events.length, 0);
    return this.fresh.length >= MAX_FRESH || parked >= MAX_PARKED;
  }

  get hasFresh(): boolean {
    return this.fresh.length > 0;
  }

  get isEmpty(): boolean {
    return this.fresh.length + this.parked.size + this.inFlight.size === 0;
  }

  /** True while a crash would lose events of a replay, which are in no row. */
  get hasFreshReplay(): boolean {
    return [...this.fresh, ...this.unstored.values()].some(({ isReplay }) => isReplay);
  }

  /** Sequence number up to which every event is delivered, parked or filtered out. Reading resumes after it. */
  get cursor(): number {
    const unstored = [...this.unstored.values()].filter(({ isReplay }) => !isReplay).map(sequenceOf);
    const fresh = this.fresh.find(({ isReplay }) => !isReplay)?.sequence ?? Infinity;
    return Math.min(this.readThrough, ...[...unstored, fresh].map((sequence) => sequence - 1));
  }

  /** Sequence number up to which every event is delivered, given up or filtered out. */
  get doneThrough(): number {
    const parked = [...this.parked.values()].filter(({ isReplay }) => !isReplay);
    return parked.reduce((done, each) => Math.min(done, sequenceOf(each) - 1), this.cursor);
  }

  /** Takes over what was read from the log up to `lastExamined`. */
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

  /** The next delivery that may leave, which is on its way from then on. `batch` is null for one event each. */
  due(now: number, batch: BatchSize | null): Delivery | null {
    const holds = this.findHolds(now);
    const parked = this.findParked((each) => each.dueAt <= now && !isHeldBack(each, holds), sequenceOf);
    if (parked !== null) return this.send(parked);
    const { picked, held, rest, isFull } = pickFresh(this.fresh, batch, holds);
    for (const event of held) {
      this.park(newDelivery([event], now), null);
      this.fresh.splice(this.fresh.indexOf(event), 1);
    }
    if (now < completeAt(picked, batch, isFull)) return null;
    this.fresh = rest;
    return this.sendFresh(picked, now);
  }

  /** The one to try an endpoint with that keeps failing: a new event that waits for no other, else what was tried longest ago. */
  dueProbe(now: number): Delivery | null {
    const holds = this.findHolds(now);
    const index = this.fresh.findIndex(
      (event) => !holds.held.has(event.key) && !isHeldBack({ events: [event] }, holds),
    );
    const [event] = index < 0 ? [] : this.fresh.splice(index, 1);
    if (event !== undefined) return this.sendFresh([event], now);
    const triedAt = ({ lastAttemptAt }: Delivery) => lastAttemptAt ?? 0;
    // PendingDeliveries of several contacts may wait for each other: one of them is tried then.
    const oldest = this.findParked((each) => !isHeldBack(each, holds), triedAt) ?? this.findParked(() => true, triedAt);
    return oldest === null ? null : this.send(oldest);
  }

  /** When `due` may give something; Infinity where only an answer or new events change that. */
  nextAt(now: number, batch: BatchSize | null): number {
    const holds = this.findHolds(now);
    const { picked, held, isFull } = pickFresh(this.fresh, batch, holds);
    const waiting = [...this.parked.values()].filter(({ id }) => !this.inFlight.has(id));
    const freshAt = held.length > 0 ? now : completeAt(picked, batch, isFull);
    return Math.max(now, Math.min(freshAt, nextParkedAt(waiting, holds, now)));
  }

  /** Ends an attempt: what failed is parked until its next try, unless that was the last. */
  settle(delivery: Delivery, ended: EndedAttempt, at: { now: number; random: number }): void {
    const { attempt, isSuccess } = ended.answer;
    const { failed, isLast } = failedDelivery(delivery, ended, at);
    if (isSuccess) this.rows.putEnded(delivery, "succeeded", attempt, at.now);
    else if (isLast) this.rows.putEnded(failed, "failed", attempt, at.now);
    else this.park(failed, attempt);
    if (isSuccess || isLast) this.remove(delivery.id);
    else this.inFlight.delete(delivery.id);
  }

  /** Ends an attempt that could not be made or recorded: the delivery comes back soon. */
  skip(delivery: Delivery, now: number): void {
    const later = { ...delivery, dueAt: now + SKIPPED_MS };
    try {
      this.park(later, null);
    } catch (error) {
      log.error("webhook_delivery_not_stored", { deliveryId: delivery.id, error });
      this.parked.set(later.id, later);
    }
    this.inFlight.delete(delivery.id);
  }

  /** Ends a delivery whose events no longer exist. */
  drop(id: string): void {
    this.rows.delete(id);
    this.remove(id);
  }

  /** Parts a delivery on its way from its last events, which are sent after it; gives what is left, which stays on its way. */
  split(delivery: Delivery, count: number, now: number): Delivery {
    const { head, tail } = splitDelivery(delivery, count, now);
    for (const part of [head, tail]) this.park(part, null);
    this.drop(delivery.id);
    return this.send(head);
  }

  /** Sends a delivery again, with all its tries. One that is on its way is left alone. */
  resend(delivery: Delivery, now: number, shown: DeliveryAttempt | null = null): void {
    // The place in the log still waits for what was not delivered yet.
    const isReplay = delivery.isReplay || !this.parked.has(delivery.id);
    const again = { ...delivery, tries: 0, firstFailedAt: now, dueAt: now, isReplay };
    if (this.inFlight.has(delivery.id)) this.rows.putPending(again, shown);
    else this.park(again, shown);
  }

  /** The endpoint is back, or may be: what failed before waits no longer, with the tries it has left. */
  makeDue(now: number): void {
    this.rows.makeDue(now);
    for (const [id, each] of this.parked) if (each.dueAt > now) this.parked.set(id, { ...each, dueAt: now });
  }

  /** Leaves out what is parked: after a crash that is read again, and a replay may hold it. */
  private addFresh(events: readonly ReadEvent[], readAt: number, isReplay: boolean): void {
    const parked = new Set([...this.parked.values()].flatMap((each) => each.events.map(({ id }) => id)));
    for (const event of events) if (!parked.has(event.id)) this.fresh.push({ ...event, readAt, isReplay });
  }

  private findHolds(now: number): Holds {
    return findHolds({ parked: this.parked.values(), inFlight: this.inFlight.values() }, now);
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

  /** Stores a row first: if that throws, the cursor stays before the delivery. */
  private park(delivery: Delivery, attempt: DeliveryAttempt | null): void {
    this.rows.putPending(delivery, attempt);
    this.parked.set(delivery.id, delivery);
    this.unstored.delete(delivery.id);
  }

  private send(delivery: Delivery): Delivery {
    this.inFlight.set(delivery.id, delivery);
    return delivery;
  }

  private sendFresh(events: FreshEvent[], now: number): Delivery {
    const delivery = newDelivery(events, now);
    this.unstored.set(delivery.id, delivery);
    return this.send(delivery);
  }

  private remove(id: string): void {
    for (const deliveries of [this.inFlight, this.parked, this.unstored]) deliveries.delete(id);
  }
}
