import type { LoggedDelivery } from "./webhooks.schemas.ts";

export interface WantedEvent {
  id: string;
  sequence: number;
  type: string;
  key: string;
}

export interface Delivery {
  id: string;
  events: WantedEvent[];
  tries: number;
  /** Null if the delivery has not failed, but only waits for an earlier event with the same key. */
  firstFailedAt: number | null;
  lastAttemptAt: number | null;
  dueAt: number;
  /** True if a user or client requested the delivery again. The webhook's cursor does not wait for such a delivery. */
  isReplay: boolean;
}

/** 64-bit FNV-1a. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text) hash = BigInt.asUintN(64, (hash ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n);
  return hash.toString(36).padStart(13, "0");
}

/**
 * The id consists of the first event's id without `evt_` and, for a batch, a hash of all sequence numbers. If the same
 * events are sent again, for example after a crash, the delivery therefore has the same id.
 */
export function deliveryId(events: readonly WantedEvent[]): string {
  const first = `dlv_${events[0]?.id.replace(/^evt_/, "") ?? ""}`;
  return events.length > 1 ? `${first}n${hashOf(events.map(({ sequence }) => sequence).join())}` : first;
}

export function splitDelivery(delivery: Delivery, count: number, now: number): { head: Delivery; tail: Delivery } {
  const part = (events: WantedEvent[]) => ({ ...delivery, id: deliveryId(events), events, dueAt: now });
  return { head: part(delivery.events.slice(0, -count)), tail: part(delivery.events.slice(-count)) };
}

/** Postpones a retry that would be earlier than `from`, because the webhook sends nothing before that time. */
export const waitUntil = (delivery: LoggedDelivery, from: number): LoggedDelivery =>
  delivery.nextAttemptAt === null ? delivery : { ...delivery, nextAttemptAt: Math.max(delivery.nextAttemptAt, from) };

export interface DeliveriesFilter {
  state?: LoggedDelivery["state"] | undefined;
  eventId?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export function listLogged(
  { state, eventId, before, limit }: DeliveriesFilter,
  stored: readonly LoggedDelivery[],
  recent: readonly LoggedDelivery[],
): LoggedDelivery[] {
  const known = new Set(stored.map(({ id }) => id));
  const listed = recent.filter(
    (each) =>
      !known.has(each.id) &&
      (state === undefined || each.state === state) &&
      (eventId === undefined || each.eventIds.includes(eventId)) &&
      (before === undefined || each.id < before),
  );
  const all = [...stored, ...listed].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return all.slice(0, limit + 1);
}
