import { fetchRow } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { SECOND_MS } from "../../shared/time/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { eventId, type EventPlace, readEventId } from "../events/events.ids.ts";
import type { EventView } from "./event-feed.schemas.ts";
import { type EventPage, readEventPage, readEventsAt } from "./read-events.ts";
import { type EventSpan, selectEventSpan } from "./read-events.sql.ts";
import { waitForEvents } from "./wait-for-events.ts";

export interface EventListQuery {
  /** An event's id, or `now`; undefined for the oldest that is kept. */
  after: string | undefined;
  /** Patterns of types. */
  types: readonly string[];
  limit: number;
  waitSeconds: number | undefined;
  /** Aborted if the caller leaves, which ends the wait. */
  signal: AbortSignal;
}

/** Throws `not_found` for an id that is none of the workspace's. */
function findPlace(ctx: Ctx, id: string): EventPlace {
  const place = readEventId(ctx.workspace.id, id);
  if (place === null) throw notFound("event");
  return place;
}

/** Throws `not_found` for an event that there never was. */
function requireLogged({ sequence, at }: EventPlace, span: EventSpan): void {
  const isKept = sequence >= span.oldest;
  if (sequence > span.newest || (isKept && at !== span.fromAt)) throw notFound("event");
}

/** Throws `not_found` for an event that there never was, `cursor_expired` where events behind it have been deleted. */
function checkPlace(ctx: Ctx, place: EventPlace, { span }: EventPage): void {
  const { sequence } = place;
  if (sequence < span.oldest - 1) {
    const oldest = eventId(ctx.workspace.id, { sequence: span.oldest, at: span.oldestAt });
    const message = "The events after this event have been deleted. Omit `after` to start with the oldest event.";
    throw new AppError("cursor_expired", message, { oldest });
  }
  requireLogged(place, span);
}

/** The sequence number of an event, which need not be kept any more. Throws `not_found` for one that there never was. */
export async function findSequence(ctx: Ctx, id: string): Promise<number> {
  const place = findPlace(ctx, id);
  const span = await fetchRow(ctx.db, selectEventSpan(ctx, place.sequence, 0));
  if (span !== undefined) requireLogged(place, span);
  return place.sequence;
}

/**
 * Events after another, oldest first; `next` is the id behind which to go on. Throws `not_found`, `cursor_expired`, and
 * `rate_limited` where too many requests wait already.
 */
export async function listEvents(
  ctx: Ctx,
  { after, types, limit, waitSeconds, signal }: EventListQuery,
): Promise<{ events: EventView[]; next: string; hasMore: boolean }> {
  const place = after === undefined || after === "now" ? null : findPlace(ctx, after);
  const from = after === "now" ? "newest" : (place?.sequence ?? 0);
  let page = await readEventPage(ctx, { from, types, limit });
  if (place !== null) checkPlace(ctx, place, page);
  if (waitSeconds !== undefined && page.events.length === 0 && !page.hasMore) {
    const wait = { examined: page.lastExamined.sequence, ms: waitSeconds * SECOND_MS, signal };
    page = await waitForEvents(ctx, { types, limit }, wait);
  }
  return { events: page.events, next: eventId(ctx.workspace.id, page.lastExamined), hasMore: page.hasMore };
}

/** Throws `not_found`, also for an event that is kept no more. */
export async function getEvent(ctx: Ctx, id: string): Promise<EventView> {
  const { events } = await readEventsAt(ctx, [findPlace(ctx, id).sequence]);
  const [found] = events;
  if (found === undefined || found.id !== id) throw notFound("event");
  return found;
}
