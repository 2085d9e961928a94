import { readEventId } from "../../events/events.ids.ts";
import type { Delivery } from "../webhooks.deliveries.ts";
import type { LoggedDelivery } from "../webhooks.schemas.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import type { ReplayRange } from "./event-reader.ts";
import type { PendingDeliveries } from "./pending-deliveries.ts";

/**
 * A recent delivery has no row, so the ids of its events are known, but not their keys. Each event id is used as the
 * key instead, so the delivery does not wait for other deliveries.
 */
const recentDelivery = (workspaceId: string, { id, eventIds }: LoggedDelivery): Delivery => ({
  id,
  events: eventIds.map((eventId) => ({
    id: eventId,
    sequence: readEventId(workspaceId, eventId)?.sequence ?? 0,
    type: "",
    key: eventId,
  })),
  tries: 0,
  firstFailedAt: null,
  lastAttemptAt: null,
  dueAt: 0,
  isReplay: true,
});

export function resendDelivery(
  log: DeliveryLog,
  deliveries: PendingDeliveries,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: number },
): LoggedDelivery | null {
  const stored = log.find(id);
  const recent = log.findRecent(id);
  if (stored !== null) deliveries.resend(stored, now);
  else if (recent !== undefined)
    deliveries.resend(recentDelivery(workspaceId, recent), now, recent.attempts[0] ?? null);
  return log.findLogged(id);
}

export function resendFailed(
  log: DeliveryLog,
  deliveries: PendingDeliveries,
  { types, ...range }: ReplayRange,
  now: number,
): number {
  const failed = log
    .listFailed(range)
    .filter(({ events }) => types === null || events.some(({ type }) => types.includes(type)));
  for (const delivery of failed) deliveries.resend(delivery, now);
  return failed.reduce((sum, { events }) => sum + events.length, 0);
}
