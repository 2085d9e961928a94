import { log } from "../../../shared/logger.ts";
import { type Delivery, splitDelivery } from "../webhooks.deliveries.ts";
import { type EndedAttempt, failedDelivery } from "../webhooks.retries.ts";
import type { DeliveryAttempt } from "../webhooks.schemas.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import {
  type BatchSize,
  completeAt,
  findHolds,
  type UnsentEvent,
  type Holds,
  isDelayed,
  newDelivery,
  nextParkedAt,
  pickUnsent,
  type ReadEvent,
} from "./delivery-order.ts";

const MAX_UNSENT = 500;
/** If parked deliveries contain this many events, the sender stops reading the log. */
export const MAX_PARKED = 10_000;
const SKIPPED_MS = 5000;
const NOT_OPENED = -1;

const sequenceOf = ({ events: [first] }: Delivery): number => first?.sequence ?? Infinity;

/** The deliveries that have not ended. Parked deliveries have rows, so they survive a crash. */
export class PendingDeliveries {
  private readThrough: number;
  private unsent: UnsentEvent[] = [];
  private readonly inFlight = new Map<string, Delivery>();
  /** Deliveries that wait for a retry. A delivery stays in this map during the retry. */
  private readonly parked: Map<string, Delivery>;
  /** Deliveries that have no row yet. After a crash, their events are read from the log again. */
  private readonly unstored = new Map<string, Delivery>();

  constructor(
    private readonly rows: Pick<DeliveryLog, "loadPending" | "putPending" | "putEnded" | "delete" | "makeDue">,
    readThrough = NOT_OPENED,
  ) {
    this.readThrough = readThrough;
    this.parked = new Map(rows.loadPending().map((delivery) => [delivery.id, delivery]));
  }

  open(startAfter: number): void {
    if (!this.isOpen) this.readThrough = startAfter;
  }

  /** Forgets events after `restoredEnd`, because the restored log does not contain them. */
  goBack(restoredEnd: number): void {
    this.readThrough = Math.min(this.cursor, restoredEnd);
    this.unsent = [];
  }

  get isOpen(): boolean {
    return this.readThrough !== NOT_OPENED;
  }

  get end(): number {
    return this.readThrough;
  }

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  get isFull(): boolean {
    const parked = [...this.parked.values()].reduce((sum, { events }) => sum + events.length, 0);
    return this.unsent.length >= MAX_UNSENT || parked >= MAX_PARKED;
  }

  get hasUnsent(): boolean {
    return this.unsent.length > 0;
  }

  get isEmpty(): boolean {
    return this.unsent.length + this.parked.size + this.inFlight.size === 0;
  }

  /**
   * True until all events of the replay's current page are delivered or parked. The next page is read only then,
   * because a crash loses the events in memory and repeats the current page.
   */
  get hasUnsentReplay(): boolean {
    return [...this.unsent, ...this.unstored.values()].some(({ isReplay }) => isReplay);
  }

  /**
   * Every event up to this sequence number is delivered, parked or filtered out. After a crash, reading resumes after
   * it.
   */
  get cursor(): number {
    const unstored = [...this.unstored.values()].filter(({ isReplay }) => !isReplay).map(sequenceOf);
    const unsent = this.unsent.find(({ isReplay }) => !isReplay)?.sequence ?? Infinity;
    return Math.min(this.readThrough, ...[...unstored, unsent].map((sequence) => sequence - 1));
  }

  /**
   * Every event up to this sequence number is delivered, given up or filtered out. Events of parked deliveries are not
   * included, because they still wait for a retry.
   */
  get doneThrough(): number {
    const parked = [...this.parked.values()].filter(({ isReplay }) => !isReplay);
    return parked.reduce((done, each) => Math.min(done, sequenceOf(each) - 1), this.cursor);
  }

  add(events: readonly ReadEvent[], lastExamined: number, now: number): void {
    this.addUnsent(events, now, false);
    this.readThrough = Math.max(this.readThrough, lastExamined);
  }

  addReplay(events: readonly ReadEvent[], now: number): void {
    this.addUnsent(events, now, true);
  }

  keepTypes(types: readonly string[]): void {
    this.unsent = this.unsent.filter(({ type }) => types.includes(type));
  }

  upcoming(limit: number): number[] {
    return this.unsent.slice(0, limit).map(({ sequence }) => sequence);
  }

  due(now: number, batch: BatchSize | null): Delivery | null {
    const holds = this.findHolds(now);
    const parked = this.findParked((each) => each.dueAt <= now && !isDelayed(each, holds), sequenceOf);
    if (parked !== null) return this.send(parked);
    const { picked, delayed, rest, isFull } = pickUnsent(this.unsent, batch, holds);
    for (const event of delayed) {
      this.park(newDelivery([event], now), null);
      this.unsent.splice(this.unsent.indexOf(event), 1);
    }
    if (now < completeAt(picked, batch, isFull)) return null;
    this.unsent = rest;
    return this.sendUnsent(picked, now);
  }

  dueProbe(now: number): Delivery | null {
    const holds = this.findHolds(now);
    const index = this.unsent.findIndex(
      (event) => !holds.delayed.has(event.key) && !isDelayed({ events: [event] }, holds),
    );
    const [event] = index < 0 ? [] : this.unsent.splice(index, 1);
    if (event !== undefined) return this.sendUnsent([event], now);
    const triedAt = ({ lastAttemptAt }: Delivery) => lastAttemptAt ?? 0;
    // If all parked deliveries wait for each other, one of them must be sent anyway: the delivery whose last attempt is
    // oldest.
    const oldest = this.findParked((each) => !isDelayed(each, holds), triedAt) ?? this.findParked(() => true, triedAt);
    return oldest === null ? null : this.send(oldest);
  }

  nextAt(now: number, batch: BatchSize | null): number {
    const holds = this.findHolds(now);
    const { picked, delayed, isFull } = pickUnsent(this.unsent, batch, holds);
    const waiting = [...this.parked.values()].filter(({ id }) => !this.inFlight.has(id));
    const unsentAt = delayed.length > 0 ? now : completeAt(picked, batch, isFull);
    return Math.max(now, Math.min(unsentAt, nextParkedAt(waiting, holds, now)));
  }

  settle(delivery: Delivery, ended: EndedAttempt, at: { now: number; random: number }): void {
    const { attempt, isSuccess } = ended.result;
    const { failed, isLast } = failedDelivery(delivery, ended, at);
    if (isSuccess) this.rows.putEnded(delivery, "succeeded", attempt, at.now);
    else if (isLast) this.rows.putEnded(failed, "failed", attempt, at.now);
    else this.park(failed, attempt);
    if (isSuccess || isLast) this.remove(delivery.id);
    else this.inFlight.delete(delivery.id);
  }

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

  drop(id: string): void {
    this.rows.delete(id);
    this.remove(id);
  }

  split(delivery: Delivery, count: number, now: number): Delivery {
    const { head, tail } = splitDelivery(delivery, count, now);
    for (const part of [head, tail]) this.park(part, null);
    this.drop(delivery.id);
    return this.send(head);
  }

  /** Sends a delivery again with all its retries. If it is in flight, its current attempt continues. */
  resend(delivery: Delivery, now: number, lastAttempt: DeliveryAttempt | null = null): void {
    // A parked delivery does not become a replay, because `doneThrough` must still wait for its success.
    const isReplay = delivery.isReplay || !this.parked.has(delivery.id);
    const again = { ...delivery, tries: 0, firstFailedAt: now, dueAt: now, isReplay };
    if (this.inFlight.has(delivery.id)) this.rows.putPending(again, lastAttempt);
    else this.park(again, lastAttempt);
  }

  makeDue(now: number): void {
    this.rows.makeDue(now);
    for (const [id, each] of this.parked) if (each.dueAt > now) this.parked.set(id, { ...each, dueAt: now });
  }

  /** Skips events that are already parked, because after a crash or during a replay, the log returns them again. */
  private addUnsent(events: readonly ReadEvent[], readAt: number, isReplay: boolean): void {
    const parked = new Set([...this.parked.values()].flatMap((each) => each.events.map(({ id }) => id)));
    for (const event of events) if (!parked.has(event.id)) this.unsent.push({ ...event, readAt, isReplay });
  }

  private findHolds(now: number): Holds {
    return findHolds({ parked: this.parked.values(), inFlight: this.inFlight.values() }, now);
  }

  private findParked(isWanted: (each: Delivery) => boolean, rank: (each: Delivery) => number): Delivery | null {
    let found: Delivery | null = null;
    for (const each of this.parked.values()) {
      if (this.inFlight.has(each.id) || (found !== null && rank(each) >= rank(found))) continue;
      if (isWanted(each)) found = each;
    }
    return found;
  }

  /** Stores the row first. If the write throws, the delivery stays in `unstored`, so the cursor stays before it. */
  private park(delivery: Delivery, attempt: DeliveryAttempt | null): void {
    this.rows.putPending(delivery, attempt);
    this.parked.set(delivery.id, delivery);
    this.unstored.delete(delivery.id);
  }

  private send(delivery: Delivery): Delivery {
    this.inFlight.set(delivery.id, delivery);
    return delivery;
  }

  private sendUnsent(events: UnsentEvent[], now: number): Delivery {
    const delivery = newDelivery(events, now);
    this.unstored.set(delivery.id, delivery);
    return this.send(delivery);
  }

  private remove(id: string): void {
    for (const deliveries of [this.inFlight, this.parked, this.unstored]) deliveries.delete(id);
  }
}
