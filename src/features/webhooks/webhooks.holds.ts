// Which events wait for earlier ones with their key. Pure.
import { MINUTE_MS } from "../../shared/durations.ts";
import type { Delivery } from "./webhooks.deliveries.ts";

/** How long a failure holds back later events with its key. */
export const HOLD_MS = 5 * MINUTE_MS;
export interface Holds {
  /** Keys of events that are on their way. */
  onTheirWay: Set<string>;
  /** Keys of failures that hold back later events, with the first that failed. */
  failing: Map<string, number>;
  /** Keys of events that are held back. */
  held: Set<string>;
}

/** True of a delivery that has not failed, and waits for an earlier one. */
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

/** A batch does not wait for itself: of each key its first event counts. */
export function isHeldBack({ events }: Pick<Delivery, "events">, { onTheirWay, failing }: Holds): boolean {
  const seen = new Set<string>();
  return events.some(({ key, sequence }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return onTheirWay.has(key) || (failing.get(key) ?? Infinity) < sequence;
  });
}
