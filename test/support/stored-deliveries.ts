import type { DeliveryLog } from "../../src/features/webhooks/sending/delivery-log.ts";
import type { ReadEvent } from "../../src/features/webhooks/sending/delivery-order.ts";
import { PendingDeliveries } from "../../src/features/webhooks/sending/pending-deliveries.ts";
import type { Delivery } from "../../src/features/webhooks/webhooks.deliveries.ts";
import type { CallResult } from "../../src/features/webhooks/webhooks.retries.ts";

export const readEvent = (sequence: number, key = `ct_${sequence}`, bytes = 1000): ReadEvent => ({
  id: `evt_${String(sequence).padStart(6, "0")}`,
  sequence,
  type: "contact.updated",
  key,
  bytes,
});

export const sequencesOf = (delivery: Delivery | null | undefined): number[] =>
  delivery?.events.map(({ sequence }) => sequence) ?? [];

type Rows = Pick<DeliveryLog, "loadPending" | "putPending" | "putEnded" | "delete" | "makeDue">;

export class StoredDeliveries implements Rows {
  readonly pending = new Map<string, Delivery>();
  isBroken = false;

  loadPending(): Delivery[] {
    return [...this.pending.values()];
  }

  putPending(delivery: Delivery): void {
    if (this.isBroken) throw new Error("The storage is broken.");
    this.pending.set(delivery.id, delivery);
  }

  putEnded({ id }: Delivery): void {
    this.pending.delete(id);
  }

  delete(id: string): void {
    this.pending.delete(id);
  }

  makeDue(now: number): void {
    for (const [id, each] of this.pending) this.pending.set(id, { ...each, dueAt: Math.min(each.dueAt, now) });
  }
}

export const newDeliveries = (readThrough = 0, rows = new StoredDeliveries()): PendingDeliveries =>
  new PendingDeliveries(rows, readThrough);

const attempt = { at: 0, status: 200, duration_ms: 1, error: null, response: "" };

const success: CallResult = { attempt, isSuccess: true, isTimeout: false, retryAfterMs: null };

export const succeed = (deliveries: PendingDeliveries, delivery: Delivery | null | undefined): void => {
  if (delivery) deliveries.settle(delivery, { isProbe: false, result: success }, { now: 0, random: 0.5 });
};

export const fail = (
  deliveries: PendingDeliveries,
  delivery: Delivery | null | undefined,
  { now, inMs, isProbe = false }: { now: number; inMs: number; isProbe?: boolean },
): void => {
  const answer = { ...success, isSuccess: false, retryAfterMs: inMs };
  if (delivery) deliveries.settle(delivery, { isProbe, result: answer }, { now, random: 0.5 });
};

export function takeAll(deliveries: PendingDeliveries, now: number): Delivery[] {
  const taken: Delivery[] = [];
  for (let each = deliveries.due(now, null); each !== null; each = deliveries.due(now, null)) taken.push(each);
  return taken;
}
