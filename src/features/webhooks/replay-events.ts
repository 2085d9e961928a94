import type { Ctx } from "../../shared/context.ts";
import { readEventId } from "../events/events.ids.ts";
import type { EventView } from "../event-feed/event-feed.schemas.ts";
import { readEvents } from "../event-feed/read-events.ts";
import type { SenderState } from "./sender-state.ts";
import type { Delivery } from "./webhooks.deliveries.ts";
import type { DeliveryAttempt, LoggedDelivery } from "./webhooks.schemas.ts";

/** Ranges of the log that wait to be sent again. */
export const MAX_REPLAYS = 10;
const PAGE = 100;

/** Events after and before these sequence numbers, of these types; null for all. */
export interface ReplayRange {
  after: number;
  before: number;
  types: string[] | null;
}

/** The next events that are to be sent again, once those before are sent: a process that dies reads the page anew. */
export async function readReplay(state: SenderState, ctx: Ctx, types: readonly string[]): Promise<EventView[]> {
  const [replay] = state.replays;
  if (replay === undefined || state.backlog.hasFreshReplay) return [];
  if (replay.readThrough !== undefined) {
    const { readThrough, ...next } = replay;
    state.replays = state.replays.slice(1);
    if (readThrough < next.through) state.replays = [{ ...next, after: readThrough }, ...state.replays];
    state.save();
    return readReplay(state, ctx, types);
  }
  const wanted = types.filter((type) => replay.types?.includes(type) ?? true);
  const { events, lastExamined, hasMore } = await readEvents(ctx, { after: replay.after, types: wanted, limit: PAGE });
  replay.readThrough = hasMore ? lastExamined : replay.through;
  return events.filter(({ sequence }) => sequence <= replay.through);
}

const isOfTypes = ({ events }: Delivery, types: string[] | null): boolean =>
  types === null || events.some(({ type }) => types.includes(type));

/** Has what failed for good sent again; gives the number of events. */
export function replayFailed(state: SenderState, { after, before, types }: ReplayRange, now: number): number {
  const failed = state.log.listFailed({ after, before }).filter((each) => isOfTypes(each, types));
  for (const delivery of failed) resend(state, delivery, now);
  return failed.reduce((sum, { events }) => sum + events.length, 0);
}

function resend(state: SenderState, delivery: Delivery, now: number, shown: DeliveryAttempt | null = null): void {
  // The place in the log still waits for what was not delivered yet.
  const isReplay = delivery.isReplay || !state.backlog.isParked(delivery.id);
  const again = { ...delivery, tries: 0, firstFailedAt: now, dueAt: now, isReplay };
  state.log.putPending(again, shown);
  state.backlog.park(again);
}

/** Sends a delivery again, with all its tries; null where it is not known. */
export function sendAgain(state: SenderState, workspaceId: string, id: string, now: number): LoggedDelivery | null {
  const stored = state.log.find(id);
  const recent = state.recentSuccesses.find((each) => each.id === id);
  if (stored !== null) resend(state, stored, now);
  else if (recent !== undefined) resend(state, succeededDelivery(workspaceId, recent), now, recent.attempts[0]);
  return state.log.list({ id, limit: 1 })[0] ?? null;
}

/** A delivery that left no row: what its events are about is not known any more, so that it waits for none. */
const succeededDelivery = (workspaceId: string, { id, eventIds }: LoggedDelivery): Delivery => ({
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

/** Has a range of the log sent again; gives how many events it holds, or null where too many ranges wait already. */
export function replayAll(state: SenderState, { after, before, types }: ReplayRange): number | null {
  if (state.replays.length >= MAX_REPLAYS) return null;
  const through = before - 1;
  const count = Math.max(0, through - after);
  if (count > 0) state.replays = [...state.replays, { after, through, types }];
  state.save();
  return count;
}
