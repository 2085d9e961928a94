// Decides which events leave next, which leave together, and which wait for earlier events with the same key. Pure.
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { type Delivery, deliveryId, type WantedEvent } from "../webhooks.deliveries.ts";
import type { WebhookRecord } from "../webhooks.schemas.ts";

/** How long a failure delays later events with its key. */
export const HOLD_MS = 5 * MINUTE_MS;

/** Per request. A single event may exceed it. */
export const MAX_BODY_BYTES = 1_000_000;

export interface BatchSize {
  maxEvents: number;
  maxWaitMs: number;
}

/** Null for one event per request. */
export const batchOf = ({ batch }: WebhookRecord): BatchSize | null =>
  batch === null ? null : { maxEvents: batch.max_events, maxWaitMs: batch.max_wait_seconds * 1000 };

export interface ReadEvent extends WantedEvent {
  bytes: number;
}

/** An event that was read but not sent yet. */
export interface FreshEvent extends ReadEvent {
  readAt: number;
  isReplay: boolean;
}

export interface Holds {
  onTheirWay: Set<string>;
  /** Keys of failures that delay later events, with the first sequence number that failed. */
  failing: Map<string, number>;
  held: Set<string>;
}

/** True of a delivery that has not failed, but waits for an earlier one. */
const isWaiting = ({ firstFailedAt }: Delivery): boolean => firstFailedAt === null;

export function findHolds(
  { parked, inFlight }: { parked: Iterable<Delivery>; inFlight: Iterable<Delivery> },
  now: number,
): Holds {
  const holds: Holds = { onTheirWay: new Set(), failing: new Map(), held: new Set() };
  for (const { events } of inFlight) for (const { key } of events) holds.onTheirWay.add(key);
  for (const each of parked) {
    if (isWaiting(each)) for (const { key } of each.events) holds.held.add(key);
    else if (now < (each.firstFailedAt ?? 0) + HOLD_MS)
      for (const { key, sequence } of each.events)
        holds.failing.set(key, Math.min(sequence, holds.failing.get(key) ?? Infinity));
  }
  return holds;
}

/** Only the first event of each key counts, because a batch does not wait for itself. */
export function isHeldBack({ events }: Pick<Delivery, "events">, { onTheirWay, failing }: Holds): boolean {
  const seen = new Set<string>();
  return events.some(({ key, sequence }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return onTheirWay.has(key) || (failing.get(key) ?? Infinity) < sequence;
  });
}

/** Splits the events into those to send next, those delayed by a failure, and the rest. */
export function pickFresh(fresh: readonly FreshEvent[], batch: BatchSize | null, { failing, ...holds }: Holds) {
  const max = batch?.maxEvents ?? 1;
  const onTheirWay = new Set(holds.onTheirWay);
  const heldKeys = new Set(holds.held);
  const held: FreshEvent[] = [];
  const picked: FreshEvent[] = [];
  const rest: FreshEvent[] = [];
  let bytes = 0;
  const isFull = () => picked.length >= max || bytes > MAX_BODY_BYTES;
  for (const event of fresh) {
    const { key, sequence } = event;
    if (heldKeys.has(key) || (failing.get(key) ?? Infinity) < sequence) {
      held.push(event);
      heldKeys.add(key);
    } else if (onTheirWay.has(key) || isFull() || picked[0]?.isReplay === !event.isReplay) {
      rest.push(event);
      // Keeps later events with this key behind this event.
      onTheirWay.add(key);
    } else {
      bytes += event.bytes;
      if (picked.length > 0 && bytes > MAX_BODY_BYTES) {
        rest.push(event);
        onTheirWay.add(key);
      } else picked.push(event);
    }
  }
  return { picked, held, rest, isFull: isFull() };
}

/** When these events may be sent; Infinity for none. */
export function completeAt(picked: readonly FreshEvent[], batch: BatchSize | null, isFull: boolean): number {
  const [first] = picked;
  if (first === undefined) return Infinity;
  return batch === null || isFull ? -Infinity : first.readAt + batch.maxWaitMs;
}

/** When a parked delivery becomes due, or a failure stops delaying others. */
export function nextParkedAt(parked: readonly Delivery[], holds: Holds, now: number): number {
  let at = Infinity;
  for (const each of parked) {
    if (!isHeldBack(each, holds)) at = Math.min(at, each.dueAt);
    const holdEnds = (each.firstFailedAt ?? 0) + HOLD_MS;
    if (holdEnds > now) at = Math.min(at, holdEnds);
  }
  return at;
}

export const newDelivery = (events: FreshEvent[], now: number): Delivery => ({
  id: deliveryId(events),
  events: events.map(({ id, sequence, type, key }) => ({ id, sequence, type, key })),
  tries: 0,
  firstFailedAt: null,
  lastAttemptAt: null,
  dueAt: now,
  isReplay: events.some(({ isReplay }) => isReplay),
});
