import { chunksOf } from "../shared/chunks.ts";
import type { ChannelEvent, StatusEvent } from "./channel.ts";

/** Statuses that travel together: what a delivery of the queue holds of them fits into one statement. */
const STATUSES = 20;

/** The content of one queue message: one event, or several statuses. */
export type EventBundle = { event: ChannelEvent } | { events: StatusEvent[] };

/** Puts statuses that came together into as few queue messages as may be; every other event has its own. */
export function bundleEvents(events: readonly ChannelEvent[]): EventBundle[] {
  const statuses = events.filter((event) => event.type === "status");
  const bundles = chunksOf(statuses, STATUSES);
  const others = events.filter((event) => event.type !== "status");
  return [...others.map((event) => ({ event })), ...bundles.map((some) => ({ events: some }))];
}
