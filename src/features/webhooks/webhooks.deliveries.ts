// Deliveries to a webhook, and their list, made of those that are stored and those that went well at once. Pure.
import type { LoggedDelivery } from "./webhooks.schemas.ts";

/** An event of the log that the webhook wants. Events with the same key reach it in their order. */
export interface WantedEvent {
  id: string;
  sequence: number;
  type: string;
  key: string;
}

/** One request to the endpoint, over all its attempts. */
export interface Delivery {
  id: string;
  events: WantedEvent[];
  tries: number;
  /** Null of one that only waits for an earlier event with its key. */
  firstFailedAt: number | null;
  lastAttemptAt: number | null;
  dueAt: number;
  /** It was asked for again: the webhook's place in the log does not wait for it. */
  isReplay: boolean;
}

/** FNV-1a of 64 bits. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text) hash = BigInt.asUintN(64, (hash ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36).padStart(13, "0");
}

/**
 * `dlv_` and the end of its first event's id, of several with a hash of all: the same events give the same id, over retries, replays
 * and crashes, and others give another.
 */
export function deliveryId(events: readonly WantedEvent[]): string {
  const first = `dlv_${events[0]?.id.replace(/^evt_/, "") ?? ""}`;
  return events.length > 1 ? `${first}n${hashOf(events.map(({ sequence }) => sequence).join())}` : first;
}

/** A delivery without its last `count` events, and one of these that is due now. */
export function splitDelivery(delivery: Delivery, count: number, now: number): { head: Delivery; tail: Delivery } {
  const part = (events: WantedEvent[]) => ({ ...delivery, id: deliveryId(events), events, dueAt: now });
  return { head: part(delivery.events.slice(0, -count)), tail: part(delivery.events.slice(-count)) };
}

/** A delivery as its webhook sends nothing before `from`. */
export const waitUntil = (delivery: LoggedDelivery, from: number): LoggedDelivery =>
  delivery.nextAttemptAt === null ? delivery : { ...delivery, nextAttemptAt: Math.max(delivery.nextAttemptAt, from) };

export interface DeliveriesFilter {
  state?: LoggedDelivery["state"] | undefined;
  eventId?: string | undefined;
  /** Only those whose id sorts before it. */
  before?: string | undefined;
  limit: number;
}

/** Newest first, one beyond the limit where there are more; of two of the same id the stored one. */
export function listLogged(
  { state, eventId, before, limit }: DeliveriesFilter,
  stored: readonly LoggedDelivery[],
  recent: readonly LoggedDelivery[],
): LoggedDelivery[] {
  const known = new Set(stored.map(({ id }) => id));
  const shown = recent.filter(
    (each) =>
      !known.has(each.id) &&
      (state === undefined || each.state === state) &&
      (eventId === undefined || each.eventIds.includes(eventId)) &&
      (before === undefined || each.id < before),
  );
  const all = [...stored, ...shown].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return all.slice(0, limit + 1);
}
