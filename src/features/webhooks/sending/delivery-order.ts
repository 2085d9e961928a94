import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { type Delivery, deliveryId, type WantedEvent } from "../webhooks.deliveries.ts";
import type { WebhookRecord } from "../webhooks.schemas.ts";

/** A failed delivery delays later events with the same key, to keep their order, but for at most this time. */
export const MAX_DELAY_MS = 5 * MINUTE_MS;

/** The maximum size of a batch. A single event can be larger. */
export const MAX_BODY_BYTES = 1_000_000;

export interface BatchSize {
  maxEvents: number;
  maxWaitMs: number;
}

export const batchOf = ({ batch }: WebhookRecord): BatchSize | null =>
  batch === null ? null : { maxEvents: batch.max_events, maxWaitMs: batch.max_wait_seconds * 1000 };

export interface ReadEvent extends WantedEvent {
  bytes: number;
}

export interface UnsentEvent extends ReadEvent {
  readAt: number;
  isReplay: boolean;
}

export interface Holds {
  inFlight: Set<string>;
  /**
   * For each key with a failed delivery, the first sequence number that failed. Later events with the same key wait, to
   * keep their order.
   */
  failing: Map<string, number>;
  delayed: Set<string>;
}

const isWaiting = ({ firstFailedAt }: Delivery): boolean => firstFailedAt === null;

export function findHolds(
  { parked, inFlight }: { parked: Iterable<Delivery>; inFlight: Iterable<Delivery> },
  now: number,
): Holds {
  const holds: Holds = { inFlight: new Set(), failing: new Map(), delayed: new Set() };
  for (const { events } of inFlight) for (const { key } of events) holds.inFlight.add(key);
  for (const each of parked) {
    if (isWaiting(each)) for (const { key } of each.events) holds.delayed.add(key);
    else if (now < (each.firstFailedAt ?? 0) + MAX_DELAY_MS)
      for (const { key, sequence } of each.events)
        holds.failing.set(key, Math.min(sequence, holds.failing.get(key) ?? Infinity));
  }
  return holds;
}

export function isDelayed({ events }: Pick<Delivery, "events">, { inFlight, failing }: Holds): boolean {
  const seen = new Set<string>();
  return events.some(({ key, sequence }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return inFlight.has(key) || (failing.get(key) ?? Infinity) < sequence;
  });
}

export function pickUnsent(unsent: readonly UnsentEvent[], batch: BatchSize | null, { failing, ...holds }: Holds) {
  const max = batch?.maxEvents ?? 1;
  const inFlight = new Set(holds.inFlight);
  const delayedKeys = new Set(holds.delayed);
  const delayed: UnsentEvent[] = [];
  const picked: UnsentEvent[] = [];
  const rest: UnsentEvent[] = [];
  let bytes = 0;
  const isFull = () => picked.length >= max || bytes > MAX_BODY_BYTES;
  for (const event of unsent) {
    const { key, sequence } = event;
    if (delayedKeys.has(key) || (failing.get(key) ?? Infinity) < sequence) {
      delayed.push(event);
      delayedKeys.add(key);
    } else if (inFlight.has(key) || isFull() || picked[0]?.isReplay === !event.isReplay) {
      rest.push(event);
      // Makes later events with this key wait for this event.
      inFlight.add(key);
    } else {
      bytes += event.bytes;
      if (picked.length > 0 && bytes > MAX_BODY_BYTES) {
        rest.push(event);
        inFlight.add(key);
      } else picked.push(event);
    }
  }
  return { picked, delayed, rest, isFull: isFull() };
}

export function completeAt(picked: readonly UnsentEvent[], batch: BatchSize | null, isFull: boolean): number {
  const [first] = picked;
  if (first === undefined) return Infinity;
  return batch === null || isFull ? -Infinity : first.readAt + batch.maxWaitMs;
}

/** The next time when a parked delivery is due, or when a failure stops delaying other deliveries. */
export function nextParkedAt(parked: readonly Delivery[], holds: Holds, now: number): number {
  let at = Infinity;
  for (const each of parked) {
    if (!isDelayed(each, holds)) at = Math.min(at, each.dueAt);
    const holdEnds = (each.firstFailedAt ?? 0) + MAX_DELAY_MS;
    if (holdEnds > now) at = Math.min(at, holdEnds);
  }
  return at;
}

export const newDelivery = (events: UnsentEvent[], now: number): Delivery => ({
  id: deliveryId(events),
  events: events.map(({ id, sequence, type, key }) => ({ id, sequence, type, key })),
  tries: 0,
  firstFailedAt: null,
  lastAttemptAt: null,
  dueAt: now,
  isReplay: events.some(({ isReplay }) => isReplay),
});
